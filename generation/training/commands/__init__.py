"""`bookworm train lora`. Part of the command line."""
