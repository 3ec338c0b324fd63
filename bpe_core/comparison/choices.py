"""Choice of a tokenizer among its tokens: by merges, longest match or scores, with evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from bpe_core.comparison.evidence import MOST_NAMED, Piece, Side, added, after_another, tokens
from bpe_core.comparison.merge_order import LONGEST_REPLAY, replay
from bpe_core.language import Sentence, sentence
from bpe_core.text.splits import WORD_MARK

if TYPE_CHECKING:
    from bpe_core.sentencepiece.model import SentencePieceModel

_MARK = WORD_MARK.encode()


def choice(a: Side, b: Side) -> Sentence:
    """Reason why two segmentations differ though both tokenizers could produce either; at least one has no ranks.

    >>> from bpe_core.comparison.boundaries import SegmentedText
    >>> from bpe_core.unigram.assembly import unigram_tokenizer
    >>> from bpe_core.unigram.model import UnigramModel
    >>> scores = {"▁ab": 1.0, "c": 1.0, "▁a": 2.0, "bc": 2.0}, {"▁ab": 2.0, "c": 2.0, "▁a": 1.0, "bc": 1.0}
    >>> models = [unigram_tokenizer(UnigramModel(each)) for each in scores]
    >>> a, b = (SegmentedText(name, model, model.encode("abc")) for name, model in zip("ab", models, strict=True))
    >>> reason = choice(Side(a, a.region(0, 3)), Side(b, b.region(0, 3)))
    >>> "".join(part if isinstance(part, str) else part.data.decode() for part in reason)
    'Both have all of these tokens; their scores decide. a takes the segmentation with the best total score, ▁ab + c: \
-2.00 against -4.00 for ▁a + bc (log probabilities; 0 would be the best). b takes ...'
    """
    have_all = all(_as_pieces(side, rival) is not None for side, rival in ((a, b), (b, a)))
    return after_another(_opening(a, b, have_all), _chooses(a, b), _chooses(b, a))


def _opening(a: Side, b: Side, have_all: bool) -> Sentence:
    """Opening of the sentence: the rules of both models."""
    if {a.rule, b.rule} <= {"merges", "scored merges"}:
        if have_all:
            return sentence("Both have all of these tokens; the order of the merges decides.")
        return sentence("The order of the merges decides.")
    if a.rule == b.rule:
        if have_all:
            return sentence("Both have all of these tokens; their scores decide.")
        return sentence("Their scores decide.")
    if have_all:
        return sentence("Both have all of these tokens; they choose by different rules.")
    return sentence("They choose by different rules.")


def _chooses(side: Side, rival: Side) -> Sentence:
    """Derivation of one tokenizer's tokens, and why it rejects those of the other."""
    rule = {
        "merges": _by_merges,
        "merges and removals": _by_events,
        "scored merges": _by_scored_merges,
        "longest match": _by_longest_match,
        "whole words": _by_words,
        "best score": _by_best_score,
    }[side.rule]
    return rule(side, rival)


def _by_longest_match(side: Side, rival: Side) -> Sentence:
    name = side.name
    if not side.region.ids:
        return sentence("{name} has no token here.", name=name)
    if len(side.region.ids) == 1:
        return sentence(
            "{name} works from left to right and always takes the longest token that fits: {token}. It does not look "
            "ahead at what is left.",
            name=name,
            token=side.token(0),
        )
    return sentence(
        "{name} works from left to right and always takes the longest token that fits: {first}, then {others}. It does "
        "not look ahead at what is left.",
        name=name,
        first=side.token(0),
        others=tokens(side, range(1, len(side.region.ids))),
    )


def _by_words(side: Side, rival: Side) -> Sentence:
    return sentence("{name} encodes every word as one token: {tokens}.", name=side.name, tokens=_all(side))


def _by_events(side: Side, rival: Side) -> Sentence:
    return sentence("{name} replays its merges and removals in order, to {tokens}.", name=side.name, tokens=_all(side))


