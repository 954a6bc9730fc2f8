"""Short plays in every style of print, made from one scene of our own, and a few famous openings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_LINES = (
    "The door is shut tonight.",
    "Then we must wait for the morning tide.",
    "I never said that you should go.",
    "Where is the lamp? I cannot see the stair.",
    "You had it in your hand when Bruno called.",
    "My brother will be angry with us both.",
    "Let him be angry. The sea is angrier.",
)
CAST = ("Ada", "Bruno", "Mrs. Cole", "First Clerk")


def play(
    speech: Callable[[str, str], str],
    *,
    cast: Sequence[str] = CAST,
    apart: str = "\n\n",
    heads: Sequence[str] = ("ACT I", "ACT II"),
) -> str:
    """Return two acts of twelve speeches, each begun by an entrance and ended by an exit."""
    said: list[str] = []
    for act, head in enumerate(heads):
        said += [head, "Enter ADA and BRUNO."]
        said += [speech(cast[(act + at) % len(cast)], _LINES[at % len(_LINES)]) for at in range(12)]
        said.append("[Exeunt.]")
    return apart.join(said) + "\n"


MANNERS: dict[str, tuple[str, str]] = {
    # style: (the text, the label of its first speech)
    "a line of its own": (play(lambda n, t: f"{n.upper()}.\n{t}"), "ADA."),
    "a line of its own, bare": (play(lambda n, t: f"{n.upper()}\n{t}"), "ADA"),
    "a block of its own": (play(lambda n, t: f"{n.upper()}\n\n{t}"), "ADA"),
    "centred": (play(lambda n, t: f"{' ' * 30}{n.upper()}\n\n{t}"), "ADA"),
    "centred over verse": (play(lambda n, t: f"{' ' * 30}{n.upper()}\n  {t}\n  And so"), "ADA"),
    "inline": (play(lambda n, t: f"{n.upper()}. {t}"), "ADA."),
    "inline, two spaces": (play(lambda n, t: f"{n.upper()}.  {t}"), "ADA."),
    "with a colon": (play(lambda n, t: f"{n.upper()}: {t}"), "ADA"),
    "small letters with a colon": (play(lambda n, t: f"{n}: {t}"), "Ada"),
    "with a dash": (play(lambda n, t: f"{n.upper()}.--{t}"), "ADA."),
    "nothing but a space": (play(lambda n, t: f"{n.upper()} {t}"), "ADA"),
    "italics": (play(lambda n, t: f"_{n}._ {t}"), "Ada."),
    "italics, stop outside": (play(lambda n, t: f"_{n}_. {t}"), "Ada"),
    "indented, cut short": (
        play(lambda n, t: f"  {n}. {t}\nand so we go", cast=("Ad", "Bru", "Co", "1. Cler"), apart="\n"),
        "Ad.",
    ),
    "small title, large name": (
        play(lambda n, t: f"{n}. {t}", cast=("Mrs. ALVING", "REGINA", "OSWALD")),
        "Mrs. ALVING.",
    ),
    "numbered": (play(lambda n, t: f"{n}. {t}", cast=("1 WITCH", "2 WITCH", "ALL")), "1 WITCH."),
    "one line after another": (play(lambda n, t: f"{n.upper()}. {t}", apart="\n"), "ADA."),
    "square directions": (play(lambda n, t: f"{n.upper()} [sitting] {t}"), "ADA"),
    "round directions": (play(lambda n, t: f"{n.upper()} (sitting): {t}"), "ADA"),
    "small letters, round directions": (play(lambda n, t: f"{n} (sitting). {t}"), "Ada"),
    "continued": (play(lambda n, t: f"{n.upper()} (cont'd)\n{t}"), "ADA"),
    "Chinese": (
        play(
            lambda n, _: f"{n}：来，来，不要用这种胡说八道的话回答我。",
            cast=("哈姆雷特", "王后", "国王"),
            heads=("第一幕", "第二幕"),
        ),
        "哈姆雷特",
    ),
}

HAMLET = """HAMLET

Contents

ACT I
Scene I. Elsinore. A platform before the Castle
Scene II. Elsinore. A room of state in the Castle

ACT II
Scene I. A room in Polonius's house

Dramatis Personæ

HAMLET, Prince of Denmark
CLAUDIUS, King of Denmark
HORATIO, Friend to Hamlet
BARNARDO, Officer
FRANCISCO, a Soldier
POLONIUS, Lord Chamberlain
REYNALDO, Servant to Polonius

