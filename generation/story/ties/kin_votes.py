"""The evidence for one relation between two people."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from generation.story.ties.kin_mentions import KinshipMention
from generation.story.ties.relation_words import RelationType, relations


@dataclass(slots=True)
class KinVote:
    """Evidence that `holder` is `relation` to `owner`."""

    relation: RelationType
    holder: str
    owner: str
    seen: list[KinshipMention] = field(default_factory=list)
    prior: float = 0.0
    inferred: bool = False
    confidence: float = 0.0

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.relation.name, self.holder, self.owner)

    @property
    def score(self) -> float:
        return sum(s.weight for s in self.seen) + self.prior

    @property
    def told(self) -> float:
        """The score without forms of address in direct speech."""
        return sum(s.weight for s in self.seen if s.plain or not s.quoted) + self.prior

    @property
    def mutual(self) -> bool:
        """Whether it is stated from both sides: `her father`, and `his daughter`."""
        return len({s.holder for s in self.seen}) > 1

    @property
    def plain(self) -> list[KinshipMention]:
        return [s for s in self.seen if s.plain]

    def turned(self) -> KinVote | None:
        """Return the same relation from the other side, or None if no word expresses it."""
        inverse = relations().get(self.relation.inverse or "")
        return (
            None if inverse is None else replace(self, relation=inverse, holder=self.owner, owner=self.holder)
        )
