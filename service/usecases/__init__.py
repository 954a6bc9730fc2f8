"""What the service does, whoever asks: HTTP and the CLI translate, these decide."""
