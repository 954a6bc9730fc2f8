from __future__ import annotations

import re

import pytest

from books.gate import cut
from books.types import Book
from coref.gate import gate
from coref.types import Annotations
from generation.contexts import make_context
from generation.types import AnswerLimits, Draft, Task
from generation.writing.offline.composer import OfflineGenerator
from generation.writing.prompts import make_prompt
from tests.generation.grammar import parsed
from tests.generation.novel import passages, story

Told = tuple[Book, Annotations]
PEOPLE = {"jane": "Jane Pratt/she", "tom": "Tom Pratt/he", "ann": "Ann Lee/she"}


def write(
    told: Told,
    *who: str,
    task: Task = Task.DESCRIPTION,
    limits: AnswerLimits | None = None,
    shown: bool = True,
) -> Draft:
    book, annotations = told
    prompt = make_prompt(
        make_context(book, annotations=annotations, people=who),
        task=task,
        passages=passages(book) if shown else (),
    )
    return OfflineGenerator().generate([prompt], limits or AnswerLimits())[0]


def test_a_description_says_who_what_like_and_what_happens(port: Told) -> None:
    text = write(port, "bess").text
    assert text.startswith("Bess Farrow, the senior clerk and Tom Farrow’s sister, is brown.")
    assert "saves Captain Crane from the water" in text
    assert "Captain Crane dislikes her" in text


def test_what_others_do_to_somebody_is_told_with_who_does_it(port: Told) -> None:
    text = write(port, "crane").text
    assert "Bess saves him from the water." in text
    assert "Tom Farrow does not forgive Captain Crane." in text


@pytest.mark.parametrize("task", list(Task))
def test_every_sentence_is_whole_and_cites_the_book(port: Told, task: Task) -> None:
    draft = write(port, "tom", task=task, limits=AnswerLimits(words=300))
    assert draft.sentences
    for sentence in draft.sentences:
        assert re.fullmatch(r"[A-Z][^.!?]*(?:Mr\. [^.!?]*)*\.", sentence.text), sentence.text
        assert sentence.citations
        assert sentence.characters[0] == "tom"
        for citation in sentence.citations:
            chapter = port[0].chapter_at(citation.span.start)
            assert chapter is not None
            assert chapter.index == citation.chapter


def test_a_clause_cites_the_sentence_that_says_it(port: Told) -> None:
    saved = next(s for s in write(port, "crane").sentences if "saves" in s.text)
    assert [port[0].slice(c.span) for c in saved.citations] == ["Bess saved Captain Crane from the water."]


def test_the_deeds_of_others_are_not_told(port: Told) -> None:
    text = write(port, "tom", limits=AnswerLimits(words=300)).text
    assert "Lydia Sand loves him. Tom marries her" in text
    assert "saves" not in text
    assert "resigns" not in text


def test_an_analysis_has_headed_sections_and_each_opens_with_a_name(port: Told) -> None:
    draft = write(port, "bess", task=Task.ANALYSIS, limits=AnswerLimits(words=600))
    opening = [s for s in draft.sentences if s.heading]
    assert [s.heading for s in opening][:2] == ["Who she is and where she stands", "What she is like"]
    assert len(opening) >= 3
    assert all(re.search(r"\b(?:Bess|Captain Crane)\b", s.text) for s in opening)


def test_a_joint_description_has_an_entry_for_each(port: Told) -> None:
    draft = write(port, "bess", "nuttall", "tom", task=Task.JOINT, limits=AnswerLimits(words=45))
    headings = [s.heading for s in draft.sentences if s.heading]
    assert headings == ["Bess Farrow", "Mr. Nuttall", "Tom Farrow", "Together"]
    assert draft.sentences[0].characters[0] == "bess"
    assert draft.text.endswith("Of these people, Bess Farrow and Mr. Nuttall are most often seen together.")


@pytest.mark.parametrize("words", [12, 30, 60, 120])
@pytest.mark.parametrize("task", [Task.DESCRIPTION, Task.ANALYSIS])
def test_the_limit_of_words_holds(port: Told, words: int, task: Task) -> None:
    draft = write(port, "bess", task=task, limits=AnswerLimits(words=words))
    assert 0 < len(draft.text.split()) <= words


def test_more_words_say_more(port: Told) -> None:
    assert len(write(port, "bess", limits=AnswerLimits(words=20)).text) < len(write(port, "bess").text)


def test_the_same_prompt_gives_the_same_draft(port: Told) -> None:
    once, again = (write(port, "bess", limits=AnswerLimits(seed=3)) for _ in range(2))
    assert once.sentences == again.sentences


def test_what_lies_past_the_gate_is_not_told(port: Told) -> None:
    book, annotations = port
    upto = book.end_of_chapter(2)
    gated = cut(book, upto), gate(annotations, upto=upto)
    text = write(gated, "bess", limits=AnswerLimits(words=300)).text
    assert "saves" not in text
    assert "writes to Mr. Nuttall" in text


def test_the_passages_decide_which_deeds_are_told(port: Told) -> None:
    book, annotations = port
    first = [p for p in passages(book) if p.chapter == 1]
    others = [p for p in passages(book) if p.chapter > 1]
    shown = []
    for some in (first, others):
        prompt = make_prompt(
            make_context(book, annotations=annotations, people=["bess"]), task=Task.DESCRIPTION, passages=some
        )
        shown.append(OfflineGenerator().generate([prompt], AnswerLimits())[0].text)
    assert ["writing to Mr. Nuttall" in text for text in shown] == [True, False]


