"""Why each algorithm cuts the word as it does: merges in order, longest matches, and ways through the lattice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from bpe_core import LatticeEdge, Segmentation, WordPieceTokenizer
from bpe_core.sentencepiece_merging import PieceMerge
from bpe_core.split import compile_split, spans
from bpe_core.unigram_tokenizer import marked
from bpe_core.wordpiece_tokenizer import BERT_SPLIT, UNKNOWN_WORD
from ui.algorithms.bpe import Bpe
from ui.algorithms.here import Here
from ui.algorithms.member import piece_chip
from ui.algorithms.sentencepiece import SentencePiece
from ui.algorithms.unigram import Unigram
from ui.algorithms.wordpiece import WordPiece
from ui.lattice_view import Lattice, lattice_view
from ui.layout import heading, side_by_side
from ui.messages import note
from ui.steps_view import WordSteps, steps_view
from ui.steps_view.steps import Row
from ui.token_view import Chip, Column, Table, token_table

_HEIGHT = 400
_WAYS = 8
"""Segmentations that are listed."""

_WAY = "Thick: the best way. Solid: the best way to its end. Below the nodes: the best sum up to there."


def show_reasons(here: Here, word: str) -> None:
    """A card for each algorithm that could be trained."""
    cards = [(member, here.step_of(member)) for member in here.members.values()]
    for at in range(0, len(cards), 2):
        for column, (member, step) in zip(side_by_side(1, 1, key=f"family-why-{at}"), cards[at : at + 2], strict=False):
            with column, st.container(border=True, height="stretch", key=f"why {type(member).__name__}"):
                if isinstance(member, Bpe):
                    _merges(member, word, step)
                elif isinstance(member, WordPiece):
                    _matches(member, word, step)
                elif isinstance(member, Unigram):
                    _unigram(member, word, step)
                elif isinstance(member, SentencePiece):
                    _sentencepiece(member, word, step)


# -- merges ------------------------------------------------------------------------------------------------------


def _merges(member: Bpe, word: str, step: int) -> None:
    heading("BPE: merges in order", "between two tokens the number of their merge; the lowest goes first")
    tokenizer = member.tokenizer(step)
    text = member.with_space(word)
    parts = [text[start:end] for start, end in spans(compile_split(tokenizer.config.split), text)]
    if not parts:
        note("The split drops this word.")
    if len(parts) > 1:
        st.caption(f"The split cuts it into {len(parts)} words first; no merge crosses an edge.")
    for at, part in enumerate(parts):
        steps_view(
            WordSteps.of(tokenizer, part), key=f"family merges {at}", first=1, height=_HEIGHT, label="BPE's merges"
        )


def _sentencepiece(member: SentencePiece, word: str, step: int) -> None:
    if not member.is_bpe:
        heading("SentencePiece: its own lattice", "scores are −log of the library's probabilities")
        text = member.marked(word)
        _lattice(
            member.model.lattice(text),
            member.model.segmentations(text, _WAYS),
            text,
            member.chip,
            "sentencepiece",
            "The library cuts it as <unk>",
        )
        return
    heading("SentencePiece: the highest score first", "between two pieces the rank of what they make")
    steps = member.merges(word, step)
    if not steps or not steps[0].pieces:
        note("Nothing is left of this word after normalization.")
        return
    steps_view(_steps(member, steps), key="family pieces", first=0, height=_HEIGHT, label="SentencePiece's merges")


def _steps(member: SentencePiece, steps: Sequence[PieceMerge]) -> WordSteps:
    """The merges of pieces as the rows that are drawn for BPE."""
    rows = []
    for at, step in enumerate(steps):
        following = steps[at + 1].at if at + 1 < len(steps) else None
        rows.append(
            Row(
                chips=tuple(member.chip(piece) for piece in step.pieces),
                joints=tuple(None if score is None else round(-score) for score in step.scores),
                next=() if following is None else (following,),
                fresh=() if step.at is None else (step.at,),
            )
        )
    return WordSteps(tuple(rows))


# -- the longest match -------------------------------------------------------------------------------------------


def _matches(member: WordPiece, word: str, step: int) -> None:
    heading("WordPiece: the longest match", "from the left, by the vocabulary alone")
    tokenizer = member.tokenizer(step)
    rows = [row for start, end in spans(compile_split(BERT_SPLIT), word) for row in _tried(tokenizer, word[start:end])]
    token_table(
        Table(
            (
                Column("Left to cut", [row[0] for row in rows]),
                Column("Takes", [row[1] for row in rows], "chip"),
                Column("Longer ones, not in the vocabulary", [row[2] for row in rows], tones=["dim"] * len(rows)),
            )
        ),
        key="family matches",
        height=_HEIGHT,
        pickable=False,
        label="WordPiece's longest matches",
    )
    if any(row[1].special for row in rows):
        note(f"Nothing fits there, so the whole word becomes {UNKNOWN_WORD}.")


def _tried(tokenizer: WordPieceTokenizer, word: str) -> list[tuple[str, Chip, str]]:
    """For each match: what was left, the piece, and the longer ones that were tried before."""
    rows = []
    for start, end, token_id in tokenizer.longest_matches(word):
        inside = "##" if start else ""
        longer = [inside + word[start:stop] for stop in range(len(word), end, -1)]
        shown = ", ".join(longer[:3]) + (f" … {len(longer) - 3} more" if len(longer) > 3 else "")
        chip = Chip.of_label(0, UNKNOWN_WORD) if token_id is None else piece_chip(token_id, tokenizer.token(token_id))
        rows.append((inside + word[start:], chip, shown or "–"))
    return rows


# -- the lattice -------------------------------------------------------------------------------------------------


def _unigram(member: Unigram, word: str, step: int) -> None:
    heading("Unigram: the best way through the lattice", "a score is −log of a piece's share; the lowest sum wins")
    model, text = member.model(step), marked(word)
    _lattice(
        model.lattice(text), model.segmentations(text, _WAYS), text, member.chip, "unigram", "The whole word is <unk>"
    )


def _lattice(
    edges: Sequence[LatticeEdge],
    ways: Sequence[Segmentation],
    text: str,
    chip: Callable[[str], Chip],
    key: str,
    otherwise: str,
) -> None:
    if not text:
        note("Nothing is left of this word after normalization.")
        return
    lattice_view(Lattice.of(edges, len(text), chip), key=f"family lattice {key}", label="The lattice of the word")
    if not ways:
        note(f"{otherwise}: it holds a character that is no piece, so no way leads through.")
        return
    st.caption(_WAY)
    token_table(
        Table(
            (
                Column("Best ways", ["|".join(way.pieces) for way in ways]),
                Column("Sum", [way.score for way in ways], "number", digits=2),
                Column("", [f"+{way.score - ways[0].score:.2f}" if at else "best" for at, way in enumerate(ways)]),
            )
        ),
        key=f"family ways {key}",
        height=36 * (_WAYS + 1),
        pickable=False,
        current=0,
        label="The best ways to cut the word",
    )
