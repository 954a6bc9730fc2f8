"""Write the citation markers that models learnt for other products as `[7]`, the form that prompts ask for.

A marker with the number of a passage is kept. A marker that can only mean a source of another search, such as
`turn0search3`, is removed.
"""

from __future__ import annotations

import re

_NUMBERS = r"[#^]?\d{1,3}(?:\s*(?:[,;&–-]|and|to)\s*[#^]?\d{1,3})*"
_FORMS = tuple(
    (re.compile(form, re.IGNORECASE | re.MULTILINE), written)
    for form, written in (
        # ChatGPT: its own search, and files
        (r"[ \t]*\ue200[^\ue201\n]*\ue201|[ \t]*\b(?:file)?cite(?:\W?turn\d+[a-z]+\d+)+", ""),
        (r"[ \t]*【turn[^】\n]*】|[ \t]*:contentReference\[[^\]\n]*\](?:\{[^}\n]*\})?", ""),
        (r"\b\d+:(\d{1,3}†)", r"\1"),
        # Gemini: `[cite_start]She left [cite: 7].`
        (r"\[cite_start\][ \t]*", ""),
        # Claude: `<cite index="3-1">`; Cohere: `<co: 0>`; and numbers between tags
        (rf"<(sup|cite|citation|ref|source)>\s*\[?({_NUMBERS})\]?\s*</\1>", r" [\2]"),
        (r"</?(?:antml:)?(?:cite|citation|co|ref|sup)\b[^<>\n]*>", ""),
        # Mistral
        (rf"\[REF\]({_NUMBERS})\[/REF\]", r"[\1]"),
        # Markdown: footnotes, links and escaped brackets; raised numbers of LaTeX
        (r"^[ \t]*\[\^\d{1,3}\]:.*$", ""),
        (r"\\([\[\]])", r"\1"),
        (rf"(?<=[^\s\[,])\$?\^\{{?\[?({_NUMBERS})\]?\}}?[\^$]*|\{{+({_NUMBERS})\}}+", r"[\1\2]"),
        (r"(\d)\^(?=[\s,\]])", r"\1"),
        (r"\[{2,}([^\[\]\n]*)\]{2,}", r"[\1]"),
        (r"(\[[^\[\]\n]*\d\])\((?:https?:|#|\.{0,2}/)[^()\s]*\)", r"\1"),
    )
)
_RAISED = re.compile(r"(?<=\S)[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def in_brackets(text: str) -> str:
    for form, written in _FORMS:
        text = form.sub(written, text)
    return _RAISED.sub(lambda m: f"[{m.group().translate(_DIGITS)}]", text)
