"""Which names are people's: what the book shows of them, and that it moves the right way."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from coref.language.tokens import tokenize
from coref.names.name_kinds import BELIEVED, believed, shipped
from coref.names.name_signs import FEATURES, NOUN, NameUseReading, nobodys, signs_of
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_candidates import HE, SHE, THEY
from coref.names.person_cues import gather
from coref.types import EntityCategory, MentionKind
from tests.coref.conftest import make_book

PERSON = NameUseReading(EntityCategory.PERSON, MentionKind.PROPER)
PLACE = NameUseReading(EntityCategory.GEOPOLITICAL, MentionKind.PROPER)
GUESS = NameUseReading(EntityCategory.PERSON, MentionKind.PROPER, added=True)
ZORBIN = ProperName((), ("Zorbin",))
SEAN = ProperName(("Mr",), ("Zorbin",))


def seen(
    text: str, reading: NameUseReading | None = PERSON, led: Mapping[str, float] | None = None
) -> dict[ProperName, list[float]]:
    """Return the features of the names in a text, of which every use is read in the same way."""
    tokens = tokenize(make_book(text))
    uses = []
    for at, word in enumerate(tokens.words):
        if word == "Zorbin":
            titled = at > 0 and tokens.words[at - 1] == "Mr"
            article = tokens.lower[at - 1] == "the"
            uses.append(NameUse(at - titled, at + 1, SEAN if titled else ZORBIN, article=article))
    signs = signs_of(tokens, uses, [reading] * len(uses), gather(tokens, uses), {ZORBIN: led or {}})
    return {name: list(row) for name, row in signs.items()}


def features(text: str, reading: NameUseReading | None = PERSON, **led: float) -> dict[str, float]:
    return dict(zip(FEATURES, seen(text, reading, led)[ZORBIN], strict=True))


def probability(text: str, reading: NameUseReading | None = PERSON, led: Mapping[str, float] = {}) -> float:
    return float(shipped().probabilities([seen(text, reading, led)[ZORBIN]])[0])


def test_what_stands_around_a_name_is_counted_per_use() -> None:
    text = "We came to Zorbin. Zorbin, and the end of Zorbin's day."
    found = features(text)
    assert found["after to"] == found["owns"] == found["before a comma"] == found["after of"] == 0.25
    assert found["opens a sentence"] == 0.25
    assert found["before of"] == found["after a"] == found["in capitals"] == 0
    assert found["a person's"] == 0.75
    assert features(text, PLACE)["a thing's"] == features(text, GUESS)["a person's, as a guess"] == 0.75


def test_names_with_a_word_in_common_are_akin() -> None:
    alone = seen("Zorbin sat. Zorbin ate.")[ZORBIN]
    both = seen("Zorbin sat. Mr Zorbin ate.")
    akin, titled = FEATURES.index("akin"), FEATURES.index("akin with title")
    assert alone[akin] == alone[titled] == 0
    assert both[ZORBIN][akin] > 0
    assert both[ZORBIN][titled] > 0
    assert both[SEAN][titled] == 0, "nobody is akin to themselves"
    assert both[SEAN][FEATURES.index("title")]


def test_what_leads_back_to_a_name_is_sorted() -> None:
    found = features("Zorbin sat.", **{HE: 3.0, SHE: 1.0, THEY: 2.0, NOUN: 1.0, "it": 5.0})
    assert (found["he or she"], found["they"], found["other pronouns"], found["nouns"]) == (2, 1, 2.5, 0.5)


def test_the_word_is_no_name_if_the_book_writes_it_small() -> None:
    assert features("Zorbin sat.")["written small"] == 0
    assert features("Zorbin sat. A zorbin ate.")["written small"] > 0


def test_readings_pronouns_and_places_move_the_probability_the_right_way() -> None:
    text = "Zorbin sat by the door. We saw Zorbin."
    person = probability(text)
    assert person > probability(text, GUESS) > probability(text, PLACE)
    assert probability(text, PERSON, {HE: 4.0}) > person > probability(text, PERSON, {THEY: 4.0})
    assert person > probability("They lived in Zorbin. We went from Zorbin.")
    assert person > probability("The Zorbin sat by the door. We saw the Zorbin.")


def test_a_name_that_is_nobodys_in_other_novels_is_less_likely_to_be_somebodys() -> None:
    god, nobody = ProperName((), ("God",)), FEATURES.index("nobody's elsewhere")
    assert nobodys(god, {"god": 30}) > nobodys(god, {"god": 2}) > nobodys(ZORBIN, {"god": 30}) == 0
    row = seen("Zorbin said so. “No,” said Zorbin.")[ZORBIN]
    less = [*row[:nobody], nobodys(god, {"god": 30}), *row[nobody + 1 :]]
    said, doubted = shipped().probabilities([row, less])
    assert said > BELIEVED > doubted


def test_only_likely_names_are_believed() -> None:
    assert believed(seen("Zorbin said so. “No,” said Zorbin.")) == {ZORBIN}
    assert not believed(seen("They lived in Zorbin. We went from Zorbin.", PLACE))
    assert not believed({})
    row = seen("They lived in Zorbin.")[ZORBIN]
    assert (float(shipped().probabilities([row])[0]) >= BELIEVED) == bool(believed({ZORBIN: row}))


def test_the_weights_are_those_of_the_features() -> None:
    assert len(shipped().weights) == len(FEATURES) == len(set(FEATURES))
    with pytest.raises(ValueError, match="reshape"):
        shipped().probabilities([[1.0]])
