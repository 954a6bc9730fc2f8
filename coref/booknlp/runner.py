"""Runs in BookNLP's interpreter, not in ours: imports nothing of this project, and supports old Python.

    python runner.py probe MODELS
    python runner.py run TEXT OUTPUT NAME ENTITY_WEIGHTS COREF_WEIGHTS SPEAKER_WEIGHTS

`probe` writes one line of JSON. `run` ends with status 0, or with a last line on stderr that gives, as JSON
after `bookworm: `, the stage, kind and place of the error: never its message, which may quote the book.
Nothing is downloaded: the network is cut off before BookNLP is imported. When the parent process dies, which
closes our standard input, this process ends too.
"""

from __future__ import annotations

import json
import sys
import threading
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

MARK = "bookworm: "
SPACY_MODEL = "en_core_web_sm"
OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE")


def main() -> int:
    # Python puts the folder of this file first in the path. It is no place to import from.
    sys.path.pop(0)
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "probe":
        sys.stdout.write(json.dumps(_probe(*arguments)) + "\n")
        return 0
    threading.Thread(target=_leave_with_the_parent, daemon=True).start()
    _stay_offline()
    return _run(*arguments)


def _probe(models: str) -> dict[str, object]:
    """Return what is installed, without importing it."""
    return {
        "booknlp": _version("booknlp") if find_spec("booknlp") else None,
        "spacy_model": find_spec(SPACY_MODEL) is not None or (Path(models) / SPACY_MODEL).is_dir(),
    }


def _version(package: str) -> str:
    try:
        from importlib.metadata import version

        return version(package)
    except ImportError:  # no such package, or a Python before 3.8
        return "unknown"


def _leave_with_the_parent() -> None:
    import os

    sys.stdin.read()
    os._exit(1)


def _stay_offline() -> None:
    import socket
    from os import environ  # set, never read: the libraries look here when they are imported

    environ.update(dict.fromkeys(OFFLINE, "1"))
    for name in ("connect", "connect_ex"):
        setattr(socket.socket, name, _refuse)


def _refuse(*_: object) -> int:
    raise ConnectionRefusedError("BookNLP is run without a network")


def _run(text: str, output: str, name: str, entity: str, coref: str, speaker: str) -> int:
    stage = "import"
    try:
        module = import_module("booknlp.booknlp")
        stage = "load"
        parameters = {
            "pipeline": "entity,quote,coref",
            "model": "custom",  # the only one for which BookNLP never downloads
            "entity_model_path": entity,
            "coref_model_path": coref,
            "quote_attribution_model_path": speaker,
            "model_path": str(Path(entity).parent),
        }
        if (Path(entity).parent / SPACY_MODEL).is_dir():
            parameters["spacy_model"] = str(Path(entity).parent / SPACY_MODEL)
        engine = module.BookNLP("en", parameters)
        stage = "read"
        engine.process(text, output, name)
    except BaseException as error:  # BookNLP calls sys.exit as well
        sys.stderr.write("\n" + MARK + json.dumps({"stage": stage, **_error_report(error)}) + "\n")
        return 1
    return 0


def _error_report(error: BaseException) -> dict[str, str]:
    """Return the kind of an error, its place, and the missing module if one is missing."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "?"
    missing = getattr(error, "name", None) if isinstance(error, ImportError) else None
    return {"error": type(error).__name__, "place": place, "missing": str(missing or "")}


if __name__ == "__main__":
    sys.exit(main())
