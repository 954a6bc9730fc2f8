"""Turns people into the listed characters: who has enough mentions, with which id and which name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from coref.census import NARRATOR, grouped, make_id, small_words_first
from coref.language.tokens import POSSESSIVE, Tokens
from coref.language.word_lists import plain, same
from coref.names.casing import in_sentence, title_of
from coref.names.cast_building import Cast
from coref.names.display_names import WordCases, displayed
from coref.names.name_clusters import CastMember
from coref.names.person_candidates import MentionCandidate
from coref.names.titles import PRONOUNS_OF_GENDER, gender_of_given_name
from coref.types import Alias, Character, CharacterKind, MentionKind

_SELDOM = 5
_PASSING = 12
"""Number of mentions beyond which somebody is a character even if only one speaker names them once.

An example is the narrator's mother, whom one man once calls by name.
"""


def ids_of(
    tokens: Tokens,
    cast: Cast,
    every: Sequence[MentionCandidate],
    teller: int | None,
    *,
    chapters: Sequence[int],
    speakers: Collection[int] | None = None,
) -> dict[int, str]:
    """Return ids for those with enough mentions, made of the first name that the book uses for them.

    Somebody named in a later chapter than they are met in has an id of what they are called where they are
    met: it tells no name to whoever stops before. `chapters` has the chapter of each paragraph.

    If `speakers` are given, all others must meet a higher bar: a word that is used seldom, and that no
    pronoun ever refers to, is hardly somebody's name.
    """
    found: dict[int, str] = {}
    taken: set[str] = set()
    for number, theirs in sorted(grouped(every, lambda spot: spot.who).items()):
        if not _is_somebody(cast.people[number], theirs, tells=number == teller):
            continue
        if speakers is not None and number not in speakers and _is_bare(cast.people[number], theirs):
            continue
        met = _where_met(theirs, tells=number == teller)
        named = next((s for s in theirs if s.options), met)
        if chapters[tokens.paragraph(named.first)] > chapters[tokens.paragraph(met.first)]:
            named = met
        nameless = named.kind is MentionKind.PRONOUN or cast.people[number].role == NARRATOR
        first = NARRATOR if nameless else plain(tokens.surface(named.first, named.end))
        found[number] = make_id(first, str(tokens.starts[named.first]))
        if found[number] in taken:
            found[number] = make_id(first, f"{tokens.starts[named.first]} {number}")
        taken.add(found[number])
    return found


def _where_met(theirs: Sequence[MentionCandidate], *, tells: bool) -> MentionCandidate:
    """Return the mention from which a reader knows of somebody: of whoever tells, the first “I”."""
    nouns = (s for s in theirs if s.kind is not MentionKind.PRONOUN)
    return theirs[0] if tells else next(nouns, theirs[0])


def _is_somebody(person: CastMember, theirs: Sequence[MentionCandidate], *, tells: bool) -> bool:
    named = sum(s.kind is not MentionKind.PRONOUN for s in theirs)
    if not tells and not person.speaks and _is_only_talked_of(theirs):
        return False
    if tells or person.speaks or named >= 2:
        return True
    full = any(name.titles or len(name.core) > 1 for name in person.names)
    return named == 1 and len(theirs) >= 2 and full


def _is_only_talked_of(theirs: Sequence[MentionCandidate]) -> bool:
    """Return whether somebody is named only once, and in speech, so that they may not be in the book."""
    names = [s for s in theirs if s.options]
    return len(names) == 1 and names[0].quote >= 0 and len(theirs) <= _PASSING


def _is_bare(person: CastMember, theirs: Sequence[MentionCandidate]) -> bool:
    """Return whether somebody has nothing but an odd word, used a few times: `Fundador`."""
    if person.role or person.speaks or person.kind is not CharacterKind.PERSON or len(theirs) > _SELDOM:
        return False
    if any(s.kind is MentionKind.PRONOUN for s in theirs):
        return False
    return not any(n.titles or len(n.core) > 1 or gender_of_given_name(n.core[0]) for n in person.names)


def characters_of(
    tokens: Tokens, cast: Cast, every: Sequence[MentionCandidate], ids: Mapping[int, str]
) -> list[Character]:
    """Return the characters who have ids. `coref.census.recount` counts their mentions.

    Nobody is displayed by the name of somebody who is mentioned more, if there is another.
    """
    cases = WordCases(tokens)
    all_theirs = {n: theirs for n, theirs in grouped(every, lambda spot: spot.who).items() if n in ids}
    names: dict[int, str] = {}
    taken: set[str] = set()
    for number in sorted(all_theirs, key=lambda n: (-len(all_theirs[n]), n)):
        names[number] = _display_name(tokens, cast.people[number], all_theirs[number], cases, taken)
        taken.add(same(names[number]))
    return [
        _character(tokens, cast.people[number], all_theirs[number], ids[number], names[number])
        for number in sorted(all_theirs)
    ]


def _character(
    tokens: Tokens,
    person: CastMember,
    theirs: Sequence[MentionCandidate],
    id_: str,
    name: str,
) -> Character:
    roles = {
        plain(tokens.surface(s.first, s.end))
        for s in theirs
        if person.role and person.role != NARRATOR and s.kind is MentionKind.NOMINAL
    }
    return Character(
        id=id_,
        name=name,
        aliases=tuple(Alias(role, 0, 0) for role in sorted(roles)),
        kind=person.kind,
        pronouns="they/them"
        if person.kind is CharacterKind.GROUP
        else PRONOUNS_OF_GENDER.get(person.gender or ""),
        mention_count=0,
        first=0,
    )


def _display_name(
    tokens: Tokens,
    person: CastMember,
    theirs: Sequence[MentionCandidate],
    cases: WordCases,
    taken: Collection[str],
) -> str:
    """Return one of the names that is not taken if there is one, or the role."""
    if person.role == NARRATOR:
        return NARRATOR
    labels: dict[str, int] = defaultdict(int)
    for spot in theirs:
        if spot.kind is MentionKind.PROPER or (person.role and spot.kind is MentionKind.NOMINAL):
            for label in set(_labels(tokens, spot, person)):
                labels[label] += 1
    if not labels:
        return NARRATOR
    if person.role or person.kind is CharacterKind.GROUP:
        return max(labels, key=lambda label: (labels[label], label))
    return displayed({label: n for label, n in labels.items() if same(label) not in taken} or labels, cases)


def _labels(tokens: Tokens, spot: MentionCandidate, person: CastMember) -> Iterator[str]:
    """Yield how a mention names somebody, and that without what only stands before the name: `poor Tom`.

    For people with labels in a play, capitals are always undone.
    """
    if spot.use is not None and spot.use.shown:
        yield spot.use.shown
        return
    first = spot.first
    if spot.use is not None and first + 1 == spot.use.first and tokens.opens[first]:
        first += 1  # `Hitherto Tom had not stirred.`
    elif spot.use is not None and tokens.words[spot.use.first - 1] in POSSESSIVE and first < spot.use.first:
        first = spot.use.first  # `Ann's Tom`
    surface = plain(tokens.surface(first, spot.end))
    label = in_sentence(surface) if person.speaks else surface
    yield label
    before, name = small_words_first(label)
    titled = any(title_of(word.capitalize()) for word in before.split())  # `aunt Nesta`
    if name and before != "the" and not titled:
        yield name
