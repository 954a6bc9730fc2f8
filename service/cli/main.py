"""The entry point of the `bookworm` command. It sets environment variables, then runs `service.cli.app`."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

DEFAULTS = {
    # Idle torch threads spin by default, which slows the encoder sixfold while another program is running.
    "OMP_WAIT_POLICY": "PASSIVE",
    "GOMP_SPINCOUNT": "0",
    # Each tensor shape leaves a compiled kernel in a cache, and most shapes of sentences do not recur.
    "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64",
    "TOKENIZERS_PARALLELISM": "false",
    # Models are installed or loaded from a folder: nothing is ever downloaded at run time.
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
}


def settle() -> None:
    """Sets the variables before torch is imported. Values that the user has set are kept.

    What goes to a file or a program is UTF-8, as JSON has to be, whatever the encoding of the terminal.
    """
    for name, value in DEFAULTS.items():
        os.environ.setdefault(name, value)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors=stream.errors)


def main() -> None:
    settle()
    try:
        from service.cli.app import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # during the imports
        sys.stderr.write("Stopped.\n")
        status = 130
    sys.exit(status)
