"""The resolver for Chinese books: a trained tagger finds the names, learnt links tell whose they are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from books.types import Book, Span
from coref.census import grouped, make_id, recount
from coref.chinese.lexicon import forms_of_address
from coref.chinese.name_links import other_names
from coref.chinese.names import find_names
from coref.chinese.narrator import NARRATOR, find_narrator
from coref.chinese.people import ChineseCast, ChinesePerson, NameLink, NameShape, draw_up
from coref.chinese.pronoun_resolution import (
    SPOKEN,
    ReadingPlace,
    find_genders,
    read_narration,
    read_quotes,
    tells_women,
)
from coref.chinese.segment import ChineseWords, segment
from coref.chinese.speakers import Attribution, ChineseUtterance
from coref.chinese.speech import find_speech
from coref.chinese.spots import ChineseMention, find_roles, find_spots
from coref.names.titles import PRONOUNS_OF_GENDER
from coref.protocols import Progress
from coref.resolver_names import CHINESE
from coref.types import Alias, Annotations, Character, Doubt, Mention, MentionKind, Merge, Quote, Teller

_MOST_DOUBTS = 200
_FEW = 6
"""Mentions by a word such as 将军 from which on it is looked at whether it means one person."""
_TOGETHER = 3
"""Mentions of a person in a chapter. A word for many people is spread over more chapters."""


class ChineseResolver:
    """Resolves names by surname, title and use, 他 and 她 by who is on stage, speakers by 道 and 说."""

    @property
    def name(self) -> str:
        return CHINESE

    def annotate(self, book: Book, *, progress: Progress | None = None) -> Annotations:
        tell = progress or (lambda _: None)
        words = segment(book, lambda share: tell(0.4 * share))
        speeches = find_speech(words)
        tell(0.45)
        chapters = [p.chapter for p in book.paragraphs]
        found = find_names(words, chapters)
        names, words = found.counts, found.words
        tell(0.6)
        cast = draw_up(names, find_roles(words, names, chapters), other_names(words, names, chapters))
        spots = find_spots(cast, found, chapters)
        tell(0.7)
        telling = tells_women(spots)
        find_genders(words, spots, cast, telling=telling)
        narrator = find_narrator(words, spots, chapters, cast)
        place = ReadingPlace(
            words, chapters, [n for n, (a, b) in enumerate(words.ranges) for _ in range(a, b)]
        )
        read_narration(
            place, spots, cast, telling=telling, narrator=narrator, tell=lambda share: tell(0.7 + 0.1 * share)
        )
        said = Attribution(words, spots, place.paragraphs).attribute(speeches, spots, chapters)
        tell(0.9)
        read_quotes(place, spots, said, cast, telling=telling)
        annotations = _assemble(book, place, cast, spots, said, narrator)
        tell(1.0)
        return annotations


def _assemble(
    book: Book,
    place: ReadingPlace,
    cast: ChineseCast,
    spots: Sequence[ChineseMention],
    said: Sequence[ChineseUtterance],
    narrator: int | None,
) -> Annotations:
    words = place.words
    ids = _ids(cast, place, spots, narrator)
    mentions = tuple(_mention(words, spot, ids) for spot in spots)
    characters = recount(
        (_character(words, cast.people[n], spots_of, ids) for n, spots_of in _kept(spots, ids)), mentions
    )
    told_by = ids.get(-1 if narrator is None else narrator)
    story = Span(book.paragraphs[0].span.start, book.paragraphs[-1].span.end) if book.paragraphs else None
    return Annotations(
        CHINESE,
        characters,
        mentions,
        _quotes(said, ids),
        told_by,
        tellers=(Teller(story, told_by),) if told_by and story else (),
        merges=tuple(_merge(link, ids) for link in cast.merges if link.one in ids),
        doubts=tuple(_doubts(cast.doubts, ids, mentions))[:_MOST_DOUBTS],
    )


def _mention(words: ChineseWords, spot: ChineseMention, ids: dict[int, str]) -> Mention:
    who = ids.get(-1 if spot.who is None else spot.who)
    span = Span(words.starts[spot.first], words.ends[spot.end - 1])
    sure = round(min(spot.confidence, 1.0), 2) if who else 1.0
    return Mention(span, spot.kind, who, words.surface(spot.first, spot.end), confidence=sure)


def _kept(spots: Sequence[ChineseMention], ids: dict[int, str]) -> list[tuple[int, list[ChineseMention]]]:
    groups = grouped(spots, lambda spot: spot.who)
    return [(number, theirs) for number, theirs in sorted(groups.items()) if number in ids]


def _ids(
    cast: ChineseCast, place: ReadingPlace, spots: Sequence[ChineseMention], narrator: int | None
) -> dict[int, str]:
    """Return ids for those with enough mentions, made of the first name that the book uses for them."""
    words = place.words
    found: dict[int, str] = {}
    taken: set[str] = set()
    for number, theirs in sorted(grouped(spots, lambda spot: spot.who).items()):
        if number != narrator and not _is_somebody(cast.people[number], theirs, place):
            continue
        named = next((s for s in theirs if s.kind is not MentionKind.PRONOUN), None)
        first = words.surface(named.first, named.end) if named else NARRATOR
        seed = str(words.starts[(named or theirs[0]).first])
        found[number] = make_id(first, seed)
        again = 0
        while found[number] in taken:
            again += 1
            found[number] = make_id(first, f"{seed} {number} {again}")
        taken.add(found[number])
    return found


def _is_somebody(person: ChinesePerson, theirs: Sequence[ChineseMention], place: ReadingPlace) -> bool:
    """Whether it is one person, and not a word that occurs here and there or that many are addressed with."""
    named = [spot for spot in theirs if spot.kind is not MentionKind.PRONOUN]
    if all(spot.kind is MentionKind.NOMINAL for spot in named) and len(named) > _FEW:
        chapters = {place.chapters[place.paragraphs[spot.first]] for spot in named}
        spoken = sum(spot.quote >= 0 and spot.head in forms_of_address() for spot in named)
        return len(named) >= _TOGETHER * len(chapters) and spoken < SPOKEN * len(named)
    told = person.full is not None or any(form.surname and form.title for form in person.forms)
    return len(named) >= 2 or (len(named) == 1 and (len(theirs) >= 2 or told))


def _character(
    words: ChineseWords, person: ChinesePerson, theirs: Sequence[ChineseMention], ids: dict[int, str]
) -> Character:
    roles = {
        words.surface(s.first, s.end)
        for s in theirs
        if s.kind is MentionKind.NOMINAL and person.number in s.options
    }
    return Character(
        id=ids[person.number],
        name=_display_name(words, person, theirs),
        aliases=tuple(Alias(role, 0, 0) for role in sorted(roles)),
        kind=person.kind,
        pronouns=PRONOUNS_OF_GENDER.get(person.gender or ""),
        mention_count=0,
        first=0,
    )


def _display_name(words: ChineseWords, person: ChinesePerson, theirs: Sequence[ChineseMention]) -> str:
    """Return the first full name that the book uses, else the most frequent name."""
    said: dict[str, Counter[str]] = defaultdict(Counter)
    for spot in theirs:
        if spot.kind is not MentionKind.PRONOUN:
            end = words.ends[spot.end - 1]
            said[spot.head][words.text[end - len(spot.head) : end]] += 1
    if not said:
        return NARRATOR
    if all(spot.kind is MentionKind.PRONOUN or len(spot.head) == 1 for spot in theirs):
        return max(person.sure, key=len)
    full = (f.text for f in person.forms if f.text in said and f.shape in (NameShape.FULL, NameShape.FOREIGN))
    best = next(full, None) or max(said, key=lambda name: (said[name].total(), name))
    return max(said[best], key=lambda form: (said[best][form], form))


def _quotes(said: Sequence[ChineseUtterance], ids: dict[int, str]) -> tuple[Quote, ...]:
    """Return one quotation for each stretch of speech, even if it extends over several paragraphs."""
    found: list[Quote] = []
    for each in said:
        if each.speech.continues and found:
            last = found.pop()
            found.append(replace(last, span=Span(last.span.start, each.speech.end)))
            continue
        speaker = None if each.speaker is None else ids.get(each.speaker)
        if each.speech.bare and speaker is None:
            continue
        addressee = None if each.addressee is None else ids.get(each.addressee)
        sure = round(each.confidence, 2) if speaker else 0.0
        span = Span(each.speech.start, each.speech.end)
        found.append(Quote(span, speaker, addressee, sure, each.type if speaker else None))
    return tuple(found)


def _merge(link: NameLink, ids: dict[int, str]) -> Merge:
    return Merge(ids[link.one], link.name, link.other, link.confidence, link.evidence)


def _doubts(links: Sequence[NameLink], ids: dict[int, str], mentions: Iterable[Mention]) -> Iterator[Doubt]:
    """Yield the doubts about people who are listed. Each arises where both names have been said."""
    said: dict[str, int] = {}
    for mention in mentions:
        said.setdefault(mention.surface, mention.span.end)
    for link in links:
        if link.other_person is not None and link.one in ids and link.other_person in ids:
            ends = said.get(link.name, 0), said.get(link.other, 0)
            one, other = ids[link.one], ids[link.other_person]
            yield Doubt(one, other, round(link.confidence, 2), link.evidence, max(ends) if all(ends) else 0)
