"""The possible referents of pronouns and their effect on speakers, from shares and mentions given here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from coref.language.tokens import tokenize
from coref.names.name_clusters import CastMember
from coref.names.person_candidates import HE, SHE, MentionCandidate
from coref.native.antecedents import Links
from coref.native.book_pass import FoundMentions
from coref.native.groundwork import lay
from coref.native.who_is_who import draft_cast, make_sense
from coref.speech import speakers
from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.direct_speech import find_speech
from coref.speech.pronoun_candidates import Shares, shares_of
from coref.speech.quote_surroundings import Surroundings
from coref.speech.speakers import attribute
from coref.speech.turns import Turn
from coref.types import EntityCategory, MentionKind
from tests.coref.conftest import make_book

TOM, JACK, ANNE = 0, 1, 2
PEOPLE = {
    TOM: CastMember(TOM, gender=HE),
    JACK: CastMember(JACK, gender=HE),
    ANNE: CastMember(ANNE, gender=SHE),
}


def name(who: int, first: int = 0) -> MentionCandidate:
    return MentionCandidate(first, first + 1, MentionKind.PROPER, -1, "", who=who, subject=True)


def he(first: int = 0, who: int | None = None) -> MentionCandidate:
    return MentionCandidate(first, first + 1, MentionKind.PRONOUN, -1, HE, who=who, gender=HE, subject=True)


def test_a_pronoun_stands_for_whomever_those_before_it_may_mean() -> None:
    spots = [name(TOM), name(JACK), he(), he()]
    earlier = [[], [], [(0, 0.4), (1, 0.5)], [(2, 0.8), (0, 0.2)]]
    last = shares_of(spots, earlier, PEOPLE)[-1]
    assert last == pytest.approx({TOM: 0.8 * 0.4 + 0.2, JACK: 0.8 * 0.5})


def test_whoever_is_no_he_is_left_out() -> None:
    assert shares_of([name(ANNE), name(TOM), he()], [[], [], [(0, 0.7), (1, 0.2)]], PEOPLE)[-1] == {TOM: 0.2}


def test_a_name_means_whom_it_is_settled_to_mean() -> None:
    assert shares_of([name(TOM), name(JACK)], [[], [(0, 0.9)]], PEOPLE)[-1] == {JACK: 1.0}


def said_by(shares: Shares | None) -> AttributedSpeech:
    book = make_book("Tom met Jack here.\n\n“One,” he said.")
    tokens = tokenize(book)
    speeches = find_speech(book, tokens)
    pronoun = tokens.lower.index("he")
    spots = [name(TOM, 0), name(JACK, 2), he(pronoun, who=JACK)]
    meant = {pronoun: shares} if shares else None
    [said] = attribute(tokens, spots, speeches, [0, 0], parties=PEOPLE, narrators=[None, None], meant=meant)
    return said


def test_shares_of_another_leave_a_speaker_in_doubt() -> None:
    settled, sure, doubted = said_by(None), said_by({JACK: 0.9}), said_by({TOM: 0.85, JACK: 0.05})
    assert settled.speaker == sure.speaker == JACK
    assert settled.confidence == sure.confidence > 0.8
    assert doubted.confidence < 0.6


def test_the_links_of_a_tags_pronoun_reach_whoever_tells_the_speakers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[Mapping[int, Shares]] = []

    def listen(turns: Sequence[Turn], around: Surroundings) -> None:
        told.append(around.meant)

    monkeypatch.setattr(speakers, "decide", listen)
    ground = lay(make_book("Mr. Hale met Mr. Crane here, and he bowed."))
    words = ground.words.words
    hale, crane, pronoun = words.index("Hale"), words.index("Crane"), words.index("he")
    links = Links()
    links.add([0, 0, 2], [0, 1], [0.25, 0.75])
    found = FoundMentions(
        [(hale - 1, hale + 1), (crane - 1, crane + 1), (pronoun, pronoun + 1)],
        [EntityCategory.PERSON] * 3,
        [MentionKind.PROPER, MentionKind.PROPER, MentionKind.PRONOUN],
        links,
        [False] * 3,
    )
    found.new.extend([1.0, 1.0, 0.0])
    make_sense(ground, found, draft_cast(ground, found))
    [shares] = told[0].values()
    assert sorted(shares.values()) == [0.25, 0.75]
