"""An encoding as a lane of the interlinear view, which shows the same lines under several tokenizers."""

from __future__ import annotations

import numpy as np

from bpe_core.payloads.spans import Lane
from bpe_core.text.segmenters import DictionaryWords
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.token_places import Offsets


def lane(name: str, encoding: Encoding, offsets: tuple[Offsets, Offsets] | None = None) -> Lane:
    """An encoding as a lane of the interlinear view; `offsets`: of its tokens in the drawn text, if that is another.

    >>> from bpe_core import load_pretrained
    >>> lane("GPT-2", load_pretrained("gpt2").encode("low")).ids.tolist()
    [9319]
    """
    starts, ends = offsets or (encoding.starts, encoding.ends)
    return Lane(
        name,
        encoding.ids,
        starts,
        ends,
        special=encoding.special,
        labels=bare_labels(encoding, 0, len(encoding)),
    )


def words_lane(name: str, words: DictionaryWords) -> Lane:
    """Words by a dictionary as a lane.

    >>> from bpe_core.text.segmenters import dictionary_words
    >>> words_lane("Words", dictionary_words("low lower", str.split)).starts.tolist()
    [0, 4]
    """
    return Lane(name, np.full(len(words.starts), -1), words.starts, words.ends, dictionary=True)


def bare_labels(encoding: Encoding, first: int, count: int) -> dict[int, str]:
    """Labels of tokens drawn by name instead of text: special tokens, <unk>, and a lone end-of-word mark.

    >>> from bpe_core import load_pretrained
    >>> bare_labels(load_pretrained("gpt2").encode("a<|endoftext|>", special="parse"), 0, 2)
    {1: '<|endoftext|>'}
    """
    window = slice(first, first + count)
    bare = encoding.special[window] | (encoding.starts[window] == encoding.ends[window])
    return {i: encoding[i].bytes.decode(errors="replace") for i in (np.flatnonzero(bare) + first).tolist()}
