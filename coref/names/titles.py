"""What a name shows by itself: title, given name, surname, and the gender and noun that they imply."""

from __future__ import annotations

from coref.language.word_lists import table, words

PRONOUNS_OF_GENDER = {"she": "she/her", "he": "he/him", "they": "they/them", "it": "it/its"}


def pronouns_for_name(name: str) -> str | None:
    return PRONOUNS_OF_GENDER.get(gender_of_name(name) or "")


def gender_of_name(name: str) -> str | None:
    """Return `she` or `he` if a title or a given name implies it. Titles take precedence."""
    tokens = [t.strip(".,") for t in name.split()]
    titles = [g for t in tokens if (g := table("titles").get(t)) in ("she", "he")]
    if titles:
        return titles[0]
    given = next((t for t in tokens if t not in table("titles") and t[:1].isupper()), "")
    return gender_of_given_name(given)


def title_noun(title: str) -> str:
    """Return the noun that stands for a title: `captain` for `Capt.` and `Captain`."""
    noun = title.casefold()
    return table("title_nouns").get(noun, noun)


def gender_of_given_name(given: str) -> str | None:
    """Return the gender of a given name. For a nickname, the full names must agree."""
    if given in words("given_names_she"):
        return "she"
    if given in words("given_names_he"):
        return "he"
    full = table("nicknames").get(given, "").split()
    genders = {gender_of_given_name(name) for name in full if name != given}
    return genders.pop() if len(genders) == 1 else None
