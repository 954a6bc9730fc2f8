"""The lemmas of frequent words, whatever the guesses are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from coref.language.lemmas import Mender, irregular_verbs, mended

VERBS = """
like: liked liking likes | hope: hoped hoping | hop: hopped hopping | cry: cried crying cries
beg: begged begging | refuse: refused refusing refuses | marry: married marries | die: died dying
lie: lying | tie: tying tied | stop: stopped | call: called calling | pass: passed passes
travel: travelled travelling | nod: nodded | know: knew known knows | see: saw seen | hear: heard hearing
go: went gone goes | do: did done does doing | agree: agreed agreeing | free: freed | need: need needed
proceed: proceed proceeded | succeed: succeeded | proceed: proceeding | observe: observed | care: cared
stare: staring | admire: admired | desire: desired | settle: settled | tremble: trembling
startle: startled | smile: smiled smiling | decide: decided | conclude: concluded | persuade: persuaded
hesitate: hesitated | invite: invited | visit: visited | limit: limited | repeat: repeated | treat: treated
wait: waited | shout: shouted | dance: danced | force: forced | urge: urged | change: changed | long: longed
belong: belonged | arrange: arranged | engage: engaged | advise: advised | close: closed closes
rise: rises rose | raise: raises | kiss: kisses kissed | teach: teaches taught | wish: wishes
enter: entered | whisper: whispered | appear: appeared | happen: happened | listen: listened
imagine: imagined | determine: determined | join: joined | look: looked | walk: walked
speak: speaking spoke | provoke: provoked | assume: assumed | blame: blamed | seem: seemed | owe: owed
add: added | obey: obeyed | enjoy: enjoyed | bow: bowed | have: has had having | be: was were been is
describe: described | compile: compiled | endure: endured | restore: restored
"""
NOUNS = """
eye: eyes | wish: wishes | family: families | wife: wives | man: men | woman: women | midshipman: midshipmen
child: children | lady: ladies | glass: glass glasses | house: houses | horse: horses | manner: manners
news: news | shoe: shoes | means: means | specimen: specimen | brother-in-law: brother-in-law
dining-room: dining-rooms | foot: feet | box: boxes | genius: genius | crisis: crisis | watch: watches
friend: friends
"""


def pairs(table: str) -> list[tuple[str, str]]:
    entries = (entry.split(":") for line in table.strip().splitlines() for entry in line.split("|"))
    return [(form, lemma.strip()) for lemma, forms in entries for form in forms.split()]


def test_verbs() -> None:
    """The guesses are useless, and the book has no infinitives."""
    for form, lemma in pairs(VERBS):
        assert mended([form], ["VERB"], [""]) == mended([form], ["VERB"], [form]) == [lemma]


def test_nouns() -> None:
    for form, lemma in pairs(NOUNS):
        assert mended([form], ["NOUN"], ["?"]) == [lemma]


def test_the_books_own_infinitives_decide() -> None:
    """By spelling, `canvassed` may come from `canvass` or `canvas`, and `bathing` from `bath` or `bathe`."""
    bathe = ("bathe", "VERB", "bathe")
    assert Mender([bathe]).of("bathing", "VERB", "bathing") == "bathe"
    assert Mender([("bath", "VERB", "bath")]).of("bathing", "VERB", "bath") == "bath"


def test_a_comparative_has_the_plain_form_that_the_book_knows() -> None:
    words = [
        ("prouder", "ADJ", "proud"),
        ("proud", "ADJ", "proud"),
        ("queer", "ADJ", "que"),
        ("best", "ADJ", "good"),
    ]
    words += [("distressed", "ADJ", "distress"), ("sober", "ADJ", "sob"), ("Interesting", "ADJ", "interest")]
    forms, tags, guesses = zip(*words, strict=True)
    plain = ["proud", "proud", "queer", "good", "distressed", "sober", "interesting"]
    assert mended(forms, tags, guesses) == plain


def test_a_guess_that_is_possible_and_known_stays() -> None:
    sew = ("sew", "VERB", "sew")
    assert Mender([sew]).of("sewing", "VERB", "sew") == "sew"
    assert mended(["found", "lay"], ["VERB"] * 2, ["fou", "lay"]) == ["find", "lie"]


def test_auxiliaries_and_other_words_stay_as_guessed() -> None:
    given_ = [
        ("'s", "AUX", "be"),
        ("would", "AUX", "would"),
        ("her", "PRON", "she"),
        ("happier", "ADJ", "happy"),
    ]
    given_ += [("Emma", "PROPN", "Emma"), ("n’t", "PART", "not"), ("was", "AUX", "wa")]
    forms, tags, guesses = zip(*given_, strict=True)
    assert mended(forms, tags, guesses) == ["be", "would", "she", "happy", "Emma", "not", "be"]


def test_what_is_no_english_word_stays_as_guessed() -> None:
    assert mended(["été", "123s", "--"], ["NOUN"] * 3, ["été", "123s", "--"]) == ["été", "123s", "--"]


def test_the_verbs_of_the_list_are_found_by_all_their_forms() -> None:
    mender = Mender([])
    pasts = {form for base, *forms in irregular_verbs() for form in forms if form != base}
    for base, past, participle in irregular_verbs():
        if base not in pasts:
            assert mender.of(base, "VERB", base) == base
        for form in (past, participle):
            assert mender.of(form, "VERB", base) == base


@given(st.text(max_size=12), st.sampled_from(["VERB", "NOUN", "AUX", "ADJ"]), st.text(max_size=12))
def test_anything_has_a_lemma(form: str, tag: str, guess: str) -> None:
    assert isinstance(mended([form], [tag], [guess])[0], str)
