"""Sheets on which people rate summaries, as BookSum's judges did, and what they say together.

A sheet does not tell which system wrote a summary. The key does, a file beside it. Each judge fills in a
copy.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import combinations
from random import Random
from statistics import fmean
from typing import Final

from evaluation.agreement import weighted
from evaluation.booksum.types import SummaryLevel
from evaluation.datasets.types import DataInvalid
from evaluation.metrics.statistics import Interval, interval

DIMENSIONS: Final = ("fluency", "coherence", "relevance", "factuality")
"""Each from 1 (worst) to 5 (best)."""
_SCALE: Final = range(1, 6)
_COLUMNS: Final = ("id", "level", "text", "summary", *DIMENSIONS)


@dataclass(frozen=True, slots=True)
class RatedSummary:
    """One summary by one system."""

    system: str
    level: SummaryLevel
    bid: str
    pair: str
    """The name of what is summarised."""
    text: str
    summary: str

    @property
    def id(self) -> str:
        return sha256(f"{self.system}\n{self.pair}".encode()).hexdigest()[:10]


@dataclass(frozen=True, slots=True)
class KeyEntry:
    system: str
    level: SummaryLevel
    bid: str


@dataclass(frozen=True, slots=True)
class DimensionRatings:
    """What the judges say of one system's summaries of one level."""

    system: str
    level: SummaryLevel
    dimension: str
    mean: Interval
    """Of the summaries, each with the mean of its ratings; the interval draws whole books."""
    ratings: int


@dataclass(frozen=True, slots=True)
class SheetsReport:
    judges: int
    ratings: tuple[DimensionRatings, ...]
    agreement: Mapping[str, float | None]
    """By dimension: the mean of Cohen's kappa with quadratic weights over pairs of judges."""


def sheet_of(summaries: Sequence[RatedSummary], *, most: int, seed: int) -> tuple[str, str]:
    """Return a sheet and its key: summaries of at most so many texts of each level, in mixed order."""
    chance = Random(seed)
    taken: set[str] = set()
    for level in SummaryLevel:
        pairs = sorted({each.pair for each in summaries if each.level is level})
        taken.update(chance.sample(pairs, min(most, len(pairs))))
    chosen = [each for each in summaries if each.pair in taken]
    chance.shuffle(chosen)
    chosen.sort(key=lambda each: each.pair)  # stable: the systems of a text stay mixed
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for each in chosen:
        text = each.text if each.level is SummaryLevel.PARAGRAPH else ""
        rows.writerow((each.id, each.level, text, each.summary, *("" for _ in DIMENSIONS)))
    key = {each.id: asdict(KeyEntry(each.system, each.level, each.bid)) for each in chosen}
    return out.getvalue(), json.dumps(key, indent=1) + "\n"


def read_key(text: str) -> dict[str, KeyEntry]:
    """Raises DataInvalid."""
    try:
        return {
            id_: KeyEntry(entry["system"], SummaryLevel(entry["level"]), entry["bid"])
            for id_, entry in json.loads(text).items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataInvalid(f"This is no key of a sheet: {error}") from error


Ratings = Mapping[tuple[str, str], int]
"""What one judge says, by id and dimension."""


def read_sheet(text: str, key: Mapping[str, KeyEntry]) -> Ratings:
    """Return the ratings that are filled in. Raises DataInvalid, with the line."""
    rows = csv.DictReader(io.StringIO(text), strict=True)
    if not set(_COLUMNS) - {"text", "summary", "level"} <= set(rows.fieldnames or ()):
        raise DataInvalid(f"A sheet has the columns {', '.join(_COLUMNS)}.")
    found: dict[tuple[str, str], int] = {}
    try:
        for row in rows:
            found.update(_rated(row, key, rows.line_num))
    except csv.Error as error:
        raise DataInvalid(f"Line {rows.line_num}: {error}") from error
    return found


def _rated(
    row: Mapping[str, str], key: Mapping[str, KeyEntry], line: int
) -> Iterator[tuple[tuple[str, str], int]]:
    if row["id"] not in key:
        raise DataInvalid(f"Line {line}: the key has no summary {row['id']}.")
    for dimension in DIMENSIONS:
        said = (row[dimension] or "").strip()
        if not said:
            continue
        if said not in map(str, _SCALE):
            raise DataInvalid(f"Line {line}: {dimension} is “{said}”, and not a number from 1 to 5.")
        yield (row["id"], dimension), int(said)


def report(key: Mapping[str, KeyEntry], judges: Sequence[Ratings]) -> SheetsReport:
    found = []
    for system, level in sorted({(entry.system, entry.level) for entry in key.values()}):
        ids = [id_ for id_, entry in key.items() if (entry.system, entry.level) == (system, level)]
        for dimension in DIMENSIONS:
            rated = _of(ids, dimension, judges)
            mean = interval([fmean(said) for said in rated.values()], books=[key[id_].bid for id_ in rated])
            if mean is not None:
                count = sum(map(len, rated.values()))
                found.append(DimensionRatings(system, level, dimension, mean, count))
    return SheetsReport(len(judges), tuple(found), {name: _agreement(name, judges) for name in DIMENSIONS})


def _of(ids: Iterable[str], dimension: str, judges: Sequence[Ratings]) -> dict[str, list[int]]:
    all_said = {id_: [said[id_, dimension] for said in judges if (id_, dimension) in said] for id_ in ids}
    return {id_: said for id_, said in all_said.items() if said}


def _agreement(dimension: str, judges: Sequence[Ratings]) -> float | None:
    kappas = []
    for one, other in combinations(judges, 2):
        both = [place for place in one if place in other and place[1] == dimension]
        kappa = weighted([one[place] for place in both], [other[place] for place in both])
        if kappa is not None:
            kappas.append(kappa)
    return fmean(kappas) if kappas else None
