"""A citation is valid if its number exists and the passage is relevant; else one is searched for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.gate import cut
from coref.gate import gate
from generation.contexts import make_context
from generation.models.scripted_model import ScriptedModel
from generation.types import AnswerLimits, Draft, Sentence, Task
from generation.writing.answer_parsing import WrittenSentence
from generation.writing.citations import MOST, attach, cite
from generation.writing.passage_relevance import SEARCHED, RelevanceReader
from generation.writing.writer import PortraitWriter
from tests.generation.novel import Found, passages, story
from tests.generation.writing.told import Told, prompt

TABLE = "Bess corrects the tide table and writes to Mr. Nuttall."


def cited(told: Told, text: str, *numbers: int, who: str = "bess") -> list[str]:
    """Return the spans of the book that a sentence finally cites."""
    (sentence,) = attach([WrittenSentence(text, numbers)], prompt(told, who))
    return [" ".join(c.span.of(told[0].text).split()) for c in sentence.citations]


def test_a_citation_is_narrowed_to_the_sentence_that_says_it(harbour: Told) -> None:
    (said,) = cited(harbour, TABLE, 3)
    assert said == "Bess corrected the tide table and wrote to Mr. Nuttall."
    three = "Captain Crane refused to sign it, Tom married Lydia in the spring, and Lydia loved Tom."
    (both,) = cited(harbour, three, 3)
    assert both.startswith("Bess corrected the tide table"), "no one sentence says it all: the whole passage"
    assert both.endswith("Lydia loved Tom.")


@pytest.mark.parametrize("number", [0, 99, -1])
def test_a_number_that_is_not_there_cites_nothing(harbour: Told, number: int) -> None:
    assert cited(harbour, "Bess plays the violin at night.", number) == []


def test_a_passage_that_says_nothing_of_it_is_not_believed(harbour: Told) -> None:
    assert cited(harbour, "Bess plays the violin at night.", 1, 3, 5) == []


def test_a_passage_about_others_is_not_believed(harbour: Told) -> None:
    """The words are there, but the person is not."""
    told = story(
        "# One\n\n[Ann|ann] corrected the long table.\n\n[Bess|bess] went home to sleep.\n",
        ann="Ann Lee/she",
        bess="Bess Farrow/she",
    )
    assert cited(told, "Bess corrects a table.", 1) == []
    assert cited(told, "Ann corrects a table.", 1, who="ann") == ["Ann corrected the long table."]


def test_a_wrong_citation_is_replaced_by_a_right_one(harbour: Told) -> None:
    assert cited(harbour, TABLE, 1) == ["Bess corrected the tide table and wrote to Mr. Nuttall."]


def test_a_sentence_without_any_is_searched_for_among_what_the_model_read(harbour: Told) -> None:
    assert cited(harbour, "She saves Captain Crane from the water.") == [
        "Bess saved Captain Crane from the water."
    ]
    assert cited(harbour, "She sails to India with her regiment.") == []


def test_a_passage_alone_is_not_enough(harbour: Told) -> None:
    """Of many passages one is like a false sentence by chance: here Tom marries Lydia."""
    asked, text = prompt(harbour, "bess"), "Bess marries Tom in the spring."
    reader = RelevanceReader(asked.context)
    (read,) = reader.read([(reader.claim(text, ("bess",)), asked.passages[2])])
    assert read.people
    assert read.support > read.least.found
    assert read.by_book < read.least.book
    assert cited(harbour, text, 3) == []


def test_a_sentence_is_about_whom_it_names(harbour: Told) -> None:
    reader = RelevanceReader(prompt(harbour, "bess").context)
    assert reader.claim("Tom married Lydia.", ("bess",)).subject == "tom"
    assert reader.claim("Tom told her.", ("bess",)).subject == "bess"
    assert reader.claim("It rains.", ("bess",)).subject == "bess"


def test_what_the_book_never_names_is_borne_out_by_nothing(harbour: Told) -> None:
    said = ["Bess saved Captain Crane from the water."]
    assert cited(harbour, "She saves Captain Crane from the water.", 1, 2, 3, 4, 5) == said
    assert cited(harbour, "She saves Captain Crane from the Baltic water.", 1, 2, 3, 4, 5) == []


def test_a_pronoun_means_whom_the_text_is_about(harbour: Told) -> None:
    told = story(
        "# One\n\n[Ann|ann] lost the ship on the sand.\n\n[Bess|bess] lost the ship in the fog.\n",
        ann="Ann Lee/she",
        bess="Bess Farrow/she",
    )
    text = "She lost the ship."
    assert cited(told, text, who="ann") == ["Ann lost the ship on the sand."]
    assert cited(told, text, who="bess") == ["Bess lost the ship in the fog."]


def test_a_sentence_cites_each_place_once_and_not_too_many(harbour: Told) -> None:
    many = story("# One\n\n" + "\n\n".join(["[Bess|bess] mended nets."] * 9) + "\n", bess="Bess/she")
    assert len(cited(many, "Bess mends nets.", *range(1, 10), 1)) == MOST


def test_what_is_found_elsewhere_in_the_book_is_cited(harbour: Told) -> None:
    asked = prompt(harbour, "bess", shown=False)
    draft = PortraitWriter(ScriptedModel([f"{TABLE} She plays the violin at night."])).generate(
        asked, AnswerLimits()
    )
    assert [s.citations for s in draft.sentences] == [(), ()]
    found = Found(passages(harbour[0]))
    known, unknown = cite(draft, asked.context, found).sentences
    assert "tide table" in known.citations[0].span.of(harbour[0].text)
    assert unknown.citations == ()
    assert found.asked == [TABLE, "She plays the violin at night."]


def test_what_has_a_citation_is_not_searched_for(harbour: Told) -> None:
    draft = PortraitWriter(ScriptedModel([f"{TABLE[:-1]} [3]."])).generate(
        prompt(harbour, "bess"), AnswerLimits()
    )
    found = Found(passages(harbour[0]))
    assert cite(draft, prompt(harbour, "bess").context, found) == draft
    assert found.asked == []


def test_what_lies_past_the_gate_is_never_cited(harbour: Told) -> None:
    book, annotations = harbour
    upto = book.end_of_chapter(2)
    asked = make_context(
        cut(book, upto), annotations=gate(annotations, upto=upto), people=["bess"], upto=upto
    )
    draft = Draft((Sentence("Bess saves Captain Crane from the water.", ()), Sentence(TABLE, ())))
    spoiler, fine = cite(draft, asked, Found(passages(book))).sentences
    assert spoiler.citations == ()
    assert fine.citations


def test_the_gate_holds_for_a_book_that_is_not_cut(harbour: Told) -> None:
    asked = replace(prompt(harbour, "bess").context, upto=harbour[0].end_of_chapter(2))
    draft = Draft((Sentence("Bess saves Captain Crane from the water.", ()), Sentence(TABLE, ())))
    spoiler, fine = cite(draft, asked, Found(passages(harbour[0]))).sentences
    assert spoiler.citations == ()
    assert fine.citations


def test_of_two_sentences_that_say_it_alike_neither_is_chosen() -> None:
    told = story("# One\n\n[Bess|bess] mended the old net. The old net was mended.\n", bess="Bess/she")
    (said,) = cited(told, "Bess mends an old net.", 1)
    assert said == "Bess mended the old net. The old net was mended."


def test_an_entry_is_searched_for_about_its_own_person(harbour: Told) -> None:
    text = "He married in the spring and was loved."
    about_tom = Draft((Sentence(text, (), "Tom Farrow", ("tom",)),))
    about_crane = Draft((Sentence(text, (), "Captain Crane", ("crane",)),))
    married = [p for p in passages(harbour[0]) if "married" in p.text]
    both = prompt(harbour, "tom", "crane", task=Task.JOINT).context
    assert cite(about_tom, both, Found(married)).sentences[0].citations
    assert cite(about_tom, both, Found(married)).sentences[0].heading == "Tom Farrow"
    apart = [p for p in passages(harbour[0]) if "Crane" not in p.text]
    assert not cite(about_crane, both, Found(apart)).sentences[0].citations


def test_of_very_many_passages_only_the_likeliest_are_read() -> None:
    filler = "\n\n".join(f"[Bess|bess] walked on for {n} hours." for n in range(100))
    long = story(f"# One\n\n{filler}\n\n[Bess|bess] corrected the tide table.\n", bess="Bess Farrow/she")
    asked, said = prompt(long, "bess"), "Bess corrects the tide table."
    reader = RelevanceReader(asked.context)
    near = reader.likeliest(reader.claim(said, ("bess",)), asked.passages)
    assert len(near) <= SEARCHED
    assert near[0] is asked.passages[-1]
    assert cited(long, said) == ["Bess corrected the tide table."]
