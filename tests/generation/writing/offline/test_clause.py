"""What a sentence says about Anna, reworded in the present tense, and what is left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from coref.types import Character
from generation.story.cast import CastIndex
from generation.story.sentence_grammar import SentenceGrammar
from generation.writing.offline.clause_parts import Clause
from generation.writing.offline.clause_retelling import Clauses
from generation.writing.offline.name_choice import NameChoice
from generation.writing.offline.noun_phrases import Unfit
from generation.writing.offline.realising import SentenceRealiser, TextPoint
from tests.coref.traits.trees import planted

PRONOUNS = {"anna": "she/her", "tom": "he/him"}
BLOCKS = (Path(__file__).parent / "clauses.txt").read_text("utf-8").split("\n\n")[1:]
CASES = {name.removeprefix("# "): tuple(rest) for name, *rest in (b.strip().split("\n") for b in BLOCKS)}


def named(character: Character) -> Character:
    return replace(character, name=character.name.capitalize(), pronouns=PRONOUNS[character.id])


def told(line: str, who: str = "anna") -> tuple[Clause, NameChoice]:
    """Return the clause of the last verb that can be told, or the reason why none can."""
    book, parse, annotations = planted(line)
    annotations = replace(annotations, characters=tuple(map(named, annotations.characters)), parse=parse)
    cast = CastIndex(book, annotations)
    clauses = Clauses(SentenceGrammar(cast, parse))
    reasons: list[Unfit] = []
    for verb in [i for i, tag in enumerate(parse.tags) if tag == "VERB"][::-1]:
        try:
            return clauses.told(verb, who), NameChoice(cast)
        except Unfit as why:
            reasons.append(why)
    raise next((r for r in reasons if str(r) != "another subject"), reasons[0])


def said(line: str) -> str:
    clause, naming = told(line)
    point = TextPoint(clause.subject, clause.predicate, (), clause.beside, clause.setting)
    sentence = SentenceRealiser(naming, "anna").sentence([point])
    assert sentence is not None
    return sentence.text


@pytest.mark.parametrize("name", CASES)
def test_what_is_told_of_anna(name: str) -> None:
    line, expected = CASES[name]
    if expected.startswith("= "):
        assert said(line) == f"{expected.removeprefix('= ')}."
    else:
        with pytest.raises(Unfit, match=expected.removeprefix("- ")):
            told(line)


def test_a_clause_says_where_it_stands_and_who_is_in_it() -> None:
    clause, _ = told("Anna/PROPN/2/nsubj@anna refused/VERB/0/root=refuse Tom/PROPN/2/obj@tom")
    assert (clause.verb, clause.others, clause.chapter, clause.negated) == ("refuse", ("tom",), 0, False)


def test_the_scheme_counts_as_what_only_its_page_explains() -> None:
    bare, _ = told("Anna/PROPN/2/nsubj@anna opposed/VERB/0/root=oppose the/DET/4/det scheme/NOUN/2/obj")
    full, _ = told(
        "Anna/PROPN/2/nsubj@anna opposed/VERB/0/root=oppose the/DET/5/det cruel/ADJ/5/amod scheme/NOUN/2/obj"
    )
    assert (bare.opaque, full.opaque) == (1, 0)