def _by_best_score(side: Side, rival: Side) -> Sentence:
    name, own = side.name, _all(side)
    others = _as_pieces(side, rival)
    total = side.tokenizer.model.log_probability([_spelled(side, token_id) for token_id in side.region.ids])
    other = None if others is None else side.tokenizer.model.log_probability(others)
    if total is None or other is None or others is None:
        return sentence("{name} takes the segmentation with the best total score, {tokens}.", name=name, tokens=own)
    if abs(total - other) < _EQUAL:
        return sentence(
            "{name} takes the segmentation with the best total score, {tokens}: {score:.2f}, and {other_score:.2f} for "
            "{others}. To two decimals the scores are equal; of exactly equal ones, the first found wins.",
            name=name,
            tokens=own,
            score=total,
            other_score=other,
            others=_written(others),
        )
    return sentence(
        "{name} takes the segmentation with the best total score, {tokens}: {score:.2f} against {other_score:.2f} for "
        "{others} (log probabilities; 0 would be the best).",
        name=name,
        tokens=own,
        score=total,
        other_score=other,
        others=_written(others),
    )


_EQUAL = 5e-3
"""Score difference below which scores count as equal: rounded to two decimals they look nearly the same."""


def _by_scored_merges(side: Side, rival: Side) -> Sentence:
    model = cast("SentencePieceModel", side.tokenizer.model)  # the only model with this rule
    pieces = [_spelled(side, token_id) for token_id in side.region.ids]
    if model.log_probability(pieces) is not None and sum(map(len, pieces)) <= LONGEST_REPLAY:
        boundaries = {*rival.region.starts, *rival.region.ends}
        for step in model.merge_steps("".join(pieces)):
            if step.at is None:
                continue
            start = _bytes_before(side, pieces, "".join(step.pieces[: step.at]))
            end = _bytes_before(side, pieces, "".join(step.pieces[: step.at + 1]))
            if any(start < at < end for at in boundaries):
                return sentence(
                    "{name} merges neighbours into the piece with the best score first; here that is {piece} (score "
                    "{score:,.0f}).",
                    name=side.name,
                    piece=Piece(step.pieces[step.at].encode()),
                    score=model.log_probability([step.pieces[step.at]]) or 0.0,
                )
    return sentence(
        "{name} merges neighbours into the piece with the best score until it has {tokens}.",
        name=side.name,
        tokens=_all(side),
    )


def _by_merges(side: Side, rival: Side) -> Sentence:
    boundaries = {*rival.region.starts, *rival.region.ends}
    crossing = next((step for step in replay(side) if any(step.start < at < step.end for at in boundaries)), None)
    if crossing is None:
        return sentence("{name} merges by rank until it has {tokens}.", name=side.name, tokens=_all(side))
    return sentence(
        "{name} merges by rank: {left} + {right} (rank {rank:,}).",
        name=side.name,
        left=crossing.left,
        right=crossing.right,
        rank=crossing.rank,
    )


def _as_pieces(side: Side, rival: Side) -> list[str] | None:
    """The rival's segmentation in this tokenizer's pieces; None if one of them is missing."""
    found: list[str] = []
    for index, start in enumerate(rival.region.starts):
        text, end = rival.text_of(index), rival.region.ends[index]
        if not text:
            continue
        written = side.written(text, start, end)
        if side.tokenizer.token_id(written) is not None:
            found.append(written.decode("utf-8", "replace"))
        elif written.startswith(_MARK) and all(
            side.tokenizer.token_id(part) is not None for part in (_MARK, written[len(_MARK) :])
        ):
            found += [WORD_MARK, written[len(_MARK) :].decode("utf-8", "replace")]
        else:
            return None
    return found


def _spelled(side: Side, token_id: int) -> str:
    return side.tokenizer.token_bytes(token_id).decode("utf-8", "replace")


def _bytes_before(side: Side, pieces: Sequence[str], prefix: str) -> int:
    """Byte of the region at which a prefix of the joined pieces ends."""
    length, done = len(prefix), 0
    for index, piece in enumerate(pieces):
        start, end = side.region.starts[index], side.region.ends[index]
        if done + len(piece) >= length:
            rest = piece[: length - done].replace(WORD_MARK, " ").encode()
            return min(start + len(rest) - (len(piece.replace(WORD_MARK, " ").encode()) - (end - start)), end)
        done += len(piece)
    return side.region.ends[-1]


def _all(side: Side) -> Sentence:
    return tokens(side, range(len(side.region.ids)))


def _written(pieces: Sequence[str]) -> Sentence:
    named = added([Piece(piece.encode()) for piece in pieces[:MOST_NAMED]])
    return sentence("{pieces} and more", pieces=named) if len(pieces) > MOST_NAMED else named
