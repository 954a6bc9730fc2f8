"""The tables of the documents, made from the live objects: `python -m tests.docs.tables [--write]`.

Each stands in one document, between `<!-- table: NAME -->` and `<!-- end -->`. The tests compare;
`make docs` writes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCUMENTS = (README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
ROOMS = ("books", "coref", "retrieval", "generation", "evaluation", "db", "service", "benchmarks")
NOTES = tuple(sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.md")))
"""Documents that stand beside what they are about: cards, and notes on how something is measured."""
BLOCK = re.compile(r"(<!-- table: (\w+) -->\n)(.*?)(<!-- end -->)", re.S)
METHODS = ("get", "post", "put", "patch", "delete")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def endpoints() -> str:
    from service.app import create_app

    paths: dict[str, dict[str, Any]] = create_app().openapi()["paths"]
    rows = [
        (f"`{method.upper()} {path}`", operation["description"].splitlines()[0])
        for path, operations in paths.items()
        for method, operation in operations.items()
        if method in METHODS
    ]
    return table(("Endpoint", "What it does"), rows)


def settings() -> str:
    from service.settings import Settings

    rows = []
    for name, field in Settings.model_fields.items():
        default = "" if field.default is None else f"`{str(field.default).removesuffix('.0').lower()}`"
        if field.default_factory is not None:
            default = "`~/.local/share/bookworm`"
        rows.append((f"`BOOKWORM_{name.upper()}`", default, field.description or ""))
    return table(("Setting", "Default", "Meaning"), rows)


def errors() -> str:
    from books.errors import BookwormError
    from service.http.statuses import STATUS

    rows = sorted(
        {
            (f"`{e.code}`", str(status), e.remedy)
            for e, status in STATUS.items()
            if "code" in vars(e) and e is not BookwormError
        }
    )
    return table(("Code", "HTTP", "What to do"), rows)


def commands() -> str:
    from typer.main import get_command

    from service.cli.app import app

    rows = []
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        for part in getattr(command, "commands", None) or [None]:
            chosen = command.commands[part] if part else command
            words = " ".join(filter(None, ("bookworm", name, part)))
            rows.append((f"`{words}`", (chosen.help or "").splitlines()[0]))
    return table(("Command", "What it does"), rows)


def exits() -> str:
    from service.cli.exits import MEANING

    return table(("Status", "Meaning"), [(str(int(code)), meaning) for code, meaning in MEANING.items()])


def engines() -> str:
    from coref.registry import RESOLVERS
    from generation.registry import EXTRACTORS, GENERATORS, JUDGES, offered
    from retrieval.registry import EMBEDDERS, RETRIEVERS

    registries = {
        "resolver": RESOLVERS,
        "embedder": EMBEDDERS,
        "retriever": RETRIEVERS,
        "generator": offered(GENERATORS),
        "extractor": EXTRACTORS,
        "judge": JUDGES,
    }
    rows = [(kind, ", ".join(f"`{name}`" for name in known)) for kind, known in registries.items()]
    return table(("Engine", "Registered"), rows)


def formats() -> str:
    from service.formats import FORMATS

    rows = [(known.name, known.endings, known.gives) for known in FORMATS.values()]
    return table(("Format", "Usually called", "What is taken from it"), rows)


def apart() -> str:
    """From the lists by which the reader knows them."""
    from books.lists import lines

    reasons: dict[str, set[str]] = {"front": set(), "back": set()}
    for line in lines("books", "data/matter.txt"):
        where, _, said = line.partition(":")
        reasons[where].add(said.rpartition("=")[2].strip(" ?"))
    reasons["apparatus"] = {"aside", "footnote", "page number", "running head", "scene break", "licence"}
    reasons["apparatus"] |= {"mark of a footnote"}
    reasons["apparatus"] |= {
        line.rpartition("=")[2].strip() for line in lines("books", "data/bracket_notes.txt")
    }
    reasons["front"] |= {"licence header", "front matter"}
    reasons["back"] |= {"licence footer", "back matter", "end mark"}
    return table(("Part", "What"), [(f"`{part}`", ", ".join(sorted(what))) for part, what in reasons.items()])


LIMITS = {
    "unpacked": ("What it unpacks to", "`BOOKWORM_MAX_UNPACKED_BYTES`", "`book_too_large`"),
    "entries": ("Files in an EPUB or DOCX", "", "`file_hostile`"),
    "depth": ("Elements within elements of its markup", "", "`file_hostile`"),
    "ratio": ("Times its packed size that a file in it may unpack to", "", "`file_hostile`"),
}


def limits() -> str:
    from dataclasses import asdict

    from books.limits import Limits
    from service.settings import Settings

    def size(count: int) -> str:
        return f"{count // 2**20} MiB" if count >= 2**20 else f"{count:,}"

    upload = Settings.model_fields["max_upload_bytes"].default
    assert Settings.model_fields["max_unpacked_bytes"].default == Limits().unpacked
    rows = [("The file", size(upload), "`BOOKWORM_MAX_UPLOAD_BYTES`", "`book_too_large`")]
    for name, value in asdict(Limits()).items():
        what, setting, code = LIMITS[name]
        rows.append((what, size(value), setting, code))
    return table(("Of a book", "At most", "Setting", "Else"), rows)


MACHINES = (
    ("8 GB card (272 GB/s)", "Qwen3 8B", 5.2, 272, 8_192),
    ("Mac with 16 GB (100 GB/s)", "Qwen3 8B", 5.2, 100, 8_192),
    ("16 GB card (288 GB/s)", "Qwen3 14B", 9.3, 288, 16_384),
    ("Mac with 32 GB (200 GB/s)", "Qwen3 14B", 9.3, 200, 16_384),
    ("24 GB card (1,008 GB/s)", "Qwen3 30B-A3B", 19 * 3.3 / 30.5, 1_008, 16_384),
    ("Mac with 48 GB (273 GB/s)", "Qwen3 30B-A3B", 19 * 3.3 / 30.5, 273, 16_384),
    ("H100 with 80 GB (3,350 GB/s)", "Qwen3 32B", 33, 3_350, 32_768),
    ("no GPU, 8 GB (51 GB/s)", "Qwen3 4B", 2.6, 51, 8_192),
)
"""What `docs/models.md` proposes, with the GB that are read for each token, GB a second, and the context."""


def expected() -> str:
    """Tokens are those of the estimate that is used for a server that does not count them."""
    from books.reading import read
    from evaluation.novella import text
    from generation.answering import WORDS, default_passages
    from generation.models.openai.token_estimate import estimate, estimate_prompt
    from generation.models.scripted_model import ScriptedModel
    from generation.types import AnswerLimits, Task
    from generation.writing.answer_sizes import answer_tokens
    from generation.writing.writer import PortraitWriter
    from retrieval.passages import split

    class Estimating(ScriptedModel):
        count_tokens = staticmethod(estimate)
        count_prompt = staticmethod(estimate_prompt)

    costs = [estimate(passage.text) for passage in split(read(text().encode(), name="novella.txt"))]
    each = round(sum(costs) / len(costs))
    answer = answer_tokens(WORDS[Task.DESCRIPTION])

    def passages(task: Task, context: int) -> str:
        room = PortraitWriter(Estimating(context=context)).room(task, AnswerLimits(words=WORDS[task]))
        return str(min(default_passages(task), (room or 0) // each))

    rows = [
        (
            machine,
            model,
            f"{context:,}",
            *(passages(task, context) for task in (Task.DESCRIPTION, Task.ANALYSIS)),
            f"{moved / read_each:.0f}",
            f"{answer * read_each / moved:.0f} s",
        )
        for machine, model, read_each, moved, context in MACHINES
    ]
    room_for = (f"Passages of {each} tokens in a description", "in an analysis")
    head = ("Machine", "Model", "Context", *room_for, "Tokens a second", f"A description of {answer} tokens")
    return table(head, rows)


TABLES: dict[str, Callable[[], str]] = {
    "formats": formats,
    "apart": apart,
    "limits": limits,
    "endpoints": endpoints,
    "settings": settings,
    "errors": errors,
    "commands": commands,
    "exits": exits,
    "engines": engines,
    "expected": expected,
}


def written() -> dict[str, list[tuple[str, str]]]:
    """By table, each document that has it and what is written there now."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in DOCUMENTS:
        for _, name, body, _ in BLOCK.findall(path.read_text("utf-8")):
            found.setdefault(name, []).append((path.name, body))
    return found


def rewrite(text: str) -> str:
    return BLOCK.sub(lambda m: m[1] + TABLES[m[2]]() + m[4], text)


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        for path in DOCUMENTS:
            text = path.read_text("utf-8")
            if BLOCK.search(text):
                path.write_text(rewrite(text), "utf-8")
    else:
        print("\n".join(f"## {name}\n\n{make()}" for name, make in TABLES.items()))
