"""The command `bookworm train lora`, a part of the command line."""
