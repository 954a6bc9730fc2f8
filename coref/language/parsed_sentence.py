"""One sentence of a parse, with the dependents of each word at hand."""

from __future__ import annotations

from collections.abc import Iterator

from books.types import Span
from coref.language.syntax import Parse

_QUOTING = frozenset("“”\"„«»‘’'「」『』")
_ENDING = frozenset(".!;:")


class ParsedSentence:
    """A sentence whose words are numbered as in the whole book.

    A word whose head lies in another sentence counts as a root.
    """

    def __init__(self, text: str, parse: Parse, first: int, end: int) -> None:
        self.first, self.end = first, end
        self._parse = parse
        places = zip(parse.starts[first:end], parse.ends[first:end], strict=True)
        self._words = [text[start:stop].casefold().replace("’", "'") for start, stop in places]
        self._lemmas = [lemma.casefold() for lemma in parse.lemmas[first:end]]
        self._kids: dict[int, dict[str, list[int]]] = {}
        depends = zip(parse.heads[first:end], parse.relations[first:end], strict=True)
        for i, (head, relation) in enumerate(depends, first):
            if first <= head < end:
                self._kids.setdefault(head, {}).setdefault(relation, []).append(i)
        self._asked: list[bool] | None = None

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.first, self.end))

    def holds(self, word: int) -> bool:
        return self.first <= word < self.end

    def word(self, i: int) -> str:
        """Return the word in lower case, with a straight apostrophe."""
        return self._words[i - self.first]

    def lemma(self, i: int) -> str:
        """Return the lemma in lower case."""
        return self._lemmas[i - self.first]

    def tag(self, i: int) -> str:
        return self._parse.tags[i]

    def relation(self, i: int) -> str:
        return self._parse.relations[i]

    def head(self, i: int) -> int | None:
        head = self._parse.heads[i]
        return head if self.holds(head) and head != i else None

    def kids(self, i: int, *relations: str) -> list[int]:
        """Return the dependents of a word that have one of the given relations, in order."""
        by_relation = self._kids.get(i)
        if by_relation is None:
            return []
        found = [by_relation[relation] for relation in relations if relation in by_relation]
        if len(found) < 2:
            return found[0] if found else []
        return sorted(k for kids in found for k in kids)

    def dependents(self, i: int) -> list[int]:
        """Return all dependents of a word, in no order."""
        return [k for kids in self._kids.get(i, {}).values() for k in kids if k != i]

    def kid(self, i: int, *relations: str) -> int | None:
        return next(iter(self.kids(i, *relations)), None)

    def span(self, first: int, last: int) -> Span:
        return Span(self._parse.starts[first], self._parse.ends[last])

    def start(self, i: int) -> int:
        return self._parse.starts[i]

    def phrase(self, i: int, *relations: str) -> Span:
        """Return the span of a word with its adjacent modifiers before it: `very proud`, `blue eyes`."""
        first = i
        while self.holds(first - 1) and self.relation(first - 1) in relations:
            head = self.head(first - 1)
            if head is None or not first <= head <= i:
                break
            first -= 1
        return self.span(first, i)

    def case(self, i: int) -> str | None:
        """Return the preposition before a noun, in lower case."""
        case = self.kid(i, "case")
        return self.word(case) if case is not None else None

    def asked(self, i: int) -> bool:
        """Return whether the next closing punctuation mark is a question mark.

        A closing quotation mark ends the search.
        """
        if self._asked is None:
            self._asked = [False] * (self.end - self.first)
            asks = False
            for at in range(self.end - 1, self.first - 1, -1):
                mark = self.word(at)[:1]
                if self.tag(at) == "PUNCT" and mark:
                    asks = mark == "?" or (asks and mark not in _ENDING and mark not in _QUOTING)
                self._asked[at - self.first] = asks
        return self._asked[i - self.first]
