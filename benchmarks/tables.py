"""Results compared with goals, and tables of both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.table import Table


@dataclass(frozen=True, slots=True)
class Goal:
    name: str
    found: float
    goal: str
    met: bool


def at_least(name: str, value: float, least: float) -> Goal:
    return Goal(name, value, f">= {least:g}", value >= least)


def under(name: str, value: float, most: float) -> Goal:
    return Goal(name, value, f"< {most:g}", value < most)


def reached(goals: Iterable[Goal]) -> Table:
    shown = table("Goal", "Found", "Goal", "Met")
    for goal in goals:
        shown.add_row(goal.name, f"{goal.found:g}", goal.goal, "yes" if goal.met else "NO")
    return shown


def table(first: str, *headings: str) -> Table:
    made = Table(box=None, padding=(0, 2, 0, 0))
    made.add_column(first)
    for heading in headings:
        made.add_column(heading, justify="right")
    return made


def ms(seconds: float) -> str:
    return f"{1000 * seconds:.2f}"
