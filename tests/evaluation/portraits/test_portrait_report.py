"""The report: figures by hand, and nothing in it that could break out of its cell or its page."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from evaluation import novella
from evaluation.datasets import bookworm
from evaluation.datasets.types import DataInvalid
from evaluation.portraits import figure_format
from evaluation.portraits.cases import find_cases, own_references, read_summaries
from evaluation.portraits.novella import FILE, content
from evaluation.portraits.page import html
from evaluation.portraits.published import published
from evaluation.portraits.report import PortraitReport, as_csv, markdown
from evaluation.portraits.running import ReferencedBook, SystemFailure, SystemResult
from evaluation.portraits.table import tables
from evaluation.portraits.units import Unit
from generation.types import Task, Usage
from tests.evaluation.portraits.shop import STORY, case

NASTY = "<script>alert('x')</script> | & \"quoted\" \\ `code`"


def result(
    asked: ReferencedBook,
    system: str,
    scores: Mapping[str, float | None],
    *,
    text: str = "Two words.",
    who: str = "",
) -> SystemResult:
    usage = Usage(100, 20, 1, 2.0)
    return SystemResult(
        asked, system, "hash", who or f"c{asked.entry.line}", text, usage, scores, {"version": 1}
    )


CASES = [replace(case(f"Reference {n}.", line=n), origin=str(n)) for n in range(8)]


def report(
    results: list[SystemResult], failures: tuple[SystemFailure, ...] = (), **more: object
) -> PortraitReport:
    made = tables(
        results, failures, systems=["one", "two"], against="one", unit=Unit.PEOPLE, seed=1, **more  # type: ignore[arg-type]
    )  # fmt: skip
    return PortraitReport(made, results, failures, ("Lost by Nobody: no book",), {}, (("Seed", NASTY),))


@pytest.fixture
def plain() -> PortraitReport:
    """`two` is better by 0.1 in every case; one case of `one` was not measured."""
    ones = [
        result(c, "one", {"rouge1": n / 10, "density": None if n == 7 else 2.0}) for n, c in enumerate(CASES)
    ]
    twos = [result(c, "two", {"rouge1": n / 10 + 0.1, "density": 4.0}) for n, c in enumerate(CASES)]
    twos[0] = replace(twos[0], usage=Usage(0, 50, 0, 12.0))
    return report([*ones, *twos])


def test_the_table_by_hand(plain: PortraitReport) -> None:
    [table] = plain.tables
    assert (table.samples, table.people, table.books, table.reference_words) == (8, 8, 1, 2.0)
    one, two = table.rows
    assert (one.answers, one.words, one.seconds, one.tokens) == (8, 2.0, 2.0, 120.0)
    assert two.seconds == 2.0, "the first one waited ten seconds, and is no measure of the others"
    assert two.tokens == pytest.approx(7 / 8 * 120), "what took no call took no tokens"
    cells = one.cells["rouge1"], two.cells["rouge1"], one.cells["density"]
    assert cells[0] is not None
    assert cells[1] is not None
    assert cells[2] is not None
    assert cells[0].interval.mean == pytest.approx(0.35)
    assert cells[0].against is None
    assert cells[1].against is not None
    assert cells[1].against.mean == pytest.approx(0.1)
    assert cells[1].against.randomised == pytest.approx(2 / 2**8)
    assert cells[2].interval.count == 7
    assert table.columns == ("rouge1", "density")


def test_the_units_that_are_drawn() -> None:
    """Two references of one person are one unit; there is only one book, so there is no interval."""
    results = [
        result(c, s, {"rouge1": 0.1}, who=f"c{n // 2}") for s in ("one", "two") for n, c in enumerate(CASES)
    ]
    [by_people] = tables(results, (), systems=["one", "two"], against=None, unit=Unit.PEOPLE, seed=1)
    [by_books] = tables(results, (), systems=["one", "two"], against=None, unit=Unit.BOOKS, seed=1)
    people, books = by_people.rows[0].cells["rouge1"], by_books.rows[0].cells["rouge1"]
    assert people is not None
    assert books is not None
    assert (people.interval.units, people.interval.count) == (4, 8)
    assert people.interval.low is not None
    assert (books.interval.units, books.interval.low) == (1, None)
    assert people.against is None


def test_markdown(plain: PortraitReport) -> None:
    text = markdown(plain)
    assert "| two | 8 | 2 | 2.00 | 105 | 45.00* [" in text
    assert "| one | 8 | 2 | 2.00 | 120 | 35.00 [" in text
    assert "| density | 2.00 | 4.00* |" in text
    assert "differs from `one` by more than chance" in text
    assert "| Oracle (extract) | 34.38 | Table 2 |" in text
    assert "other answers about other books" in text
    assert "- Lost by Nobody: no book" in text


def test_a_missing_value_is_no_nought() -> None:
    told = report([result(CASES[0], "one", {"rouge1": None}), result(CASES[0], "two", {"rouge1": 0.0})])
    assert "| one | 1 | 2 | 2.00 | 120 | – |" in markdown(told)
    assert "| two | 1 | 2 | 2.00 | 120 | 0.00 |" in markdown(told)


def test_csv(plain: PortraitReport) -> None:
    rows = list(csv.DictReader(as_csv(plain).splitlines()))
    [two] = [r for r in rows if (r["system"], r["metric"]) == ("two", "rouge1")]
    assert (two["task"], two["mean"], two["count"], two["against"]) == ("description", "0.45", "8", "one")
    assert float(two["difference"]) == pytest.approx(0.1)
    assert float(two["p_randomised"]) == pytest.approx(2 / 2**8)
    assert float(two["low"]) < 0.45 < float(two["high"])
    [seconds] = [r for r in rows if (r["system"], r["metric"]) == ("one", "seconds")]
    assert (seconds["mean"], seconds["low"], seconds["difference"]) == ("2", "", "")


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: dict[str, set[str]] = {}
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.setdefault(tag, set()).update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def nasty() -> PortraitReport:
    entry = replace(CASES[0].entry, text=NASTY, character=NASTY, title=NASTY, source=NASTY)
    asked = replace(CASES[0], entry=entry)
    results = [result(asked, s, {"rouge1": 0.5, NASTY: 0.5}, text=NASTY) for s in ("one", "two")]
    told = report(results, (SystemFailure(asked, "one", NASTY),))
    [table] = told.tables
    row = replace(table.rows[0], system=NASTY)
    return replace(
        told, tables=[replace(table, rows=(row, *table.rows[1:]), against=NASTY)], missing=(NASTY,)
    )


def test_the_page_escapes_everything() -> None:
    page = html(nasty())
    told = Tags()
    told.feed(page)
    assert "script" not in told.tags
    # Title, reference, source, two answers, a column, a system, an input, and two troubles.
    assert told.text.count("<script>alert('x')</script>") >= 10
    assert all(not name.startswith("on") for names in told.attributes.values() for name in names)


def test_the_page_stands_alone(plain: PortraitReport) -> None:
    page = html(plain)
    told = Tags()
    told.feed(page)
    assert {"link", "img", "script", "iframe"}.isdisjoint(told.tags)
    assert not re.search(r"(?:src|href)=|url\(|@import", page)
    assert "prefers-color-scheme: dark" in page
    assert told.tags.count("details") == 2 + len(CASES)
    for tag in ("table", "tr", "td", "th", "details", "div", "p", "small"):
        assert len(re.findall(rf"<{tag}[ >]", page)) == page.count(f"</{tag}>"), tag


def test_markdown_cells_hold() -> None:
    """A bar or a line break in a name opens no cell."""
    lines = [line for line in markdown(nasty()).splitlines() if line.startswith("| <script>")]
    assert lines
    for line in lines:
        assert "\\|" in line
    bars = {len(re.findall(r"(?<!\\)\|", line)) for line in lines[:1]}
    head = next(line for line in markdown(nasty()).splitlines() if line.startswith("| System"))
    assert bars == {head.count("|")}


def test_the_published_figures() -> None:
    told = {(p.place, p.task, p.kind, p.system, p.metric): p.value for p in published()}
    assert len(told) == len(published()) == 297
    assert told["Table 2", Task.DESCRIPTION, "zero-shot", "Llama-3 + coref", "rouge1"] == 29.86
    assert told["Table 2", Task.ANALYSIS, "extract", "Oracle", "rougeL"] == 17.86
    assert told["Table 3", Task.ANALYSIS, "fine-tuned", "Llama-3 + coref", "nli"] == 50.85
    assert told["Table 4", Task.DESCRIPTION, "fine-tuned", "LongT5", "prisma_reference_f1_event"] == 10.49
    assert told["Table 5", Task.DESCRIPTION, "zero-shot", "Llama-3-70B + hier (joint)", "qa_f1"] == 12.78
    assert (
        told["Table 15", Task.DESCRIPTION, "zero-shot", "Llama-3 + summary", "prisma_reference_f1"] == 63.24
    )
    assert all(0 <= p.value <= 100 for p in published())
    have, rows = figure_format.published_rows(Task.ANALYSIS, ["nli", "rouge1", "novel4_book"])
    assert have == ["nli", "rouge1"]
    assert ["Reference (reference)", "61.43", "–", "Table 3"] in rows


def test_our_own_references() -> None:
    files = own_references()
    assert {path.name for path in files} == {
        "novella.jsonl", "great_expectations.jsonl",
    }  # fmt: skip
    entries = {path.name: bookworm.read(path).entries for path in files}
    assert (Path(files[0].parent) / FILE).read_text("utf-8") == content(), "write them anew from the gold"
    assert len(entries.pop(FILE)) == 3 * len(novella.gold().references)
    for mine in entries.values():
        described = bookworm.of_task(mine, Task.DESCRIPTION)
        analysed = bookworm.of_task(mine, Task.ANALYSIS)
        assert (len({e.character for e in described}), len(described), len(analysed)) == (6, 6, 2)
        assert {e.character for e in analysed} <= {e.character for e in described}
        assert all(80 <= len(e.text.split()) <= 125 for e in described)
        assert all(230 <= len(e.text.split()) <= 320 for e in analysed)


def test_cases(tmp_path: Path) -> None:
    books = tmp_path / "books"
    books.mkdir()
    (books / "1_the_lamp.txt").write_text(STORY)
    lines = [
        {"id": 1, "book": "The Lamp", "author": "A", "character": "Anne", "description": "x", "source": "s"},
        {"id": 2, "book": "Not There", "author": None, "character": "Z", "description": "x", "source": "s"},
    ]
    data = tmp_path / "data.jsonl"
    data.write_text("\n".join(map(json.dumps, lines)))
    summaries = tmp_path / "summaries.jsonl"
    summaries.write_text(json.dumps({"title": "Lamp: a Tale", "summary": "A lamp."}))
    found = find_cases([data, own_references()[0]], books, summaries)
    assert [(c.entry.title, c.path.name, c.summary) for c in found.cases[:1]] == [
        ("The Lamp", "1_the_lamp.txt", "A lamp.")
    ]
    assert any(name.startswith("Not There by nobody knows whom") for name in found.missing)
    assert [c.path for c in find_cases([own_references()[-1]], books).cases] == [novella.path()] * 15
    (books / "copy.txt.gz").write_bytes(gzip.compress(novella.path().read_bytes()))
    assert len(find_cases([own_references()[-1]], books).cases) == 15
    summaries.write_text('{"title": "x"}')
    with pytest.raises(DataInvalid, match=r"line 1: .*`summary`"):
        read_summaries(summaries)
