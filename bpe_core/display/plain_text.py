"""Text that Plotly shows as it is.

Plotly reads HTML tags, character references and, between two dollar signs, TeX in every label, name and tick; in a
hover template it reads %{…} as well.
"""

from __future__ import annotations

import regex

from bpe_core.text.marks import NOTHING, marked, on_one_line

LONGEST_NAME = 40
LONGEST_TOKEN = 60
"""The most characters of a name and of a token that a figure shows."""
_MOST_BYTES = 24
"""The most bytes that are shown as hex."""

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%{": "&#37;{"}
_SYNTAX = regex.compile(r"%\{|[&<>$]")


def escaped(text: str) -> str:
    """A text without any of Plotly's syntax, for labels and for hover templates.

    >>> escaped("<b>$x$</b> & %{y}")
    '&lt;b&gt;&#36;x&#36;&lt;/b&gt; &amp; &#37;{y}'
    """
    return _SYNTAX.sub(lambda found: _ESCAPES[found[0]], text)


def literal(text: str, longest: int = LONGEST_NAME) -> str:
    """A text, such as the name of a tokenizer, as a label: on one line, invisible characters by name.

    >>> literal("a<br>b\\x00\\n"), literal("abc", 2)
    ('a&lt;br&gt;b[NUL] ', 'a…')
    """
    shown = text if len(text) <= longest else text[: longest - 1] + "…"
    return escaped(on_one_line(shown))


def literal_token(token: bytes, longest: int = LONGEST_TOKEN) -> str:
    """A token as a label: white space as marks, bytes that are not whole characters as hex, long ones shortened.

    >>> literal_token(b" <a>\\n"), literal_token(b"\\xe3\\x81"), literal_token(b""), literal_token(b"abc", 2)
    ('·&lt;a&gt;↵', 'E3 81', '∅', 'a…')
    """
    try:
        text = token.decode()
    except UnicodeDecodeError:
        return token[:_MOST_BYTES].hex(" ").upper() + " …" * (len(token) > _MOST_BYTES)
    if not text:
        return NOTHING
    return escaped(marked(text if len(text) <= longest else text[: longest - 1] + "…"))
