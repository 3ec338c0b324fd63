"""Kinds of tokens: word start, word part, digits, code, white space, bytes …"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import regex

from bpe_core.language import message
from bpe_core.text.scripts import CODES, DIGITS, EMOJI, PART, PUNCTUATION, SPACE, SPECIAL
from bpe_core.text.splits import WORD_MARK
from bpe_core.tokenizer.facts import TokenFacts, token_facts
from bpe_core.tokenizer.model import Model
from bpe_core.tokenizer.tokenizer import Tokenizer

KINDS = (
    message("Word starts"), message("Word ends"), message("Word parts"), message("Code-like"), message("Digits"),
    message("Punctuation and symbols"), message("White space"), message("Parts of characters"), message("Other"),
    message("Special tokens"),
)  # fmt: skip
"""All kinds of tokens; a code is an index into this tuple.

Word starts: letters after a space or its mark ▁, in WordPiece without ##. Word ends: letters with an end-of-word mark.
Word parts: other letters. Code-like: letters with punctuation other than apostrophes, hyphens and a final comma or
full stop, or with a capital after a lower-case letter. Digits, punctuation and symbols, white space: without letters;
if several apply, the first. Parts of characters: bytes that are not whole characters."""

_START, _END, _INNER, _CODE, _DIGITS, _SIGNS, _SPACE, _BYTES, _OTHER, _SPECIAL = range(len(KINDS))
_OF_SCRIPTS = {DIGITS: _DIGITS, PUNCTUATION: _SIGNS, EMOJI: _SIGNS, SPACE: _SPACE, PART: _BYTES, SPECIAL: _SPECIAL}
_MOST_BYTES = 256
"""Number of leading bytes that determine the kind."""
_LETTERS = regex.compile(r"[\p{L}\p{M}]")
_IN_CODE = regex.compile(r"\p{Ll}\p{Lu}|[\p{P}\p{S}--['’\-]]", regex.V1)
_AT_END = ".,:;!?"


def token_kinds(tokenizer: Tokenizer, facts: TokenFacts | None = None) -> npt.NDArray[np.uint8]:
    """Kind of each token as an index into KINDS, in id order. `facts`: those of this tokenizer, if known.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> kinds = token_kinds(gpt2)
    >>> [KINDS[kinds[gpt2.token_id(token)]] for token in (b" low", b"low", b" JavaScript", b" 12", b"\\xe3\\x81")]
    ['Word starts', 'Word parts', 'Code-like', 'Digits', 'Parts of characters']
    """
    facts = token_facts(tokenizer) if facts is None else facts
    by_script = np.full(len(CODES), _OTHER, np.uint8)
    for script, kind in _OF_SCRIPTS.items():
        by_script[CODES[script]] = kind
    kinds = by_script[facts.scripts]
    model, heads, ids = tokenizer.model, facts.heads(_MOST_BYTES), facts.ids.tolist()
    for at in np.flatnonzero((kinds == _OTHER) | (kinds == _SIGNS)).tolist():
        if not heads[at].decode("utf-8", "ignore").strip(f"{WORD_MARK} "):
            kinds[at] = _SPACE if heads[at] else _OTHER
        elif kinds[at] == _OTHER:
            kinds[at] = _of_letters(model, heads[at], model.ends_word(ids[at]))
    return kinds


def _of_letters(model: Model, head: bytes, ends: bool) -> int:
    """Kind of a token with letters, by its first bytes; `ends`: whether it has an end-of-word mark."""
    data = model.text_of(head, ends=ends and len(head) < _MOST_BYTES, with_space=True)
    text = data.decode("utf-8", "ignore")
    bare = text.strip(f"{WORD_MARK} ").rstrip(_AT_END)
    if not _LETTERS.search(bare):
        return _OTHER
    if _IN_CODE.search(bare):
        return _CODE
    if ends:
        return _END
    is_start = data == head if model.kind == "wordpiece" else text.startswith((" ", WORD_MARK))
    return _START if is_start or model.kind == "wordlevel" else _INNER
