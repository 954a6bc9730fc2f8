"""Find where a book describes a character: "was a tall man", "proud and sardonic", "had blue eyes"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from coref.language.parsed_sentence import ParsedSentence
from coref.language.predicates import SUBJECTS
from generation.lexicon import table, words
from generation.story.attributes import attribute_phrases, lasting_attributes
from generation.story.attributes.attribute_mention import AttributeMention, AttributeMentions, TrustedOwner
from generation.story.attributes.attribute_phrases import AdjectiveRow
from generation.story.attributes.attribute_words import feature_aspect, is_feature, is_person, listed, shaped
from generation.story.attributes.attribute_words import lasting as lasts
from generation.story.attributes.clause_factuality import Factuality
from generation.story.attributes.pronoun_trust import PronounTrust
from generation.story.indexed_book import IndexedBook
from generation.story.types import Aspect, StrokeKind

LONGEST = 140
"""Words of the longest sentence that is read. The parser is unreliable on longer ones."""
_COMMA = frozenset((",", "(", "—", "--", "-"))
_RELATIVE = frozenset(("who", "that", "whose", "whom"))
_BEFORE = frozenset(("ADJ", "ADV", "NOUN", "VERB", "CCONJ", "PUNCT"))
_MOST_WITH, _FARTHEST = 6, 40
"""Features read in one list, and how many words after its beginning are searched."""
_LISTED = frozenset(("ADJ", "ADV", "NOUN", "DET", "CCONJ", "PUNCT", "ADP", "VERB"))
_NAME = 4
"""Words of a name that are searched for its head."""


class AttributeFinder:
    """Read one book from beginning to end, but only the sentences that can contain an attribute."""

    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading
        self._claims = Factuality(reading)
        self._sights = AttributeMentions(reading)
        self.owners = PronounTrust(reading)

    def all(self) -> Iterator[AttributeMention]:
        parse = self._r.parse
        forms = (be for be in self._r.words_with({"be"}) if parse.relations[be] == "cop")
        told = dict.fromkeys(map(self._first_of, forms))
        for p in told:
            if parse.tags[p] in ("ADJ", "NOUN"):
                yield from self._predicated(p)
        for have in self._r.words_with({"have"}):
            if parse.relations[have] not in ("aux", "aux:pass"):
                yield from self._had(have)
        for noun in self._r.words_with(words("people")):
            if noun not in told:
                yield from self._beside(noun)
        yield from self._by_the_way()

    def _by_the_way(self) -> Iterator[AttributeMention]:
        tags = self._r.parse.tags
        for noun in self._r.words_with(frozenset(table("features")["looks"])):
            if tags[noun] == "NOUN" and tags[noun - 1] == "ADJ":
                yield from self._owned(noun)
        for word in self._r.words_with(words("looks") | words("traits") | words("ages")):
            if word > 1 and tags[word - 2] == "PROPN" and tags[word - 1] == "PUNCT":
                yield from self._called(word)

    def _first_of(self, be: int) -> int:
        """Return the predicate of a form of `be`. In "was tall and fair" some parsers attach it to the second
        adjective.
        """
        parse = self._r.parse
        p = parse.heads[be]
        above = parse.heads[p]
        joined = parse.relations[p] == "conj" and be < above < p and parse.tags[above] == parse.tags[p]
        return above if joined else p

    # Sentences with "be"

    def _predicated(self, p: int) -> Iterator[AttributeMention]:
        s = self._sentence(p)
        if s is None or not self._claims.so(s, p, s.kids(p, "cop"), denied=_denied_kind(s, p)):
            return
        subject = self._subject(s, p, s.kid(p, "cop"))
        if subject is None or self._several(s, subject) or subject > p:
            return
        if not self._claims.plain(s, p, subject):
            return
        owner = self._owner(s, p, subject)
        if s.tag(p) == "ADJ":
            if owner is not None:
                yield from self._like(s, p, owner)
            elif s.tag(subject) == "NOUN":
                yield from self._featured(s, p, subject)
        elif owner is not None and is_person(s.lemma(p)):
            yield from self._kind(s, p, owner)
        elif owner is not None and s.case(p) == "of":
            yield from self._of(s, p, owner)

    def _subject(self, s: ParsedSentence, p: int, verb: int | None) -> int | None:
        """Return the subject of a predicate: its own, the name before the verb, or that of the predicate it
        is coordinated with ("came, but had sense").
        """
        found, above = s.kid(p, *SUBJECTS), s.head(p)
        if found is None and verb is not None:
            name = self._name_ending(verb - 1)
            found = name if name is not None and s.holds(name) else None
        if found is None and above is not None and above < p and s.relation(p) == "conj":
            return None if any(s.tag(i) == "PROPN" for i in range(above + 1, p)) else s.kid(above, *SUBJECTS)
        return found

    def _several(self, s: ParsedSentence, subject: int) -> bool:
        """Whether a subject is more than one person, as in "Anna and Tom". "Elizabeth, or Beth," is one."""
        who = self._r.who(subject)
        return any(who is None or self._r.who(k) != who for k in s.kids(subject, "conj"))

    def _like(self, s: ParsedSentence, p: int, owner: TrustedOwner) -> Iterator[AttributeMention]:
        row = attribute_phrases.row(self._r, s, p)
        if row is not None and self._claims.alone(s, row) and lasting_attributes.row(s, row):
            yield from self._row(s, row, owner)

    def _kind(self, s: ParsedSentence, p: int, owner: TrustedOwner) -> Iterator[AttributeMention]:
        found = attribute_phrases.phrase(self._r, s, p)
        if found is None or not found.counted or found.denied:
            return
        aspect = self._person(s, found, owner)
        if aspect is not None and _denied_kind(s, p):
            if any(listed(s.lemma(k)) is Aspect.NATURE for k in found.row.words):
                denied = replace(found, denied=True)
                yield self._sights.phrase(s, denied, owner, StrokeKind.IS_A, aspect)
        elif aspect is not None:
            yield self._sights.phrase(s, found, owner, StrokeKind.IS_A, aspect)
            yield from self._behind(s, found.last, owner)

    def _of(self, s: ParsedSentence, p: int, owner: TrustedOwner) -> Iterator[AttributeMention]:
        """Match "was of a happy temper"."""
        found = attribute_phrases.phrase(self._r, s, p)
        if feature_aspect(s.lemma(p)) is Aspect.NATURE and found is not None and self._thing(s, found):
            yield self._sights.phrase(s, found, owner, StrokeKind.HAS, Aspect.NATURE)

    def _featured(self, s: ParsedSentence, p: int, noun: int) -> Iterator[AttributeMention]:
        """Match "his air was grave and stately"."""
        aspect, own = feature_aspect(s.lemma(noun)), s.kid(noun, "nmod:poss")
        row = attribute_phrases.row(self._r, s, p)
        if aspect is None or own is None or row is None or not self._claims.alone(s, row):
            return
        owner = self.owners.of(own)
        if owner is None or s.kids(noun, "acl", "acl:relcl", "nmod", "conj"):
            return
        near = all(s.tag(i) in ("AUX", "ADV") for i in range(noun + 1, row.first))
        if near and lasting_attributes.feature(s, noun, row):
            yield self._sights.feature(s, noun, row, owner, aspect)

    # Sentences with "have"

    def _had(self, v: int) -> Iterator[AttributeMention]:
        s = self._sentence(v)
        if s is None or s.kids(v, "xcomp", "ccomp", "aux", "aux:pass", "compound:prt"):
            return
        subject, thing = self._subject(s, v, v), s.kid(v, "obj")
        if subject is None or thing is None or thing < v or self._several(s, subject):
            return
        row = sorted([thing, *s.kids(thing, "conj")])
        if not any(feature_aspect(s.lemma(n)) for n in row):
            return
        owner = self._owner(s, v, subject)
        if owner is not None and self._claims.so(s, v, [v], denied=True):
            yield from self._things(s, row, owner, StrokeKind.HAS, v + 1)

    def _things(
        self, s: ParsedSentence, nouns: list[int], owner: TrustedOwner, kind: StrokeKind, begin: int
    ) -> Iterator[AttributeMention]:
        """Yield the features and talents of a list up to its first gap."""
        article = False
        for n in nouns[:_MOST_WITH]:
            aspect = feature_aspect(s.lemma(n))
            found = attribute_phrases.phrase(self._r, s, n) if aspect is not None else None
            if aspect is None or found is None or s.kids(n, "cop", "nsubj"):
                return
            if not {s.word(i) for i in range(begin, found.start)} <= {",", "and"}:
                return
            begin, article = found.last + 1, article or found.counted
            if article and s.word(n) == s.lemma(n) and not (found.denied or is_feature("mass", s.lemma(n))):
                found = replace(found, counted=True)  # "a fine complexion and open countenance"
            if self._thing(s, found):
                yield self._sights.phrase(s, found, owner, kind, aspect)

    # Appositions

    def _beside(self, n: int) -> Iterator[AttributeMention]:
        """Match "Mr. Knightley, a sensible man about seven-and-thirty,"."""
        at, tags = n - 1, self._r.parse.tags
        while at > 1 and tags[at] in _BEFORE:
            at -= 1
        if tags[at] != "DET" or tags[at - 1] != "PUNCT":
            return
        name, s = self._name_ending(at - 2), self._sentence(n)
        if name is None or s is None or not s.holds(name) or s.kids(n, "cop", "case"):
            return
        owner, found = self._named(s, name), attribute_phrases.phrase(self._r, s, n)
        if owner is None or found is None or not found.counted or found.start != at:
            return
        if s.word(at - 1) in _COMMA and _closed(s, found.last + 1):
            aspect = self._person(s, found, owner)
            if aspect is not None:
                yield self._sights.phrase(s, found, owner, StrokeKind.IS_A, aspect)
                yield from self._behind(s, found.last, owner)

    def _called(self, word: int) -> Iterator[AttributeMention]:
        """Match "Emma Woodhouse, handsome, clever, and rich,"."""
        s, name = self._sentence(word), self._name_ending(word - 2)
        if s is None or name is None or not s.holds(word - 2) or s.word(word - 1) != ",":
            return
        row = attribute_phrases.trailing(self._r, s, word) if s.tag(word) == "ADJ" else None
        if row is None or len(row.words) < 2 or self._r.quote_at(s.start(word)) is not None:
            return
        owner = self._named(s, name)
        lasting_all = all(lasts(s.lemma(k)) for k in row.words)
        if owner is not None and lasting_all and self._claims.clean(row.first, row.last):
            yield from self._row(s, row, owner)

    def _owned(self, n: int) -> Iterator[AttributeMention]:
        """Match "her large grey eyes"."""
        s = self._sentence(n)
        found = attribute_phrases.owned(s, n) if s is not None else None
        if s is None or found is None or self._r.quote_at(s.start(n)) is not None:
            return
        lemma = s.lemma(n)
        one = s.word(n) == lemma and is_feature("paired", lemma)
        if (
            one
            or is_feature("fleeting", lemma)
            or not all(shaped(s.lemma(k), lemma) for k in found.row.words)
        ):
            return
        owner = self.owners.of(found.start)
        if owner is not None:
            yield self._sights.phrase(s, found, owner, StrokeKind.FEATURE, Aspect.LOOKS, aside=True)

    def _row(self, s: ParsedSentence, row: AdjectiveRow, owner: TrustedOwner) -> Iterator[AttributeMention]:
        yield self._sights.row(s, row, owner)
        yield from self._with(s, row.last, owner)

    def _behind(self, s: ParsedSentence, last: int, owner: TrustedOwner) -> Iterator[AttributeMention]:
        """Yield the attributes that continue after a noun: "a man, tall and handsome, with a black beard"."""
        if s.holds(last + 2) and s.word(last + 1) == "," and s.tag(last + 2) in ("ADJ", "ADV"):
            row = attribute_phrases.trailing(self._r, s, last + 2 if s.tag(last + 2) == "ADJ" else last + 3)
            if row is not None and self._claims.clean(row.first, row.last) and lasting_attributes.row(s, row):
                yield from self._row(s, row, owner)
                return
        yield from self._with(s, last, owner)

    def _with(self, s: ParsedSentence, last: int, owner: TrustedOwner) -> Iterator[AttributeMention]:
        """Match "with a fine bloom, blue eyes, light hair" after an attribute."""
        at = last + 1
        while s.holds(at) and s.word(at) == ",":
            at += 1
        if not s.holds(at) or s.word(at) != "with" or s.kids(s.head(at) or at, "nsubj"):
            return
        nouns = []
        for n in range(at + 1, min(at + 1 + _FARTHEST, s.end)):
            if s.tag(n) not in _LISTED or s.word(n) in ("that", "this", "these"):
                break
            if s.tag(n) == "NOUN" and feature_aspect(s.lemma(n)):
                nouns.append(n)
        yield from self._things(s, nouns, owner, StrokeKind.FEATURE, at + 1)

    # The owner of an attribute, and its aspect

    def _owner(self, s: ParsedSentence, p: int, subject: int) -> TrustedOwner | None:
        if s.word(subject) in ("who", "that") and s.relation(p) == "acl:relcl":
            above = s.head(p)
            return self._named(s, above) if above is not None and self._r.named(above) else None
        found = self.owners.of(subject)
        if found is not None and self._r.quote_at(s.start(p)) is not None:
            spoken_to = self._r.book.text.startswith(",", self._r.meant[subject].span.end)
            return found if self._r.named(subject) and not spoken_to else None
        return found

    def _named(self, s: ParsedSentence, name: int) -> TrustedOwner | None:
        """Return the owner if the name stands alone and is not an address."""
        several = any(s.tag(k) != "ADJ" for k in s.kids(name, "conj"))
        return None if several or s.relation(name) == "vocative" else self.owners.of(name)

    def _name_ending(self, word: int) -> int | None:
        """Return the head of the name that ends with `word`."""
        for at in range(word, max(-1, word - _NAME), -1):
            mention = self._r.meant.get(at)
            if mention is not None and self._r.named(at):
                return at if self._r.word_at(mention.span.end - 1) == word else None
        return None

    def _person(
        self, s: ParsedSentence, found: attribute_phrases.AttributePhrase, owner: TrustedOwner
    ) -> Aspect | None:
        fits = lasting_attributes.fits(s.lemma(found.noun), self._r.people[owner.character])
        clean = fits and self._claims.clean(found.first, found.last)
        return lasting_attributes.person(s, found) if clean else None

    def _thing(self, s: ParsedSentence, found: attribute_phrases.AttributePhrase) -> bool:
        return self._claims.clean(found.first, found.last) and lasting_attributes.thing(s, found)

    def _sentence(self, word: int) -> ParsedSentence | None:
        s = self._r.sentence_of(word)
        return s if s.end - s.first <= LONGEST else None


def _denied_kind(s: ParsedSentence, p: int) -> bool:
    """Match "was not a sensible man", which is informative too."""
    return is_person(s.lemma(p)) and any(s.word(k) == "not" for k in s.kids(p, "advmod"))


def _closed(s: ParsedSentence, at: int) -> bool:
    """Whether an apposition ends here and is not the subject of a verb."""
    return not s.holds(at) or s.tag(at) in ("PUNCT", "SCONJ", "ADP") or s.word(at) in _RELATIVE
