"""Why a regular expression is invalid, as messages: the regex library's errors for typed patterns."""

from __future__ import annotations

from bpe_core.language import message

_SAID: dict[str, str] = {
    each: each
    for each in (
        message("bad character range"),
        message("bad escape (end of pattern)"),
        message("invalid group reference"),
        message("min repeat greater than max repeat"),
        message("missing )"),
        message("missing ]"),
        message("missing group name"),
        message("multiple repeat"),
        message("nothing to repeat"),
        message("unbalanced parenthesis"),
        message("unknown extension"),
        message("unknown group"),
        message("unknown property"),
        message("unknown property value"),
        message("unterminated character set"),
    )
}


def pattern_problem(error: Exception) -> str:
    """Reason of an error of the regex library: a message if it is a known one, otherwise the library's own words.

    >>> import regex
    >>> from bpe_core.language import in_language
    >>> try:
    ...     regex.compile("lo+|[")
    ... except regex.error as error:
    ...     pattern_problem(error), in_language(pattern_problem(error), "ja")
    ('unterminated character set at position 5', '[ に対応する ] がありません（位置 5）')
    """
    said, position = _SAID.get(getattr(error, "msg", "")), getattr(error, "pos", None)
    if said is None or position is None:
        return str(error)
    return message("{reason} at position {position}", reason=said, position=position)
