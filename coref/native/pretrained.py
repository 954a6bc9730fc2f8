"""Load models from local folders in the format of `transformers`.

Nothing is downloaded, and no code in them is run.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from books.errors import BookwormError


def load_pretrained(kind: str, folder: Path, *, refusal: Callable[[str], BookwormError]) -> tuple[Any, Any]:
    """Return the model in 32 bits, and its tokenizer.

    `kind` is a class of `transformers` that detects what a folder holds. What is wrong with it is raised as
    a `refusal`.
    """
    import transformers
    from safetensors import SafetensorError

    from coref.native.precision import likeliest_device

    transformers.utils.logging.disable_progress_bar()
    where = {"pretrained_model_name_or_path": str(folder), "local_files_only": True}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(**where)
        model, told = getattr(transformers, kind).from_pretrained(
            **where, use_safetensors=True, dtype="float32", output_loading_info=True
        )
    except (ImportError, OSError, KeyError, ValueError, RuntimeError, SafetensorError) as error:
        raise refusal(f"`{folder.name}` could not be loaded: {error}.") from error
    if not tokenizer.is_fast:
        raise refusal(f"The tokenizer of `{folder.name}` does not give the offsets of its pieces.")
    if lacking := [name for name in told["missing_keys"] if "pooler" not in name]:
        raise refusal(f"`{folder.name}` was not trained for this: it has no weights for {lacking[0]}.")
    return model.eval().to(likeliest_device()), tokenizer
