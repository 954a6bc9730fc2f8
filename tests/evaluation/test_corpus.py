"""The corpus: every file is as its data sheet says, and quotations are found whatever the line ends."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from books.types import Span
from evaluation.corpus.asked_passages import AskedPassage, asked_passages
from evaluation.corpus.casts import casts
from evaluation.corpus.excerpts import ClaimExcerpt, excerpts
from evaluation.corpus.introductions import ReadIntroduction, introductions
from evaluation.corpus.loading import novels
from evaluation.corpus.meant import meant_novels
from evaluation.corpus.quotations import find, missing, quotations, text_of
from evaluation.corpus.readings import readings
from evaluation.corpus.speakers import MarkedQuotation, marked_in, marked_novels
from evaluation.corpus.turns import TurnPair, turns
from evaluation.corpus.types import CATEGORIES, SPLITS
from service.cli.app import run

ALL = list(novels())
RESERVED = (
    *("The Sign of the Four", "The Man Who Was Thursday", "The Mysterious Affair at Styles"),
    *("The Age of Innocence", "Persuasion", "Anne of Green Gables", "Emma", "Pride and Prejudice"),
)


def test_the_numbers_are_those_of_the_data_sheet() -> None:
    assert len(ALL) == len({novel.novel for novel in ALL}) == 65
    assert sum(len(novel.people) for novel in ALL) == 325
    assert sum(len(person.true) for novel in ALL for person in novel.people) == 2911
    assert sum(len(person.false) for novel in ALL for person in novel.people) == 2054
    assert {split: len(list(novels(split))) for split in SPLITS} == {"train": 44, "dev": 8, "test": 13}


def test_no_title_is_reserved() -> None:
    assert not {novel.title.casefold() for novel in ALL} & {title.casefold() for title in RESERVED}


def test_every_novel_has_one_or_two_analyses() -> None:
    counts = {novel.novel: sum(person.analysis is not None for person in novel.people) for novel in ALL}
    assert not {name: count for name, count in counts.items() if count not in (1, 2)}


def test_every_person_has_what_the_data_sheet_promises() -> None:
    for person in (person for novel in ALL for person in novel.people):
        assert len(person.who.split()) <= 28, person.name
        assert 60 <= len(person.description.split()) <= 130, person.name
        assert len(person.true) >= 8, person.name
        assert len(person.false) >= 6, person.name
        assert all(fact.category in CATEGORIES for fact in (*person.true, *person.false)), person.name
        assert all(fact.quotes and fact.chapter >= 1 for fact in person.true), person.name
    for about, quote in (quoted for novel in ALL for quoted in quotations(novel)):
        assert 4 <= len(quote.split()) <= 60, (about, quote)


def test_readings_are_of_the_people_of_train_and_dev_novels() -> None:
    read = {novel.novel: (novel, readings(novel.novel)) for novel in ALL}
    assert sum(len(found.sentences) for _, found in read.values()) == 11262
    assert sum(bool(found.sentences) for _, found in read.values()) == 24
    for novel, found in read.values():
        assert found.novel == novel.novel
        assert novel.split != "test" or not found.sentences
        assert {s.person for s in found.sentences} <= {person.name for person in novel.people}
        assert all(s.telling in (0, 1, 2) and s.quote for s in found.sentences)
        assert not any(s.quote.startswith("… ") or s.quote.endswith(" …") for s in found.sentences)


def test_white_space_does_not_matter_and_words_do() -> None:
    assert find("she was tall", "Well, she was not tall.") is None
    assert find("she was  not\ntall", "Well, she was not\r\n tall.") == Span(6, 24)


def test_a_quotation_that_is_not_in_its_novel_is_named(tmp_path: Path) -> None:
    novel = ALL[0]
    wanted = list(quotations(novel))
    text = "\n\n".join(quote for _, quote in wanted[1:])
    assert [each.quote for each in missing(novel, text)] == [wanted[0][1]]
    with pytest.raises(FileNotFoundError, match=novel.title):
        text_of(novel, tmp_path)


def test_the_command_fails_if_a_quotation_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = list(novels("test"))[:2]
    for novel in plain:
        text = " ".join(quote for _, quote in quotations(novel))
        (tmp_path / f"{novel.novel}.txt").write_text(text, "utf-8")
    assert run(["evaluate", "corpus", "--novels", str(tmp_path)]) == 0
    assert " 0 not found; 63 novels without a text" in capsys.readouterr().out
    meant = next(meant_novels())
    (tmp_path / f"{meant.novel}.txt").write_text("Nothing.", "utf-8")
    assert run(["evaluate", "corpus", "--novels", str(tmp_path)]) == 1
    assert " ".join(meant.excerpts[0].sentences[0].split()[:3]) in " ".join(capsys.readouterr().err.split())
    (tmp_path / f"{plain[0].novel}.txt").write_text("Nothing.", "utf-8")
    assert run(["evaluate", "corpus", "--novels", str(tmp_path)]) == 1
    assert "quotations are not in their novels" in capsys.readouterr().err
    assert run(["evaluate", "corpus", "--novels", str(tmp_path), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert {plain[0].novel, meant.novel} == {each["novel"] for each in report["missing"]}


def test_sentences_that_were_read_are_counted_as_quotations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    novel = next(novel for novel in ALL if readings(novel.novel).sentences)
    (tmp_path / f"{novel.novel}.txt").write_text("Nothing.", "utf-8")
    assert run(["evaluate", "corpus", "--novels", str(tmp_path), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["quotations"] + report["excerpts"] == len(report["missing"])


def test_the_command_says_if_the_folder_has_no_novel(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["evaluate", "corpus", "--novels", str(tmp_path), "--json"]) == 1
    assert "text of any novel" in json.loads(capsys.readouterr().out)["detail"]


def assert_may_be_learnt_from(told: Iterable[str]) -> None:
    kept = {novel.novel for novel in ALL if novel.split != "train"}
    reserved = {title.casefold().replace(" ", "_") for title in RESERVED}
    for novel in told:
        assert novel not in kept
        assert novel.partition("_")[2] not in reserved


def test_excerpts_are_of_no_test_or_reserved_title() -> None:
    told = list(excerpts())
    assert len(told) == 33
    assert_may_be_learnt_from(novel.novel for novel in told)
    assert sum(len(novel.pairs) for novel in told) == 1400
    parts = [part for novel in told for pair in novel.pairs for part in pair.excerpts]
    assert sum(len(part.true) for part in parts) == 5086
    assert sum(len(part.traps) for part in parts) == 5600
    assert all(part.begins and part.ends for part in parts)
    assert all(3 <= len(claim.split()) <= 25 for part in parts for claim in (*part.true, *part.traps))


def test_asked_passages_are_of_no_test_or_reserved_title() -> None:
    told = list(asked_passages())
    assert len(told) == 55
    assert_may_be_learnt_from(novel.novel for novel in told)
    passages = [passage for novel in told for passage in novel.passages]
    assert len(passages) == 1238
    assert all(passage.begins and passage.ends for passage in passages)
    assert all(3 <= len(q.split()) <= 30 for p in passages for q in (*p.questions, p.trap))


def test_marked_turns_are_of_no_test_or_reserved_title() -> None:
    told = list(turns())
    assert len(told) == 29
    assert_may_be_learnt_from(novel.novel for novel in told)
    pairs = [pair for novel in told for pair in novel.pairs]
    assert (len(pairs), sum(pair.one for pair in pairs)) == (1977, 1574)
    assert all(pair.quote for pair in pairs)
    for novel in told:
        starts = [pair.start for pair in novel.pairs]
        assert starts == sorted(set(starts))


def test_a_turn_stands_where_it_says() -> None:
    text = "“One.” He sat. “Two.” She “One.” He sat.\n“Two.”"
    at = text.rindex("“Two")
    assert TurnPair(at, "One.” He sat. “Two", one=True).stands_in(text)
    assert TurnPair(text.index("“Two"), "One.” He sat. “Two", one=True).stands_in(text)
    assert not TurnPair(at - 20, "One.” He sat. “Two", one=True).stands_in(text)


def test_who_utters_a_marked_quotation_is_in_the_cast() -> None:
    people = {cast.novel: cast.people for cast in casts()}
    marked = list(marked_novels())
    assert (len(marked), sum(len(novel.quotations) for novel in marked)) == (31, 3788)
    for novel in marked:
        assert {said.who for said in novel.quotations} <= people[novel.novel].keys()
        starts = [said.start for said in novel.quotations]
        assert starts == sorted(set(starts))
        assert marked_in(novel.novel) == novel.quotations
    assert marked_in("a novel of which nobody read") == ()


def test_a_marked_quotation_stands_where_it_says() -> None:
    text = "“Go on,” she said. “Go\non,” he said."
    assert MarkedQuotation(text.rindex("“Go"), "“Go on,” he", "he").stands_in(text)
    assert not MarkedQuotation(0, "“Go on,” he", "he").stands_in(text)


def test_introductions_are_of_no_test_or_reserved_title() -> None:
    read = list(introductions())
    assert (len(read), sum(len(novel.sentences) for novel in read)) == (32, 3946)
    dev = {novel.novel for novel in ALL if novel.split == "dev"}
    assert_may_be_learnt_from(novel.novel for novel in read if novel.novel not in dev)
    assert all(sentence.quote for novel in read for sentence in novel.sentences)


def test_an_introduction_stands_where_it_says() -> None:
    text = "Ann was there. Ann was\na cook."
    assert ReadIntroduction("Ann", 15, "Ann was a cook.", "yes").stands_in(text)
    assert not ReadIntroduction("Ann", 0, "Ann was a cook.", "yes").stands_in(text)
    assert not ReadIntroduction("Ann", 15, "Ann was a maid.", "no").stands_in(text)


def test_an_asked_passage_is_found_by_its_first_and_last_words() -> None:
    passage = AskedPassage("She saw", "came back.", ("Who wept?", "why weep"), "Who came?")
    assert passage.span("He came back. She saw\nit. He came  back.") == Span(14, 40)
    assert passage.span("He came back. She saw it.") is None


def test_an_excerpt_is_found_by_its_first_and_last_words() -> None:
    text = "He came. She saw\nthe sea and wept. He came back."
    assert ClaimExcerpt("She saw the", "wept.", (), ()).span(text) == Span(9, 34)
    assert ClaimExcerpt("She saw the", "laughed.", (), ()).span(text) is None
    assert ClaimExcerpt("Nobody", "wept.", (), ()).span(text) is None
