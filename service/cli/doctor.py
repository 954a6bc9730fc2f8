"""`bookworm doctor`: checks the installation and shows how to fix what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer
from rich.text import Text

from service.cli import output
from service.cli.exits import Exit
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from service.health.checks import Check
    from service.health.doctor import Report


def doctor(context: typer.Context, json: JsonFlag = False) -> None:
    """Check the installation and show how to fix what is missing."""
    from service.health.doctor import examine

    session = Session.of(context)
    session.log()
    report = examine(session.settings)
    if json:
        output.write_json({"ready": report.ready, "checks": plain(report.checks)})
    else:
        show_report(report)
    if not report.ready:
        raise typer.Exit(Exit.UNAVAILABLE)


def show_report(report: Report) -> None:
    table = output.table("", "What", "Name", "Finding")
    for check in report.checks:
        table.add_row(_mark(check), check.group, Text(check.name), _finding(check))
    output.out.print(table)
    words = "All required parts work." if not report.troubled else "Some required parts do not work."
    output.out.print(Text(words, style="bold green" if not report.troubled else "bold red"))


def _mark(check: Check) -> Text:
    from service.health.checks import Health

    if check.health is Health.WORKS:
        return Text("✓", style="green")
    if not check.needed:
        return Text("·", style="dim")
    return Text("!", style="yellow") if check.health is Health.DEGRADED else Text("✗", style="red")


def _finding(check: Check) -> Text:
    from service.health.checks import Health

    text = Text(check.detail)
    if check.health is not Health.WORKS and check.remedy:
        text.append(f"\n{check.remedy}", style="yellow" if check.needed else "dim")
    return text
