"""The resolvers. A factory is called only when its engine is requested."""

from __future__ import annotations

from collections.abc import Callable

from books.types import Book
from coref.booknlp.setup import BookNLPSetup
from coref.errors import ResolverUnavailable
from coref.languages import OWN_RESOLVER
from coref.protocols import Resolver


def _rules(_: BookNLPSetup) -> Resolver:
    from coref.rules.resolver import RulesResolver

    return RulesResolver()


def _native(_: BookNLPSetup) -> Resolver:
    from coref.native.resolver import NativeResolver

    return NativeResolver()


def _booknlp(setup: BookNLPSetup) -> Resolver:
    from coref.booknlp.resolver import BookNLPResolver

    return BookNLPResolver(setup)


def _chinese(_: BookNLPSetup) -> Resolver:
    from coref.chinese.resolver import ChineseResolver

    return ChineseResolver()


RESOLVERS: dict[str, Callable[[BookNLPSetup], Resolver]] = {
    "booknlp": _booknlp,
    "chinese": _chinese,
    "native": _native,
    "rules": _rules,
}


def make_resolver(name: str, *, booknlp: BookNLPSetup | None = None) -> Resolver:
    """Create a resolver. `booknlp` configures BookNLP, in case it is requested."""
    if name not in RESOLVERS:
        known = ", ".join(sorted(RESOLVERS))
        raise ResolverUnavailable(f"There is no resolver {name!r}; the known ones are: {known}.")
    return RESOLVERS[name](booknlp or BookNLPSetup())


def resolver_for(book: Book, chosen: Resolver) -> Resolver:
    """Return the resolver that annotates a book: the chosen one, unless its language has one of its own."""
    own = OWN_RESOLVER.get(book.language or "")
    return chosen if own is None else make_resolver(own)
