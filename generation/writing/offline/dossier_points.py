"""Word a dossier as text points: who somebody is, what they are like, and with whom they appear."""

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
"""Times that somebody must speak for it to be mentioned."""
_SURE, _SURELY_WED = 0.6, 0.7
"""Confidence from which a relation is told. People who share a name with a lady are easily taken for her
husband.
"""
_WED = frozenset(("husband", "wife"))
_VOWEL = re.compile(r"(?:[aei]|o(?!ne|nce)|u(?!ni|s[eu]))|hono|hones|heir|hour", re.IGNORECASE)
_OF_ONE = 4
"""Most people in one phrase of kinship: the sister of four."""
_OPINIONS = 3
"""Most words of one person's opinion on another."""
_ASPECTS = {Aspect.NATURE: Category.PERSONALITY}
"""Looks, age and condition belong to none of PRISMA's other classes."""


def identity(dossier: Dossier, *, most: int, name: str = "") -> list[TextPoint]:
    """Return a point with their role, unless the name contains it, and with their family relations."""
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
"""The pieces of a phrase, its citations, and the facts it contains with their position in it."""


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
    """Yield one phrase for each kind of relation, the strongest first."""
    sure = [t for t in dossier.ties if t.confidence >= (_SURELY_WED if t.term in _WED else _SURE)]
    for term in dict.fromkeys(t.term for t in sure):
        same = [t for t in sure if t.term == term][:_OF_ONE]
        yield tie_phrase(same), [c for t in same for c in t.citations[:1]], list(_single(same))


def _single(ties: Sequence[Tie]) -> Iterator[ComposedItem]:
    """Yield the relation to each of several people in one phrase as a fact of its own, with the phrase's
    noun.
    """
    term = _term(ties)
    for at, tie in enumerate(ties):
        alone = tie_phrase([replace(tie, term=term, qualifier=None)])
        first, end = (0, len(alone)) if len(ties) == 1 else (2 * at + (at > 0), 2 * at + 2)
        yield ComposedItem((IS, *alone), Category.RELATIONSHIP, tie.citations[:1], first, end)


def _term(ties: Sequence[Tie]) -> str:
    """Return the noun with the book's adjective before it, where that fits all of them."""
    term = ties[0].term
    said = list(dict.fromkeys(t.qualifier for t in ties if t.qualifier))
    plain = len(said) != 1 or (len(ties) > 1 and term not in words("one_of_two"))
    return term if plain else f"{said[0]} {term}"


def tie_phrase(ties: Sequence[Tie]) -> list[Piece]:
    """Word relations: "Jane’s elder sister", "the sister of Jane and Kitty"."""
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


# Qualities


def nature(dossier: Dossier, *, most: int, besides: str = "") -> list[TextPoint]:
    """Return what the narration says they are like, without the words in `besides`, which are
    already used.
    """
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
    """Yield groups of three qualities of one aspect, one group for a sentence."""
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
    """Return what others say they are like, one point for each speaker."""
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
    """Return each word that the third piece lists as a fact of its own."""
    return tuple(
        ComposedItem((*begun, text), Category.PERSONALITY, q.citations[:1], 2, 3)
        for text, q in zip(texts, found, strict=True)
    )


# Counts


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
    """Return how often they speak, and to whom most."""
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
    """Return where somebody first appears, for a character about whom nothing else is known."""
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
    """Join as "a", "a and b", "a, b and c"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
