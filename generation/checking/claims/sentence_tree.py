"""The words of a parsed sentence, taken by subtrees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coref.language.parsed_sentence import ParsedSentence

SUBJECTS = ("nsubj", "nsubj:pass", "csubj")
AUXILIARIES = ("aux", "aux:pass", "cop")
NOMINAL = frozenset(("NOUN", "PROPN", "PRON", "NUM"))
_RELATIVE = frozenset(("who", "whom", "which", "whose", "that"))
_OPENING = frozenset('“"«')
_CLOSING = frozenset('”"»')


class SentenceTree:
    def __init__(self, s: ParsedSentence) -> None:
        self._s = s
        self._quoted = set(_quoted(s))
        self._roots = [i for i in s if s.head(i) is None]
        self._by_head: dict[int, list[int]] = {}
        for k in s:
            head = s.head(k)
            if head is not None:
                self._by_head.setdefault(head, []).append(k)

    def _predicates(self, i: int) -> bool:
        s = self._s
        return s.tag(i) in ("VERB", "AUX") or bool(s.kids(i, "cop", *SUBJECTS))

    def _relative(self, k: int) -> int | None:
        """Return the relative pronoun of a clause, if it begins with one."""
        s = self._s
        found = (i for i in self._below(k, set()) if s.word(i) in _RELATIVE and s.tag(i) in ("PRON", "DET"))
        return next((i for i in found if i <= k), None)

    def _noun(self, i: int) -> tuple[int, ...]:
        """Return a noun with its dependents, without appositions and relative clauses."""
        s = self._s
        passing = {k for k in self._kids(i) if self._in_passing(k)}
        if s.relation(i) not in SUBJECTS:
            passing |= set(s.kids(i, "conj"))
        words = self._below(i, passing)
        return tuple(self._trimmed([w for w in words if w not in s.kids(i, "case") or w > i]))

    def _in_passing(self, k: int) -> bool:
        s = self._s
        if s.relation(k) in ("acl:relcl", "parataxis") or s.kids(k, "cop"):
            return True
        if s.relation(k) == "conj" and s.tag(k) in NOMINAL:
            return False
        return s.relation(k) in ("appos", "acl", "conj", "advcl", "amod") and self._comma_before(k)

    def _below(self, i: int, without: set[int]) -> list[int]:
        found, todo = list[int](), [i]
        while todo:
            at = todo.pop()
            found.append(at)
            todo += (k for k in self._kids(at) if k not in without)
        return sorted(found)

    def _kids(self, i: int) -> list[int]:
        return self._by_head.get(i, [])

    def _trimmed(self, words: Sequence[int]) -> list[int]:
        """Return the words without punctuation and conjunctions at either end, or punctuation
        before nothing.
        """
        s, kept = self._s, list(words)
        while kept and self._opens_nothing(kept):
            kept.pop(0)
        while kept and s.tag(kept[-1]) in ("PUNCT", "CCONJ") and s.word(kept[-1]) not in _CLOSING:
            kept.pop()
        return [w for at, w in enumerate(kept) if not self._stray(kept, at)]

    def _opens_nothing(self, kept: Sequence[int]) -> bool:
        s, first = self._s, kept[0]
        if s.tag(first) in ("PUNCT", "CCONJ"):
            return s.word(first) not in _OPENING
        return s.word(first) in ("however", "yet", "so") and s.relation(first) == "advmod" and len(kept) > 1

    def _stray(self, kept: Sequence[int], at: int) -> bool:
        """Whether a comma is at the edge of a part that was removed."""
        s, w = self._s, kept[at]
        if s.word(w) not in (",", ";", "–", "—", "--", "and", "but"):
            return False
        gap_before = at > 0 and kept[at - 1] != w - 1
        gap_after = at + 1 < len(kept) and kept[at + 1] != w + 1
        joins = s.tag(w) == "CCONJ" and s.head(w) in kept
        return (gap_before or gap_after) and not joins

    def _comma_before(self, k: int) -> bool:
        first = self._below(k, set())[0]
        s = self._s
        return any(s.holds(at) and s.word(at) in (",", "–", "—", "--", "(") for at in (first, first - 1))

    def _be(self, noun: int) -> str:
        s = self._s
        many = s.tag(noun) == "NOUN" and s.word(noun) != s.lemma(noun) and s.word(noun).endswith("s")
        top = self._roots[0]
        past = self._past(top)
        return ("were" if past else "are") if many else ("was" if past else "is")

    def _past(self, p: int) -> bool:
        s = self._s
        finite = next(iter(s.kids(p, *AUXILIARIES)), p)
        inflected = s.word(p) != s.lemma(p) and not s.word(p).endswith(("s", "ing"))
        return s.word(finite) in ("was", "were", "had", "did") or (
            finite == p and s.tag(p) == "VERB" and inflected
        )


def _quoted(s: ParsedSentence) -> Iterator[int]:
    """Yield the words in quotation marks: what somebody said stays as it is."""
    depth = False
    for i in s:
        mark = s.word(i)
        if mark in _OPENING and not depth:
            depth = True
        elif mark in _CLOSING and depth:
            depth = False
        elif depth:
            yield i
