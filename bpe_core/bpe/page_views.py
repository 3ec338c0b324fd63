"""A training as a page that plays by itself: its steps, recorded as frames of the views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bpe_core import checks
from bpe_core.arrays import Int64s
from bpe_core.bpe import compiled, plain
from bpe_core.bpe.corpus import Learned
from bpe_core.bpe.curve_texts import curve_words, parting_steps
from bpe_core.bpe.engine import engine_for
from bpe_core.bpe.merge_rows import merges_options, merges_table
from bpe_core.bpe.settings_words import settings_line
from bpe_core.bpe.snapshot import Snapshot
from bpe_core.bpe.step_sentences import made_by, origin_of, step_story
from bpe_core.bpe.step_tables import candidates_frame, changes_frame
from bpe_core.bpe.text_symbols import symbols_body
from bpe_core.bpe.training_step import Forks, TrainingStep, examples_of, step_text
from bpe_core.kernels.backend import warm_up
from bpe_core.language import _, message, n_, translate
from bpe_core.page.cell import MOST_BYTES, CellValue
from bpe_core.page.html import Page, page_html, write_page
from bpe_core.page.packing import opened
from bpe_core.payloads.frames import Body, frame, symbols_key, unseen_names
from bpe_core.payloads.sentences import story_frame
from bpe_core.payloads.tables import table_frame
from bpe_core.tokenizer.trees import Tree, tree_frame

if TYPE_CHECKING:
    from bpe_core.bpe.training import Training

MOST_MERGES = 2_000
"""Limit on the recorded merges: each adds about a kilobyte."""

_LEAST_OFFERED, _SYMBOLS_RECORDED = 50, 60_000_000
"""Number of merges offered for every training, and limit of word symbols to read, over all steps, to offer more."""

_EMPTY_PAGE = 112_000
"""Size in bytes of a page without merges."""

_MOST_BYTES_A_MERGE = 700

_SYMBOLS_IN_A_CELL = 10_000_000
"""Limit of word symbols to read, over all steps, while a notebook waits."""

LONGEST_TEXT = 3_000
"""Characters of the text that the page shows; its counts are of the whole text."""

TITLE = message("A tokenizer trained merge by merge")

_SPEEDS = (0.5, 1, 2, 5, 20)
_TEXT, _STORY, _CANDIDATES, _CHANGES, _MERGES = (
    "text view",
    "story",
    "candidates table",
    "changes table",
    "merge table",
)
"""Keys of the views, as in frontend/src/recorded/main.ts."""

_TREE_HEIGHT, _POINTS = 262, 400


class Beside(NamedTuple):
    """A training whose curves are drawn dashed next to those of a page, and the caption that says so.

    >>> Beside._fields
    ('training', 'says')
    """

    training: Training
    says: str


def training_page(
    training: Training,
    title: str,
    *,
    merges: int = MOST_MERGES,
    step: int = 0,
    forks: Forks = (),
    beside: Beside | None = None,
    cell: bool = False,
) -> Page:
    """A page of a training's first `merges` merges in the current language, which opens at `step`.

    `forks`: the merges chosen by hand instead of by the rule. `beside`: a training to compare with. `cell`: whether it
    is the output of a notebook's cell.

    >>> from bpe_core import TrainConfig, train
    >>> page = training_page(train("low low lower", TrainConfig(vocab_size=258)), "Low")
    >>> page.title, page.facts[:5]
    ('Low', 'Bytes')
    """
    played = training_recording(training, merges=merges, step=step, forks=forks, beside=beside)
    recording = {**played, "cell": cell}
    return Page(title or translate(TITLE), training_facts(training, merges, forks), recording)


def training_facts(training: Training, merges: int, forks: Forks = ()) -> str:
    """Line below the heading of a page: the settings, and how many merges it has.

    >>> from bpe_core import TrainConfig, train
    >>> training_facts(train("low low lower", TrainConfig(vocab_size=258)), 1).endswith("the first 1 of 2 merges")
    True
    """
    last = min(merges, MOST_MERGES, len(training.merges))
    base = "" if training.base is None else training.base.name
    return f"{settings_line(training.config, forks, base)} · {_merges(last, len(training.merges))}"


def training_recording(
    training: Training, *, merges: int = MOST_MERGES, step: int = 0, forks: Forks = (), beside: Beside | None = None
) -> dict[str, Any]:
    """Recording of a training for its page, see recording.ts; the parameters are those of `training_page`.

    >>> from bpe_core import TrainConfig, train
    >>> len(training_recording(train("low low lower", TrainConfig(vocab_size=258)))["steps"])
    3
    """
    last = min(merges, MOST_MERGES, len(training.merges))
    start = TrainingStep(training, 0, forks)
    symbols = symbols_body(training.symbols(0, LONGEST_TEXT), training.config.end_of_word)
    return {
        "kind": "training",
        "name": start.name_of_training,
        "step": min(step, last),
        "speeds": _SPEEDS,
        "fixed": {
            symbols_key(_TEXT): frame(unseen_names(training.text[:LONGEST_TEXT]), symbols),
            _MERGES: _merge_table(start, last),
        },
        "steps": [_frames(each, symbols) for each in _steps(start, last)],
        "tokens": _tokens(start, last),
        "curves": _curves(training, last, beside) if training.merges else None,
    }


class ShownTraining(CellValue):
    """Content of `Training.player`: the first merges are recorded in its page, the others requested step by step.

    Raises CorpusError for a training without a text, as `Training.window` does.

    >>> from bpe_core import TrainConfig, train
    >>> shown = ShownTraining(train("low low lower", TrainConfig(vocab_size=258)))
    >>> shown.last, shown.page(1)[:9], shown.card()[:22]
    (2, '<!doctype', '<div class="bpe-lab"><')
    >>> shown.answer("token", 257)["token"][0], list(shown.answer("merges", 0)["fixed"]), shown.answer("step", -1)
    (257, ['merge table'], None)
    """

    def __init__(self, training: Training) -> None:
        self._start = TrainingStep(training, 0)
        self._symbols = symbols_body(training.symbols(0, LONGEST_TEXT), training.config.end_of_word)

    @property
    def last(self) -> int:
        """The last step."""
        return self._start.last

    def page(self, step: int) -> str:
        """HTML of the page with as many merges as a notebook keeps."""
        training = self._start.training
        most = _SYMBOLS_IN_A_CELL // max(1, symbols_of(training))
        merges = min(most, (MOST_BYTES - _EMPTY_PAGE) // _MOST_BYTES_A_MERGE)
        return page_html(lambda: training_page(training, "", merges=merges, step=step, cell=True))

    def card(self) -> str:
        """HTML of the first and last merges."""
        return self._start.training._repr_html_()

    def answer(self, want: str, of: int) -> dict[str, Any] | None:
        """Frames of a step or a token, or the table of the first merges."""
        start = self._start
        found: dict[str, Any] = {}
        if want == "step" and 0 <= of <= self.last:
            found = {"frames": [of, _frames(start.at(of), self._symbols)]}
        elif want == "token" and 0 <= of < start.training.vocab_size:
            found = {"token": [of, _token(start, of)]}
        elif want == "merges":
            found = {"fixed": {_MERGES: _merge_table(start, min(self.last, MOST_MERGES))}}
        return opened(found) or None


def merges_offered(training: Training) -> int:
    """Number of merges offered for a page of a training: as many as can be recorded in a few seconds.

    >>> from bpe_core import TrainConfig, train
    >>> merges_offered(train("low low", TrainConfig(vocab_size=258)))
    2
    """
    return min(
        len(training.merges), MOST_MERGES, max(_LEAST_OFFERED, _SYMBOLS_RECORDED // max(1, symbols_of(training)))
    )


def symbols_of(training: Training) -> int:
    """Symbols of the distinct words at step 0.

    >>> from bpe_core import TrainConfig, train
    >>> symbols_of(train("low low", TrainConfig(vocab_size=258)))  # "low", " low"
    7
    """
    return len(training.at(0).corpus.ids)


def page_bytes(merges: int, symbols: int, languages: int = 1) -> int:
    """About the size of a page with this many merges in so many languages, in bytes.

    `symbols`: of the distinct words at step 0. The formula was fitted to samples and to corpora of up to a megabyte:
    a merge changes more pairs where there are more symbols, and later merges change fewer.

    >>> page_bytes(256, 750), page_bytes(256, 750, languages=3), page_bytes(65, 920_000)
    (185358, 272717, 278734)
    """
    others = languages - 1
    recorded: float = 205 * symbols**0.26 * merges**0.75
    return _EMPTY_PAGE + 7_000 * others + round(recorded * (1 + 0.5 * others))


def write_training_page(
    training: Training, path: str | Path, *, title: str, language: str | Sequence[str], merges: int, step: int
) -> None:
    """Implementation of `Training.to_html`.

    >>> from bpe_core import TrainConfig, train
    >>> write_training_page(train("low"), "a", title="", language="en", merges=0, step=0)
    Traceback (most recent call last):
    bpe_core.errors.ConfigError: merges is 0. It takes a whole number of 1 or more. Correct it.
    """
    most = checks.whole_number(merges, "merges", 1)
    at = checks.step_number(step, len(training.merges))
    write_page(path, lambda named: training_page(training, named, merges=most, step=at), title=title, language=language)


def _steps(start: TrainingStep, last: int) -> Iterator[TrainingStep]:
    """The steps from the start on, each computed from the one before it, because `Training.at` replays all merges."""
    training, step = start.training, start
    if training.config.method != "bpe":  # the words themselves change
        yield from (start.at(number) for number in range(last + 1))
        return
    if engine_for(len(start.snapshot.corpus.ids) * last) is compiled:
        warm_up()  # each step alone would be small enough for plain Python
    yield step
    for merge in training.merges[:last]:
        before, number = step.snapshot, merge.rank + 1
        applied = Learned(np.array([[merge.left, merge.right, 0, 0]], np.int64))
        following = training.merges[number] if number < len(training.merges) else None
        step = start.at(number)
        step.before = before
        step.snapshot = replace(
            before,
            step=number,
            merge=merge,
            corpus=plain.replay(before.corpus, applied, 1, merge.token_id),
            next_pair=(following.left, following.right) if following else None,
            before=partial(_same, replace(before, before=None)),  # otherwise each would keep all earlier ones in memory
        )
        yield step


def _same(snapshot: Snapshot) -> Snapshot:
    return snapshot


def _merges(shown: int, all_merges: int) -> str:
    if shown < all_merges:
        return _("the first {shown:,} of {all:,} merges", shown=shown, all=all_merges)
    return n_("{count:,} merge", "{count:,} merges", all_merges)


def _frames(step: TrainingStep, symbols: Body) -> dict[str, bytes]:
    """Frames of the views that change with every step."""
    shown, whole, caption = LONGEST_TEXT, len(step.text), ""
    if whole > shown:
        caption = _("The first {shown:,} of {all:,} characters; counts are of the whole text.", shown=shown, all=whole)
    return {
        _TEXT: step_text(step, symbols, key=_TEXT, caption=caption),
        _STORY: step_story(step),
        _CANDIDATES: candidates_frame(step, _CANDIDATES),
        _CHANGES: changes_frame(step, _CHANGES),
    }


def _merge_table(step: TrainingStep, last: int) -> bytes:
    by_hand = {number for number, _left, _right in step.forks}
    table = merges_table(step.training, step.tokenizer, range(last), examples_of(step.text), by_hand)
    options = merges_options(step.name_of_training)
    return table_frame(table, key=_MERGES, moving=True, **options)


def _curves(training: Training, last: int, beside: Beside | None) -> dict[str, Any]:
    """Tokens of the text at every recorded step and at some of the others, with the texts of both curves."""
    steps = np.union1d(np.arange(last + 1), _drawn_steps(training))
    words = curve_words(by_bytes=training.config.unit == "byte")
    return {
        "words": [[translate(each) if isinstance(each, str) else each for each in of] for of in words],
        "units": round(training.compression(0) * training.token_count(0)),
        "steps": steps.tolist(),
        "tokens": [training.token_count(step) for step in steps.tolist()],
        "beside": _beside(training, *beside) if beside else None,
    }


def _beside(shown: Training, training: Training, says: str) -> dict[str, Any]:
    steps = parting_steps(shown, training, _drawn_steps(training).tolist())
    return {"says": says, "steps": steps, "tokens": [training.token_count(step) for step in steps]}


def _drawn_steps(training: Training) -> Int64s:
    last = len(training.merges)
    return np.linspace(0, last, min(last + 1, _POINTS)).round().astype(np.int64)


def _tokens(step: TrainingStep, last: int) -> dict[int, dict[str, Any]]:
    """Origin of each token that the page shows, by id."""
    first_new = step.training.vocab_size - step.last
    ids = [*np.unique(step.snapshot.corpus.ids).tolist(), *range(first_new, first_new + last)]
    return {token_id: _token(step, token_id) for token_id in ids}


def _token(step: TrainingStep, token_id: int) -> dict[str, Any]:
    root = step.training.tree(token_id)
    story = story_frame(None, [origin_of(step, root)], label=_("Where this token comes from"))
    tree = None
    if root.left is not None:
        drawn = Tree.of(root, step.chip, made_by)
        tree = tree_frame(drawn, "token tree", height=_TREE_HEIGHT, pick=True)
    return {"merge": None if root.rank is None else root.rank + 1, "says": story, "tree": tree}
