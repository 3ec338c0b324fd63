"""Splits of other libraries as patterns, for comparing splits, not for training."""

from __future__ import annotations

from bpe_core.text.splits import BERT_SPLIT, METASPACE

_PUNCTUATION = r"[!-/:-@\[-`{-~\p{P}]"
_NOT_PUNCTUATION = r"[^!-/:-@\[-`{-~\p{P}]"
_WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}"


SPLITS = {
    "none": "none",
    "gpt2": "gpt2",
    "cl100k": "cl100k",
    "o200k": "o200k",
    "white space": r"[^\p{White_Space}]+",
    "words and signs": rf"[{_WORD}]+|[^{_WORD}\p{{White_Space}}]+",
    "punctuation": f"{_PUNCTUATION}|{_NOT_PUNCTUATION}+",
    "bert": BERT_SPLIT,
    "metaspace": METASPACE,
}
r"""Splits by name, in the form of `TrainConfig.split`: every match is a word, and unmatched text is dropped.

none             the whole text is one word
gpt2, cl100k, o200k   OpenAI's published patterns
white space      words are separated by white space, which is dropped (`WhitespaceSplit`)
words and signs  runs of letters, digits and marks, and runs of punctuation and symbols; white space is dropped
                 (`Whitespace`, which is \w+|[^\w\s]+ in Rust's regex library)
punctuation      every punctuation character of ASCII and of Unicode by itself, and the text between them, white space
                 included (`Punctuation`, isolated)
bert             every punctuation character by itself; white space is dropped (`BertPreTokenizer`)
metaspace        a space is written as ▁ and begins a word, and one is prepended to the text (`Metaspace`); other white
                 space is a character like any other

Names in backquotes are the pre-tokenizers of huggingface/tokenizers that give the same words.
"""
