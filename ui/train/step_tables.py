"""Tables of a step beside the text: its distinct words with their counts, and the vocabulary so far."""

from __future__ import annotations

import numpy as np

from bpe_core.bpe.training_step import TEXT_HEIGHT
from bpe_core.language import _, message, n_, term
from bpe_core.payloads.captions import Captions
from bpe_core.payloads.chips import LONGEST_WORD, Column, Table, Word
from bpe_core.payloads.tables import table_frame
from ui import cache
from ui.session import training as state
from ui.session.elsewhere import show_on_encode
from ui.session.limits import LONGEST_TEXT
from ui.session.navigation import GO_TO_PAGE
from ui.session.tokenizer_choice import TRAINED
from ui.train.step import Step
from ui.views.token_table import relayed_table

_WORDS, _VOCABULARY, _PAIRS = "words table", "vocabulary table", "pairs table"
_MOST_WORDS, _MOST_TOKENS, _MOST_PAIRS = 200, 400, 400
"""Maximum numbers of rows; each costs time at every step."""


def show_words(step: Step) -> None:
    """Draw an empty table; a relay fills it. A click on a row opens its word on Encode."""
    relayed_table(_WORDS, lambda row, _rev, _seen: _encode(step, row))


def words_frames(step: Step) -> dict[str, bytes]:
    """Frame of the text's most frequent distinct words, in the tokens of the step."""
    return {_WORDS: step.once(_WORDS, lambda: _words(step))}


def _words(step: Step) -> bytes:
    counts = step.snapshot.corpus.counts
    words = step.snapshot.frequent_words(_MOST_WORDS)
    cells = [Word(tuple(map(step.chip, word[:LONGEST_WORD])), max(0, len(word) - LONGEST_WORD)) for word, _n in words]
    table = Table(
        Column(message("Word"), cells, "chip"),
        Column(message("Count"), [count for _word, count in words], "number"),
        Column(term("number", "Tokens"), [len(word) for word, _count in words], "number"),
    )
    total, distinct = int(counts.sum()), len(counts)
    cut = _("The {shown:,} most frequent. Pairs are counted within these words only.", shown=_MOST_WORDS)
    return table_frame(
        table,
        key=_WORDS,
        height=TEXT_HEIGHT,
        label=_("Distinct words of the training text"),
        captions=Captions(
            n_("{count:,} word", "{count:,} words", total),
            _("{distinct:,} distinct", distinct=distinct) + "\n" + _("click one to encode it"),
            cut if distinct > _MOST_WORDS else _("Pairs are counted within these words only."),
        ),
        tells=True,
        none=_("The text has no words."),
    )


def _encode(step: Step, row: int) -> None:
    """Open the word of a row on Encode; a row has the same word at every step."""
    words = step.snapshot.frequent_words(_MOST_WORDS)
    if row < len(words):
        show_on_encode(TRAINED, step.tokenizer.decode(words[row][0])[:LONGEST_TEXT], 0)
        GO_TO_PAGE.set("encode")


def show_vocabulary(step: Step) -> None:
    """Draw an empty table; a relay fills it. A click on a row opens its token."""
    relayed_table(_VOCABULARY, lambda row, _rev, seen: _open(step, row, seen))


def vocabulary_frames(step: Step) -> dict[str, bytes]:
    """Frame of the vocabulary at the step: special tokens, base symbols of the text, and tokens made by merges."""
    return {_VOCABULARY: step.once(_VOCABULARY, lambda: _vocabulary(step))}


def _vocabulary(step: Step) -> bytes:
    ids, first_new = _ids(step), step.training.first_id
    is_whole = len(ids) == first_new + step.number
    occurring, counts = step.snapshot.occurrences()
    uses = np.bincount(occurring, counts, minlength=first_new + step.number).astype(np.int64)
    special = set(step.tokenizer.special_tokens.values())
    base = _("base symbol") if step.training.base is None else step.training.base.name

    def origin(token_id: int) -> str:
        if token_id >= first_new:
            return _("merge {number:,}", number=token_id - first_new + 1)
        return _("special token") if token_id in special else base

    table = Table(
        Column(message("Id"), ids, "number"),
        Column(message("Token"), [step.chip(token_id) for token_id in ids], "chip"),
        Column(term("number", "In the text"), [int(uses[token_id]) for token_id in ids], "number"),
        Column(message("Made by"), [origin(token_id) for token_id in ids], tones=["dim"] * len(ids)),
    )
    return table_frame(
        table,
        key=_VOCABULARY,
        height=TEXT_HEIGHT,
        label=_("The vocabulary at this step"),
        captions=Captions(
            n_("{count:,} token", "{count:,} tokens", first_new + step.number),
            _("{base:,} before any merge + {merges:,} merged", base=first_new, merges=step.number),
            "" if is_whole else _("Base symbols that the text does not have are left out."),
        ),
        current=len(ids) - 1 if step.number else None,
        tells=True,
        seen_at=step.number,
        none=_("The text has no symbols."),
    )


def show_pairs(_step: Step) -> None:
    """Draw an empty table; a relay fills it."""
    relayed_table(_PAIRS)


def pairs_frames(step: Step) -> dict[str, bytes]:
    """Frame of every pair with its count, in the order of the text; none while the next merge is being guessed."""
    hidden = state.PREDICTING.get()
    return {_PAIRS: step.once(f"{_PAIRS} {hidden}", lambda: _pairs(step, hidden=hidden))}


def _pairs(step: Step, *, hidden: bool) -> bytes:
    pairs = step.snapshot.pairs
    lefts, rights, counts = (
        column[: 0 if hidden else _MOST_PAIRS].tolist() for column in (pairs.left, pairs.right, pairs.count)
    )
    table = Table(
        Column(message("Pair"), [step.pair(*pair) for pair in zip(lefts, rights, strict=True)], "chip"),
        Column(message("Ids"), [f"{left}, {right}" for left, right in zip(lefts, rights, strict=True)]),
        Column(message("Count"), counts, "number"),
    )
    cut = _("The first {shown:,} in the text.", shown=_MOST_PAIRS) if len(pairs.count) > _MOST_PAIRS else ""
    return table_frame(
        table,
        key=_PAIRS,
        height=TEXT_HEIGHT,
        label=_("Pairs and their counts at this step"),
        captions=Captions(
            n_("{count:,} pair", "{count:,} pairs", len(pairs.count)), _("in the order of the text"), cut
        ),
        pickable=False,
        none=_("Hidden while you guess the next merge.") if hidden else _("No pair is left."),
    )


def _ids(step: Step) -> list[int]:
    """Ids of the rows: the newest of the vocabulary, without base symbols that the text does not have."""
    first_new = step.training.first_id
    start = cache.snapshot(step.source, step.config, 0, step.forks)
    base = sorted({*start.corpus.ids.tolist(), *step.tokenizer.special_tokens.values()})
    return [*base, *range(first_new, first_new + step.number)][-_MOST_TOKENS:]


def _open(step: Step, row: int, seen: int) -> None:
    """Open the token of a row of the table that was drawn at the step `seen`: the player may have moved on."""
    if seen > step.last:
        return
    ids = _ids(step.at(seen))
    if row < len(ids):
        state.OPENED_TOKEN.set(ids[row])
