"""Resolves names, nominals and pronouns in the narration, outside quotations, in reading order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from coref.language.tokens import Tokens
from coref.language.word_lists import table, words
from coref.names.cast_building import Cast, titled_people
from coref.names.name_clusters import CastMember, families
from coref.names.person_candidates import HE, ME, SHE, THEY, MentionCandidate
from coref.speech.scene import Scene
from coref.types import CharacterKind, MentionKind

_LONG = 40
"""Sentences without a mention after which somebody has been off the stage for a long time."""
_MEN = frozenset(("Mr", "Mister", "Sir", "Lord", "Dr", "Captain", "Colonel", "Monsieur", "Squire"))


@dataclass(slots=True)
class NarrationKnowledge:
    """What has been learnt so far in reading order: relations between people, and who bears which title."""

    cast: Cast
    tokens: Tokens
    relations: dict[tuple[int, str], int] = field(default_factory=dict)
    titled: Mapping[str, Sequence[CastMember]] = field(default_factory=dict)
    families: Mapping[str, Sequence[CastMember]] = field(default_factory=dict)
    told: set[int] = field(default_factory=set)
    """People whom the narration itself has named so far."""

    @staticmethod
    def of(cast: Cast, tokens: Tokens) -> NarrationKnowledge:
        people = cast.people
        return NarrationKnowledge(cast, tokens, {}, titled_people(people), families(people))


def read_narration(
    reading: NarrationKnowledge,
    spots: Sequence[MentionCandidate],
    *,
    narrators: Sequence[int | None],
    chapters: Sequence[int],
    paragraphs: Sequence[int],
    tell: Callable[[int], None],
) -> None:
    """Resolve all names, and everything outside quotations.

    `narrators` gives for each paragraph the person who says "I".
    """
    tokens, scene = reading.tokens, Scene(reading.cast.people)
    before: list[MentionCandidate] = []
    spoke: dict[int, int] = {}
    chapter = -1
    for spot in spots:
        paragraph = paragraphs[spot.first]
        if chapters[paragraph] != chapter:
            chapter = chapters[paragraph]
            scene.clear()
            tell(chapter)
        if spot.kind is MentionKind.PROPER:
            spot.who = choose(spot, scene)
            if spot.quote < 0:
                reading.told.add(spot.who)
            _learn(reading, spot, before)
        elif spot.quote < 0:
            speaks = is_beside_speech(tokens, spot)
            doubted = spoke.get(paragraph - 1) if speaks and paragraph not in spoke else None
            _resolve(reading, spot, scene, before, narrators[paragraph], doubted)
        if spot.quote < 0 and spot.who is not None and is_beside_speech(tokens, spot):
            spoke.setdefault(paragraph, spot.who)
        if spot.who is not None:
            scene.see(
                spot.who, sentence=tokens.sentence[spot.first], subject=spot.subject, quoted=spot.quote >= 0
            )
        elif spot.kind is MentionKind.NOMINAL and spot.quote < 0:
            scene.see_stranger(
                spot.head, spot.gender, sentence=tokens.sentence[spot.first], subject=spot.subject
            )
        before.append(spot)
        if len(before) > 8:
            del before[0]


def choose(spot: MentionCandidate, scene: Scene) -> int:
    """Choose who is meant by a name that several people bear: by age, or by the latest mention."""
    options = spot.options
    if len(options) == 1:
        return options[0].number
    told_apart = [p for p in options if p.gender == options[0].gender]
    if spot.use is not None and not spot.use.name.titles and len(spot.use.name.core) == 1:
        word = spot.use.name.core[0]
        known = [
            p for p in told_apart if p is options[0] or p.called(word) * 10 >= options[0].called(word) > 0
        ]
        latest = scene.latest([p.number for p in known])
        if latest is not None and latest != options[0].number:
            return latest if _nearer(scene, latest, options[0].number) else options[0].number
    return options[0].number


def _nearer(scene: Scene, one: int, other: int) -> bool:
    """Return whether one person is on stage while the other has not been for a long time."""
    return other not in scene.last or scene.last[one] - scene.last[other] > _LONG


def is_beside_speech(tokens: Tokens, spot: MentionCandidate) -> bool:
    """Return whether a mention is the subject of a tag: `“…,” said he`, `“…,” he said`."""
    first, end = spot.first, spot.end
    if first >= 2 and tokens.lower[first - 1] in words("speech_verbs"):
        return tokens.quote[first - 2] >= 0
    after = tokens.lower[end : end + 3]
    return (
        first >= 1 and tokens.quote[first - 1] >= 0 and any(word in words("speech_verbs") for word in after)
    )


def _resolve(
    reading: NarrationKnowledge,
    spot: MentionCandidate,
    scene: Scene,
    before: Sequence[MentionCandidate],
    teller: int | None,
    doubted: int | None,
) -> None:
    sentence = reading.tokens.sentence[spot.first]
    if spot.kind is MentionKind.NOMINAL:
        spot.who = nominal(reading, spot, scene)
    elif spot.head == ME:
        spot.who = teller
    elif spot.head in (HE, SHE):
        exclude = {teller} if teller is not None else set()
        spot.who = third_person(reading.tokens, spot, scene, before, exclude=exclude, doubted=doubted)
    elif spot.head == THEY:
        spot.who = scene.group(sentence=sentence)


def third_person(
    tokens: Tokens,
    spot: MentionCandidate,
    scene: Scene,
    before: Sequence[MentionCandidate],
    *,
    exclude: Collection[int | None],
    doubted: int | None = None,
) -> int | None:
    """Resolve `he` and `she` to the likeliest person on stage. An object is not its own subject."""
    out = {who for who in exclude if who is not None}
    subject = _subject_of_clause(tokens, spot, before)
    word = tokens.lower[spot.first]
    if word in ("himself", "herself") and subject is not None and subject.who not in out:
        return subject.who
    if subject is not None and subject.who is not None and _is_object(tokens, spot):
        out.add(subject.who)
    return scene.pick(spot.gender or HE, sentence=tokens.sentence[spot.first], exclude=out, doubted=doubted)


def _subject_of_clause(
    tokens: Tokens, spot: MentionCandidate, before: Sequence[MentionCandidate]
) -> MentionCandidate | None:
    for earlier in reversed(before):
        if tokens.sentence[earlier.first] != tokens.sentence[spot.first] or earlier.quote != spot.quote:
            return None
        between = tokens.lower[earlier.end : spot.first]
        if any(word in (";", ":", "—", "--", "and", "but", "who", "that") for word in between):
            return None
        if earlier.subject:
            return earlier
    return None


def _is_object(tokens: Tokens, spot: MentionCandidate) -> bool:
    word = tokens.lower[spot.first]
    if word == "him":
        return True
    if word != "her":
        return False
    after = tokens.lower[spot.end] if spot.end < len(tokens) else "."
    return not after[0].isalpha() or after in words("object_words")


def nominal(reading: NarrationKnowledge, spot: MentionCandidate, scene: Scene) -> int | None:
    """Resolve `her brother`, `the captain` or `the lamplighter`. Returns None rather than a guess."""
    owner = spot.owner.who if spot.owner is not None else None
    if owner is not None:
        return relative(reading, owner, spot.head)
    if not spot.definite:
        return None
    if spot.head in reading.cast.roles:
        return reading.cast.roles[spot.head].number
    holders = reading.titled.get(spot.head, ())
    if spot.quote < 0:  # a captain who is only talked about is not the one who comes in
        holders = [p for p in holders if p.number in reading.told]
    if len(holders) == 1:
        return holders[0].number if holders[0].number in scene.last else None
    return scene.latest([p.number for p in holders])


def relative(reading: NarrationKnowledge, owner: int, noun: str) -> int | None:
    """Return somebody's wife, brother and so on, if the book has said who that is or their title shows it."""
    relation = table("kin").get(noun, "any ?").split()[1]
    known = reading.relations.get((owner, relation))
    if known is not None:
        return known
    person = reading.cast.people[owner]
    family = [p for s in person.surnames for p in reading.families[s] if p.number != owner]
    wives = [p for p in family if _is_wed(p) and not p.givens]
    men = [p for p in family if p.titles & _MEN and p.gender == "he" and not p.givens]
    young = bool(person.givens) and not _is_wed(person)
    by_title = {
        "wife": wives if person.gender == "he" and not person.givens else [],
        "husband": men if _is_wed(person) else [],
        "mother": wives if young else [],
        "father": men if young else [],
    }.get(relation, [])
    return by_title[0].number if len(by_title) == 1 else None


def _is_wed(person: CastMember) -> bool:
    return bool(person.titles & words("wed_titles")) or "Lady" in person.titles


def _learn(reading: NarrationKnowledge, name: MentionCandidate, before: Sequence[MentionCandidate]) -> None:
    """Learn relations from `her brother Tom`, `her brother, Tom,` and `Mr. Hale's son Tom`."""
    if not before or before[-1].kind is not MentionKind.NOMINAL:
        return
    kin = before[-1]
    gap = reading.tokens.words[kin.end : name.first]
    if kin.owner is None or kin.owner.who is None or kin.head not in table("kin") or gap not in ([], [","]):
        return
    person = reading.cast.people[name.who] if name.who is not None else None
    if person is None or person.kind is CharacterKind.GROUP or person.number == kin.owner.who:
        return
    if kin.gender and person.gender and kin.gender != person.gender:
        return
    if kin.quote < 0:
        kin.who = person.number
    reading.relations[kin.owner.who, table("kin")[kin.head].split()[1]] = person.number
