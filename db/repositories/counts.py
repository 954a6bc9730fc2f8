"""Verdict counts of answers by day, library, generator and judge: sums that outlive the books."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date

from sqlalchemy import select

from db.repositories.base import Repository, record_of
from db.tables import AnswerCountRow
from db.types import AnswerCounts
from generation.types import Label

_SUMS = ("answers", *(label.value for label in Label))


class CountRepository(Repository):
    def add(self, *, day: date, library: str, generator: str, judge: str, verdicts: Iterable[Label]) -> None:
        """Add one answer to the counts; concurrent writers of the same day add up.

        It must be the last statement of a session, because it locks the row that they all share.
        """
        counted = Counter(verdicts)
        amounts = {"answers": 1, **{label.value: counted[label] for label in Label}}
        row = self._insert(AnswerCountRow).values(
            day=day, library=library, generator=generator, judge=judge, **amounts
        )
        more = {name: getattr(AnswerCountRow, name) + getattr(row.excluded, name) for name in _SUMS}
        keys = [column.name for column in AnswerCountRow.__table__.primary_key]
        self._session.execute(row.on_conflict_do_update(index_elements=keys, set_=more))

    def since(self, day: date, *, library: str, limit: int) -> list[AnswerCounts]:
        """Return the counts, oldest first, from `day` on; of more than `limit` rows the newest."""
        query = select(AnswerCountRow).where(AnswerCountRow.library == library, AnswerCountRow.day >= day)
        newest = (AnswerCountRow.day.desc(), AnswerCountRow.generator.desc(), AnswerCountRow.judge.desc())
        return [
            record_of(AnswerCounts, row, facts={label: getattr(row, label.value) for label in Label})
            for row in reversed(self._all(query.order_by(*newest).limit(limit)))
        ]
