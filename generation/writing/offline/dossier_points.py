"""What a dossier holds, as points that can be said: who somebody is, what like, and with whom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from coref.language.word_lists import table
from generation.lexicon import words
from generation.story.counts import ORDINALS, Counts, in_words
from generation.story.types import UNKNOWN, Aspect, CharacterRole, Dossier, Quality, Tie, TieKind
from generation.types import Category, Citation
from generation.writing.offline.clause_parts import FiniteVerb, GrammaticalCase, PersonReference, Piece
from generation.writing.offline.composed_from import ComposedItem
from generation.writing.offline.realising import TextPoint

IS = FiniteVerb("is", "are")
_APPEARS = FiniteVerb("appears", "appear", "appear")
_SPEAKS = FiniteVerb("speaks", "speak", "speak")
_TALKS = 20
"""Times that somebody must speak for it to be told."""
_SURE, _SURELY_WED = 0.6, 0.7
"""Confidence from which a tie is told; whoever shares a name with a lady is soon taken for her husband."""
_WED = frozenset(("husband", "wife"))
_VOWEL = re.compile(r"(?:[aei]|o(?!ne|nce)|u(?!ni|s[eu]))|hono|hones|heir|hour", re.IGNORECASE)
_OF_ONE = 4
"""People in one phrase of kinship at most: the sister of four."""
_OPINIONS = 3
"""Words with which one person is quoted on another."""
_ASPECTS = {Aspect.NATURE: Category.PERSONALITY}
"""Looks, age and station are none of PRISMA's other classes."""


def identity(dossier: Dossier, *, most: int, name: str = "") -> list[TextPoint]:
    """Who they are: what they are in the world, unless the name says it, and to whom they belong."""
    me = dossier.character
    phrases = [*list(_roles(dossier, name))[:1], *_kin(dossier)]
    chosen = phrases[:most]
    if not chosen:
        return []
    pieces: list[Piece] = [IS]
    items: list[ComposedItem] = []
    for at, (phrase, _, parts) in enumerate(chosen):
        if at:
            pieces.append("and" if at + 1 == len(chosen) else ",")
        items += (replace(i, first=i.first + len(pieces), end=i.end + len(pieces)) for i in parts)
        pieces += phrase
    cited = tuple(dict.fromkeys(c for _, found, _ in chosen for c in found[:2]))
    return [TextPoint(me, tuple(pieces), cited, items=tuple(items))]


_Phrase = tuple[list[Piece], Sequence[Citation], list[ComposedItem]]
"""With the facts it holds, each with its place in the phrase."""


def _roles(dossier: Dossier, name: str) -> Iterator[_Phrase]:
    titles = {table("title_nouns").get(word.casefold().strip(".")) for word in name.split()}
    for role in dossier.roles:
        if role.speaker is None and not role.called and role.phrase not in titles:
            said = _article(role)
            yield [said], role.citations, [ComposedItem((IS, said), Category.ROLE, role.citations[:2], 0, 1)]


def _article(role: CharacterRole) -> str:
    return f"the {role.phrase}" if role.unique else with_article(role.phrase)


def with_article(phrase: str) -> str:
    if phrase.split()[0] in words("possessors"):
        return phrase
    return f"an {phrase}" if _VOWEL.match(phrase) else f"a {phrase}"


def _kin(dossier: Dossier) -> Iterator[_Phrase]:
    """One phrase for each kind of tie, the strongest first."""
    sure = [t for t in dossier.ties if t.confidence >= (_SURELY_WED if t.term in _WED else _SURE)]
    for term in dict.fromkeys(t.term for t in sure):
        same = [t for t in sure if t.term == term][:_OF_ONE]
        yield tie_phrase(same), [c for t in same for c in t.citations[:1]], list(_single(same))


def _single(ties: Sequence[Tie]) -> Iterator[ComposedItem]:
    """Of a phrase that is one tie to several people, each for itself, called what the phrase calls it."""
    term = _term(ties)
    for at, tie in enumerate(ties):
        alone = tie_phrase([replace(tie, term=term, qualifier=None)])
        first, end = (0, len(alone)) if len(ties) == 1 else (2 * at + (at > 0), 2 * at + 2)
        yield ComposedItem((IS, *alone), Category.RELATIONSHIP, tie.citations[:1], first, end)


def _term(ties: Sequence[Tie]) -> str:
    """With what the book puts before it, where that fits all of them."""
    term = ties[0].term
    said = list(dict.fromkeys(t.qualifier for t in ties if t.qualifier))
    plain = len(said) != 1 or (len(ties) > 1 and term not in words("one_of_two"))
    return term if plain else f"{said[0]} {term}"


def tie_phrase(ties: Sequence[Tie]) -> list[Piece]:
    """ "Jane’s elder sister", "the sister of Jane and Kitty"."""
    first, term = ties[0], _term(ties)
    if len(ties) == 1 and first.other is not None:
        return [PersonReference(first.other, GrammaticalCase.POSSESSIVE), term]
    pieces: list[Piece] = [f"the {term} of" if first.kind is TieKind.KIN else f"{with_article(term)} of"]
    for at, tie in enumerate(ties):
        if at:
            pieces.append("and" if at + 1 == len(ties) else ",")
        pieces.append(
            PersonReference(tie.other, GrammaticalCase.OBJECT) if tie.other else str(tie.other_name)
        )
    return pieces


# What they are like


