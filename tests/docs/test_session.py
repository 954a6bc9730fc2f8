"""What the documents tell their reader to type works as it stands there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import urllib.request

import pytest

from evaluation import novella
from tests.docs.conftest import Desk
from tests.docs.tables import DOCUMENTS, README, ROOT

SESSION = README.read_text("utf-8").partition("## A session")[2].partition("\n## ")[0]
READING = (ROOT / "docs" / "formats.md").read_text("utf-8")
CHECKING = (ROOT / "docs" / "quality.md").read_text("utf-8")
MODELS = (ROOT / "docs" / "models.md").read_text("utf-8")
SUMMARIES = (ROOT / "docs" / "summaries.md").read_text("utf-8")
COMMANDS = (ROOT / "docs" / "cli.md").read_text("utf-8")
REPLAYED = (SESSION, READING, CHECKING, SUMMARIES, COMMANDS)
NAME = "Captain Briggs"


def commands(prefix: str, part: str = SESSION) -> list[str]:
    """What stands after the `$` of a part's console blocks, continued lines joined."""
    blocks = "\n".join(re.findall(r"```console\n(.*?)```", part, re.S)).replace("\\\n", " ")
    return [line[2:] for line in blocks.splitlines() if line.startswith(f"$ {prefix}")]


def sh(desk: Desk, command: str, **variables: str) -> str:
    command = command.replace("http://127.0.0.1:8000", desk.url)
    done = subprocess.run(
        ["bash", "-ec", command],
        cwd=desk.folder,
        env=desk.environment | variables,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_session_with_curl(desk: Desk) -> None:
    upload, *rest = commands("curl")
    book = json.loads(sh(desk, upload))["book"]
    assert book["state"] == "ready"
    cast = json.loads(sh(desk, f"curl -s {desk.url}/v1/books/{book['id']}/characters"))
    assert len(rest) == 9
    for command in rest:
        # A problem is JSON too, but then with a status.
        answer = json.loads(sh(desk, command, BOOK=book["id"], KEY=cast["items"][0]["id"]))
        assert not isinstance(answer.get("status"), int), (command, answer)


@pytest.mark.soak
def test_the_session_on_the_command_line(desk: Desk) -> None:
    asked = commands("bookworm")
    assert len(asked) == 5
    for command in asked:
        out = sh(desk, command, NAME=NAME)
        if "--json" in command:
            assert json.loads(out)["task"] == "description"
    assert json.loads((desk.folder / "annotations.json").read_text("utf-8"))["characters"]


@pytest.mark.soak
def test_reading_a_file_and_correcting_its_chapters(desk: Desk) -> None:
    shown, structure, listed, set_to, reset = commands("bookworm", READING)
    assert "Chapter 2. The Storm" in sh(desk, shown)
    assert len(json.loads(sh(desk, structure))["chapters"]) == 3
    sh(desk, listed)
    file = desk.folder / "chapters.json"
    found = json.loads(file.read_text("utf-8"))
    found["chapters"][0]["title"] = "By Another Name"
    file.write_text(json.dumps(found), "utf-8")
    assert "By Another Name" in sh(desk, set_to)
    assert "Chapter 1. The Lamp" in sh(desk, reset)


@pytest.mark.soak
def test_correcting_the_characters(desk: Desk) -> None:
    split, rename, speaker = commands("bookworm", COMMANDS)
    assert "new → Captain Grey" in sh(desk, split)
    assert "→ Peter Lowe" in sh(desk, rename)
    assert "“Bring the rope!”" in sh(desk, speaker)


@pytest.mark.soak
def test_checking_a_text_keeping_a_reference_and_overruling(desk: Desk) -> None:
    (desk.folder / "profile.txt").write_text("Captain Briggs was the master of the supply boat.", "utf-8")
    check, reference, overrule = commands("bookworm", CHECKING)
    assert json.loads(sh(desk, check, NAME=NAME))["facts"]
    assert sh(desk, reference, NAME=NAME)
    answer = json.loads(sh(desk, f'bookworm describe novel.txt "{NAME}" --json'))
    assert answer["prisma"]["reference"]
    assert "supported" in sh(desk, overrule, FACT=answer["facts"][0]["id"])


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_summaries_are_as_the_document_shows_them(desk: Desk) -> None:
    """Nearly: which sentences are chosen differs a little with the arithmetic of the machine."""
    (desk.folder / "novella.txt").write_text(novella.text(), "utf-8")
    shown = re.findall(r"```console\n\$ (bookworm .*)\n([^`]+)```", SUMMARIES)
    assert [command for command, _ in shown] == commands("bookworm", SUMMARIES)
    for command, text in shown:
        out = sh(desk, command, BOOKWORM_EMBEDDER="minilm", BOOKWORM_DATA_DIR="summaries")
        told, printed = (re.findall("“[^”]+”", " ".join(each.split())) for each in (text, out))
        assert len(set(told) & set(printed)) >= 0.7 * len(told), command


def test_every_example_is_replayed_but_those_that_need_a_model() -> None:
    text = "\n".join(path.read_text("utf-8") for path in DOCUMENTS)
    every = commands("", text)
    assert sorted(every) == sorted([c for part in (*REPLAYED, MODELS) for c in commands("", part)])
    needs_one = re.compile(r"BOOKWORM_(OPENAI|LLAMA)_|ollama |bookworm models")
    assert all(needs_one.match(c) for c in commands("", MODELS))


def test_the_session_in_python(desk: Desk) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", SESSION, re.S)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{example}"],
        cwd=desk.folder,
        env=desk.environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "Margaret" in done.stdout


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/docs", "text/html"), ("/openapi.json", "json"), ("/livez", "json"), ("/metrics", "text/plain")],
)
def test_addresses_that_are_spoken_of_answer(desk: Desk, path: str, kind: str) -> None:
    assert any(path in document.read_text("utf-8") for document in DOCUMENTS)
    with urllib.request.urlopen(desk.url + path, timeout=20) as answer:
        assert answer.status == 200
        assert kind in answer.headers["content-type"]
