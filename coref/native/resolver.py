"""The native resolver: the literary model over the whole book, its cast, and all mentions by character."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from books.types import Book, Chapter, Span
from coref.census import recount
from coref.encoder_bits import EncoderBits
from coref.language.word_lists import words
from coref.languages import refuse_foreign
from coref.names.character_list import characters_of, ids_of
from coref.names.merge_evidence import doubts_of, merges_of
from coref.protocols import KnownCharacter, ParsedWords, Progress
from coref.resolver_names import NATIVE
from coref.speech.attributed_speech import quotes_of
from coref.traits.finding import find_traits
from coref.types import Annotations, Character, Doubt, EntityCategory, Mention, MentionKind, Teller

if TYPE_CHECKING:
    from coref.language.syntax import Parse
    from coref.native.book_pass import FoundMentions, Heard
    from coref.native.document import Range
    from coref.native.groundwork import Groundwork
    from coref.native.network import LiteraryNetwork
    from coref.native.who_is_who import ResolvedBook
    from coref.native.word_pieces import WordPieces

_AROUND_NAMES, _LONGEST_NAME = (*',;:!?"“”()—', "--"), 6
_READ = 0.8
"""The share of the work that the network's pass takes."""


class NativeResolver:
    """A small network for mentions and links, with rules for names, quotations and the cast."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        encoder: Path | None = None,
        bits: EncoderBits = EncoderBits.THIRTY_TWO,
    ) -> None:
        """`folder` holds the weights and `encoder` the encoder they belong to.

        The defaults are those installed.
        """
        from coref.native.minilm import encoder_folder
        from coref.native.weights import PLACE, load_fast_network
        from coref.native.word_pieces import WordPieces

        encoder = encoder or encoder_folder()
        self._network: LiteraryNetwork = load_fast_network(folder or PLACE, encoder, bits)
        self._pieces: WordPieces = WordPieces(encoder)

    @property
    def name(self) -> str:
        return NATIVE

    def annotate(self, book: Book, *, progress: Progress | None = None) -> Annotations:
        from coref.native.book_parser import ParseCollector
        from coref.native.groundwork import lay

        refuse_foreign(book)
        tell = progress or (lambda _: None)
        ground = lay(book)
        listener = ParseCollector(self._network, ground.words)
        annotations = assemble(ground, self._understand(ground, heard=listener.hear, tell=tell))
        parse = listener.parse()
        del ground, listener  # for a long book they are as large as what follows
        if parse is not None:
            annotations = _with_grammar(book, annotations, parse)
        tell(1.0)
        return annotations

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> ParsedWords:
        from coref.native.book_parser import parse_words

        return parse_words(self._network, self._pieces, sentences)

    def parse_text(self, text: str) -> Parse:
        from coref.native.text_parser import parse_text

        return parse_text(self._network, self._pieces, text)

    def tag(self, texts: Sequence[str]) -> list[tuple[Mention, ...]]:
        """Return the mentions of short texts, each read by itself. Nothing is resolved."""
        from coref.native.text_mentions import tag

        return tag(self._network, self._pieces, texts)

    def annotate_given(self, book: Book, cast: Sequence[KnownCharacter]) -> Annotations:
        from coref.names.given_cast import find_given
        from coref.native.book_parser import ParseCollector
        from coref.native.groundwork import lay
        from coref.native.who_is_who import make_sense_given

        refuse_foreign(book)
        ground = lay(book)
        names = ground.places(find_given(ground.tokens, cast).uses)
        listener = ParseCollector(self._network, ground.words)
        also = sorted({*ground.likely_names(), *names})
        found = self._read(ground, also=also, heard=listener.hear)
        annotations = assemble(ground, make_sense_given(ground, found, cast), known=cast)
        parse = listener.parse()
        return annotations if parse is None else _with_grammar(book, annotations, parse)

    def resolve(self, book: Book) -> tuple[Groundwork, ResolvedBook]:
        """Return what `annotate` makes the annotations of, for training and measuring."""
        from coref.native.groundwork import lay

        refuse_foreign(book)
        ground = lay(book)
        return ground, self._understand(ground)

    def link(self, book: Book, spans: Sequence[Span]) -> Sequence[Sequence[Span]]:
        from coref.native.groundwork import lay
        from coref.native.who_is_who import draft_cast, make_sense

        refuse_foreign(book)
        ground = lay(book)
        places = {ground.words.clipped(span.start, span.end): span for span in reversed(spans)}
        places = {place: span for place, span in places.items() if place[0] < place[1]}
        found = self._read(ground, given=list(places))
        groups = make_sense(ground, found, draft_cast(ground, found)).settled.groups
        clusters: dict[int, list[Span]] = {}
        for place, group in zip(found.spans, groups, strict=True):
            clusters.setdefault(group.number, []).append(places[place])
        return list(clusters.values())

    def _understand(
        self, ground: Groundwork, *, heard: Heard | None = None, tell: Progress = lambda _: None
    ) -> ResolvedBook:
        """Read a book and resolve it. It is read once more if the network overlooked a name often."""
        from coref.native.who_is_who import draft_cast, make_sense, overlooked

        likely = ground.likely_names()
        found = self._read(ground, also=likely, heard=heard, tell=tell)
        draft = draft_cast(ground, found)
        more = overlooked(ground, draft)
        if more:
            also = sorted({*likely, *more})
            found = self._read(ground, also=also, tell=lambda share: tell(_READ + (1 - _READ) * share))
            draft = draft_cast(ground, found, more)
        return make_sense(ground, found, draft)

    def _read(
        self,
        ground: Groundwork,
        *,
        also: Sequence[Range] = (),
        given: Sequence[Range] | None = None,
        heard: Heard | None = None,
        tell: Progress = lambda _: None,
    ) -> FoundMentions:
        """Run one pass of the network. `heard` receives the encoder's outputs for other heads."""
        from coref.native.book_pass import read_book

        return read_book(
            self._network,
            self._pieces,
            ground.words,
            chapters=ground.chapters,
            also=also,
            given=given,
            heard=heard,
            tell=lambda share: tell(_READ * share),
        )


