"""Why two tokenizers cut the same stretch of text differently: the cause, and a sentence with the evidence.

A stretch lies between two boundaries that both share, and they share none inside. Final boundaries are never merged
across, so what either makes of the stretch depends on nothing outside it. Hence the causes, first match wins:

missing token   a character is in one vocabulary only: the other has <unk> there
special token   one takes a special token where the other reads plain text
normalization   the two read different characters there
split           one's split cuts inside the stretch, where a token of the other crosses
missing token   a token of one is not in the other's vocabulary, so the other cannot cut like that
earlier merge   both have all the tokens, but an earlier merge took a part
choice          the same, where one of the two does not merge: it takes the longest match, or the best score
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from bpe_core.choices import choice
from bpe_core.config import TrainConfig
from bpe_core.cuts import Cuts, Stretch
from bpe_core.evidence import Piece, Sentence, View, tokens, written
from bpe_core.merge_order import earlier_merge
from bpe_core.normalize import normalize
from bpe_core.piece_tokenizer import PieceTokenizer
from bpe_core.sentencepiece_tokenizer import SentencePieceTokenizer
from bpe_core.split_reasons import why_cut, why_kept
from bpe_core.unigram_tokenizer import UnigramTokenizer
from bpe_core.wordpiece_tokenizer import BERT_SPLIT, INSIDE, WordPieceTokenizer

Cause = Literal["split", "missing token", "earlier merge", "choice", "special token", "normalization"]

CAUSES: tuple[Cause, ...] = ("split", "missing token", "earlier merge", "choice", "special token", "normalization")


class Reason(NamedTuple):
    """Why two tokenizers cut a stretch differently: the cause, the evidence in words and pieces, what either made."""

    cause: Cause
    sentence: Sentence
    left: Stretch
    right: Stretch

    @property
    def explanation(self) -> str:
        """The sentence as plain text, tokens in quotation marks with their ids."""
        return "".join(part if isinstance(part, str) else written(part) for part in self.sentence)


def explain(left: Cuts, mine: Stretch, right: Cuts, other: Stretch) -> Reason:
    """The cause of one disagreement, and the evidence."""
    a, b = View(left, mine), View(right, other)
    cause, sentence = _explain(a, b)
    return Reason(cause, sentence, mine, other)


def _explain(a: View, b: View) -> tuple[Cause, Sentence]:
    both = ((a, b), (b, a))
    for view, rival in both:
        if sentence := _unknown(view, rival):
            return "missing token", sentence
    for view, rival in both:
        if sentence := _special(view, rival):
            return "special token", sentence
    if a.stretch.data != b.stretch.data:
        first, second = sorted((a, b), key=lambda view: view.stretch.data == view.stretch.original)
        return "normalization", (*_normalized(first), " ", *_normalized(second))
    for view, rival in both:
        if sentence := _split(view, rival):
            return "split", sentence
    fewest_first = sorted(both, key=lambda pair: len(pair[0].stretch.ids))
    for view, rival in fewest_first:
        if sentence := _missing(view, rival):
            return "missing token", sentence
    if a.rule == b.rule == "merges":
        return "earlier merge", earlier_merge(a, b)
    both_merge = {a.rule, b.rule} <= {"merges", "scored merges"}
    return ("earlier merge" if both_merge else "choice"), choice(a, b)


# -- the causes, each with its sentence; () where it is not the cause ------------------------------------------


def _unknown(view: View, rival: View) -> Sentence:
    known = [view.stretch.starts[i : i + 1] + view.stretch.ends[i : i + 1] for i in _unknowns(view)]
    theirs = [(rival.stretch.starts[i], rival.stretch.ends[i]) for i in _unknowns(rival)]
    for at, (start, end) in zip(_unknowns(view), known, strict=True):
        if any(first <= start and end <= last for first, last in theirs):
            continue  # unknown to both
        has_it = not any(first < end and start < last for first, last in theirs)
        return (
            *_never_seen(view, view.stretch.original[start:end]),
            view.token(at),
            f". {rival.name} {'has it: ' if has_it else 'takes '}",
            *tokens(rival, rival.tokens_in(start, end)),
            ".",
        )
    return ()


def _unknowns(view: View) -> list[int]:
    unknown = view.tokenizer.unknown_id
    return [i for i, token_id in enumerate(view.stretch.ids) if token_id == unknown] if unknown is not None else []


def _never_seen(view: View, text: bytes) -> Sentence:
    """Why a text becomes the unknown token that the sentence goes on with."""
    tokenizer = view.tokenizer
    if isinstance(tokenizer, WordPieceTokenizer):
        word = normalize(text.decode("utf-8", "replace"), tokenizer.config).text
        matches = tokenizer.longest_matches(word)
        if not matches or matches[-1].id is not None:
            return (f"{view.name} makes of the word ", Piece(text), " as a whole ")
        start = matches[-1].start
        letter = word[start].encode()
        stuck: Sentence = (f"{view.name} has no token that begins with ", Piece(letter))
        if start:
            behind = Piece(word[:start].encode())
            stuck = (
                f"{view.name} gets stuck behind ",
                behind,
                ": no token begins with ",
                Piece(INSIDE.encode() + letter),
            )
        return (*stuck, ", so the whole word becomes ")
    if isinstance(tokenizer, UnigramTokenizer):
        word = normalize(text.decode("utf-8", "replace"), tokenizer.config).text
        strange = next((char for char in word.strip() if char not in tokenizer.model.scores), word)
        return (f"{view.name} has no piece for ", Piece(strange.encode()), ", so the whole word becomes ")
    trained = "" if isinstance(tokenizer, PieceTokenizer) else "was trained on characters and "
    return (f"{view.name} {trained}has never seen ", Piece(text), ", so it becomes ")


def _special(view: View, rival: View) -> Sentence:
    for index, special in enumerate(view.stretch.special):
        if special and view.stretch.ids[index] != view.tokenizer.unknown_id:
            touched = rival.tokens_in(view.stretch.starts[index], view.stretch.ends[index])
            return (
                view.token(index),
                f" is a special token of {view.name}, taken whole before the text is split. {rival.name} has no such "
                f"special token and reads plain text: ",
                *tokens(rival, touched),
                ".",
            )
    return ()


def _normalized(view: View) -> Sentence:
    stretch = view.stretch
    if stretch.data == stretch.original:
        return (f"{view.name} reads ", Piece(stretch.original), " as it stands.")
    becomes = (" to ", Piece(stretch.data)) if stretch.data else (" to nothing",)
    return (
        f"{view.name} first changes ",
        Piece(stretch.original),
        *becomes,
        f" ({_normalization(view)}).",
    )


def _split(view: View, rival: View) -> Sentence:
    for cut in view.stretch.cuts:
        crossing = next(
            (i for i in rival.tokens_in(cut - 1, cut + 1) if rival.stretch.starts[i] < cut < rival.stretch.ends[i]),
            None,
        )
        if crossing is not None:
            gap = next((gap for gap in view.stretch.gaps if gap[0] <= cut <= gap[1]), None)
            return _cut(view, rival, cut, crossing) if gap is None else _dropped(view, rival, gap, [crossing])
    for gap in view.stretch.gaps:
        if rival.cuts_inside(*gap):
            return _dropped(view, rival, gap, rival.tokens_in(*gap))
    return ()


def _dropped(view: View, rival: View, gap: tuple[int, int], keeping: Sequence[int]) -> Sentence:
    """For text that no word of the split covers."""
    rule = "drops the white space" if view.tokenizer.config.split in ("words", BERT_SPLIT) else "leaves out"
    return (
        f"{view.name}'s split {rule} ",
        Piece(view.stretch.original[slice(*gap)]),
        f": it belongs to none of its words. {rival.name} keeps it, in ",
        *tokens(rival, keeping),
        ".",
    )


def _cut(view: View, rival: View, cut: int, crossing: int) -> Sentence:
    stretch = view.stretch
    edges = (0, *stretch.cuts, len(stretch.original))
    start, end = max(edge for edge in edges if edge < cut), min(edge for edge in edges if edge > cut)
    before, after = stretch.original[start:cut], stretch.original[cut:end]
    whole_before = (before if start else stretch.head + before).decode("utf-8", "ignore")
    whole_after = (after if end < len(stretch.original) else after + stretch.tail).decode("utf-8", "ignore")
    rules = [
        rule(side.tokenizer.config.split, whole_before, whole_after)
        for rule, side in ((why_cut, view), (why_kept, rival))
    ]
    because, keeps = (f": {rule}" if rule else "" for rule in rules)
    return (
        f"{view.name}'s split cuts between ",
        Piece(before),
        " and ",
        Piece(after),
        f"{because}. {rival.name}'s does not{keeps}, and {rival.name} has the token ",
        rival.token(crossing),
        f" across it. No {'merge' if view.rule == 'merges' else 'token'} of {view.name} crosses a cut.",
    )


def _missing(view: View, rival: View) -> Sentence:
    for index, (start, end) in enumerate(zip(view.stretch.starts, view.stretch.ends, strict=True)):
        text = view.text_of(index)
        if rival.cuts_inside(start, end) and not rival.has(text, start, end):
            lacking = rival.written(text, start, end)
            return (
                f"No split cuts here. {view.name} has ",
                *_called(text, view.token(index)),
                f"; {rival.name}'s {rival.tokenizer.vocab_size:,} ids lack ",
                *(("it",) if lacking == view.token(index).data else (Piece(lacking),)),
                ", so it takes ",
                *tokens(rival, rival.tokens_in(start, end)),
                ".",
            )
    return ()


def _called(text: bytes, piece: Piece) -> Sentence:
    """A token with what is special about it, where that helps: one character, a run of spaces."""
    if text and not text.strip(b" ") and len(text) > 1:
        return (f"a token of {len(text)} spaces, ", piece)
    try:
        char = text.decode()
    except UnicodeDecodeError:
        return ("a token of ", piece)
    if len(char) == 1 and len(text) > 1:
        return ("the whole character ", piece, f", {len(text)} bytes, as one token")
    return ("the token ", piece)


def _normalization(view: View) -> str:
    if isinstance(view.tokenizer, SentencePieceTokenizer):
        return "the model's own rule"
    config: TrainConfig = view.tokenizer.config
    steps: list[str] = [config.normalization] if config.normalization != "none" else []
    steps += ["lower case"] if config.lowercase else []
    steps += ["accents stripped"] if config.strip_accents else []
    return ", ".join(steps) or "lone surrogates replaced"
