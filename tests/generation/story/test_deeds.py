"""Events: who does what to whom, with which mood, and which are worth telling."""

from __future__ import annotations

from coref.types import Tense
from generation.story.types import Deed, DeedKind
from tests.generation.story.telling import dossier, tell

PEOPLE = {"ann": "Ann Hale/she", "tom": "Tom Reed/he"}


def deeds(text: str, of: str = "ann") -> dict[str, Deed]:
    return {d.lemma: d for d in dossier(f"# One\n\n{text}", of, **PEOPLE).deeds}


def test_a_deed_has_its_verb_its_people_and_its_sentence() -> None:
    marked = "# One\n\nIt rained. [Ann Hale|ann] refused [Tom Reed|tom]."
    book, annotations = tell(marked, **PEOPLE)
    found = dossier(marked, "ann", **PEOPLE).deeds[0]
    assert annotations.parse is not None
    assert annotations.parse.lemmas[found.word] == "refuse"
    assert (found.kind, found.subject, found.others) == (DeedKind.DEED, "ann", ("tom",))
    assert (found.tense, found.negated, found.modal, found.quoted) == (Tense.PAST, False, None, False)
    assert book.slice(found.citation.span) == "Ann Hale refused Tom Reed."


def test_the_other_side_undergoes_it() -> None:
    found = deeds("[Ann Hale|ann] refused [Tom Reed|tom].", "tom")["refuse"]
    assert (found.kind, found.subject, found.others) == (DeedKind.UNDERGONE, "ann", ("ann",))


def test_kinds_and_moods_are_marked() -> None:
    found = deeds(
        "[Ann Hale|ann] admired [Tom Reed|tom]. [Ann Hale|ann] promised [Tom Reed|tom] a letter. "
        "[Ann Hale|ann] did not forgive [Tom Reed|tom].\n\n"
        "{tom>ann:“[Ann Hale|ann] deceived [me|tom],”} said [Tom Reed|tom]."
    )
    assert found["admire"].kind is DeedKind.MIND
    assert found["forgive"].negated
    assert (found["deceive"].quoted, found["deceive"].speaker) == (True, "tom")


def test_what_matters_outweighs_stage_business() -> None:
    found = deeds(
        "[Ann Hale|ann] looked at [Tom Reed|tom]. [Ann Hale|ann] walked home. "
        "[Ann Hale|ann] saved [Tom Reed|tom]. [Ann Hale|ann] rescued a dog."
    )
    assert "walk" not in found
    assert found["save"].weight > found["rescue"].weight
    assert "look" not in found or found["look"].weight < found["rescue"].weight


def test_deeds_are_in_story_order() -> None:
    found = deeds("[Ann Hale|ann] refused [Tom Reed|tom]. [Ann Hale|ann] forgave [Tom Reed|tom].")
    assert list(found) == ["refuse", "forgive"]
