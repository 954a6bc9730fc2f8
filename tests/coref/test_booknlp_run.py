"""The resolver `booknlp`, through the real runner and an environment with a stub of the package."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
import venv
from dataclasses import replace
from pathlib import Path

import pytest

from books.types import Book, Exclusion, Part, Span
from coref.booknlp.resolver import WEIGHTS, BookNLPResolver, command
from coref.booknlp.runner import SPACY_MODEL
from coref.booknlp.setup import BookNLPSetup
from coref.errors import ResolverFailed, ResolverUnavailable
from coref.registry import ResolverSetup, make_resolver
from coref.types import Annotations
from tests.coref.conftest import make_book
from tests.coref.test_rules_bounds import check_promises
from tests.failing import fails, in_full

TEXT = "Tom saw Anna’s café.\n\n“Come in,” he said. She laughed, and he 🙂 saw Anna.\n"
STUB = Path(__file__).with_name("booknlp_stub.py")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="the environment is laid out as on POSIX")


def site(environment: Path) -> Path:
    return environment / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"


def make_environment(folder: Path, *, package: bool = True, spacy_model: bool = True) -> Path:
    """Create an interpreter of its own, with what is installed for it."""
    venv.create(folder, with_pip=False, symlinks=True)
    packages = site(folder)
    if package:
        (packages / "booknlp").mkdir()
        (packages / "booknlp" / "__init__.py").touch()
        (packages / "booknlp" / "booknlp.py").write_text(STUB.read_text("utf-8"), "utf-8")
        info = packages / "booknlp-1.0.8.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: booknlp\nVersion: 1.0.8\n")
    if spacy_model:
        (packages / SPACY_MODEL).mkdir()
        (packages / SPACY_MODEL / "__init__.py").touch()
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_environment(tmp_path_factory.mktemp("env"))


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    for stem in WEIGHTS["small"]:
        (folder / f"{stem}-v1.0.model").touch()
    return folder


@pytest.fixture
def setup(python: Path, models: Path) -> BookNLPSetup:
    return BookNLPSetup(python, models, timeout=60)


def annotate(setup: BookNLPSetup, text: str = TEXT, *, how: str = "") -> Annotations:
    assert setup.models is not None
    if how:
        (setup.models / "behave").write_text(how)
    return make_resolver("booknlp", setup=ResolverSetup(setup)).annotate(make_book(text))


def test_it_annotates(setup: BookNLPSetup) -> None:
    book, found = make_book(TEXT), annotate(setup)
    check_promises(book, found)
    assert [m.surface for m in found.mentions] == ["Tom", "Anna", "he", "She", "he", "Anna"]
    tom, anna = (next(c for c in found.characters if c.name == name) for name in ("Tom", "Anna"))
    assert (tom.pronouns, anna.pronouns) == ("he/him", "she/her")
    assert [(book.slice(q.span), q.speaker) for q in found.quotes] == [("“Come in,”", tom.id)]


def test_its_name_tells_version_and_size(setup: BookNLPSetup) -> None:
    assert BookNLPResolver(setup).name == "booknlp/1.0.8-small"
    assert annotate(setup).resolver == "booknlp/1.0.8-small"


def test_what_is_not_the_story_is_not_read(setup: BookNLPSetup) -> None:
    story = make_book("Anna prints Tom.\n\n" + TEXT)
    licence = story.paragraphs[0].span
    book = replace(
        story,
        paragraphs=tuple(replace(p, index=p.index - 1) for p in story.paragraphs[1:]),
        excluded=(Exclusion(licence, Part.FRONT, "licence"),),
    )
    found = make_resolver("booknlp", setup=ResolverSetup(setup)).annotate(book)
    check_promises(book, found)
    assert len(found.mentions) == 6
    assert found.mentions[0].span == Span(licence.end + 2, licence.end + 5)


def test_it_tells_how_far_it_is(setup: BookNLPSetup) -> None:
    told: list[float] = []
    make_resolver("booknlp", setup=ResolverSetup(setup)).annotate(make_book(TEXT), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1


def test_who_listens_can_stop_it(setup: BookNLPSetup, models: Path) -> None:
    class Enough(Exception):
        pass

    def stop(_: float) -> None:
        if (models / "pid").exists():
            raise Enough

    (models / "behave").write_text("slow")
    with pytest.raises(Enough):
        make_resolver("booknlp", setup=ResolverSetup(setup)).annotate(make_book(TEXT), progress=stop)
    time.sleep(0.1)
    with pytest.raises(ProcessLookupError):
        os.kill(int((models / "pid").read_text()), 0)


def test_it_ends_when_whoever_started_it_is_gone(setup: BookNLPSetup, models: Path, tmp_path: Path) -> None:
    (models / "behave").write_text("slow")
    (tmp_path / "book.txt").write_text(TEXT, "utf-8")
    assert setup.python is not None
    words = [
        str(tmp_path / "book.txt"),
        str(tmp_path / "out"),
        "book",
        *map(str, sorted(models.glob("*.model"))),
    ]
    started = subprocess.Popen([*command(setup.python, "run"), *words], cwd=models, stdin=subprocess.PIPE)
    while not (models / "pid").exists():
        assert started.poll() is None
        time.sleep(0.05)
    assert started.stdin is not None
    started.stdin.close()
    assert started.wait(timeout=20) == 1


@pytest.mark.parametrize(
    ("how", "says", "remedy"),
    [
        ("crash", r"failed on this book \(ValueError at booknlp.py:\d+\)", "log"),
        ("exit", r"failed on this book \(SystemExit", "log"),
        ("silent", "without a result", "log"),
        ("killed", r"killed \(signal 9\)", "memory"),
    ],
)
def test_how_a_run_can_fail(setup: BookNLPSetup, how: str, says: str, remedy: str) -> None:
    with pytest.raises(ResolverFailed, match=says) as caught:
        annotate(setup, how=how)
    assert remedy in caught.value.advice


def test_it_is_given_up_in_time(setup: BookNLPSetup) -> None:
    with pytest.raises(ResolverFailed, match="not done after 1 s") as caught:
        annotate(replace(setup, timeout=1), how="slow")
    assert "BOOKWORM_BOOKNLP_TIMEOUT" in caught.value.advice


def test_the_words_of_the_book_stay_out_of_the_log(
    setup: BookNLPSetup, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises(ResolverFailed) as caught:
        annotate(setup, how="crash")
    assert "ValueError" in caplog.text
    assert "Anna" not in caplog.text + str(caught.value)


@pytest.mark.parametrize(("how", "error"), [("no base", "OSError"), ("download", "ConnectionRefusedError")])
def test_nothing_is_downloaded(setup: BookNLPSetup, how: str, error: str) -> None:
    with fails(ResolverUnavailable, match=rf"can't load its models \({error}") as caught:
        annotate(setup, how=how)
    assert "google/bert" in in_full(caught.value)


def test_a_broken_package_is_told_from_a_missing_one(tmp_path: Path, setup: BookNLPSetup) -> None:
    python = make_environment(tmp_path / "env")
    (site(tmp_path / "env") / "booknlp" / "booknlp.py").write_text("import pkg_resources_of_old\n")
    with fails(ResolverUnavailable, match="lacks `pkg_resources_of_old`"):
        annotate(replace(setup, python=python))


@pytest.mark.parametrize(
    ("lacks", "says", "remedy"),
    [
        ({"package": False}, "no package `booknlp`", "pip install booknlp"),
        ({"spacy_model": False}, "no spaCy model", "spacy download"),
    ],
)
def test_what_the_environment_lacks(
    tmp_path: Path, setup: BookNLPSetup, lacks: dict[str, bool], says: str, remedy: str
) -> None:
    python = make_environment(tmp_path / "env", **lacks)
    with fails(ResolverUnavailable, match=says) as caught:
        BookNLPResolver(replace(setup, python=python))
    assert remedy in in_full(caught.value)


def test_the_spacy_model_may_lie_beside_the_weights(
    tmp_path: Path, setup: BookNLPSetup, models: Path
) -> None:
    python = make_environment(tmp_path / "env", spacy_model=False)
    (models / SPACY_MODEL).mkdir()
    assert BookNLPResolver(replace(setup, python=python)).name.startswith("booknlp/")


def test_what_is_not_set_is_said(setup: BookNLPSetup) -> None:
    for missing, variable in (
        (replace(setup, python=None), "BOOKWORM_BOOKNLP_PYTHON"),
        (replace(setup, models=None), "BOOKWORM_BOOKNLP_MODELS"),
    ):
        with pytest.raises(ResolverUnavailable) as caught:
            BookNLPResolver(missing)
        assert variable in in_full(caught.value)


def test_what_is_set_wrongly_is_said(setup: BookNLPSetup, tmp_path: Path) -> None:
    with fails(ResolverUnavailable, match="no interpreter"):
        BookNLPResolver(replace(setup, python=tmp_path / "nowhere"))
    text = tmp_path / "text"
    text.write_text("no program")
    with fails(ResolverUnavailable, match="PermissionError"):
        BookNLPResolver(replace(setup, python=text))
    with fails(ResolverUnavailable, match=r"coref_google_bert_uncased_L-12_H-768_A-12-….model"):
        BookNLPResolver(replace(setup, size="big"))
    with fails(ResolverUnavailable, match="lacks"):
        BookNLPResolver(replace(setup, models=tmp_path / "nowhere"))


def test_other_languages_are_refused(setup: BookNLPSetup) -> None:
    book = make_book(TEXT)
    chinese: Book = replace(book, report=replace(book.report, language="zh"))
    with fails(ResolverUnavailable, match="'zh'"):
        make_resolver("booknlp", setup=ResolverSetup(setup)).annotate(chinese)


def test_a_setup_travels_as_a_line(setup: BookNLPSetup) -> None:
    for one in (setup, BookNLPSetup()):
        line = one.to_line()
        assert "\n" not in line
        assert BookNLPSetup.from_line(line) == one
        assert json.loads(line)["size"] == "small"
