"""Cards that explain each algorithm's segmentation of a word."""

from __future__ import annotations

import streamlit as st

from ui.algorithms.shown_step import ShownStep
from ui.runs.algorithm_run import AlgorithmRun, piece_chip
from ui.runs.bpe import Bpe
from ui.runs.picky import Picky
from ui.runs.sentencepiece import SentencePiece
from ui.runs.unigram import Unigram
from ui.runs.wordpiece import WordPiece
from ui.session.algorithms import TITLES
from ui.views.lattice import Lattice, lattice_view
from ui.views.steps import StepRow, WordSteps, steps_view
from ui.views.token_table import token_table_view
from ui.runs.why import WhyPart, why_cards
from ui.views.component import View
from ui.widgets.layout import heading, side_by_side
from ui.widgets.messages import note


def show_reasons(shown: ShownStep, word: str) -> None:
    """Draw a card for each algorithm that could be trained."""
    cards = why_cards([(run, shown.step_of(run)) for run in shown.runs.values()], word)
    for at in range(0, len(cards), 2):
        for column, card in zip(side_by_side(1, 1, key=f"algorithms-why-{at}"), cards[at : at + 2], strict=False):
            with column, st.container(border=True, height="stretch", key=card.key):
                heading(card.title, card.rest)
                for part in card.parts:
                    _show(part)


def _show(part: WhyPart) -> None:
    if isinstance(part.content, bytes):
        View(part.view)(key=part.key, data=part.content)
    elif part.view == "note":
        note(part.content)
    else:
        explanation = _("{first} is no piece, so {becomes}.", first=first, becomes=becomes)
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


def _matches(run: WordPiece, word: str, step: int) -> None:
    heading(_("WordPiece: the longest match"), _("from the left, by the vocabulary alone"))
    tokenizer = run.tokenizer(step)
    rows = [row for part in tokenizer.split.words(word) for row in _tried(tokenizer, part)]
    token_table_view(
        Table(
            (
                Column(message("Remaining"), [row[0] for row in rows]),
                Column(message("Match"), [row[1] for row in rows], "chip"),
                Column(
                    message("Longer ones, not in the vocabulary"), [row[2] for row in rows], tones=["dim"] * len(rows)
                ),
            )
        ),
        key="algorithms matches",
        height=_HEIGHT,
        pickable=False,
        label=_("WordPiece's longest matches"),
    )
    merged = " ".join(map(_isolated, run.by_merges(word, step)))
    st.caption(_("By its merges in order it would be: {pieces}", pieces=merged))
    if any(row[1].special for row in rows):
        note(_("Nothing fits there, so the whole word becomes {token}.", token=UNKNOWN_WORD))


def _tried(tokenizer: Tokenizer, word: str) -> list[tuple[str, Chip, str]]:
    """For each match: the remaining text, the piece, and the longer pieces tried before."""
    rows = []
    for start, end, token_id in tokenizer.model.explain(word):
        inside = "##" if start else ""
        longer = [_isolated(inside + word[start:stop]) for stop in range(len(word), end, -1)]
        shown = ", ".join(longer[:3])
        if len(longer) > 3:
            shown = _("{first} … {more} more", first=shown, more=len(longer) - 3)
        chip = Chip.of_label(0, UNKNOWN_WORD) if token_id is None else piece_chip(token_id, tokenizer.token(token_id))
        rows.append((_isolated(inside + word[start:]), chip, shown or "–"))
    return rows


def _isolated(text: str) -> str:
    """A piece in a line of others, each in its own direction."""
    return text if text.isascii() else f"\u2068{text}\u2069"


# -- the lattice -------------------------------------------------------------------------------------------------


def _unigram(run: Unigram, word: str, step: int) -> None:
    heading(_("Unigram: the best path"), _("the lowest sum of −log shares wins"))
    model, text = run.model(step), marked(word)
    _lattice(model.lattice(text), model.segmentations(text, _PATHS), text, run.chip, "unigram", _as_unknown)


def _lattice(
    edges: Sequence[LatticeEdge],
    paths: Sequence[Segmentation],
    text: str,
    chip: Callable[[str], Chip],
    key: str,
    becomes: Callable[[Sequence[str]], str],
) -> None:
    """Draw the lattice with its best paths; `becomes`: describes the result for characters without a piece."""
    lattice = Lattice.of(edges, len(text), chip)
    lattice_view(lattice, key=f"algorithms lattice {key}", label=_("The lattice of the word"))
    if not paths:
        note(
            _(
                "The whole word is {token}: it holds a character that is not a piece, so no path leads through.",
                token=UNKNOWN,
            )
        )
        return
    missing = {edge.piece: edge.score for edge in edges if edge.unknown and edge.chosen}
    if missing:
        note(_no_pieces(list(missing), becomes(list(missing)), max(missing.values())))
    st.caption(_("Thick: the best path. Solid: the best to its end. Below: best sums."))
    token_table_view(
        Table(
            (
                Column(message("Best paths"), ["|".join(path.pieces) for path in paths]),
                Column(message("Sum"), [path.score for path in paths], "number", digits=2),
                Column("", [_("best"), *(f"+{path.score - paths[0].score:.2f}" for path in paths[1:])]),
            )
        ),
        key=f"algorithms paths {key}",
        height=36 * 4,
        pickable=False,
        current=0,
        label=_("The best paths through the lattice"),
    )
        st.caption(part.content)
