"""Facts about people of the Three Kingdoms, and which citations of them hold."""

from __future__ import annotations

import pytest

from evaluation.chinese import citing
from evaluation.chinese.citing import cited, facts
from evaluation.chinese.gold import chapters
from evaluation.chinese.indexed import indexed


def test_facts_are_in_two_languages_and_in_other_words_than_the_books() -> None:
    told = facts()
    assert len({fact.zh for fact in told}) == len(told) > 60
    assert len({fact.person for fact in told}) > 25
    assert all(fact.zh.startswith(fact.person) and fact.en.isascii() for fact in told)
    assert not any(fact.zh in fact.quote for fact in told)


def test_citations_of_right_passages_hold_and_most_others_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    text = next(gold.text for gold in chapters() if gold.name == "sanguo01")
    here = [fact for fact in facts() if fact.quote in text]
    assert len(here) > 4
    monkeypatch.setattr(citing, "facts", lambda: here)
    with indexed([text]) as (index, annotations):
        read = list(cited(index, annotations))
    chinese = [each for each in read if not each.english]
    kept = [each.read.cited for each in chinese if each.right]
    assert len(kept) == len(here)
    assert sum(kept) > len(here) / 2
    others = [each.read.cited for each in chinese if not each.right]
    assert sum(others) < len(others) / 4
    assert not any(each.read.found for each in read if each.english), "no search finds what it cannot read"