def nature(dossier: Dossier, *, most: int, besides: str = "") -> list[TextPoint]:
    """What the story says they are like; `besides` has the words that are told already."""
    gone = {role.head for role in dossier.roles} | set(besides.replace(",", " ").split())
    own = [q for q in dossier.qualities if q.speaker is None and _telling(q) and q.lemma not in gone][:most]
    plain = [q for q in own if not q.noun]
    nouns = list({q.lemma: q for q in reversed(own) if q.noun}.values())[::-1]
    points = []
    for some in _in_threes(plain):
        points.append(_being(dossier.character, [q.text for q in some], some))
    for quality in nouns:
        points.append(_being(dossier.character, [with_article(quality.text)], [quality]))
    return points


def _telling(quality: Quality) -> bool:
    return quality.lemma not in words("hollow_qualities")


def _in_threes(qualities: Sequence[Quality]) -> Iterator[list[Quality]]:
    """Of one aspect together; three to a sentence."""
    order = list(Aspect)
    ranked = sorted(qualities, key=lambda q: order.index(q.aspect))
    for _, same in groupby(ranked, key=lambda q: q.aspect):
        some = list(same)
        for at in range(0, len(some), 3):
            yield some[at : at + 3]


def _being(me: str, texts: Sequence[str], found: Sequence[Quality]) -> TextPoint:
    cited = tuple(dict.fromkeys(c for q in found for c in q.citations[:1]))
    items = tuple(
        ComposedItem((IS, text), _ASPECTS.get(q.aspect, Category.OTHER), q.citations[:1], 1, 2)
        for text, q in zip(texts, found, strict=True)
    )
    return TextPoint(me, (IS, listed(texts)), cited, items=items)


def opinions(dossier: Dossier, *, most: int) -> list[TextPoint]:
    """What others say they are; each of the others once."""
    me, points = dossier.character, []
    by_speaker: dict[str, list[Quality]] = {}
    for quality in dossier.qualities:
        if quality.speaker not in (None, me) and _telling(quality):
            by_speaker.setdefault(str(quality.speaker), []).append(quality)
    for speaker, found in by_speaker.items():
        some = [q for q in found if q.noun == found[0].noun][: 1 if found[0].noun else _OPINIONS]
        texts = [with_article(q.text) if q.noun else q.text for q in some]
        cited = tuple(dict.fromkeys(c for q in some for c in q.citations[:1]))
        if speaker == UNKNOWN:
            said = _listed_items((IS, "said to be"), texts, some)
            points.append(TextPoint(me, (IS, "said to be", listed(texts)), cited, items=said))
        else:
            pieces: tuple[Piece, ...] = (
                FiniteVerb("calls", "call", "call"),
                PersonReference(me, GrammaticalCase.OBJECT),
                listed(texts),
            )
            points.append(TextPoint(speaker, pieces, cited, items=_listed_items(pieces[:2], texts, some)))
    return points[:most]


def _listed_items(
    begun: tuple[Piece, ...], texts: Sequence[str], found: Sequence[Quality]
) -> tuple[ComposedItem, ...]:
    """What a third piece lists, each for itself."""
    return tuple(
        ComposedItem((*begun, text), Category.PERSONALITY, q.citations[:1], 2, 3)
        for text, q in zip(texts, found, strict=True)
    )


# What is counted


def company(dossier: Dossier, tallied: Counts, *, most: int = 2) -> list[TextPoint]:
    ranked = tallied.companions[:most]
    if not ranked:
        return []
    people: list[Piece] = [PersonReference(ranked[0][0], GrammaticalCase.OBJECT)]
    for other, _ in ranked[1:]:
        people += ["and", PersonReference(other, GrammaticalCase.OBJECT)]
    return [TextPoint(dossier.character, (IS, "most often seen with", *people), (dossier.presence.first,))]


def standing(dossier: Dossier, *, chapters: int) -> list[TextPoint]:
    presence = dossier.presence
    seen = len(presence.chapters)
    said: list[tuple[FiniteVerb, str]] = []
    if 1 <= presence.rank <= len(ORDINALS):
        said.append((IS, f"the {ORDINALS[presence.rank - 1]}most often mentioned person in the book"))
    if seen > 1 and seen == chapters:
        said.append((_APPEARS, f"in all {in_words(chapters)} chapters"))
    elif seen > 1:
        said.append((_APPEARS, f"in {in_words(seen, beside=chapters)} of the {in_words(chapters)} chapters"))
    return [TextPoint(dossier.character, what, (presence.first,)) for what in said]


def speech(dossier: Dossier) -> list[TextPoint]:
    """How often they speak, and to whom most."""
    told = dossier.speech
    if told.quotes < _TALKS or not told.listeners or told.longest is None:
        return []
    often, heard = f"{told.quotes} times", PersonReference(told.listeners[0][0], GrammaticalCase.OBJECT)
    cited = (told.longest,)
    items = (
        ComposedItem((_SPEAKS, often), Category.OTHER, cited, 0, 2),
        ComposedItem((_SPEAKS, "most often to", heard), Category.OTHER, cited, 3, 5),
    )
    return [TextPoint(dossier.character, (_SPEAKS, often, ",", "most often to", heard), cited, items=items)]


def entrance(dossier: Dossier) -> TextPoint:
    """All that can be said of somebody of whom nothing else can."""
    chapter = (dossier.presence.first.chapter) + 1
    first = FiniteVerb("first appears", "first appear")
    return TextPoint(dossier.character, (first, f"in chapter {chapter}"), (dossier.presence.first,))


def renamed(dossier: Dossier) -> list[TextPoint]:
    if dossier.change is None:
        return []
    return [
        TextPoint(
            dossier.character,
            (IS, f"called {name.text} from chapter {name.citation.chapter + 1} on"),
            (name.citation,),
        )
        for name in dossier.change.new_names[:1]
    ]


def listed(items: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
