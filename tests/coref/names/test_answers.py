"""Who speaks where a name is called, and how it tells that two are one person."""

from __future__ import annotations

import pytest

from coref.language.tokens import tokenize
from coref.names.answers import FEATURES, Answers
from coref.names.cast_building import draw_up
from coref.names.merge_evidence import doubts_of
from coref.names.one_person import shipped
from coref.names.person_candidates import name_spots, pronoun_spots
from coref.names.person_pairs import PersonPairs
from coref.native.resolver import NativeResolver
from coref.protocols import KnownCharacter
from coref.speech.direct_speech import find_speech
from coref.speech.name_survey import study
from coref.speech.named_turns import named_turns
from tests.coref.conftest import make_book

CALLED = "“Come here, Molly,” said Anne.\n\n"
ANSWERED = "“I will,” said Stella.\n\n"
MORE = "other answers more"


class Scene:
    """The people of a text by their names, and its turns."""

    def __init__(self, text: str) -> None:
        self.text = text
        book = make_book(text)
        self.tokens = tokens = tokenize(book)
        heard = find_speech(book, tokens)
        named = study(book, tokens)
        people = {use.name for use in named.uses}
        self.cast = draw_up(tokens, named.uses, named.evidence, {}, judged=people)
        names = name_spots(tokens, named.uses, self.cast.options)
        for spot in names:
            spot.who = spot.options[0].number
        self.spots = sorted([*names, *pronoun_spots(tokens)], key=lambda spot: spot.first)
        chapters = [paragraph.chapter for paragraph in book.paragraphs]
        self.talk = named_turns(tokens, self.spots, heard, chapters)
        self.answers = Answers(self.talk)
        numbered = {person.number: person for person in self.cast.people}
        self.pairs = PersonPairs(tokens, numbered, self.spots, [()] * len(self.spots), {}, self.talk)

    def who(self, name: str) -> int:
        return next(p.number for p in self.cast.people if name in {n.text for n in p.names})

    def pair(self, one: str, other: str) -> tuple[int, int]:
        numbers = sorted((self.who(one), self.who(other)))
        return numbers[0], numbers[1]

    def features(self, rarer: str, other: str) -> dict[str, float]:
        return dict(zip(FEATURES, self.answers.features(self.who(rarer), self.who(other)), strict=True))

    def odds(self, one: str, other: str) -> float:
        (found,) = shipped().probabilities([self.pairs.features(self.pair(one, other))])
        return float(found)

    def shown(self) -> str | None:
        """Return the text up to where it has given reason to take Stella for Molly."""
        end = self.pairs.arises(self.pair("Molly", "Stella"))
        return None if end is None else self.text[: self.tokens.ends[end - 1]]


def test_a_turn_has_its_speaker_and_those_who_are_called_and_named() -> None:
    scene = Scene("“Come here, Molly,” said Anne. “Stella is tired.”\n\nAnne sat.\n\n“Molly is,” he said.")
    one, other = scene.talk
    assert one.speaker is not None
    assert (one.speaker.who, one.tagged) == (scene.who("Anne"), True)
    assert [spot.who for spot in one.called] == [scene.who("Molly")]
    assert [spot.who for spot in one.named] == [scene.who("Molly"), scene.who("Stella")]
    assert (other.speaker, other.tagged, other.paragraph) == (None, True, 2)
    assert not other.called


def test_two_who_speak_in_one_paragraph_have_a_turn_each() -> None:
    scene = Scene("“Come here, Molly,” said Anne. “I will,” said Stella. “Now.”")
    assert [turn.speaker.who for turn in scene.talk if turn.speaker] == [
        scene.who("Anne"),
        scene.who("Stella"),
    ]
    assert scene.features("Molly", "Stella")[MORE] > 0


def test_a_turn_that_goes_on_in_the_next_paragraph_is_one() -> None:
    scene = Scene("“Come here, Molly.\n\n“It is late,” said Anne.\n\n" + ANSWERED)
    one, _ = scene.talk
    assert (one.paragraph, one.last) == (0, 1)
    assert one.speaker is not None
    assert one.speaker.who == scene.who("Anne")
    assert scene.features("Molly", "Stella")["other answers often"] > 0
    assert scene.features("Molly", "Anne")["other answers often"] == 0


def test_names_in_words_that_somebody_quotes_are_not_called() -> None:
    scene = Scene("“He said, ‘Come here, Molly,’ and left,” said Anne.\n\n" + ANSWERED + "Molly sat.")
    assert not scene.talk[0].named


@pytest.mark.parametrize("text", [CALLED + ANSWERED, ANSWERED + CALLED])
def test_who_speaks_before_or_after_a_call_may_be_who_is_called(text: str) -> None:
    scene = Scene(text)
    found = scene.features("Molly", "Stella")
    assert found["called: rarer"] > scene.features("Stella", "Molly")["called: rarer"] == 0
    assert found[MORE] > 0
    assert found["other answers often"] > found["rarer answers itself"] == 0
    assert scene.answers.beside(scene.who("Stella"), scene.who("Molly")) == 1
    assert scene.answers.beside(scene.who("Molly"), scene.who("Stella")) == 1
    caller = scene.features("Molly", "Anne")
    assert caller[MORE] < 0, "nobody calls themselves"
    assert caller["other names rarer"] > 0
    assert scene.features("Anne", "Molly")["rarer names other"] > 0


