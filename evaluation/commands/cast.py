"""`bookworm evaluate cast`: measure who is who in novels of the corpus, at places that readers labelled."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from books.errors import BookwormError
from evaluation.commands.options import CorpusTexts, OnlyNovels, OnlyResolved, ResolvedBooks, room_for
from service.cli import output
from service.cli.figure_tables import figure_table, percent_of
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from evaluation.coref.cast_cases import CaseScore
    from evaluation.coref.cast_places import CastScore
    from evaluation.coref.cast_ties import TieScore
    from evaluation.coref.marked_speakers import QuotationScore
    from evaluation.coref.teller_parts import TellerScore

_COLUMNS = ("Names", "Right", "Mixed", "Split", "Not found", "No people", "Taken for some", "“I”", "Right")


class CastsUnread(BookwormError):
    code = "casts_unread"
    remedy = "Give the folder with the texts that the corpus was made from."


def cast(
    context: typer.Context,
    novels: CorpusTexts,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    only: OnlyNovels = None,
    json: JsonFlag = False,
) -> None:
    """Measure whom names and "I" are taken for in the corpus, who tells and speaks, and people's ties."""
    from evaluation.coref.cast_cases import CaseScore, score_cases
    from evaluation.coref.cast_doubts import DoubtScore, score_doubts
    from evaluation.coref.cast_places import NamePairs, characters_by_person, name_pairs, read_places, score
    from evaluation.coref.cast_ties import TieScore, score_ties
    from evaluation.coref.marked_speakers import QuotationScore, score_speakers
    from evaluation.coref.teller_parts import score_tellers
    from evaluation.corpus.casts import casts
    from evaluation.corpus.speakers import marked_in

    room = room_for(context, work)
    found: dict[str, CastScore] = {}
    pairs = NamePairs()
    doubts = DoubtScore()
    cases: dict[str, CaseScore] = defaultdict(CaseScore)
    told: dict[str, TellerScore] = {}
    spoken: dict[str, QuotationScore] = {}
    ties: dict[str, TieScore] = defaultdict(TieScore)
    for each, opened in room.open_novels(casts(), novels, only=only, only_resolved=only_resolved):
        book, annotations = opened.book, opened.annotations
        try:
            places = read_places(each, book.text, annotations)
            found[each.novel] = score(places)
            pairs += name_pairs(each, annotations)
            doubts += score_doubts(each, annotations)
            for kind, scored in score_cases(each.cases, annotations.characters).items():
                cases[kind] += scored
            for name, tied in score_ties(each, book, annotations).items() if each.ties else ():
                ties[name] += tied
            people = characters_by_person(places)
            if each.tellers:
                told[each.novel] = score_tellers(each, book, annotations, people)
            if marked := marked_in(each.novel):
                spoken[each.novel] = score_speakers(marked, annotations, people)
        except ValueError as error:
            raise CastsUnread(f"{error}.") from error
    ties = dict(sorted(ties.items()))
    if json:
        scores = {name: plain(each) for name, each in found.items()}
        output.write_json(
            {
                "novels": scores,
                "name_pairs": plain(pairs),
                "doubts": plain(doubts),
                "cases": {kind: plain(each) for kind, each in cases.items()},
                "tellers": {novel: plain(each) for novel, each in told.items()},
                "speakers": {novel: plain(each) for novel, each in spoken.items()},
                "ties": {name: plain(each) for name, each in ties.items()},
            }
        )
    else:
        output.out.print(_table(found))
        output.out.print(_cases_table(cases))
        output.out.print(_tellers_table(told))
        output.out.print(_speakers_table({**spoken, "all": sum(spoken.values(), QuotationScore())}))
        output.out.print(_ties_table({**ties, "all": sum(ties.values(), TieScore())}))
        right = _share(pairs.right, pairs.one), _share(pairs.right, pairs.found)
        output.out.print(
            f"Pairs of names: of {pairs.one} of one person {right[0]}% are one character's, "
            f"of {pairs.found} of one character {right[1]}% are one person's."
        )
        output.out.print(
            f"Doubts: {doubts.asked}. They ask about {doubts.found} of {doubts.one} pairs of characters who "
            f"are one person. Of {doubts.known} whose answer is known {_share(doubts.found, doubts.known)}% "
            f"are about one person, {_share(doubts.said, doubts.known)}% by their probabilities."
        )


def _table(found: dict[str, CastScore]) -> Table:
    from evaluation.coref.cast_places import CastScore

    table = figure_table("Novel", *_COLUMNS)
    for name, each in (*found.items(), ("all", sum(found.values(), CastScore()))):
        parts = (each.right, each.mixed, each.split, each.lost)
        shares = [_share(part, each.places) for part in parts]
        nobody = [str(each.nobody), _share(each.taken, each.nobody)]
        table.add_row(
            name, str(each.places), *shares, *nobody, str(each.told), _share(each.told_right, each.told)
        )
    return table


def _cases_table(cases: dict[str, CaseScore]) -> Table:
    from evaluation.coref.cast_cases import CaseScore

    table = figure_table("Cases", "Cases", "Right", "Joined", "Parted", "Not listed")
    for kind, each in (*sorted(cases.items()), ("all", sum(cases.values(), CaseScore()))):
        parts = (each.joined, each.parted, each.unlisted)
        table.add_row(kind, str(each.cases), _share(each.right, each.cases), *map(str, parts))
    return table


def _tellers_table(told: dict[str, TellerScore]) -> Table:
    from evaluation.coref.teller_parts import TellerScore

    table = figure_table("Who tells", "Of the text right", "Parts", "Right")
    for novel, each in (*told.items(), ("all", sum(told.values(), TellerScore()))):
        table.add_row(novel, _share(each.right, each.told), str(each.parts), str(each.parts_right))
    return table


def _speakers_table(spoken: dict[str, QuotationScore]) -> Table:
    table = figure_table("Who speaks", "Quotations", "Right", "Nobody named")
    for novel, each in spoken.items():
        shares = _share(each.right, each.quotations), _share(each.nobody, each.quotations)
        table.add_row(novel, str(each.quotations), *shares)
    return table


def _ties_table(ties: dict[str, TieScore]) -> Table:
    table = figure_table("Ties", "Ties", "Stated", "Of others", "Statements", "Right")
    for name, each in ties.items():
        shares = _share(each.found, each.ties), str(each.unlisted), str(each.stated)
        table.add_row(name, str(each.ties), *shares, _share(each.found, each.stated))
    return table


def _share(part: float, whole: int) -> str:
    from evaluation.coref.tallies import Share

    return percent_of(Share(part, whole))
