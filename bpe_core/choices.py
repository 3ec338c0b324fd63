"""How a tokenizer chooses between tokens that it holds: by merges, the longest match or scores, told with evidence."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_core.evidence import Piece, Sentence, View, tokens
from bpe_core.merge_order import LONGEST_REPLAY, replay
from bpe_core.piece_tokenizer import WORD_MARK
from bpe_core.sentencepiece_merging import merge_pieces
from bpe_core.sentencepiece_tokenizer import SentencePieceTokenizer
from bpe_core.unigram_tokenizer import UnigramTokenizer

_MARK = WORD_MARK.encode()


def choice(a: View, b: View) -> Sentence:
    """Why two tokenizers that could both cut alike do not, where at least one of them has no merges."""
    same = a.rule == b.rule
    hold = all(_as_pieces(view, rival) is not None for view, rival in ((a, b), (b, a)))
    opening = "Both hold all of these tokens; " if hold else ""
    how = "their scores decide" if same else "they choose by different rules"
    how = "the order of the merges decides" if {a.rule, b.rule} <= {"merges", "scored merges"} else how
    opening += how if hold else how.capitalize()
    return (f"{opening}. ", *_chooses(a, b), " ", *_chooses(b, a))


def _chooses(view: View, rival: View) -> Sentence:
    """How one tokenizer comes to its tokens, and why not to those of the other."""
    rule = {
        "merges": _by_merges,
        "scored merges": _by_scored_merges,
        "longest match": _by_longest_match,
        "best score": _by_best_score,
    }[view.rule]
    return rule(view, rival)


def _by_longest_match(view: View, rival: View) -> Sentence:
    if not view.stretch.ids:
        return (f"{view.name} has no token here.",)
    return (
        f"{view.name} goes from the left and takes the longest token that fits, ",
        view.token(0),
        *((" before ", *tokens(view, range(1, len(view.stretch.ids)))) if len(view.stretch.ids) > 1 else ()),
        "; what that leaves for the rest does not count.",
    )


def _by_best_score(view: View, rival: View) -> Sentence:
    own = (f"{view.name} takes the cut with the best total score, ", *_all(view))
    others = _as_pieces(view, rival)
    total = _total(view, [_spelled(view, token_id) for token_id in view.stretch.ids])
    other = None if others is None else _total(view, others)
    if total is None or other is None or others is None:
        return (*own, ".")
    if abs(total - other) < _EQUAL:
        return (
            *own,
            f": {total:.2f}, and {other:.2f} for ",
            *_written(others),
            ", where the first one found is taken.",
        )
    return (*own, f": {total:.2f} against {other:.2f} for ", *_written(others), " (log probabilities; 0 is the best).")


def _total(view: View, pieces: Sequence[str]) -> float | None:
    """The score of these pieces together, a log probability; None where one of them has none."""
    tokenizer = view.tokenizer
    if isinstance(tokenizer, UnigramTokenizer):
        costs = [tokenizer.model.scores.get(piece) for piece in pieces]
        return None if None in costs else -sum(cost for cost in costs if cost is not None)
    known = tokenizer.scores if isinstance(tokenizer, SentencePieceTokenizer) else {}
    return sum(known[piece] for piece in pieces) if all(piece in known for piece in pieces) else None


_EQUAL = 5e-3
"""Scores that are closer look the same with two digits."""


def _by_scored_merges(view: View, rival: View) -> Sentence:
    known = view.tokenizer.scores if isinstance(view.tokenizer, SentencePieceTokenizer) else {}
    pieces = [_spelled(view, token_id) for token_id in view.stretch.ids]
    if all(piece in known for piece in pieces) and sum(map(len, pieces)) <= LONGEST_REPLAY:
        edges = {*rival.stretch.starts, *rival.stretch.ends}
        for step in merge_pieces("".join(pieces), known):
            if step.at is None:
                continue
            start = _bytes_before(view, pieces, "".join(step.pieces[: step.at]))
            end = _bytes_before(view, pieces, "".join(step.pieces[: step.at + 1]))
            if any(start < edge < end for edge in edges):
                return (
                    f"{view.name} joins the neighbours with the best score first; here they become ",
                    Piece(step.pieces[step.at].encode()),
                    f" (score {known[step.pieces[step.at]] + 0.0:,.0f}).",
                )
    return (f"{view.name} joins the neighbours with the best score, up to ", *_all(view), ".")


def _by_merges(view: View, rival: View) -> Sentence:
    edges = {*rival.stretch.starts, *rival.stretch.ends}
    crossing = next((step for step in replay(view) if any(step.start < edge < step.end for edge in edges)), None)
    if crossing is None:
        return (f"{view.name} merges by rank, up to ", *_all(view), ".")
    return (f"{view.name} merges by rank: ", crossing.left, " + ", crossing.right, f" (rank {crossing.rank:,}).")


def _as_pieces(view: View, rival: View) -> list[str] | None:
    """What the rival's cut would be in a tokenizer's own pieces; None where it lacks one of them."""
    found: list[str] = []
    for index, start in enumerate(rival.stretch.starts):
        text, end = rival.text_of(index), rival.stretch.ends[index]
        if not text:
            continue
        written = view.written(text, start, end)
        if view.tokenizer.token_id(written) is not None:
            found.append(written.decode("utf-8", "replace"))
        elif written.startswith(_MARK) and all(
            view.tokenizer.token_id(part) is not None for part in (_MARK, written[len(_MARK) :])
        ):
            found += [WORD_MARK, written[len(_MARK) :].decode("utf-8", "replace")]
        else:
            return None
    return found


def _spelled(view: View, token_id: int) -> str:
    return view.tokenizer.token_bytes(token_id).decode("utf-8", "replace")


def _bytes_before(view: View, pieces: Sequence[str], prefix: str) -> int:
    """Where in the stretch the text behind a prefix of the joined pieces stands."""
    length, done = len(prefix), 0
    for index, piece in enumerate(pieces):
        start, end = view.stretch.starts[index], view.stretch.ends[index]
        if done + len(piece) >= length:
            rest = piece[: length - done].replace(WORD_MARK, " ").encode()
            return min(start + len(rest) - (len(piece.replace(WORD_MARK, " ").encode()) - (end - start)), end)
        done += len(piece)
    return view.stretch.ends[-1]


def _all(view: View) -> Sentence:
    return tokens(view, range(len(view.stretch.ids)))


def _written(pieces: Sequence[str]) -> Sentence:
    parts: list[str | Piece] = []
    for piece in pieces[:8]:
        parts += [" + ", Piece(piece.encode())] if parts else [Piece(piece.encode())]
    return (*parts, " and more") if len(pieces) > 8 else tuple(parts)
