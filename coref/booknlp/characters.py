"""Decides which of BookNLP's clusters are characters, and how they are named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from coref.booknlp.output_files import UNRESOLVED, ListedCharacter
from coref.census import NARRATOR, PRONOUNS, make_id, pronouns_of, recount
from coref.language.word_lists import plain, same, words
from coref.types import Alias, Character, CharacterKind, Mention, MentionKind

NARRATOR_CLUSTER = 0
"""BookNLP's cluster for every "I" outside quotes.

In a third-person novel it contains those of letters too.
"""
WORDS_PER_I = 1000
"""A narrator says "I" at least once in this many words. Emma's letters say it once in five thousand."""
ROLE_MINIMUM = 2
"""Minimum mentions of somebody without a name. BookNLP lists nobody with a single mention."""


@dataclass(frozen=True, slots=True)
class BookNLPCharacters:
    ids: Mapping[int, str]
    """Ids keyed by cluster. A cluster of nobody is missing, and its mentions are unresolved."""
    narrator: str | None
    drafts: tuple[Character, ...]

    def characters(self, mentions: Sequence[Mention]) -> tuple[Character, ...]:
        """Return the characters counted and named from their mentions, as for every resolver."""
        return tuple(
            replace(c, name=c.name or c.aliases[0].text) for c in recount(self.drafts, mentions) if _called(c)
        )


def people_of(
    rows: Iterable[tuple[int, Mention]], listed: Iterable[ListedCharacter] | None, *, words: int
) -> BookNLPCharacters:
    """Return the clusters that are characters: those with a name, and recurring ones with a description."""
    clusters: dict[int, list[Mention]] = defaultdict(list)
    for cluster, mention in rows:
        if cluster != UNRESOLVED:
            clusters[cluster].append(mention)
    known = None if listed is None else {c.cluster: c.gender for c in listed}
    drafts: dict[int, Character] = {}
    taken: set[str] = set()
    for cluster, mentions in clusters.items():
        draft = _draft(cluster, mentions, known, words=words)
        if draft is None:
            continue
        if draft.id in taken:
            draft = replace(draft, id=make_id(draft.id, str(cluster)))
        taken.add(draft.id)
        drafts[cluster] = draft
    tells = _narrates(clusters.get(NARRATOR_CLUSTER, ()), words=words) and NARRATOR_CLUSTER in drafts
    narrator = drafts[NARRATOR_CLUSTER].id if tells else None
    return BookNLPCharacters({c: d.id for c, d in drafts.items()}, narrator, tuple(drafts.values()))


def _draft(
    cluster: int, mentions: Sequence[Mention], known: Mapping[int, str | None] | None, *, words: int
) -> Character | None:
    named = next((m for m in mentions if m.kind is MentionKind.PROPER), None)
    described = [m for m in mentions if m.kind is MentionKind.NOMINAL]
    recurs = len(mentions) >= ROLE_MINIMUM if known is None else cluster in known
    if named:
        first, role = named, None
    elif described and recurs:
        first = described[0]
        role = _role(described)
    elif cluster == NARRATOR_CLUSTER and _narrates(mentions, words=words):
        first, role = mentions[0], NARRATOR
    else:
        return None
    label = NARRATOR if role == NARRATOR else plain(first.surface)
    if known is not None and cluster in known:
        gender = known[cluster]
        pronouns = PRONOUNS.get(gender.split("/")[0]) if gender else None
    else:
        pronouns = pronouns_of(mentions)
    aliases = (Alias(role, 0, first.span.start),) if role else ()
    return Character(
        id=make_id(label, str(first.span.start)),
        name=NARRATOR if role == NARRATOR else "",
        aliases=aliases,
        kind=_kind(plain(role or first.surface), pronouns),
        pronouns=pronouns,
        mention_count=0,
        first=mentions[0].span.start,
    )


def _narrates(mentions: Sequence[Mention], *, words: int) -> bool:
    return bool(mentions) and len(mentions) * WORDS_PER_I >= words


def _role(described: Sequence[Mention]) -> str:
    """Return the most frequent description of somebody without a name, the shorter and earlier if equal."""
    counts: dict[str, int] = defaultdict(int)
    forms: dict[str, str] = {}
    for mention in described:
        counts[same(mention.surface)] += 1
        forms.setdefault(same(mention.surface), plain(mention.surface))
    return forms[min(counts, key=lambda key: (-counts[key], len(key)))]


def _kind(name: str, pronouns: str | None) -> CharacterKind:
    parts = name.split()
    if {p.strip(".,") for p in parts} & words("plural_titles"):
        return CharacterKind.GROUP
    head = parts[-1] if parts else ""
    alone = len(parts) == 1 and head[:1].isupper()  # a name such as Dickens
    plural = head.endswith("s") and not alone and "'" not in head and "’" not in head
    several = head in words("group_nouns") or plural
    return CharacterKind.GROUP if pronouns == "they/them" and several else CharacterKind.PERSON


def _called(character: Character) -> bool:
    return bool(character.name or character.aliases)
