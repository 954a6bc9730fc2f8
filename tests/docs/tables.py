"""The README's tables, made from the live objects: `python -m tests.docs.tables [--write]`.

Each stands between `<!-- table: NAME -->` and `<!-- end -->`. The tests compare; `make docs` writes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
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
    from generation.registry import GENERATORS, JUDGES
    from retrieval.registry import EMBEDDERS, RETRIEVERS

    registries = {
        "resolver": RESOLVERS,
        "embedder": EMBEDDERS,
        "retriever": RETRIEVERS,
        "generator": GENERATORS,
        "judge": JUDGES,
    }
    rows = [(kind, ", ".join(f"`{name}`" for name in known)) for kind, known in registries.items()]
    return table(("Engine", "Registered"), rows)


TABLES: dict[str, Callable[[], str]] = {
    "endpoints": endpoints,
    "settings": settings,
    "errors": errors,
    "commands": commands,
    "exits": exits,
    "engines": engines,
}


def written(text: str) -> dict[str, str]:
    """What stands in the README now."""
    return {name: body for _, name, body, _ in BLOCK.findall(text)}


def rewrite(text: str) -> str:
    return BLOCK.sub(lambda m: m[1] + TABLES[m[2]]() + m[4], text)


if __name__ == "__main__":
    text = README.read_text("utf-8")
    if "--write" in sys.argv[1:]:
        README.write_text(rewrite(text), "utf-8")
    else:
        print("\n".join(f"## {name}\n\n{make()}" for name, make in TABLES.items()))
