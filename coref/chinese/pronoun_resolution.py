"""Resolves names, roles and pronouns of a Chinese book in order, outside quotations and then inside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from coref.chinese.lexicon import forms_of_address
from coref.chinese.people import ChineseCast, NameForm, NameShape, gender_of_given
from coref.chinese.scene import ChineseScene
from coref.chinese.segment import ChineseWords
from coref.chinese.speakers import ChineseUtterance
from coref.chinese.spots import HE, ME, SELF, SHE, YOU, ChineseMention
from coref.types import MentionKind

_ROLE, _SELF, _YOU, _ADDRESSED = 0.6, 0.6, 0.85, 0.6
_PRONOUN = 0.8
"""Maximum confidence of a pronoun, because the rules know little."""
SPOKEN = 0.6
"""Share in speech from which on a word such as 将军 is a form of address, and nobody's own name."""
_SHARED = 0.5
_WOMEN = 0.02
"""Share of 她 and 伊 among pronouns from which on 他 refers to men."""
_VOTE_REACH = 18
_BY_GIVEN, _BY_TITLE = 1.5, 6.0


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """What the resolution needs to know about positions in the book."""

    words: ChineseWords
    chapters: Sequence[int]
    """The chapter of each paragraph."""
    paragraphs: Sequence[int]
    """The paragraph of each word."""


def tells_women(spots: Sequence[ChineseMention]) -> bool:
    counts = Counter(spot.head for spot in spots if spot.kind is MentionKind.PRONOUN)
    return counts[SHE] > _WOMEN * (counts[SHE] + counts[HE])


def find_genders(
    words: ChineseWords, spots: Sequence[ChineseMention], cast: ChineseCast, *, telling: bool
) -> None:
    """Set genders by titles, by the following pronouns, and by the characters of given names."""
    votes: list[Counter[str]] = [Counter() for _ in cast.people]
    for spot, after in pairwise(spots):
        if len(spot.options) != 1 or after.head not in (HE, SHE) or after.quote != spot.quote:
            continue
        if after.head == HE and not telling:
            continue
        near = after.first - spot.end <= _VOTE_REACH and spot.subject and after.subject
        if near and words.sentence[after.first] - words.sentence[spot.first] <= 1:
            votes[spot.options[0]][after.head] += 1
    for person in cast.people:
        theirs = votes[person.number]
        weights = {HE: float(theirs[HE]), SHE: float(theirs[SHE])}
        for form in person.forms:
            if form.gender:
                weights[form.gender] += _BY_TITLE
        given = next((hint for f in person.forms if _tells(f) and (hint := gender_of_given(f.given))), None)
        if given:
            weights[given] += _BY_GIVEN
        best = max(weights, key=lambda gender: weights[gender])
        sure = weights[best] >= _BY_GIVEN and weights[best] > 1.5 * min(weights.values())
        person.gender = best if sure else None


def _tells(form: NameForm) -> bool:
    """Whether a given name tells a gender. One character behind a surname does not: 董卓 is a man."""
    return len(form.given) > 1 or (bool(form.given) and form.shape is NameShape.NICKNAME)


def read_narration(
    place: ReadingPlace,
    spots: Sequence[ChineseMention],
    cast: ChineseCast,
    *,
    telling: bool,
    narrator: int | None,
    tell: Callable[[float], None],
) -> None:
    """Resolve all names and roles, and the pronouns outside quotations."""
    scene = ChineseScene(cast.people, telling=telling)
    for number, spot in _in_order(place, spots, scene):
        if number % 4096 == 0:
            tell(number / len(spots))
        if spot.kind is not MentionKind.PRONOUN:
            _name(spot, scene, cast)
        elif spot.quote < 0:
            _pronoun(place.words, spot, scene, spots, number, narrator)


def _in_order(
    place: ReadingPlace, spots: Sequence[ChineseMention], scene: ChineseScene
) -> Iterator[tuple[int, ChineseMention]]:
    """Yield mentions in order.

    Nobody is on stage at the start of a chapter, and resolved mentions enter it.
    """
    chapter = -1
    for number, spot in enumerate(spots):
        here = place.chapters[place.paragraphs[spot.first]]
        if here != chapter:
            chapter = here
            scene.clear()
        yield number, spot
        if spot.who is not None:
            sentence = place.words.sentence[spot.first]
            scene.see(spot.who, sentence=sentence, subject=spot.subject, quoted=spot.quote >= 0)


def _name(spot: ChineseMention, scene: ChineseScene, cast: ChineseCast) -> None:
    if not spot.options:
        return
    spot.who = scene.latest(spot.options)
    if spot.kind is MentionKind.NOMINAL:
        spot.confidence = _ROLE
    else:
        sure = cast.people[spot.who].sure.get(spot.head, 1.0)
        spot.confidence = sure if len(spot.options) == 1 else _SHARED


