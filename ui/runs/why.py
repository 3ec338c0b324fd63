"""Why each algorithm segments a word as it does: merges in order, longest matches, paths through the lattice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bpe_core import LatticeEdge, Segmentation, Tokenizer
from bpe_core.bpe.config import UNKNOWN
from bpe_core.language import _, joined, listed, message, n_, translate
from bpe_core.payloads.chips import Chip, Column, Table
from bpe_core.payloads.tables import table_frame
from bpe_core.sentencepiece.merging import PieceMerge
from bpe_core.text.splits import WORD_MARK
from bpe_core.tokenizer.chips import plain
from bpe_core.unigram.lattice import UNKNOWN_PENALTY
from bpe_core.unigram.marking import marked
from bpe_core.wordpiece.model import UNKNOWN_WORD
from ui.runs.algorithm_run import AlgorithmRun, piece_chip
from ui.runs.bpe import Bpe
from ui.runs.picky import Picky
from ui.runs.sentencepiece import SentencePiece
from ui.runs.unigram import Unigram
from ui.runs.wordpiece import WordPiece
from ui.session.algorithms import TITLES
from ui.views.lattice import Lattice, lattice_frame
from ui.views.steps import StepRow, WordSteps, steps_frame

_HEIGHT = 220
_PATHS = 8
"""Maximum number of listed segmentations."""

_SENTENCEPIECE = {
    "bpe": (
        message("SentencePiece: the highest score first"),
        message("between two pieces the rank of what they make"),
    ),
    "unigram": (message("SentencePiece: its lattice"), message("scores: −log of its probabilities")),
    "char": (
        message("SentencePiece: character by character"),
        message("scores: −log of their shares in the text"),
    ),
    "word": (message("SentencePiece: whole words"), message("a word is a piece, or unknown")),
}


class WhyPart(NamedTuple):
    """Part of a card: a view with its frame, or a "note" or "caption" with its text. `key`: of the view."""

    view: str
    content: bytes | str
    key: str = ""


class WhyCard(NamedTuple):
    """Card of an algorithm. `key`: its name on the stage; `title` and `rest`: its heading."""

    key: str
    title: str
    rest: str
    parts: tuple[WhyPart, ...]


def why_cards(runs: Sequence[tuple[AlgorithmRun, int]], word: str) -> list[WhyCard]:
    """A card for each training at its step: why it segments the word as it does."""
    return [_card(run, word, step) for run, step in runs]


def _card(run: AlgorithmRun, word: str, step: int) -> WhyCard:
    if isinstance(run, Bpe):
        title = _("{algorithm}: merges in order", algorithm=TITLES[run.method])
        rest, parts = _("number of each merge; the lowest goes first"), _merges(run, word, step)
    elif isinstance(run, Picky):
        title, rest = _("PickyBPE: events in order"), _("number of each merge; removals split again")
        parts = _events(run, word, step)
    elif isinstance(run, WordPiece):
        title, rest = _("WordPiece: the longest match"), _("from the left, by the vocabulary alone")
        parts = _matches(run, word, step)
    elif isinstance(run, Unigram):
        title, rest = _("Unigram: the best path"), _("the lowest sum of −log shares wins")
        parts = _unigram(run, word, step)
    else:
        assert isinstance(run, SentencePiece)
        title, rest = map(translate, _SENTENCEPIECE[run.training.model_type])
        parts = _sentencepiece(run, word, step)
    return WhyCard(f"why {_key(run)}", title, rest, tuple(parts))


def _note(text: str) -> WhyPart:
    return WhyPart("note", text)


def _caption(text: str) -> WhyPart:
    return WhyPart("caption", text)


def _drawn_steps(steps: WordSteps, key: str, first: int, label: str) -> WhyPart:
    return WhyPart("steps", steps_frame(steps, first=first, height=_HEIGHT, label=label), key)


def _drawn_table(table: Table, key: str, height: int, label: str, current: int | None = None) -> WhyPart:
    data = table_frame(table, key=key, height=height, pickable=False, label=label, current=current)
    return WhyPart("token_table", data, key)


# -- merges ------------------------------------------------------------------------------------------------------


def _key(run: AlgorithmRun) -> str:
    """Key of a card: the kind of the run, or the method of a BPE training."""
    names = {"superbpe": "SuperBpe", "boundlessbpe": "BoundlessBpe"}
    return names.get(run.method, "Bpe") if isinstance(run, Bpe) else type(run).__name__


def _merges(run: Bpe, word: str, step: int) -> Iterator[WhyPart]:
    tokenizer = run.tokenizer(step)
    text = run.with_space(word)
    parts = tokenizer.split.words(text)
    if not parts:
        yield _note(_("The split drops this word."))
    if len(parts) > 1:
        yield _caption(
            _("The split makes {words} words of it first; no merge crosses a word boundary.", words=len(parts))
        )
    for at, part in enumerate(parts):
        steps = WordSteps.of(tokenizer, part)
        key = "algorithms merges" if run.method == "bpe" else f"algorithms merges {run.method}"
        yield _drawn_steps(steps, f"{key} {at}", 1, _("{algorithm}: merges in order", algorithm=TITLES[run.method]))


def _events(run: Picky, word: str, step: int) -> Iterator[WhyPart]:
    parts = run.tokenizer(step).split.words(run.with_space(word))
    if not parts:
        yield _note(_("The split drops this word."))
    for at, part in enumerate(parts):
        steps = WordSteps(tuple(run.replayed(part, step)))
        yield _drawn_steps(steps, f"algorithms events {at}", 1, _("PickyBPE's events"))
    removed = dict.fromkeys(token for part in parts for token in run.removed_within(part, step))
    if removed:
        tokens = listed([plain(run.training.token_bytes(token)) for token in removed], last="")
        yield _note(_("Removed on the way: {tokens}", tokens=translate(tokens)))


def _sentencepiece(run: SentencePiece, word: str, step: int) -> Iterator[WhyPart]:
    text = run.marked(word)
    if not text:
        yield _note(_("Nothing is left of this word after normalization."))
        return
    if text != WORD_MARK + word:
        yield _note(_("Normalized by {rule}: {text}", rule=run.training.normalization, text=text))
    if run.training.model_type == "word":
        for part in (WORD_MARK + part for part in text.split(WORD_MARK) if part):
            is_piece = run.has(part)
            yield _note(
                _("{piece} is a piece.", piece=part) if is_piece else _no_pieces([part], _as_bytes(run)([part]))
            )
        return
    if not run.is_bpe:
        edges, paths = run.model.lattice(text), run.model.segmentations(text, _PATHS)
        yield from _lattice(edges, paths, text, run.chip, "sentencepiece", _as_bytes(run))
        return
    steps = run.merges(word, step)
    yield _drawn_steps(_steps(run, steps), "algorithms pieces", 0, _("SentencePiece's merges"))
    missing = list(dict.fromkeys(piece for piece in steps[-1].pieces if not run.has(piece)))
    if missing:
        yield _note(_no_pieces(missing, _as_bytes(run)(missing)))


def _no_pieces(missing: Sequence[str], becomes: str, score: float | None = None) -> str:
    """Note about characters without a piece: their result, and their score in a lattice."""
    more = len(missing) - 1
    first = plain(missing[0].encode())
    if more:
        explanation = n_(
            "{first} and {count:,} other character are not pieces, so {becomes}.",
            "{first} and {count:,} other characters are not pieces, so {becomes}.",
            more,
            first=first,
            becomes=becomes,
        )
    else:
        explanation = _("{first} is not a piece, so {becomes}.", first=first, becomes=becomes)
    if score is None:
        return explanation
    costs = _("Score {score:.2f}: {penalty:.0f} above the rarest piece.", score=score, penalty=UNKNOWN_PENALTY)
    return translate(joined(explanation, costs))


def _as_unknown(missing: Sequence[str]) -> str:
    """Result for characters without a piece in a model without byte pieces."""
    if len(missing) > 1:
        return _("each run of them becomes one {token}", token=UNKNOWN)
    return _("it becomes {tokens}", tokens=UNKNOWN)


def _as_bytes(run: SentencePiece) -> Callable[[Sequence[str]], str]:
    """Result for characters without a piece in a model that may have byte pieces."""

    def becomes(missing: Sequence[str]) -> str:
        if not run.training.byte_fallback:
            return _as_unknown(missing)
        if len(missing) > 1:
            return _("they become their bytes")
        return _("it becomes {tokens}", tokens=run.bytes_of(missing[0]))

    return becomes


def _steps(run: SentencePiece, steps: Sequence[PieceMerge]) -> WordSteps:
    """The merges of pieces in the form drawn for BPE."""
    rows = []
    for at, step in enumerate(steps):
        following = steps[at + 1].at if at + 1 < len(steps) else None
        rows.append(
            StepRow(
                chips=tuple(run.chip(piece) for piece in step.pieces),
                joints=tuple(None if score is None else round(-score) for score in step.scores),
                next=() if following is None else (following,),
                fresh=() if step.at is None else (step.at,),
            )
        )
    return WordSteps(tuple(rows))


# -- the longest match -------------------------------------------------------------------------------------------


def _matches(run: WordPiece, word: str, step: int) -> Iterator[WhyPart]:
    tokenizer = run.tokenizer(step)
    rows = [row for part in tokenizer.split.words(word) for row in _tried(tokenizer, part)]
    yield _drawn_table(
        Table(
            Column(message("Remaining"), [row[0] for row in rows]),
            Column(message("Match"), [row[1] for row in rows], "chip"),
            Column(message("Longer ones, not in the vocabulary"), [row[2] for row in rows], tones=["dim"] * len(rows)),
        ),
        "algorithms matches",
        _HEIGHT,
        _("WordPiece's longest matches"),
    )
    merged = " ".join(map(_isolated, run.by_merges(word, step)))
    yield _caption(_("By its merges in order it would be: {pieces}", pieces=merged))
    if any(row[1].special for row in rows):
        yield _note(_("Nothing fits there, so the whole word becomes {token}.", token=UNKNOWN_WORD))


def _tried(tokenizer: Tokenizer, word: str) -> list[tuple[str, Chip, str]]:
    """For each match: the remaining text, the piece, and the longer pieces tried before."""
    rows = []
    for start, end, token_id in tokenizer.model.explain(word):
        inside = "##" if start else ""
        longer = [_isolated(inside + word[start:stop]) for stop in range(len(word), end, -1)]
        shown = translate(listed(longer[:3], last=""))
        if len(longer) > 3:
            shown = _("{first} … {more} more", first=shown, more=len(longer) - 3)
        chip = Chip.of_label(0, UNKNOWN_WORD) if token_id is None else piece_chip(token_id, tokenizer.token(token_id))
        rows.append((_isolated(inside + word[start:]), chip, shown or "–"))
    return rows


def _isolated(text: str) -> str:
    """A piece wrapped so that it keeps its own text direction in a line of others."""
    return text if text.isascii() else f"\u2068{text}\u2069"


# -- the lattice -------------------------------------------------------------------------------------------------


def _unigram(run: Unigram, word: str, step: int) -> Iterator[WhyPart]:
    model, text = run.model(step), marked(word)
    yield from _lattice(model.lattice(text), model.segmentations(text, _PATHS), text, run.chip, "unigram", _as_unknown)


def _lattice(
    edges: Sequence[LatticeEdge],
    paths: Sequence[Segmentation],
    text: str,
    chip: Callable[[str], Chip],
    key: str,
    becomes: Callable[[Sequence[str]], str],
) -> Iterator[WhyPart]:
    """The lattice with its best paths; `becomes`: describes the result for characters without a piece."""
    lattice = Lattice.of(edges, len(text), chip)
    yield WhyPart("lattice", lattice_frame(lattice, label=_("The lattice of the word")), f"algorithms lattice {key}")
    if not paths:
        yield _note(
            _(
                "The whole word is {token}: it holds a character that is not a piece, so no path leads through.",
                token=UNKNOWN,
            )
        )
        return
    missing = {edge.piece: edge.score for edge in edges if edge.unknown and edge.chosen}
    if missing:
        yield _note(_no_pieces(list(missing), becomes(list(missing)), max(missing.values())))
    yield _caption(_("Thick: the best path. Solid: the best to its end. Below: best sums."))
    yield _drawn_table(
        Table(
            Column(message("Best paths"), ["|".join(path.pieces) for path in paths]),
            Column(message("Sum"), [path.score for path in paths], "number", digits=2),
            Column("", [_("best"), *(f"+{path.score - paths[0].score:.2f}" for path in paths[1:])]),
        ),
        f"algorithms paths {key}",
        36 * 4,
        _("The best paths through the lattice"),
        current=0,
    )