SCENE. Elsinore.

ACT I

SCENE I. Elsinore. A platform before the Castle.

 Enter Francisco and Barnardo, two sentinels.

BARNARDO.
Who's there?

FRANCISCO.
Nay, answer me. Stand and unfold yourself.

BARNARDO.
Long live the King!

FRANCISCO.
You come most carefully upon your hour.

BARNARDO.
'Tis now struck twelve. Get thee to bed, Francisco.

FRANCISCO.
For this relief much thanks. 'Tis bitter cold,
And I am sick at heart.

HORATIO.
Before my God, I might not this believe
Without the sensible and true avouch
Of mine own eyes.

 [_Re-enter Ghost._]

But, soft, behold! Lo, where it comes again!

 [_Exeunt._]

SCENE II. Elsinore. A room of state in the Castle.

 Enter Claudius King of Denmark, Gertrude the Queen, Hamlet, Polonius,
 and others.

KING.
But now, my cousin Hamlet, and my son—

HAMLET.
[_Aside._] A little more than kin, and less than kind.

KING.
How is it that the clouds still hang on you?

HAMLET.
Not so, my lord, I am too much i' the sun.

HORATIO and BARNARDO.
We shall, my lord.

ALL.
Our duty to your honour.

PROLOGUE.
_For us, and for our tragedy,
Here stooping to your clemency,
We beg your hearing patiently._

 [_Exeunt all but Hamlet._]

ACT II

SCENE I. A room in Polonius's house.

 Enter Polonius and Reynaldo.

POLONIUS.
Give him this money and these notes, Reynaldo.

REYNALDO.
I will, my lord.

POLONIUS.
You shall do marvellous wisely, good Reynaldo.

REYNALDO.
My lord, I did intend it.
"""

PYGMALION = """PYGMALION

PREFACE TO PYGMALION.

As will be seen later on, it needs not a preface but a sequel.

ACT I

Covent Garden at 11.15 p.m. Torrents of heavy summer rain.

THE DAUGHTER [in the space between the pillars] I'm getting chilled to the bone. What can Freddy be doing?

THE MOTHER [on her daughter's right] Not so long. But he ought to have got us a cab by this.

THE BYSTANDER. Well, it ain't my fault, missus.

THE DAUGHTER. If Freddy had a bit of gumption, he would have got one at the theatre door.

FREDDY. Well, what's the matter?

THE MOTHER. Oh, Freddy, there must be one. You can't have tried.

He opens his umbrella and dashes off Strandwards, but comes into collision with a flower girl.

THE FLOWER GIRL. Nah then, Freddy: look wh' y' gowin, deah.

FREDDY. Sorry [he rushes off].

ACT II

Next day at 11 a.m. Higgins's laboratory in Wimpole Street.

HIGGINS [as he shuts the last drawer] Well, I think that's the whole show.

PICKERING. It's really amazing. I haven't taken half of it in, you know.

HIGGINS. Would you like to go over any of it again?

PICKERING. No, thank you; not now.

MRS. PEARCE [hesitating] A young woman wants to see you, sir.

HIGGINS. A young woman! What does she want?
"""

FOLIO = """Actus Primus. Scoena Prima.

Enter Barnardo and Francisco two Centinels.

  Barnardo. Who's there?
  Fran. Nay answer me: Stand & vnfold
your selfe

   Bar. Long liue the King

   Fran. Barnardo?
  Bar. He

   Fran. For this releefe much thankes: 'Tis bitter cold,
And I am sicke at heart

   Barn. Haue you had quiet Guard?
  Fran. Not a Mouse stirring

   Barn. Well, goodnight. If you do meet Horatio and
Marcellus, the Riuals of my Watch, bid them make hast.
Enter Horatio and Marcellus.

  Fran. I thinke I heare them. Stand: who's there?
  Hor. Friends to this ground

   Mar. And Leige-men to the Dane

   Exeunt.

Scena Secunda.

Enter Claudius King of Denmarke.

  King. Though yet of Hamlet our deere Brothers death
The memory be greene

   Ham. Not so my Lord, I am too much i'th' Sun

   Queen. If it be;
Why seemes it so particular with thee

   Ham. Seemes Madam? Nay, it is: I know not Seemes
"""
