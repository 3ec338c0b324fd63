"""Splits that other libraries name, as patterns of their own: for comparing splits, not for training."""

from __future__ import annotations

from bpe_core.piece_tokenizer import WORD_MARK
from bpe_core.unigram_tokenizer import MARKED_SPLIT
from bpe_core.wordpiece_tokenizer import BERT_SPLIT

_SIGN = r"[!-/:-@\[-`{-~\p{P}]"
_NO_SIGN = r"[^!-/:-@\[-`{-~\p{P}]"
_WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}"

METASPACE = f"[ {WORD_MARK}][^ {WORD_MARK}]*|[^ {WORD_MARK}]+"

SPLITS = {
    "none": "none",
    "gpt2": "gpt2",
    "cl100k": "cl100k",
    "o200k": "o200k",
    "white space": r"[^\p{White_Space}]+",
    "words and signs": rf"[{_WORD}]+|[^{_WORD}\p{{White_Space}}]+",
    "punctuation": f"{_SIGN}|{_NO_SIGN}+",
    "bert": BERT_SPLIT,
    "metaspace": METASPACE,
}
r"""Splits by name, each as `TrainConfig.split` takes it: every match is a word, what no match covers is dropped.

none             the whole text is one word
gpt2, cl100k, o200k   OpenAI's published patterns
white space      what stands between white space, which is dropped (`WhitespaceSplit` of the tokenizers library)
words and signs  runs of letters, digits and marks, and runs of other signs; white space is dropped (`Whitespace`,
                 \w+|[^\w\s]+ of Rust's regex library)
punctuation      every sign of ASCII and of Unicode's punctuation by itself, and what stands between them, white space
                 included (`Punctuation`, isolated)
bert             white space is dropped, every sign stands by itself (`BertPreTokenizer`)
metaspace        ▁ stands for the space, begins a word, and is put in front of the text (`Metaspace`); other white space
                 is like letters

The names in backquotes are those of huggingface/tokenizers, whose results these patterns give.
"""


def written(word: str, split: str) -> str:
    """A word as the split writes it: ▁ for the space in front of it, or added, where the split has that mark.

    >>> written(" low", METASPACE), written(" low", SPLITS["gpt2"])
    ('▁low', ' low')
    """
    if split not in (METASPACE, MARKED_SPLIT) or word.startswith(WORD_MARK):
        return word
    return WORD_MARK + word.removeprefix(" ")
