"""A Llama with LoRA adapters in this process: its files, its memory, its chat template, its decoding."""
