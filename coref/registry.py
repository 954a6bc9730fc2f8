"""The resolvers there are. A factory is called only when its engine is asked for."""

from __future__ import annotations

from collections.abc import Callable

from coref.errors import ResolverUnavailable
from coref.protocols import Resolver


def _rules() -> Resolver:
    from coref.rules.resolver import RulesResolver

    return RulesResolver()


RESOLVERS: dict[str, Callable[[], Resolver]] = {"rules": _rules}


def make_resolver(name: str) -> Resolver:
    if name not in RESOLVERS:
        known = ", ".join(sorted(RESOLVERS))
        raise ResolverUnavailable(f"There is no resolver {name!r}; the known ones are: {known}.")
    return RESOLVERS[name]()