def _with_grammar(book: Book, annotations: Annotations, parse: Parse) -> Annotations:
    return replace(annotations, traits=find_traits(book, parse, annotations), parse=parse)


def assemble(
    ground: Groundwork, meaning: ResolvedBook, *, known: Sequence[KnownCharacter] = ()
) -> Annotations:
    """Build the annotations. `known` characters are the first of the cast, and keep their ids and names."""
    cast, tokens, teller = meaning.cast, ground.tokens, meaning.tellers.main
    met = [
        s
        for s in meaning.sightings
        if s.category is EntityCategory.PERSON and (s.who or 0) < len(cast.people)
    ]
    speakers = {each.speaker for each in meaning.said if each.speaker is not None}
    ids = ids_of(tokens, cast, met, teller, chapters=ground.chapters, speakers=speakers)
    ids |= {number: each.id for number, each in enumerate(known)}
    mentions = _mentions(ground.book.text, meaning, ids, _certainty(ground, meaning))
    own = characters_of(tokens, cast, met, ids)
    names = {each.id: each.name for each in known}
    characters = recount((replace(c, name=names.get(c.id, c.name)) for c in own), mentions)
    listed_ids = {number: i for number, i in ids.items() if i in {c.id for c in characters}}
    doubts = doubts_of(tokens, cast, meaning.every, meaning.earlier, meaning.talk, listed_ids)
    return Annotations(
        resolver=NATIVE,
        characters=characters,
        mentions=mentions,
        quotes=quotes_of(meaning.said, listed_ids),
        narrator=None if teller is None else listed_ids.get(teller),
        tellers=_tellers(ground.book, meaning.tellers.by_paragraph, listed_ids),
        merges=merges_of(tokens, cast, met, listed_ids),
        doubts=_in_one_story(doubts, characters, ground.book, mentions) if meaning.stories else doubts,
    )


def _in_one_story(
    doubts: Sequence[Doubt], characters: Sequence[Character], book: Book, mentions: Sequence[Mention]
) -> tuple[Doubt, ...]:
    """Return the doubts about people of one story, and about namesakes of different ones."""
    names = {person.id: {alias.text for alias in person.aliases} for person in characters}
    there: dict[str | None, set[Chapter | None]] = defaultdict(set)
    for mention in mentions:
        there[mention.character].add(book.chapter_at(mention.span.start))
    return tuple(d for d in doubts if there[d.one] & there[d.other] or names[d.one] & names[d.other])


def _tellers(book: Book, by_paragraph: Sequence[int | None], ids: Mapping[int, str]) -> tuple[Teller, ...]:
    """Return consecutive paragraphs with the same teller as one part."""
    found: list[Teller] = []
    before: int | None = None
    for paragraph, teller in zip(book.paragraphs, by_paragraph, strict=True):
        if teller in ids and teller is not None:
            start = found.pop().span.start if teller == before else paragraph.span.start
            found.append(Teller(Span(start, paragraph.span.end), ids[teller]))
        before = teller if teller in ids else None
    return tuple(found)


def _certainty(ground: Groundwork, meaning: ResolvedBook) -> dict[int, float]:
    """Return the probability of each mention of a character, keyed by its number among the candidates."""
    from coref.names.certainty import shipped
    from coref.native.mention_facts import facts_of

    facts = facts_of(ground, meaning)
    probabilities = shipped().probabilities(list(facts.values()))
    return dict(zip(facts, probabilities.round(3).tolist(), strict=True))


def _mentions(
    text: str, meaning: ResolvedBook, ids: Mapping[int, str], certainty: Mapping[int, float]
) -> tuple[Mention, ...]:
    """Return all mentions. An entity outside the cast keeps the number of its group if it recurs.

    Its confidence is the share of the group, for its probability is not estimated.
    """
    sizes = Counter(group.number for group in meaning.settled.groups)
    found: dict[Span, Mention] = {}
    for s in meaning.sightings:
        group = meaning.settled.groups[s.at]
        who = ids.get(-1 if s.who is None else s.who) if s.category is EntityCategory.PERSON else None
        entity = group.number if who is None and sizes[group.number] > 1 else None
        sure = round(meaning.settled.confidence[s.at], 3) if who is None else certainty[s.at]
        surface = s.span.of(text)
        kind = MentionKind.NOMINAL if s.kind is MentionKind.PROPER and says_more(surface) else s.kind
        found[s.span] = Mention(s.span, kind, who, surface, s.category, entity, sure)
    return tuple(sorted(found.values(), key=lambda mention: mention.key))


def says_more(surface: str) -> bool:
    """Return whether a mention is a name with so much around it that as a whole it is nobody's name."""
    parts = surface.split()
    around = any(mark in surface for mark in _AROUND_NAMES)
    return around or len(parts) > _LONGEST_NAME or not words("beyond_names").isdisjoint(parts)
