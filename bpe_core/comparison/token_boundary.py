"""Reason for the boundary between two tokens of a text: the split, or the model's rule, with the evidence."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from bpe_core import checks
from bpe_core.arrays import sorted_place
from bpe_core.bpe.boundless_model import BoundlessModel
from bpe_core.comparison.evidence import Piece, after_another, plain
from bpe_core.language import Sentence, counted, message, sentence
from bpe_core.text.alternatives import part_that_matches
from bpe_core.text.split_reasons import why_split
from bpe_core.text.splits import BERT_SPLIT, Split
from bpe_core.text.utf8 import rest_of_character
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import Tokenizer

BoundaryKind = Literal["special token", "split", "unknown", "model"]


class BoundaryReason(NamedTuple):
    """Reason for a boundary: its cause, and a sentence that alternates text and pieces.

    The sentence is in English; `in_language` translates it.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> reason = why_boundary(gpt2, gpt2.encode("Hello<|endoftext|>", special="parse"), 1)
    >>> reason.kind, reason.explanation
    ('special token', '“<|endoftext|>” (50256) is a special token: these are found before the text is split.')
    """

    kind: BoundaryKind
    sentence: Sentence

    @property
    def explanation(self) -> str:
        """Sentence as plain text, in English, tokens in quotation marks with their ids."""
        return plain(self.sentence)


def why_boundary(tokenizer: Tokenizer, encoding: Encoding, number: int) -> BoundaryReason:
    """Reason for the boundary between the tokens number - 1 and number of an encoding.

    The encoding must be by this tokenizer. Raises ConfigError for a number below 1 or above that of the last token.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> why_boundary(gpt2, gpt2.encode("tokenizer"), 1).explanation
    'No merge joins “token” (30001) + “izer” (7509): “tokenizer” is not a token of this vocabulary.'
    """
    checks.instance(tokenizer, "tokenizer", Tokenizer, message("a Tokenizer"))
    checks.instance(encoding, "encoding", Encoding, message("an Encoding"))
    _check_number(number, len(encoding))
    left, right = (_piece(tokenizer, encoding, at) for at in (number - 1, number))
    for at, piece in ((number - 1, left), (number, right)):
        if encoding.word_ids[at] < 0:
            explanation = sentence("{token} is a special token: these are found before the text is split.", token=piece)
            return BoundaryReason("special token", explanation)
    if encoding.word_ids[number - 1] != encoding.word_ids[number]:
        return BoundaryReason("split", _split(tokenizer, encoding, number))
    for at, piece in ((number - 1, left), (number, right)):
        if encoding.special[at]:
            return _unknown(encoding, at, piece)
    model = {
        "merges": _no_merge,
        "merges and removals": _no_piece,
        "scored merges": _no_piece,
        "longest match": _longest_match,
        "best score": _best_score,
        "whole words": _no_piece,
    }[tokenizer.model.rule]
    explanation, inside = model(tokenizer, left, right), _inside_a_character(encoding, number)
    return BoundaryReason("model", explanation if inside is None else after_another(explanation, inside))


def _piece(tokenizer: Tokenizer, encoding: Encoding, at: int) -> Piece:
    token_id = int(encoding.ids[at])
    return Piece(tokenizer.token_bytes(token_id), tokenizer.name, token_id)


def _check_number(number: object, tokens: int) -> None:
    if tokens > 1:
        checks.whole_number(number, "number", 1, tokens - 1)
        return
    raise checks.wrong(
        number,
        "number",
        counted(
            "The encoding has {count} token, and no boundary.",
            "The encoding has {count} tokens, and no boundary.",
            tokens,
        ),
        message("Encode a text of two tokens or more."),
    )


def _unknown(encoding: Encoding, at: int, piece: Piece) -> BoundaryReason:
    unknown = encoding.utf8[encoding.starts[at] : encoding.ends[at]]
    explanation = sentence(
        "The vocabulary has nothing for {text}, so it becomes {unknown}.", text=Piece(unknown), unknown=piece
    )
    return BoundaryReason("unknown", explanation)


def _split(tokenizer: Tokenizer, encoding: Encoding, number: int) -> Sentence:
    text, split = encoding.text, tokenizer.split
    (left_start, left_end), (right_start, right_end) = (_word(encoding, at) for at in (number - 1, number))
    before, after = text[left_start:left_end], text[right_start:right_end]
    pattern = split.pattern if isinstance(split, Split) else ""
    if split.writes_marks or split.by_model:
        return sentence(
            "An edge of the split: a word begins with the space before it, which this tokenizer writes as ▁."
        )
    if text[left_end:right_start]:
        return sentence(
            "An edge of the split: what is between these two words, {text}, is in no word.",
            text=_shown(text[left_end:right_start]),
        )
    rule = why_split(pattern, before, after)
    part = part_that_matches(pattern, text, right_start, right_end) if pattern else ""
    other = part_that_matches(pattern, text, left_start, left_end) if pattern else ""
    if not part or not other or pattern == BERT_SPLIT:
        words = sentence("{left} and {right} are words of their own.", left=_shown(before), right=_shown(after))
    else:
        words = sentence(
            "{left} is a word by the part {left_part} of its pattern, {right} by {right_part}.",
            left=_shown(before),
            left_part=Piece(other.encode()),
            right=_shown(after),
            right_part=Piece(part.encode()),
        )
    return after_another(sentence("An edge of the split."), rule, words)


def _word(encoding: Encoding, at: int) -> tuple[int, int]:
    """Range of the word that contains a token, in characters."""
    word = encoding.word_ids[at]
    starts = encoding.character_starts
    start, end = (int(edges[word]) for edges in (encoding.word_starts, encoding.word_ends))
    first, last = (sorted_place(starts, byte) for byte in (start, end))
    return first, last


def _shown(text: str) -> Piece:
    return Piece(text.encode("utf-8", "surrogatepass"))


# -- inside a word, by the model's rule ----------------------------------------------------------------------------


def _no_merge(tokenizer: Tokenizer, left: Piece, right: Piece) -> Sentence:
    joined = left.data + right.data
    whole, merges = tokenizer.token_id(joined), tokenizer.model.merges
    parts = None if whole is None or merges is None else merges.parts(whole)
    if whole is None or merges is None or parts is None:
        return _no_piece(tokenizer, left, right)
    named: dict[str, Any] = {"left": left, "right": right, "joined": Piece(joined, tokenizer.name, whole)}
    made = [Piece(tokenizer.token_bytes(each), tokenizer.name, each) for each in (parts.left, parts.right)]
    named |= {"first": made[0], "second": made[1], "rank": parts.rank}
    if isinstance(tokenizer.model, BoundlessModel) and (parts.left, parts.right) == (left.id, right.id):
        return _not_whole(tokenizer.model.crosses[parts.rank], **named)
    for piece in (left, right):
        earlier = None if piece.id is None else merges.parts(piece.id)
        if earlier is not None and earlier.rank < parts.rank:
            return sentence(
                "No merge joins {left} + {right}. {joined} is a token, but of {first} + {second} (rank {rank:,}), and "
                "{token} was joined before that (rank {earlier_rank:,}).",
                token=piece,
                earlier_rank=earlier.rank,
                **named,
            )
    return sentence(
        "No merge joins {left} + {right}. {joined} is a token, but of {first} + {second} (rank {rank:,}), and these do "
        "not meet here.",
        **named,
    )


def _not_whole(of_words: bool, *, left: Piece, right: Piece, joined: Piece, rank: int, **_others: Piece) -> Sentence:
    """Why a merge of BoundlessBPE does not apply to its own pair."""
    named: dict[str, Any] = {"left": left, "right": right, "joined": joined, "rank": rank}
    if of_words:
        return sentence(
            "{left} + {right} become {joined} (rank {rank:,}) only as two whole words, and one of them is a part of a "
            "word here.",
            **named,
        )
    return sentence(
        "{left} + {right} become {joined} (rank {rank:,}) only inside a word, and here a word ends between them.",
        **named,
    )


def _no_piece(tokenizer: Tokenizer, left: Piece, right: Piece) -> Sentence:
    joined = left.data + right.data
    if tokenizer.token_id(joined) is not None:
        return sentence(
            "{left} and {right} were joined with their neighbours before they could be joined with each other.",
            left=left,
            right=right,
        )
    if tokenizer.model.rule == "merges":
        return sentence(
            "No merge joins {left} + {right}: {joined} is not a token of this vocabulary.",
            left=left,
            right=right,
            joined=Piece(joined),
        )
    return sentence(
        "Nothing joins {left} + {right}: {joined} is not a token of this vocabulary.",
        left=left,
        right=right,
        joined=Piece(joined),
    )


def _longest_match(tokenizer: Tokenizer, left: Piece, right: Piece) -> Sentence:
    return sentence(
        "Longest match, from left to right: no longer piece of this vocabulary than {left} begins there, and the rest "
        "of the word goes on with {right}.",
        left=left,
        right=right,
    )


def _best_score(tokenizer: Tokenizer, left: Piece, right: Piece) -> Sentence:
    model, names = tokenizer.model, [each.data.decode("utf-8", "replace") for each in (left, right)]
    one, two = model.log_probability(["".join(names)]), model.log_probability(names)
    named: dict[str, Any] = {"left": left, "right": right, "joined": Piece("".join(names).encode())}
    if one is None and two is None:
        return sentence(
            "No piece joins {left} + {right}: {joined} is not in this vocabulary, and the pieces with the best total "
            "score are taken.",
            **named,
        )
    if one is None:
        return sentence(
            "No piece joins {left} + {right} ({score:.2f}): {joined} is not in this vocabulary, and the pieces with "
            "the best total score are taken.",
            score=two,
            **named,
        )
    if two is not None and one < two:
        return sentence(
            "{left} + {right} have the better score: {score:.2f} together, against {joined_score:.2f} for the one "
            "piece {joined} (log probabilities; 0 would be the best).",
            score=two,
            joined_score=one,
            **named,
        )
    return sentence("The whole word has its best total score with {left} + {right} here.", left=left, right=right)


def _inside_a_character(encoding: Encoding, number: int) -> Sentence | None:
    at = int(encoding.starts[number])
    head, tail = rest_of_character(encoding.utf8, at, at)
    if not head or not tail:
        return None
    return sentence(
        "It is inside a character: {character} has {bytes} bytes.",
        character=Piece(head + tail),
        bytes=len(head + tail),
    )
