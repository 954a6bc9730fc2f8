"""The resolvers. A factory is called only when its engine is requested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from books.types import Book
from coref.booknlp.setup import BookNLPSetup
from coref.encoder_bits import ChooseBits, exact
from coref.errors import ResolverUnavailable
from coref.languages import OWN_RESOLVER
from coref.protocols import Resolver


@dataclass(frozen=True, slots=True)
class ResolverSetup:
    booknlp: BookNLPSetup = field(default_factory=BookNLPSetup)
    bits: ChooseBits = exact
    """For `native`."""


def _rules(_: ResolverSetup) -> Resolver:
    from coref.rules.resolver import RulesResolver

    return RulesResolver()


def _native(setup: ResolverSetup) -> Resolver:
    from coref.native.resolver import NativeResolver

    return NativeResolver(bits=setup.bits())


def _booknlp(setup: ResolverSetup) -> Resolver:
    from coref.booknlp.resolver import BookNLPResolver

    return BookNLPResolver(setup.booknlp)


def _chinese(_: ResolverSetup) -> Resolver:
    from coref.chinese.resolver import ChineseResolver

    return ChineseResolver()


RESOLVERS: dict[str, Callable[[ResolverSetup], Resolver]] = {
    "booknlp": _booknlp,
    "chinese": _chinese,
    "native": _native,
    "rules": _rules,
}


def expect_resolver(name: str) -> None:
    """Raise ResolverUnavailable if there is no resolver of that name."""
    if name not in RESOLVERS:
        known = ", ".join(sorted(RESOLVERS))
        raise ResolverUnavailable(f"There is no resolver {name!r}; the known ones are: {known}.")


def make_resolver(name: str, *, setup: ResolverSetup | None = None) -> Resolver:
    expect_resolver(name)
    return RESOLVERS[name](setup or ResolverSetup())


def resolver_for(book: Book, chosen: Resolver) -> Resolver:
    """Return the resolver that annotates a book: the chosen one, unless its language has one of its own."""
    own = OWN_RESOLVER.get(book.language or "")
    return chosen if own is None else make_resolver(own)