def _pronoun(
    words: ChineseWords,
    spot: ChineseMention,
    scene: ChineseScene,
    spots: Sequence[ChineseMention],
    number: int,
    narrator: int | None,
) -> None:
    sentence = words.sentence[spot.first]
    if spot.head == ME and narrator is not None:
        spot.who, spot.confidence = narrator, _PRONOUN
    elif spot.head == SELF:
        _reflexive(words, spot, scene, spots, number)
    elif spot.head in (HE, SHE):
        out = _bound(words, spot, spots, number)
        if narrator is not None:
            out = (*out, narrator)
        damped = None if spot.subject else scene.subject(sentence)
        found = scene.pick(spot.head, sentence=sentence, out=out, damped=damped)
        if found is not None:
            spot.who, spot.confidence = found[0], found[1] * _PRONOUN


def _reflexive(
    words: ChineseWords,
    spot: ChineseMention,
    scene: ChineseScene,
    spots: Sequence[ChineseMention],
    number: int,
) -> None:
    """Resolve `他自己` to him, and a bare 自己 to whoever acts."""
    before = spots[number - 1] if number else None
    if before is not None and before.end == spot.first and before.who is not None:
        spot.who, spot.confidence = before.who, before.confidence
        return
    spot.who = scene.subject(words.sentence[spot.first])
    spot.confidence = _SELF if spot.who is not None else 0.0


def _bound(
    words: ChineseWords, spot: ChineseMention, spots: Sequence[ChineseMention], number: int
) -> tuple[int, ...]:
    """Return the people who act in the same clause.

    An object cannot be one of them, except as 自己. The possessor in 他的 can.
    """
    after = words.words[spot.end] if spot.end < len(words) else ""
    if spot.subject or after == "的":
        return ()
    opens = words.clause_start(spot.first, max(spot.first - 40, 0))
    found = []
    for i in range(number - 1, max(number - 6, -1), -1):
        if spots[i].first < opens:
            break
        who = spots[i].who
        if who is not None and spots[i].quote == spot.quote:
            found.append(who)
    return tuple(found)


def read_quotes(
    place: ReadingPlace,
    spots: Sequence[ChineseMention],
    said: Sequence[ChineseUtterance],
    cast: ChineseCast,
    *,
    telling: bool,
) -> None:
    """Resolve pronouns in quotations: 我 is the speaker, 你 the addressee, 他 neither of them."""
    scene = ChineseScene(cast.people, telling=telling)
    called = _forms_of_address(spots, cast)
    for number, spot in _in_order(place, spots, scene):
        if spot.quote >= 0 and spot.kind is MentionKind.PRONOUN:
            _quoted(place.words, spot, said[spot.quote], scene, spots, number)
        elif (
            spot.quote >= 0 and spot.kind is MentionKind.NOMINAL and (spot.who is None or spot.who in called)
        ):
            _addressed(spot, said[spot.quote], cast)


def _forms_of_address(spots: Sequence[ChineseMention], cast: ChineseCast) -> set[int]:
    """Return who is known by a word alone that is mainly used in speech: such a word is said to many."""
    every: Counter[int] = Counter()
    spoken: Counter[int] = Counter()
    for spot in spots:
        if spot.who is not None and spot.kind is not MentionKind.PRONOUN and cast.people[spot.who].role:
            every[spot.who] += 1
            spoken[spot.who] += spot.quote >= 0 and spot.head in forms_of_address()
    return {who for who, count in every.items() if spoken[who] >= SPOKEN * count}


def _addressed(spot: ChineseMention, said: ChineseUtterance, cast: ChineseCast) -> None:
    """Resolve a title or a kin term in speech to whom it is said to, if it can be that person's."""
    if said.addressee is None:
        return
    gender = forms_of_address().get(spot.head)
    if gender is None or cast.people[said.addressee].gender in (None, gender):
        spot.who, spot.confidence = said.addressee, said.confidence * _ADDRESSED


def _quoted(
    words: ChineseWords,
    spot: ChineseMention,
    said: ChineseUtterance,
    scene: ChineseScene,
    spots: Sequence[ChineseMention],
    number: int,
) -> None:
    if spot.head == ME and said.speaker is not None:
        spot.who, spot.confidence = said.speaker, said.confidence
    elif spot.head == YOU and said.addressee is not None:
        spot.who, spot.confidence = said.addressee, said.confidence * _YOU
    elif spot.head == SELF:
        before = spots[number - 1] if number else None
        if before is not None and before.end == spot.first and before.who is not None:
            spot.who, spot.confidence = before.who, before.confidence
    elif spot.head in (HE, SHE):
        out = [who for who in (said.speaker, said.addressee) if who is not None]
        found = scene.pick(spot.head, sentence=words.sentence[spot.first], out=out)
        if found is not None:
            spot.who, spot.confidence = found[0], found[1] * _PRONOUN * _YOU
