from __future__ import annotations

from tests.coref.native.conftest import encoder_folder

__all__ = ["encoder_folder"]
