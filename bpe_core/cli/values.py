"""Values of command-line options, as their types for argparse."""

from __future__ import annotations

from argparse import ArgumentTypeError

from bpe_core.errors import ConfigError
from bpe_core.language import _, translate
from bpe_core.text.charsets import check_encoding


def encoding(name: str) -> str:
    """Name of a text encoding that Python has.

    >>> encoding("shift_jis")
    'shift_jis'
    """
    try:
        return check_encoding(name)
    except ConfigError as error:
        raise ArgumentTypeError(translate(error.limit)) from None


def count(text: str) -> int:
    """Whole number of at least 1.

    >>> count("4_096")
    4096
    """
    try:
        number = int(text.replace("_", ""), 10) if len(text) < 16 else 0
    except ValueError:
        number = 0
    if number < 1:
        raise ArgumentTypeError(_("{text!r:.40} is not a whole number of at least 1", text=text))
    return number


def special_token(text: str) -> tuple[str, int]:
    """TOKEN=ID as a token and its id.

    >>> special_token("<s>=1")
    ('<s>', 1)
    """
    token, _equals, token_id = text.rpartition("=")
    if not token or not token_id.isascii() or not token_id.isdigit() or len(token_id) > 9:
        raise ArgumentTypeError(_("{text!r:.40} is not TOKEN=ID", text=text))
    return token, int(token_id)
