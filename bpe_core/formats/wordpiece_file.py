"""vocab.txt of WordPiece (BERT): one line per token, in the order of their ids.

The file does not say which tokens are special, how texts are normalized or split. Reading takes those of BERT's five
special tokens that are in it, BERT's split, and no normalization (`Tokenizer.with_stages` sets one).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bpe_core.errors import quoted
from bpe_core.formats.bpe import OTHER_FORMAT, refuse_normalization
from bpe_core.formats.reading import check_lines, check_pieces, decoded, made, refuse, tokens_by_id
from bpe_core.text.splits import BERT_SPLIT
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.wordpiece.model import UNKNOWN_WORD, wordpiece_tokenizer
from bpe_core.wordpiece.training import SPECIAL_TOKENS

KIND = "vocab.txt"


def write(tokenizer: Tokenizer) -> bytes:
    """The vocab.txt of a WordPiece tokenizer. Raises FormatError for any other model, and for what the file cannot say.

    >>> write(wordpiece_tokenizer(["[UNK]", "low", "##er"], special_tokens=["[UNK]"]))
    b'[UNK]\\nlow\\n##er\\n'
    """
    pieces = pieces_of(tokenizer, KIND, (BERT_SPLIT,))
    refuse_normalization(tokenizer, KIND)
    others = [token for token in tokenizer.special_tokens if token not in SPECIAL_TOKENS]
    if others:
        refuse(
            f"The tokenizer has the special token {quoted(others[0])}.",
            f"A {KIND} does not say which tokens are special; readers take {', '.join(SPECIAL_TOKENS)}.",
            'Save it as "tokenizers" or "bpe-lab".',
        )
    for piece in pieces:
        if piece.split() != [piece]:
            refuse(f"The token {quoted(piece)} has white space.", f"A {KIND} has one line per token.", OTHER_FORMAT)
    return "".join(piece + "\n" for piece in pieces).encode()


def read(data: bytes, name: str = "") -> Tokenizer:
    """The tokenizer of a vocab.txt. Raises FormatError with the line of what is wrong.

    >>> read(b"[UNK]\\nlow\\n##er\\n").encode("lower").ids.tolist()
    [1, 2]
    """
    tokens = tokens_by_id(_lines(data))
    pieces = [token.decode() for token in tokens if token is not None]
    check_pieces("the file", pieces)
    if UNKNOWN_WORD not in pieces:
        refuse(
            f"The file has {len(pieces):,} lines, and none is {UNKNOWN_WORD}.",
            f"A {KIND} has one token per line, with {UNKNOWN_WORD} among them; it is no other known file either.",
            "Choose tokenizer.json, .tiktoken, vocab.json with merges.txt, vocab.txt, .model or a file of BPE Lab.",
        )
    special = [token for token in SPECIAL_TOKENS if token in pieces]
    return made("the vocabulary", lambda: wordpiece_tokenizer(pieces, special_tokens=special, name=name))


def pieces_of(tokenizer: Tokenizer, kind: str, splits: Sequence[str]) -> list[str]:
    """The pieces of a WordPiece tokenizer in the order of their ids.

    `kind` names the file for messages. Raises FormatError for any other model, for a split that is not one of `splits`,
    and for gaps between ids.

    >>> tokenizer = wordpiece_tokenizer(["[UNK]", "low", "##er"], special_tokens=["[UNK]"])
    >>> pieces_of(tokenizer, "vocab.txt", [BERT_SPLIT])
    ['[UNK]', 'low', '##er']
    """
    if tokenizer.model.kind != "wordpiece":
        refuse(f"{tokenizer.name} is not a WordPiece tokenizer.", f"A {kind} holds only these.", OTHER_FORMAT)
    if tokenizer.split.pattern not in splits:
        refuse(
            f"The tokenizer splits texts by {quoted(tokenizer.split.pattern)}.",
            f"Readers of a {kind} split by BERT's rule.",
            'Save it as "bpe-lab".',
        )
    if tokenizer.ids != list(range(tokenizer.vocab_size)):
        gap = next(i for i, token_id in enumerate(tokenizer.ids) if i != token_id)
        refuse(f"No token has the id {gap:,}.", f"A {kind} has no gaps between ids.", OTHER_FORMAT)
    return [tokenizer.token_bytes(token_id).decode() for token_id in tokenizer.ids]


def _lines(data: bytes) -> Iterator[tuple[str, bytes, int]]:
    check_lines(data)
    lines = decoded(data).split("\n")
    if not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines):
        token = line.removesuffix("\r")
        if token.split() != [token] or "\0" in token:
            refuse(f"Line {number + 1:,} is {quoted(token)}.", "A line is one token, without white space.")
        yield f"Line {number + 1:,}", token.encode(), number
