"""The parallel samples, and sentences about what a language costs. Pure data, no Streamlit."""

from __future__ import annotations

from bpe_core import ParallelCount
from bpe_core.language import _, language_name
from ui.session.samples import all_samples

REFERENCE = "en"
"""Reference language for relative counts of the samples."""


def parallel_samples() -> dict[str, str]:
    """The sample paragraph by language code."""
    return {each.lang or "": each.text for each in all_samples() if each.group == "parallel"}


def language_titles() -> dict[str, str]:
    """Name of each language of the samples in the current language, by its code."""
    return {each.lang or "": language_name(each.language) for each in all_samples() if each.group == "parallel"}


def cost_sentence(row: ParallelCount, reference: ParallelCount) -> str:
    """Part of a language's cost due to the tokenizer: bytes per token. See `bytes_sentence` for the rest.

    >>> english = ParallelCount("en", "GPT-2", 100, 400, 400, 80, 1.0)
    >>> cost_sentence(ParallelCount("ja", "GPT-2", 300, 600, 200, 1, 3.0), english)
    'GPT-2: 3.00 times the tokens, for a token covers 2.0 bytes instead of 4.0.'
    >>> cost_sentence(ParallelCount("ja", "T5", 2, 600, 200, 1, 0.02, unknown=True), english)
    'T5: 0.02 times the tokens, but some of the text became unknown tokens: it is lost.'
    """
    if row.unknown:
        return _(
            "{tokenizer}: {times:.2f} times the tokens, but some of the text became unknown tokens: it is lost.",
            tokenizer=row.tokenizer,
            times=row.relative,
        )
    return _(
        "{tokenizer}: {times:.2f} times the tokens, for a token covers {covers:.1f} bytes instead of {usual:.1f}.",
        tokenizer=row.tokenizer,
        times=row.relative,
        covers=row.bytes / (row.tokens or 1),
        usual=reference.bytes / (reference.tokens or 1),
    )


def bytes_sentence(row: ParallelCount, english: ParallelCount, language: str) -> str:
    """Part of a language's cost that is independent of the tokenizer: its size in bytes.

    >>> english = ParallelCount("en", "GPT-2", 100, 400, 400, 80, 1.0)
    >>> bytes_sentence(ParallelCount("ja", "GPT-2", 300, 600, 200, 1, 3.0), english, "Japanese")
    'The text in Japanese has 1.50 times the bytes of the English one.'
    """
    return _(
        "The text in {language} has {times:.2f} times the bytes of the English one.",
        language=language,
        times=row.bytes / english.bytes,
    )
