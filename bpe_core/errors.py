"""The errors of bpe_core: one base, and a message that gives the value, the limit and the remedy.

BpeError
├── ConfigError       a setting, a step or a pair that cannot be
├── CorpusError       a text that cannot be used as asked
├── TokenIdError      an id that the vocabulary does not hold
├── VocabularyError   a vocabulary file that is missing or damaged, or a vocabulary that cannot be made
└── FormatError       a tokenizer file that cannot be read, or a tokenizer that a format cannot hold
"""

from __future__ import annotations


class BpeError(Exception):
    """What went wrong, in three parts that are joined for the message.

    `problem` names the value, `limit` what is allowed, `remedy` what to do about it. The parts are plain text
    and may hold what a user typed: show them as text, never as markup.

    >>> str(BpeError("vocab_size is 3.", limit="The least is 256.", remedy="Ask for more."))
    'vocab_size is 3. The least is 256. Ask for more.'
    """

    def __init__(self, problem: str, *, limit: str = "", remedy: str = "") -> None:
        self.problem = problem
        self.limit = limit
        self.remedy = remedy
        super().__init__(" ".join(part for part in (problem, limit, remedy) if part))


class ConfigError(BpeError):
    """A setting, a step or a pair that cannot be.

    `least`: the smallest vocabulary size that would do, where a text needs a larger one.

    >>> ConfigError("vocab_size is 3.", limit="The least for this text is 4.", least=4).least
    4
    """

    def __init__(self, problem: str, *, limit: str = "", remedy: str = "", least: int | None = None) -> None:
        super().__init__(problem, limit=limit, remedy=remedy)
        self.least = least


class CorpusError(BpeError):
    """A text that cannot be used as asked."""


class TokenIdError(BpeError):
    """A token id that the vocabulary does not hold."""


class VocabularyError(BpeError):
    """A vocabulary file that is missing or damaged, or a vocabulary that cannot be made."""


class FormatError(BpeError):
    """A tokenizer file that cannot be read, or a tokenizer that a format cannot hold."""


def quoted(value: object, longest: int = 60) -> str:
    """`value` as Python would write it, cut to `longest` characters, for error messages.

    >>> quoted("a" * 100, longest=10)
    "'aaaaaaaa…"
    """
    shown = repr(value)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"
