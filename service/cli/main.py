"""The `bookworm` command's entry point: settle the process, then hand over to `service.cli.app`."""

from __future__ import annotations

import os
import sys

DEFAULTS = {
    # Idle torch threads spin by default, which slows the encoder sixfold when anything else runs beside it.
    "OMP_WAIT_POLICY": "PASSIVE",
    "GOMP_SPINCOUNT": "0",
    # Each shape of a tensor leaves a compiled kernel behind; sentences have many, which seldom come again.
    "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64",
    "TOKENIZERS_PARALLELISM": "false",
    # Models come with the installation or from a folder: nothing is ever fetched at run time.
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
}


def settle() -> None:
    """Before torch can be imported; what a person has set themselves stays."""
    for name, value in DEFAULTS.items():
        os.environ.setdefault(name, value)


def main() -> None:
    settle()
    from service.cli.app import run

    sys.exit(run(sys.argv[1:]))
