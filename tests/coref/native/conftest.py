from __future__ import annotations

from pathlib import Path

import pytest

from tests.coref.native.tiny import save_encoder


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_encoder(tmp_path_factory.mktemp("encoder"))
