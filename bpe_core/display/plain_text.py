"""Text that Plotly shows verbatim.

Plotly interprets HTML tags, character references and, between dollar signs, TeX in every label, name and tick; in a
hover template also %{…}.
"""

from __future__ import annotations

import regex

from bpe_core.text.marks import NOTHING, marked, on_one_line

LONGEST_NAME = 40
LONGEST_TOKEN = 60
"""Maximum characters of a name or a token in a figure."""
_MOST_BYTES = 24
"""Maximum bytes shown in hex."""

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%{": "&#37;{"}
_SYNTAX = regex.compile(r"%\{|[&<>$]")


def escaped(text: str) -> str:
    """Escape Plotly's syntax in a text, for labels and hover templates.

    >>> escaped("<b>$x$</b> & %{y}")
    '&lt;b&gt;&#36;x&#36;&lt;/b&gt; &amp; &#37;{y}'
    """
    return _SYNTAX.sub(lambda found: _ESCAPES[found[0]], text)


def literal(text: str, longest: int = LONGEST_NAME) -> str:
    """Text, such as a tokenizer's name, as a label: on one line, with invisible characters by name.

    >>> literal("a<br>b\\x00\\n"), literal("abc", 2)
    ('a&lt;br&gt;b[NUL] ', 'a…')
    """
    shown = text if len(text) <= longest else text[: longest - 1] + "…"
    return escaped(on_one_line(shown))


def literal_token(token: bytes, longest: int = LONGEST_TOKEN) -> str:
    """Token as a label: white space as marks, incomplete characters in hex, long tokens shortened.

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
