"""Token counts of one paragraph in many languages, by tokenizer. Pure data, no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bpe_core import Tokenizer
from bpe_core.language import _
from ui.session.samples import Sample, all_samples

REFERENCE = "en"
"""Reference language for relative counts."""

SPACELESS = frozenset({"ja", "zh", "zh-Hans"})
"""Languages without spaces between words, for which tokens per word are meaningless."""


class ParallelCount(NamedTuple):
    """Token count of the paragraph in one language by one tokenizer, and the paragraph's size."""

    language: str
    code: str
    tokenizer: str
    tokens: int
    bytes: int
    characters: int
    words: int
    relative: float
    """Token count relative to the same tokenizer's for English."""
    unknown: bool = False
    """Whether some of the text became unknown tokens: text is lost, so a low count is no advantage."""

    def value(self, by: str) -> float | None:
        """Value for one of `state.FERTILITY_BY`'s choices; None if it is meaningless.

        >>> ParallelCount("Japanese", "ja", "GPT-2", 300, 290, 100, 1, 3.0).value("per character")
        3.0
        """
        if by == "per word":
            return None if self.code in SPACELESS else self.tokens / self.words
        return {"relative": self.relative, "per character": self.tokens / self.characters}.get(by, float(self.tokens))


def cost_sentence(row: ParallelCount, english: ParallelCount) -> str:
    """Part of a language's cost due to the tokenizer: bytes per token. See `bytes_sentence` for the rest.

    >>> english = ParallelCount("English", "en", "GPT-2", 100, 400, 400, 80, 1.0)
    >>> cost_sentence(ParallelCount("Japanese", "ja", "GPT-2", 300, 600, 200, 1, 3.0), english)
    'GPT-2: 3.00 times the tokens, for a token covers 2.0 bytes instead of 4.0.'
    >>> cost_sentence(ParallelCount("Japanese", "ja", "T5", 2, 600, 200, 1, 0.02, unknown=True), english)
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
        usual=english.bytes / (english.tokens or 1),
    )


def bytes_sentence(row: ParallelCount, english: ParallelCount) -> str:
    """Part of a language's cost that is independent of the tokenizer: its size in bytes.

    >>> english = ParallelCount("English", "en", "GPT-2", 100, 400, 400, 80, 1.0)
    >>> bytes_sentence(ParallelCount("Japanese", "ja", "GPT-2", 300, 600, 200, 1, 3.0), english)
    'The text in Japanese has 1.50 times the bytes of the English one.'
    """
    return _(
        "The text in {language} has {times:.2f} times the bytes of the English one.",
        language=row.language,
        times=row.bytes / english.bytes,
    )


def count_parallel(tokenizers: Mapping[str, Tokenizer]) -> list[ParallelCount]:
    """Counts for every language and tokenizer, in the order of the samples."""
    texts = [sample for sample in all_samples() if sample.group == "parallel"]
    return [row for name, tokenizer in tokenizers.items() for row in _rows(name, tokenizer, texts)]


def _rows(name: str, tokenizer: Tokenizer, texts: Sequence[Sample]) -> list[ParallelCount]:
    encodings = {each.lang or "": tokenizer.encode(each.text) for each in texts}
    counts = {lang: len(encoding) for lang, encoding in encodings.items()}
    english = counts[REFERENCE] or 1
    return [
        ParallelCount(
            language=each.language,
            code=each.lang or "",
            tokenizer=name,
            tokens=counts[each.lang or ""],
            bytes=len(each.text.encode()),
            characters=len(each.text),
            words=len(each.text.split()),
            relative=counts[each.lang or ""] / english,
            unknown=tokenizer.unknown_id is not None and tokenizer.unknown_id in encodings[each.lang or ""].ids,
        )
        for each in texts
    ]
