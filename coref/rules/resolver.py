"""The rules resolver, step by step. Fast, explainable, no model: the fallback that always works."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from books.types import Book, Span
from coref.census import make_id, recount
from coref.names import PRONOUNS_OF_GENDER
from coref.protocols import Progress
from coref.rules import casing, cues, interiors, narration, plays, speakers, speech, spots, tellers, uses
from coref.rules.cast import Cast, draw_up, find_roles
from coref.rules.gender import find_genders
from coref.rules.people import Person
from coref.rules.speakers import Said
from coref.rules.spots import Spot
from coref.rules.tokens import Tokens, paragraph_of, tokenize
from coref.types import Alias, Annotations, Character, CharacterKind, Mention, MentionKind, Quote
from coref.words import plain, table

NAME = "rules/2"
_SMALL_PART = 60
"""Mentions up to which a full name that is told once is enough to show."""
_STAGES = {
    "words": 0.1,
    "speech": 0.15,
    "names": 0.3,
    "cast": 0.4,
    "narration": 0.7,
    "speakers": 0.8,
    "quotes": 0.95,
}


class RulesResolver:
    """Names, titles, nicknames, gender, nearest antecedents, said-verbs and turns."""

    @property
    def name(self) -> str:
        return NAME

    def annotate(self, book: Book, *, progress: Progress | None = None) -> Annotations:
        tell = progress or (lambda _: None)
        tokens = tokenize(book)
        tell(_STAGES["words"])
        heard = plays.find_speech(book, tokens) if book.play else speech.find_speech(book, tokens)
        tell(_STAGES["speech"])
        cased = casing.study(tokens)
        labels = plays.Labels.of(book, tokens, cased)
        found = labels.among(uses.find_uses(tokens, cased))
        evidence = cues.gather(tokens, found)
        labels.testify(evidence)
        tell(_STAGES["names"])
        cast = draw_up(tokens, found, evidence)
        labels.enter(cast)
        every = _all_spots(tokens, found, cast, labels)
        find_genders(cast.people, cast.roles, tokens, every)
        told_by = tellers.nobody(book) if book.play else tellers.find_tellers(book, tokens, cast, every)
        tell(_STAGES["cast"])
        said = _read(book, tokens, cast, every, heard, told_by, labels, tell)
        annotations = _assemble(tokens, cast, every, said, told_by.main)
        tell(1.0)
        return annotations


def _all_spots(tokens: Tokens, found: Sequence[uses.Use], cast: Cast, labels: plays.Labels) -> list[Spot]:
    names = spots.name_spots(tokens, found, cast.options)
    taken = bytearray(len(tokens))
    for use in found:
        taken[use.first : use.end] = b"\1" * (use.end - use.first)
    ends = {spot.end: spot for spot in names}
    nominals = spots.nominal_spots(tokens, taken, ends)
    find_roles(cast, nominals, length=len(tokens))
    cast.roles.update(labels.roles)
    every = spots.in_order(names, nominals, spots.pronoun_spots(tokens))
    spots.own(every)
    return every


def _read(
    book: Book,
    tokens: Tokens,
    cast: Cast,
    every: Sequence[Spot],
    heard: Sequence[speech.Speech],
    told_by: tellers.Tellers,
    labels: plays.Labels,
    tell: Progress,
) -> list[Said]:
    chapters = [p.chapter for p in book.paragraphs]
    paragraphs = paragraph_of(tokens)
    reading = narration.Reading.of(cast, tokens)
    share = (_STAGES["narration"] - _STAGES["cast"]) / max(len(book.chapters), 1)
    narration.read_narration(
        reading,
        every,
        narrators=told_by.by_paragraph,
        chapters=chapters,
        paragraphs=paragraphs,
        tell=lambda chapter: tell(_STAGES["cast"] + share * chapter),
    )
    tell(_STAGES["narration"])
    if book.play:
        said = plays.attribute(tokens, every, heard, chapters, labels)
    else:
        said = speakers.attribute(tokens, every, heard, chapters)
    tell(_STAGES["speakers"])
    interiors.read_quotes(reading, every, said, chapters=chapters, paragraphs=paragraphs)
    tell(_STAGES["quotes"])
    return said


def _assemble(
    tokens: Tokens, cast: Cast, every: Sequence[Spot], said: Sequence[Said], teller: int | None
) -> Annotations:
    ids = _ids(tokens, cast, every, teller)
    mentions = _mentions(tokens, every, ids)
    characters = recount(
        (_character(tokens, p, every_of, ids) for p, every_of in _kept(cast, every, ids)), mentions
    )
    quotes = _quotes(said, ids)
    return Annotations(NAME, characters, mentions, quotes, ids.get(-1 if teller is None else teller))


def _quotes(said: Sequence[Said], ids: dict[int, str]) -> tuple[Quote, ...]:
    """One quote for each stretch of speech, even where it runs over paragraphs."""
    found: list[Quote] = []
    for each in said:
        start, end = each.speech.start, each.speech.end
        if each.speech.continues and found:
            last = found.pop()
            found.append(replace(last, span=Span(last.span.start, end)))
            continue
        speaker = None if each.speaker is None else ids.get(each.speaker)
        addressee = None if each.addressee is None else ids.get(each.addressee)
        sure = round(each.confidence, 2) if speaker else 0.0
        found.append(Quote(Span(start, end), speaker, addressee, sure))
    return tuple(found)


def _by_person(every: Sequence[Spot]) -> dict[int, list[Spot]]:
    found: dict[int, list[Spot]] = defaultdict(list)
    for spot in every:
        if spot.who is not None:
            found[spot.who].append(spot)
    return found


def _ids(tokens: Tokens, cast: Cast, every: Sequence[Spot], teller: int | None) -> dict[int, str]:
    """Ids of those who are mentioned enough, made of the first name that the book uses for them."""
    found: dict[int, str] = {}
    taken: set[str] = set()
    for number, theirs in sorted(_by_person(every).items()):
        if not _is_somebody(cast.people[number], theirs, tells=number == teller):
            continue
        named = next((s for s in theirs if s.kind is not MentionKind.PRONOUN), theirs[0])
        first = (
            tellers.NARRATOR
            if named.kind is MentionKind.PRONOUN
            else plain(tokens.surface(named.first, named.end))
        )
        found[number] = make_id(first, str(tokens.starts[named.first]))
        if found[number] in taken:
            found[number] = make_id(first, f"{tokens.starts[named.first]} {number}")
        taken.add(found[number])
    return found


def _is_somebody(person: Person, theirs: Sequence[Spot], *, tells: bool) -> bool:
    named = sum(s.kind is not MentionKind.PRONOUN for s in theirs)
    if tells or person.speaks or named >= 2:
        return True
    full = any(name.titles or len(name.core) > 1 for name in person.names)
    return named == 1 and len(theirs) >= 2 and full


def _mentions(tokens: Tokens, every: Sequence[Spot], ids: dict[int, str]) -> tuple[Mention, ...]:
    found = (
        Mention(
            Span(tokens.starts[s.first], tokens.ends[s.end - 1]),
            s.kind,
            ids.get(-1 if s.who is None else s.who),
            tokens.surface(s.first, s.end),
        )
        for s in every
    )
    return tuple(sorted(found, key=lambda m: m.key))


def _kept(cast: Cast, every: Sequence[Spot], ids: dict[int, str]) -> list[tuple[Person, list[Spot]]]:
    return [(cast.people[n], theirs) for n, theirs in sorted(_by_person(every).items()) if n in ids]


def _character(tokens: Tokens, person: Person, theirs: Sequence[Spot], ids: dict[int, str]) -> Character:
    name = _display_name(tokens, person, theirs)
    roles = {
        plain(tokens.surface(s.first, s.end)) for s in theirs if person.role and s.kind is MentionKind.NOMINAL
    }
    return Character(
        id=ids[person.number],
        name=name,
        aliases=tuple(Alias(role, 0, 0) for role in sorted(roles)),
        kind=person.kind,
        pronouns="they/them"
        if person.kind is CharacterKind.GROUP
        else PRONOUNS_OF_GENDER.get(person.gender or ""),
        mention_count=0,
        first=0,
    )


def _display_name(tokens: Tokens, person: Person, theirs: Sequence[Spot]) -> str:
    """The fullest of the names that are used often, or the role."""
    labels: dict[str, int] = defaultdict(int)
    for spot in theirs:
        if spot.kind is MentionKind.PROPER or (person.role and spot.kind is MentionKind.NOMINAL):
            labels[_label(tokens, spot, person)] += 1
    if not labels:
        return tellers.NARRATOR
    if person.role or person.kind is CharacterKind.GROUP:
        return max(labels, key=lambda label: (labels[label], label))
    often = {label for label, count in labels.items() if count * 10 >= max(labels.values())}
    told = {label for label in labels if labels[label] >= 2 or len(theirs) <= _SMALL_PART}
    full = [label for label in told if _is_full(label)]
    best = max(full or often, key=lambda label: (labels[label], label))
    bare = " ".join(w for w in best.split() if w.rstrip(".") not in table("titles"))
    return bare if bare in full and labels[bare] * 3 >= labels[best] else best


def _label(tokens: Tokens, spot: Spot, person: Person) -> str:
    """How a mention names somebody; whoever has a label in a play is not shouted elsewhere either."""
    if spot.use is not None and spot.use.shown:
        return spot.use.shown
    surface = plain(tokens.surface(spot.first, spot.end))
    return plays.in_sentence(surface) if person.speaks else surface


def _is_full(label: str) -> bool:
    """A given name and a surname, without shouting and without initials."""
    words = [w for w in label.split() if w[0].isupper() and w.rstrip(".") not in table("titles")]
    return len(words) > 1 and not any(w.endswith(".") or w.isupper() for w in words)