def test_whoever_answers_to_their_own_name_is_rather_nobody_else() -> None:
    scene = Scene(CALLED + "“I will,” said Molly.\n\n" + CALLED + ANSWERED)
    assert scene.features("Molly", "Stella")["rarer answers itself"] > 0
    assert scene.features("Stella", "Molly")["commoner answers itself"] > 0


def test_to_say_who_one_is_is_not_to_name_another() -> None:
    scene = Scene("“I am Molly,” said Stella.\n\n“Molly came,” said Anne.")
    assert scene.features("Molly", "Stella")["other names rarer"] == 0
    assert scene.features("Molly", "Anne")["other names rarer"] > 0


@pytest.mark.parametrize(
    "between",
    [
        "“No,” he said.\n\n",
        "Anne sat.\n\n" * 5,
        "“No.”\n\n" * 6,
        "Chapter 2\n\n",
    ],
)
def test_who_speaks_after_somebody_else_or_far_away_gives_no_answer(between: str) -> None:
    assert not Scene("Chapter 1\n\n" + CALLED + between + ANSWERED).features("Molly", "Stella")[MORE]


def test_the_second_who_speaks_after_a_call_is_rather_its_speaker() -> None:
    first, second, third = (
        Scene(CALLED + "“No.”\n\n" * many + ANSWERED).features("Molly", "Stella")[MORE] for many in (0, 1, 2)
    )
    assert first > third > second > 0


def test_two_who_talk_to_one_another_are_two() -> None:
    scene = Scene("“Well,” said Anne.\n\n" + ANSWERED + "“Well,” said Anne.")
    found = scene.features("Stella", "Anne")
    assert found["talk together"] > 0
    assert scene.features("Anne", "Stella")["speaks: rarer"] > found["speaks: rarer"] > 0
    apart = Scene("“Well,” said Anne.\n\n" + "Anne sat.\n\n" * 5 + ANSWERED)
    assert apart.features("Stella", "Anne")["talk together"] == 0
    both = Scene(("“Well,” said Anne.\n\n" + ANSWERED) * 3).features("Stella", "Anne")
    assert both["both speak"]
    assert not found["both speak"]


def test_who_answers_everybody_is_nobody_in_particular() -> None:
    others = "“Come here, Jane,” said Anne.\n\n" + ANSWERED
    alone, among = (Scene(CALLED + ANSWERED + others * many) for many in (0, 3))
    known = "other answers, against chance"
    assert among.features("Molly", "Stella")[known] < alone.features("Molly", "Stella")[known]
    mine = Scene((CALLED + ANSWERED) * 3 + "“Come here, Jane,” said Anne.\n\n“I will,” said Mary.")
    assert mine.features("Molly", "Stella")[known] > alone.features("Molly", "Stella")[known]
    assert mine.features("Stella", "Molly")["rarer answers, against chance"] == pytest.approx(
        mine.features("Molly", "Stella")[known]
    )


def test_more_than_one_answer_makes_a_pair_and_shows_it_from_there_on() -> None:
    once, twice = Scene(CALLED + ANSWERED), Scene((CALLED + ANSWERED) * 3)
    assert not set(once.pairs)
    assert once.shown() is None
    assert twice.pair("Molly", "Stella") in set(twice.pairs)
    shown = twice.shown()
    assert shown is not None
    assert shown.endswith("“Come here, Molly")
    assert shown.count("Stella") == 1, "she speaks before the second call"


def test_a_chance_answer_does_not_show_what_is_told_later() -> None:
    scene = Scene(CALLED + ANSWERED + "Anne sat.\n\n" * 9 + "Stella, or Molly, had come back.")
    assert scene.shown() == scene.text.removesuffix(", had come back.")


def test_a_reader_is_told_why_the_two_may_be_one() -> None:
    scene = Scene((CALLED + ANSWERED) * 3)
    ids = {scene.who(name): name for name in ("Molly", "Stella", "Anne")}
    doubts = doubts_of(scene.tokens, scene.cast, scene.spots, [()] * len(scene.spots), scene.talk, ids)
    (doubt,) = (each for each in doubts if {each.one, each.other} == {"Molly", "Stella"})
    assert "one speaks where the other is called 5 times" in doubt.evidence
    assert scene.text[: doubt.at] == scene.shown()


def test_the_more_somebody_answers_the_likelier_it_is_they_who_are_called() -> None:
    told = "Stella rose. “It rains,” said Stella to Anne. “It does,” said Anne.\n\n"
    odds = [Scene(told + (CALLED + ANSWERED) * many).odds("Molly", "Stella") for many in (1, 3, 9)]
    assert odds == sorted(odds)
    assert odds[-1] > odds[0] + 0.2
    talk = [told * 9 + CALLED + "“Good,” said Stella.\n\n“Is it?” said Molly.\n\n" * many for many in (1, 9)]
    less, more = (Scene(text).odds("Molly", "Stella") for text in talk)
    assert more < less


def test_the_resolver_joins_them_and_a_cast_that_is_given_is_read() -> None:
    scene = (CALLED + "“I will,” said Stella Hale.\n\nStella Hale nodded. She went to Anne.\n\n") * 9
    found = NativeResolver().annotate(make_book(scene))
    names = {alias.text: character.id for character in found.characters for alias in character.aliases}
    assert names["Molly"] == names["Stella Hale"] != names["Anne"]
    known = [KnownCharacter(name.lower(), name, (name,)) for name in ("Molly", "Stella Hale", "Anne")]
    given = NativeResolver().annotate_given(make_book(scene), known)
    assert {"stella hale", "anne"} <= {character.id for character in given.characters}
