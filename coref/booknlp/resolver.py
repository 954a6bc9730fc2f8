"""The real BookNLP as a resolver: run in an interpreter of its own, its output read by the importer."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from books.types import Book
from coref.booknlp import process
from coref.booknlp.importer import import_output
from coref.booknlp.output_files import read_output
from coref.booknlp.setup import BookNLPSetup, Size
from coref.booknlp.spacy_words import story_text
from coref.errors import BookNLPUnreadable, ResolverFailed, ResolverUnavailable
from coref.protocols import Progress
from coref.types import Annotations

WEIGHTS: dict[Size, tuple[str, str, str]] = {
    "small": (
        "entities_google_bert_uncased_L-4_H-256_A-4",
        "coref_google_bert_uncased_L-2_H-256_A-4",
        "speaker_google_bert_uncased_L-8_H-256_A-4",
    ),
    "big": (
        "entities_google_bert_uncased_L-6_H-768_A-12",
        "coref_google_bert_uncased_L-12_H-768_A-12",
        "speaker_google_bert_uncased_L-12_H-768_A-12",
    ),
}
"""BookNLP's names of its weights, before the version. It derives the base model from the name."""
OUTPUT = "book"
ENGLISH = "en"
_PROBE_SECONDS = 60


class BookNLPResolver:
    """Runs BookNLP. The constructor raises at once if anything that it needs is missing."""

    def __init__(self, setup: BookNLPSetup) -> None:
        self._python = _interpreter(setup.python)
        self._weights = _weights(setup.models, setup.size)
        self._timeout = setup.timeout
        version = _version(self._python, self._weights[0].parent)
        self._name = f"booknlp/{version}-{setup.size}"

    @property
    def name(self) -> str:
        return self._name

    def annotate(self, book: Book, *, progress: Progress | None = None) -> Annotations:
        if book.language != ENGLISH:
            what = f"BookNLP reads English, and this book is in {book.language!r}."
            raise ResolverUnavailable(what, remedy="Choose another resolver for this book.", plain=what)
        with TemporaryDirectory(prefix="bookworm-booknlp-") as folder:
            text, output = Path(folder) / "book.txt", Path(folder) / "output"
            text.write_text(story_text(book), "utf-8", newline="\n")
            command = [*self._command("run"), str(text), str(output), OUTPUT]
            command += [path.as_posix() for path in self._weights]
            models = self._weights[0].parent
            process.run(command, cwd=models, log=Path(folder), timeout=self._timeout, progress=progress)
            return self._read(output, book)

    def _read(self, output: Path, book: Book) -> Annotations:
        try:
            found = read_output(output)
        except BookNLPUnreadable as error:
            raise ResolverFailed(f"BookNLP ended without a result: {error.detail}") from error
        return import_output(found, book, name=self._name).annotations

    def _command(self, what: str) -> list[str]:
        return command(self._python, what)


def command(python: Path, what: str) -> list[str]:
    # -E: the variables set for our interpreter do not apply to this one
    return [str(python), "-E", "-u", str(Path(__file__).with_name("runner.py")), what]


def _interpreter(python: Path | None) -> Path:
    if python is None:
        raise ResolverUnavailable(
            "No Python interpreter is set for BookNLP.",
            remedy="Install `bookworm[booknlp]` in an environment of its own, and set "
            "BOOKWORM_BOOKNLP_PYTHON to that environment's python.",
        )
    if not python.is_file():
        raise ResolverUnavailable(
            f"There is no interpreter {python}.",
            remedy="Set BOOKWORM_BOOKNLP_PYTHON to the python of the environment that has `booknlp`.",
        )
    return python.absolute()


def _weights(models: Path | None, size: Size) -> tuple[Path, ...]:
    if models is None:
        raise ResolverUnavailable(
            "No folder is set for BookNLP's weights.",
            remedy="Set BOOKWORM_BOOKNLP_MODELS to the folder that holds them.",
        )
    found = [max(models.glob(f"{stem}-*.model"), default=None) for stem in WEIGHTS[size]]
    missing = [f"{stem}-….model" for stem, path in zip(WEIGHTS[size], found, strict=True) if path is None]
    if missing:
        raise ResolverUnavailable(
            f"{models} lacks BookNLP's {size} weights: {', '.join(missing)}.",
            remedy="Put BookNLP's `.model` files there under their original names, or choose the other "
            "BOOKWORM_BOOKNLP_SIZE. Nothing is downloaded here.",
        )
    return tuple(path.absolute() for path in found if path is not None)


def _version(python: Path, models: Path) -> str:
    """Return the installed version. Raises if anything is missing."""
    try:
        done = subprocess.run(  # noqa: S603 - the interpreter that the settings name, and our own file
            [*command(python, "probe"), str(models)],
            capture_output=True,
            timeout=_PROBE_SECONDS,
            stdin=subprocess.DEVNULL,
            check=True,
        )
        told = json.loads(done.stdout)
        version, spacy_model = told["booknlp"], told["spacy_model"]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as error:
        raise ResolverUnavailable(
            f"{python} does not work as a Python interpreter ({type(error).__name__}).",
            remedy="Set BOOKWORM_BOOKNLP_PYTHON to a python of version 3.7 or later.",
        ) from error
    if version is None:
        raise ResolverUnavailable(
            f"{python} has no package `booknlp`.",
            remedy=f"Install it there: `{python} -m pip install booknlp`.",
        )
    if not spacy_model:
        raise ResolverUnavailable(
            f"{python} has no spaCy model `en_core_web_sm`, which BookNLP starts from.",
            remedy=f"`{python} -m spacy download en_core_web_sm`, or put its folder beside the weights.",
        )
    return str(version)
