"""The spoiler gate for corrected annotations: who turn out to be one are two until the book says so.

Nor has anybody a name of a reader's before the book has said it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from coref.census import NARRATOR
from coref.decisions.log import standing
from coref.decisions.reassigning import newcomer
from coref.decisions.types import Decision, DecisionKind
from coref.gate import NAME_PART, gate
from coref.types import Annotations

FirstSaid = Callable[[str], int]
"""Returns where the book first says a name, like `first_said`."""
_NAMELESS = ("someone", NARRATOR)


def gated(
    corrected: Annotations,
    log: Sequence[Decision],
    *,
    said: FirstSaid,
    replayed: Callable[[tuple[Decision, ...]], Annotations],
    upto: int | None,
) -> Annotations:
    """Return `corrected`, the annotations with `log` replayed, as if the book ended at `upto`.

    `replayed` returns them with another log.
    """
    known = known_by(log, upto, said)
    return gate(corrected if known == tuple(log) else replayed(known), upto=upto)


def first_said(text: str, name: str) -> int:
    """Return where the book first says a name, or the last of its words; -1 if it says none of them.

    A word in capitals counts only where it has them, if the book says it so: Pew is no pew of a church.
    """
    found = (_first(text, part) for part in {name, *NAME_PART.findall(name)})
    return max((at for at in found if at is not None), default=-1)


def _first(text: str, part: str) -> int | None:
    said = r"\s+".join(re.escape(word).replace("’", "'").replace("'", "['’]") for word in part.split())
    ends = "" if part[-1:] >= "\u3400" else r"(?!\w)"
    for flags in (re.NOFLAG, re.IGNORECASE):
        for match in re.finditer(said + ends, text, flags):
            if not ends or not text[max(0, match.start() - 1) : match.start()].isalnum():
                return match.start()
    return None


def known_by(log: Sequence[Decision], upto: int | None, said: FirstSaid) -> tuple[Decision, ...]:
    """Return the log without what the book reveals after `upto`.

    Until a merge is revealed, its two are two people, as if that were settled. A name that somebody gave the
    one person since is not known, and a mention taken from the one person is taken from whichever has it.
    Nor is a name known that the book has not said yet: somebody new has another name, and id, until then.
    """
    if upto is None:
        return tuple(log)
    joined: dict[str | None, list[str | None]] = {}
    until_then: dict[str | None, str] = {}
    known = []
    for entry in standing(log):
        one, two = entry.character, entry.other
        decision = replace(entry, character=until_then.get(one, one), other=until_then.get(two, two))
        kind, character, other = decision.kind, decision.character, decision.other
        new = newcomer(decision)
        late = bool(decision.name) and said(decision.name or "") >= upto
        if new and late:
            decision = replace(decision, name=_other_name(decision, upto, said))
            until_then[new.id] = (newcomer(decision) or new).id
        if decision.revealed > upto:
            joined.setdefault(character, []).append(other)
            known.append(replace(decision, kind=DecisionKind.DISMISS))
        elif kind is DecisionKind.RENAME and (late or character in joined):
            continue
        elif kind is DecisionKind.MENTION and other in joined and not new:
            known += [replace(decision, other=one) for one in (other, *joined[other])]
        else:
            if kind is DecisionKind.MERGE and other in joined:
                joined.setdefault(character, []).extend(joined[other])
            known.append(decision)
    return tuple(known) if tuple(known) != standing(log) else tuple(log)


def _other_name(decision: Decision, upto: int, said: FirstSaid) -> str:
    """Return a name for somebody new whose own the book has not said yet."""
    return next(name for name in _other_names(decision) if name in _NAMELESS or said(name) < upto)


def _other_names(decision: Decision) -> tuple[str, ...]:
    nameless = _NAMELESS[::-1] if decision.kind is DecisionKind.NARRATOR else _NAMELESS
    return (*decision.aliases, *nameless)


def ids_until_named(log: Sequence[Decision]) -> dict[str | None, str | None]:
    """Return the ids that somebody new has before the book says their name, each with the one since then."""
    return {
        other.id: new.id
        for decision in standing(log)
        if (new := newcomer(decision))
        for name in _other_names(decision)
        if (other := newcomer(replace(decision, name=name)))
    }
