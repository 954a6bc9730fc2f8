"""Summaries of chapters held against the corpus: quotations are found, and choices are counted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from evaluation.booookscore.kept_judgements import KeptJudgements
from evaluation.corpus.event_readings import event_readings
from evaluation.corpus.loading import novels
from evaluation.corpus.types import ChapterEvent, CorpusNovel, CorpusRecap
from evaluation.metrics.rouge import Rouge
from evaluation.portraits.types import OpenedBook
from evaluation.summaries import recaps, systems
from evaluation.summaries.examples import NovelEvents, novel_events
from evaluation.summaries.kept_texts import FolderNotebook
from evaluation.summaries.measuring import score
from evaluation.summaries.recap_measures import SummaryMeasures
from evaluation.summaries.report import RECAP_COLUMNS, write_report
from evaluation.summaries.written import tellers
from generation.models.scripted_model import ScriptedModel
from generation.models.types import Completion, Finish
from generation.types import Usage
from generation.writing.writer import PortraitWriter
from retrieval.registry import make_embedder
from tests.novella import OpenedNovella


@pytest.fixture(scope="module")
def opened(low_water: OpenedNovella) -> OpenedBook:
    book, annotations, index = low_water
    return OpenedBook(book, annotations, lambda: index)


def sentence(opened: OpenedBook, row: int) -> str:
    start, end, _ = opened.index().sentences[row].tolist()
    return opened.book.text[start:end]


@pytest.fixture(scope="module")
def events(opened: OpenedBook) -> NovelEvents:
    """The third sentence of the first chapter is its main event, and the fifth another."""
    main, also = sentence(opened, 2), sentence(opened, 4)
    known = ChapterEvent(1, main, main, (also,))
    lost = ChapterEvent(2, "Nothing of the kind.", "Words that stand nowhere in the book.")
    made = CorpusNovel("novella", "Low Water", "Nobody", "dev", (), (known, lost))
    return novel_events(made, opened)


def test_quotations_are_found_in_their_chapters(events: NovelEvents, opened: OpenedBook) -> None:
    (quoted,) = events.quoted
    assert quoted.main == (2,)
    assert quoted.also == ((4,),)
    assert [w.sentences.tolist() for w in events.rows.wanted] == [[2], [4]]
    assert len(events.rows.signs) == len(opened.index().sentences)
    assert np.isnan(events.rows.judged).all()


def test_what_was_chosen_is_counted(events: NovelEvents, opened: OpenedBook) -> None:
    rouge = Rouge()
    right = next(score(events, opened, lambda *_: {0: [2, 4, 0, 1]}, rouge))
    wrong = next(score(events, opened, lambda *_: {0: [7, 8, 9]}, rouge))
    assert (right.main, right.also, right.words_of_event) == (1.0, 1.0, 1.0)
    assert (wrong.main, wrong.also) == (0.0, 0.0)
    assert wrong.words_of_event is not None
    assert wrong.words_of_event < 1
    assert right.main_judged is None, "nobody has judged any of them"


@pytest.mark.parametrize("name", systems.SYSTEMS)
def test_every_way_of_choosing_keeps_to_the_length(name: str, opened: OpenedBook) -> None:
    ranked = systems.SYSTEMS[name](opened.index(), opened.annotations)
    assert set(ranked) == set(range(len(opened.book.chapters)))
    for chapter, rows in ranked.items():
        taken = systems.chosen(opened.index(), rows)
        assert taken == sorted(taken)
        assert systems.LEAST <= len(taken) <= systems.MOST
        span = opened.book.chapters[chapter].span
        assert all(span.start <= opened.index().sentences[row, 0] < span.end for row in taken)


def test_readings_are_of_train_and_dev_novels_only() -> None:
    read_ = {n.novel: n.split for n in novels() if event_readings(n.novel).sentences}
    assert read_
    assert "test" not in read_.values()
    for novel in read_:
        for each in event_readings(novel).sentences:
            assert each.event in (0, 1, 2)
            assert each.quote


def test_a_novel_that_nobody_has_read_has_no_readings(tmp_path: Path) -> None:
    assert event_readings(str(tmp_path.name)).sentences == ()


def test_recaps_are_held_against_those_of_the_corpus(opened: OpenedBook) -> None:
    upto = opened.book.end_of_chapter(1)
    novel = CorpusNovel(
        "novella",
        "",
        "",
        "dev",
        (),
        (),
        (CorpusRecap(1, recaps.offline(opened, upto).text), CorpusRecap(99, "Later.")),
    )
    measures = SummaryMeasures(every=True)
    tellers_ = {"own": recaps.offline, "other": recaps.last}
    found = dict(recaps.scores(novel, opened, tellers_, measures))
    own, other = found["own"].figures, found["other"].figures
    for name in ("words_told", "rouge2", "rougeL", "bertscore"):
        assert own[name] == pytest.approx(1)
    assert 0 < (other["rouge1"] or 0) < 1
    assert (other["words"] or 0) <= recaps.WORDS
    assert (other["coverage"], other["novel_trigrams"]) == (1.0, 0.0), "they are the book's last words"
    assert (other["density"] or 0) > 100
    assert 0 <= (own["questions"] or 0) <= 1
    assert (own["compression"] or 0) > 1
    assert own["repeated_trigrams"] is not None


def test_the_report_has_every_measure_beside_the_published_ones(opened: OpenedBook, tmp_path: Path) -> None:
    novel = CorpusNovel("novella", "", "", "dev", (), (), (CorpusRecap(2, "She came to the light."),))
    ways = {"offline": recaps.offline, "whole": written(1_000)["whole"]}
    found = dict(recaps.scores(novel, opened, ways, SummaryMeasures()))
    model = ScriptedModel(["No confusion."] * 99)
    judged = recaps.judged([found["offline"]], model, KeptJudgements(tmp_path), together=1)
    again = recaps.judged([found["offline"]], ScriptedModel(), KeptJudgements(tmp_path), together=1)
    assert again == judged
    assert judged[0].figures["booookscore"] == 1.0
    told = {"offline": judged, "first sentences": [found["whole"]]}
    report = write_report(tmp_path, {}, told, document={"recaps": 1}).read_text("utf-8")
    assert (tmp_path / "offline" / "novella-2.txt").read_text("utf-8") == found["offline"].text
    assert found["whole"].why
    assert f"- first sentences, novella to chapter 2: {found['whole'].why}" in report
    assert "| offline | " in report
    for heading in (*RECAP_COLUMNS.values(), "Claude 2", "oracle"):
        assert heading in report
    assert (tmp_path / "report.json").exists()


def test_what_a_model_wrote_is_kept_beside_the_report(opened: OpenedBook, tmp_path: Path) -> None:
    upto = opened.book.end_of_chapter(1)
    first, second = (written(4_000, tmp_path)["hierarchical"](opened, upto) for _ in range(2))
    assert (first.text, first.tokens) == (second.text, second.tokens)
    kept = FolderNotebook(tmp_path)
    (tmp_path / "half.json").write_text('{"text": "Ann')
    assert kept.get("half") is None
    name = next(path.stem for path in tmp_path.glob("*.json") if path.stem != "half")
    assert kept.get(name)
    kept.put("unfit", Completion("", Finish.STOP, Usage()), fit=False)
    assert kept.get("unfit") is None


@pytest.mark.parametrize("teller", recaps.TELLERS.values())
def test_recaps_end_at_the_gate(opened: OpenedBook, teller: recaps.Teller) -> None:
    upto = opened.book.end_of_chapter(1)
    ending = " ".join(opened.book.text[upto:].split())
    told = teller(opened, upto).text
    assert told
    assert not any(ending[at : at + 60] in told for at in range(0, len(ending) - 60, 60))


WAYS = ("hierarchical", "incremental", "whole", "best of three")


def written(context: int, kept: Path | None = None) -> Mapping[str, recaps.Teller]:
    return tellers(
        PortraitWriter(ScriptedModel(context=context)),
        chunk=1_200,
        temperature=0.0,
        embedder=make_embedder("hashing"),
        kept=kept,
    )


@pytest.mark.parametrize("way", WAYS)
def test_a_language_model_writes_recaps_too(way: str, opened: OpenedBook) -> None:
    upto = opened.book.end_of_chapter(1)
    told = written(100_000)[way](opened, upto)
    assert told.text
    assert told.tokens > 1_000
    ending = opened.book.text[upto:]
    assert not any(quoted in ending for quoted in re.findall("“([^”]{40,})”", told.text))


def test_what_does_not_fit_is_not_read_whole(opened: OpenedBook) -> None:
    novel = CorpusNovel("novella", "", "", "dev", (), (), (CorpusRecap(2, "She came."),))
    ways = {way: written(4_000)[way] for way in ("hierarchical", "whole")}
    short = dict(recaps.scores(novel, opened, ways, SummaryMeasures()))
    assert short["whole"].why
    assert short["whole"].figures == {}
    assert short["hierarchical"].why is None
    assert (short["hierarchical"].figures["tokens"] or 0) > 4_000
