"""The report as a self-contained page: it loads nothing, escapes everything, and supports dark mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from evaluation.portraits import figure_format
from evaluation.portraits.published import DIFFERENT, SOURCE
from evaluation.portraits.report import PortraitReport, intro, mark, troubles
from evaluation.portraits.running import ReferencedBook, SystemResult
from evaluation.portraits.table import Table


def html(report: PortraitReport) -> str:
    style = (files(__package__) / "page.css").read_text("utf-8")
    body = "\n".join(_body(report))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        "<title>Portraits, measured</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _body(report: PortraitReport) -> Iterator[str]:
    yield "<h1>Portraits, measured</h1>"
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in report.facts)
    yield f"<dl>{facts}</dl>"
    for table in report.tables:
        yield from _table(table)
    if wrong := troubles(report):
        yield "<h2>What is not in it</h2>"
        yield "<ul>" + "".join(f"<li>{escape(trouble)}</li>" for trouble in wrong) + "</ul>"
    if report.results:
        yield "<h2>Every answer</h2>"
        for case in dict.fromkeys(result.case for result in report.results):
            yield _answers(case, [result for result in report.results if result.case == case])


def _table(table: Table) -> Iterator[str]:
    main, rest = figure_format.split_columns(table)
    yield f"<h2>{escape(table.task.value.capitalize())}</h2>"
    yield f"<p>{escape(intro(table))}</p>"
    rows = []
    for row in table.rows:
        name, *others = figure_format.about(row)
        cells = [f"<td>{escape(text)}</td>" for text in others]
        for column in main:
            cell = row.cells[column]
            bounds = figure_format.bounds_of(column, cell)
            small = f"<small>{escape(bounds)}</small>" if bounds else ""
            cells.append(f"<td>{escape(figure_format.mean_of(column, cell))}{small}</td>")
        rows.append(f'<tr><th scope="row">{escape(name)}</th>{"".join(cells)}</tr>')
    yield _grid([*figure_format.FIRST, *map(figure_format.heading, main)], rows)
    yield f"<p><small>{escape(mark(table)).replace('`', '')}</small></p>"
    have, figures = figure_format.published_rows(table.task, main)
    if figures:
        yield f"<details><summary>Published figures</summary><p>{escape(SOURCE)}. {escape(DIFFERENT)}</p>"
        yield _grid(
            ["System", *map(figure_format.heading, have), "Where"], [_plain_row(row) for row in figures]
        )
        yield "</details>"
    if rest:
        yield "<details><summary>All other measures</summary>"
        lines = [[c, *(figure_format.mean_of(c, row.cells[c]) for row in table.rows)] for c in rest]
        yield _grid(["Measure", *(row.system for row in table.rows)], [_plain_row(line) for line in lines])
        yield "</details>"


def _answers(case: ReferencedBook, results: Sequence[SystemResult]) -> str:
    entry = case.entry
    title = f"{entry.character}, {entry.title}: {entry.task.value}"
    parts = [f"<h3>Reference ({escape(entry.source)})</h3>{_text(entry.text)}"]
    parts += (f"<h3>{escape(result.system)}</h3>{_text(result.text)}" for result in results)
    return f"<details><summary>{escape(title)}</summary>{''.join(parts)}</details>"


def _text(text: str) -> str:
    return "".join(f"<p>{escape(part.strip())}</p>" for part in text.split("\n\n") if part.strip())


def _plain_row(cells: Sequence[str]) -> str:
    first, *others = cells
    return f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(c)}</td>" for c in others)}</tr>'


def _grid(head: Sequence[str], rows: Sequence[str]) -> str:
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div class="wide">{table}</div>'