SPOKEN = """# One

{ann>tom:“[I|ann] refused the help of [Tom|tom].”}

{ann>tom:“[Jane|jane] accused [Tom|tom] of the theft.”}

{?>tom:“[Jane|jane] deceived [Tom|tom].”}

# Two

[Tom|tom] sold the old horse.
"""


def test_what_somebody_in_the_book_tells_is_told_as_theirs() -> None:
    told = parsed(SPOKEN, **PEOPLE)
    text = write(told, "jane", limits=AnswerLimits(words=300)).text
    assert "According to Ann Lee, Jane Pratt accuses Tom Pratt of the theft." in text
    assert "deceives" not in text  # the speaker is unknown
    assert "By her own account, Ann Lee refuses" in write(told, "ann").text


def test_someone_mentioned_once_gets_a_short_honest_answer() -> None:
    told = story("# One\n\nNobody knew [Old Ben|ben] at all.\n\n# Two\n\nThe end.\n", ben="Old Ben/he")
    assert write(told, "ben").text == "Old Ben first appears in chapter 1."
    assert write(parsed("# One\n\nNobody knew [Old Ben|ben] at all.\n", ben="Old Ben/he"), "ben").text


def test_without_grammar_what_is_counted_is_told(harbour: Told) -> None:
    text = write(harbour, "bess").text
    assert "Bess Farrow is most often seen with Captain Crane and Mr. Nuttall." in text


def test_a_narrator_is_told_of_in_the_third_person() -> None:
    told = parsed(
        "# One\n\n[I|me] followed [Holmes|holmes]. [I|me] stole [my|me] old watch.\n\n"
        "# Two\n\n[Mary|mary] thanked [me|me] for [my|me] help.\n",
        me="John Watson/he",
        holmes="Holmes/he",
        mary="Mary/she",
    )
    text = write(told, "me").text
    assert "steals his old watch" in text
    assert not re.search(r"\b(?:I|my|me)\b", text)
    assert "Mary thanks John Watson for his help." in write(told, "mary").text


def test_nobody_of_unknown_pronouns_is_called_they() -> None:
    told = parsed(
        "# One\n\n[Robin|robin] refused the offer of [Tom|tom]. [Robin|robin] sold the old boat.\n",
        robin="Robin",
        tom="Tom/he",
    )
    text = write(told, "robin").text
    assert text.count("Robin") >= 2
    assert not re.search(r"\b(?:they|their|he|she)\b", text, re.IGNORECASE)


BROKEN = """# One

[Tom|tom] took it. [Tom|tom] saw that this was the end of those days. [Tom|tom] said
{tom>?:“Never!”} [Tom|tom] knew. If [Tom|tom] had killed [Jane|jane], [he|tom] would have hanged.
[Tom|tom] would have married [Jane|jane]. Did [Tom|tom] kill [Jane|jane]? [Tom|tom] was going to.

# Two

[Tom|tom] sold the old horse.
"""


def test_questions_wishes_and_half_sentences_are_no_deeds() -> None:
    told = parsed(BROKEN, **PEOPLE)
    text = write(told, "tom", limits=AnswerLimits(words=300)).text
    assert "sells the old horse" in text
    for broken in ("takes it", "this is", "says", "knows", "kill", "marr", "going to"):
        assert broken not in text


SMALL = """# One

[Tom|tom] took a small opportunity of [Ann|ann]. [Tom|tom] opened a knife.
[Tom|tom] filled the old pipe of [Ann|ann]. [Ann|ann] did not forgive [Tom|tom].
[Ann|ann] returned to the novel of [Tom|tom].

# Two

[Tom|tom] returned to the old house of [Ann|ann]. [Tom|tom] hid the spirit of [Ann|ann].
"""


def test_only_what_changes_something_for_somebody_is_told() -> None:
    text = write(parsed(SMALL, **PEOPLE), "tom", limits=AnswerLimits(words=300)).text
    assert "returns to Ann Lee’s old house" in text or "returns to the old house" in text
    assert "does not forgive" in text
    for small in ("opportunity", "knife", "pipe", "novel", "spirit"):
        assert small not in text


def test_two_deeds_of_one_place_share_a_sentence() -> None:
    told = parsed("# One\n\n[Tom|tom] refused the crown of [Ann|ann] and sold the old boat.\n", **PEOPLE)
    told_of = [s for s in write(told, "tom", shown=False).sentences if "sells" in s.text]
    assert all("refus" in s.text or "sells" in s.text for s in told_of)


UNSURE = "[Ann Lee|ann] was there. [Jane Pratt|jane] was there, too. [She|ann] sold the old boat. "
SURE = (
    "[Ann Lee|ann] saved [Tom Pratt|tom] from the water. "
    "[Ann Lee|ann] betrayed [Jane Pratt|jane] to the judge. "
    "[Ann Lee|ann] taught [Tom Pratt|tom] the song. [Ann Lee|ann] refused [Jane Pratt|jane] the money. "
)


def test_what_is_less_sure_is_told_only_of_whom_little_else_is() -> None:
    assert "sells the old boat" in write(parsed(f"# One\n\n{UNSURE}", **PEOPLE), "ann").text
    told = parsed(f"# One\n\n{UNSURE}\n\n{SURE}", **PEOPLE)
    both = write(told, "ann", limits=AnswerLimits(words=24)).text
    assert "Tom Pratt from the water" in both
    assert "boat" not in both
