"""BPE training: its merges, and the state of the corpus at any step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from operator import getitem
from typing import cast

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.bpe.base_words import counted_words
from bpe_core.bpe.config import TrainConfig, checked_config
from bpe_core.bpe.corpus import Corpus, Learned, Plan, Progress, StopReason, checked_forced, stop_reason, words_and_text
from bpe_core.bpe.costs import VocabularyCost, cost_of, doublings, uses_by_step
from bpe_core.bpe.crossing import Crossing
from bpe_core.bpe.engine import engine_for, engine_of, ignore_progress
from bpe_core.bpe.figure_views import training_figure
from bpe_core.bpe.growth import GrownVocabulary, grown_settings
from bpe_core.bpe.html_views import training_html
from bpe_core.bpe.merge_tables import PairMerges
from bpe_core.bpe.model import BpeModel
from bpe_core.bpe.snapshot import Merge, Snapshot
from bpe_core.bpe.tables import merge_table
from bpe_core.bpe.text_symbols import TextSymbols
from bpe_core.bpe.token_places import ranges_of_tokens
from bpe_core.bpe.training_pages import TrainingPages
from bpe_core.bpe.vocabulary import BaseVocabulary, TrainingBase, all_tokens, base_vocabulary, sizes_of
from bpe_core.bpe.word_places import FirstText, TextWindow
from bpe_core.display.library import Figure
from bpe_core.display.training_figures import MergeData
from bpe_core.language import message
from bpe_core.text.files import Text
from bpe_core.text.splits import Split
from bpe_core.text.word_counts import WordCounts
from bpe_core.tokenizer.model import TokenNode, token_tree
from bpe_core.tokenizer.tables import DataFrame
from bpe_core.tokenizer.token_ranges import check_listed, first_tokens
from bpe_core.tokenizer.tokenizer import TRAINED, Tokenizer


def train(
    texts: Text | Iterable[Text] | WordCounts,
    config: TrainConfig | None = None,
    *,
    base: Tokenizer | None = None,
    forced: Sequence[tuple[int, int]] = (),
    on_progress: Progress | None = None,
) -> Training:
    """Train on one or many texts, given as str, as file paths, or as WordCounts.

    Merges never cross words or texts. Texts are read one by one, files in blocks: memory grows with the distinct words,
    not with the corpus. WordCounts give the same merges, but no `text` to show.

    `base`: a BPE tokenizer to continue from. Its ids are kept, the new merges come after its own, and its
    normalization and split are used; of `config`, only vocab_size, tie_break and min_count then apply.

    `forced`: pairs (left id, right id) to merge first, whatever their counts. `on_progress(done, total)` is called
    periodically with numbers of merges; an exception raised in it cancels the training. Raises CorpusError for anything
    that is not text, and ConfigError if the vocabulary is too small for the text, a forced pair is impossible, or the
    words were counted with another split or normalization, or training cannot continue from `base`. A text without
    pairs, such as the empty one, gives a training without merges.

    Source: Sennrich, Haddow and Birch (2016); see reference.py for the algorithm in its plainest form.

    >>> training = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259))
    >>> [(merge.left, merge.right, merge.token_id, merge.count) for merge in training.merges]
    [(97, 97, 256, 4), (256, 97, 257, 2), (257, 98, 258, 2)]
    >>> from bpe_core import load_pretrained
    >>> grown = train("lanterns, lanterns", TrainConfig(vocab_size=50_259), base=load_pretrained("gpt2")).tokenizer()
    >>> grown.tokenize("lanterns"), grown.encode("lanterns").ids.tolist()
    (['lanterns'], [50258])
    """
    config = checked_config(config) if base is None else grown_settings(base, checked_config(config))
    checks.callback(on_progress)
    if config.method != "bpe":
        from bpe_core.bpe.across_words import train_across

        return train_across(texts, config, base, forced, on_progress)
    if base is not None:
        grown = GrownVocabulary(base)
        words = counted_words(grown, texts, config)
        return learn_merges(config, grown, words.corpus, forced, on_progress, words.surrogates, words.text)
    counts, text = words_and_text(texts, config)
    symbols = base_vocabulary(config, [counts.text.decode()])
    return learn_merges(config, symbols, Corpus.of_words(symbols, counts), forced, on_progress, counts.surrogates, text)


class Training(Crossing, TrainingPages):
    """Result of a training. Immutable, so sessions can share it.

    config       settings
    stop_reason  "vocabulary full", "no pairs left" or "below min_count"
    surrogates   number of lone surrogates replaced in the texts

    >>> training = train("low low lower lowest", TrainConfig(vocab_size=260))
    >>> [training.token_count(step) for step in range(len(training.merges) + 1)]
    [20, 16, 12, 9, 7]
    >>> training.vocab_size, training.compression(4), training.at(1).words(1)
    (260, 2.857142857142857, [((256, 119), 1)])
    >>> training.fork(1, (101, 114)).merges[1].count, training.figure().data[0].y
    (1, (20, 16, 12, 9, 7))
    >>> training.tokenizer(2).encode("low").ids.tolist(), training.tree(257).rank
    ([257], 1)
    """

    def __init__(
        self,
        config: TrainConfig,
        base: TrainingBase,
        corpus: Corpus | Callable[[], Corpus],
        learned: Learned,
        stop_reason: StopReason,
        surrogates: int,
        text: FirstText,
    ) -> None:
        """Use `train` or `fork` instead."""
        self.config = config
        self.stop_reason = stop_reason
        self.surrogates = surrogates
        self._base = base
        self._given_corpus = corpus
        self._learned = learned
        self._text = text
        self._rows = learned.rows
        self._first_id = len(base)

    def __repr__(self) -> str:
        return f"<Training: {len(self.merges):,} merges, {self.stop_reason}>"

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """The merges in order."""
        return tuple(
            Merge(rank, left, right, self._first_id + rank, count)
            for rank, (left, right, count, _) in enumerate(self._rows.tolist())
        )

    @property
    def base(self) -> Tokenizer | None:
        """Tokenizer that the training continues from; None for one that begins with bytes or characters.

        >>> train("low low").base is None
        True
        """
        return self._base.tokenizer if isinstance(self._base, GrownVocabulary) else None

    @property
    def first_id(self) -> int:
        """Id that the first merge makes: the number of ids before any merge.

        >>> train("low low").first_id
        256
        """
        return self._first_id

    @property
    def vocab_size(self) -> int:
        """Number of ids: special tokens, base symbols and merges."""
        return self._first_id + len(self._rows)

    def token_count(self, step: int) -> int:
        """Tokens of the training text after `step` merges."""
        return int(self._token_counts[self._checked_step(step)])

    def compression(self, step: int) -> float:
        """Bytes (characters, for a character vocabulary) of the training text per token; 0.0 if it is empty."""
        tokens = self.token_count(step)
        return self._units / tokens if tokens else 0.0

    def sweep(self, steps: Sequence[int] | None = None) -> list[VocabularyCost]:
        """Cost and benefit of the vocabularies of these steps on the training text: one training, many sizes.

        `steps`: numbers of merges; None for 0, 1, 2, 4, … and the last. A training with `n` merges makes the same first
        `n` merges, so separate trainings give the same costs. Raises ConfigError for a step that does not exist.

        >>> [(cost.vocab_size, cost.tokens) for cost in train("low low lower", TrainConfig(vocab_size=259)).sweep()]
        [(256, 13), (257, 10), (258, 7), (259, 5)]
        """
        if steps is None:
            steps = doublings(len(self._rows))
        asked = [self._checked_step(step) for step in checks.sequence(steps, "steps", message("numbers of merges"))]
        uses = uses_by_step(self._corpus, self._rows, self._first_id, asked)
        special = len(self._base.special_tokens)
        return [cost_of(self, step, uses[step], special) for step in asked]

    def at(self, step: int) -> Snapshot:
        """State after `step` merges, rebuilt on demand, in any order. Raises ConfigError outside of 0 … len(merges)."""
        number = self._checked_step(step)
        following = self.merges[number] if number < len(self.merges) else None
        return Snapshot(
            step=number,
            merge=self.merges[number - 1] if number else None,
            corpus=engine_of(self._learned).replay(self._corpus, self._learned, number, self._first_id),
            tie_break=self.config.tie_break,
            counted=self._learned.counted,
            next_pair=(following.left, following.right) if following else None,
            before=partial(self.at, number - 1) if number else None,
            token_bytes=cast("Callable[[int], bytes]", partial(getitem, self._tokens)),
        )

    def fork(self, step: int, pair: tuple[int, int], *, on_progress: Progress | None = None) -> Training:
        """Training with the first `step` merges, then `pair`, then merges by the rule.

        `on_progress`: as for `train`. Raises ConfigError for a step or a pair that does not exist.
        """
        number = self._checked_step(step)
        checks.callback(on_progress)
        pairs = [*((merge.left, merge.right) for merge in self.merges[:number]), pair]
        return learn_merges(self.config, self._base, self._corpus, pairs, on_progress, self.surrogates, self._text)

    @property
    def text(self) -> str:
        """First of the training texts, normalized; `window` gives the tokens of a part of it.

        "" for a training on WordCounts, and for a text of more than 10,000,000 characters, which is not kept.

        >>> train(["Low", "lower"], TrainConfig(lowercase=True)).text
        'low'
        """
        return self._text.text

    def first_place(self, step: int) -> int | None:
        """Offset in `text`, in characters, of the first word that the merge of a step changed.

        None for step 0, and if only later texts contain such a word. Raises ConfigError for a step that does not exist,
        and CorpusError as `window` does.

        >>> training = train("low lower low", TrainConfig(vocab_size=260))
        >>> [training.first_place(step) for step in range(5)]
        [None, 0, 0, 3, 3]
        """
        number = self._checked_step(step)
        changed = np.flatnonzero(self._joined_at == number - 1) if number else np.empty(0, np.int64)
        if not changed.size:
            return None
        places = self._text.places
        found = np.flatnonzero(places.words == np.searchsorted(self._corpus.offsets, changed[0], side="right") - 1)
        return places.character_starts.searchsorted(places.starts[found[0]]).item() if found.size else None

    def window(self, step: int, start: int = 0, size: int = 20_000) -> TextWindow:
        """Tokens of a part of `text` after `step` merges.

        `start`, `size`: characters. Only whole tokens are included: from the first token that begins a character at
        `start` or later, to the last that ends one. They equal those of `tokenizer(step).encode(text)`, but nothing is
        encoded again: what is computed on first use, in eight bytes per word, gives the part at any step.

        Raises ConfigError for a step that does not exist and for numbers that are not whole, and CorpusError if the
        first text has more than 10,000,000 characters or the training had WordCounts instead of texts.

        >>> training = train("low low lower lowest", TrainConfig(vocab_size=258))
        >>> window = training.window(2, start=3, size=7)
        >>> window.text, window.ids.tolist(), window.starts.tolist()
        (' low ', [32, 257, 32], [0, 1, 4])
        """
        number = self._checked_step(step)
        return self.symbols(start, size).at(number)

    def symbols(self, start: int = 0, size: int = 20_000) -> TextSymbols:
        """A part of `text` in base symbols, with the merge that joined each: its tokens at all steps.

        `start`, `size`: characters. Raises as `window` does, which gives the tokens of one step.

        >>> symbols = train("low low", TrainConfig(vocab_size=258)).symbols(0, 3)
        >>> symbols.ids.tolist(), symbols.joined.tolist()[1:], symbols.at(1).ids.tolist()
        ([108, 111, 119], [0, 1], [256, 119])
        """
        if type(start) is not int or type(size) is not int:
            start, size = (checks.whole_number(each, what, None) for each, what in ((start, "start"), (size, "size")))
        part = (max(start, 0), max(start, 0) + max(size, 0))
        return TextSymbols.of(self._text.places, self._corpus, self._joined_at, self._base_sizes, part, self._first_id)

    def tokenizer(self, step: int | None = None) -> Tokenizer:
        """Return the tokenizer of the first `step` merges (all if None). Raises ConfigError for any other step."""
        number = self._checked_step(len(self._rows) if step is None else step)
        tokens = first_tokens(self._tokens, self._first_id + number, unused=self._base.without_bytes)
        made = self._made.first(number)
        if isinstance(self._base, GrownVocabulary):
            return self._base.tokenizer_with(tokens, made.pairs)
        model = BpeModel(cast("BaseVocabulary", self._base), tokens, made, unit=self.config.unit)
        return Tokenizer(
            TRAINED,
            model=model,
            normalizer=self.config.normalizer,
            split=Split(self.config.split),
            decoder=model.decoder,
            special_tokens=self._base.special_tokens,
            config=self.config,
        )

    def tree(self, token_id: int) -> TokenNode:
        """Merge tree of a token, down to the base symbols of the training; ranks count its merges from 0."""
        return token_tree(checks.whole_number(token_id, "token_id", 0, self.vocab_size - 1), self._made)

    @cached_property
    def _made(self) -> PairMerges:
        """The merges of the training, without those of `base`."""
        return PairMerges([(left, right) for left, right in self._rows[:, :2].tolist()], self._first_id)

    def table(self) -> DataFrame:
        """The merges as a pandas DataFrame, one row per merge; the index `rank` starts at 0.

        left, right, token_id                int32: ids of the pair and of the new token
        left_bytes, right_bytes, token_bytes object: their bytes
        left_text, right_text, token_text    str: the bytes as text; missing (NaN) if not whole characters
        count                                int64: count of the pair when it was merged
        tokens                               int64: tokens of the training text after the merge
        compression                          float64: bytes (characters, for a character vocabulary) per token after it

        Raises CorpusError if the tokens have more than 16,000,000 bytes together.

        >>> table = train("low low lower lowest", TrainConfig(vocab_size=258)).table()
        >>> table[["left_text", "right_text", "token_text", "count", "tokens"]].values.tolist()
        [['l', 'o', 'lo', 4, 16], ['lo', 'w', 'low', 4, 12]]
        """
        check_listed(self._tokens)
        return merge_table(self._rows[:, :3], self._tokens, self._token_counts[1:], self._units)

    def figure(
        self, name: str = "tokens", *, theme: str = "light", tokenizers: Mapping[str, Tokenizer] | None = None
    ) -> Figure:
        """Plotly figure: "tokens" over the merges, "counts" of the merges, or the "cost" of each vocabulary size.

        `theme`: see `Encoding.svg`. `tokenizers`: drawn next to the cost. Raises ConfigError for other values.
        """
        data = MergeData(self._rows[:, :3], self._tokens, self._token_counts, self._units, self.config.unit == "byte")
        return training_figure(self, data, name, theme, tokenizers)

    @property
    def _units(self) -> int:
        """Bytes or characters of the training text."""
        if isinstance(self._base, GrownVocabulary):
            return self._base.units(self._corpus)
        return self.token_count(0) - (0 if self._base.mark_id is None else int(self._corpus.counts.sum()))

    def _repr_html_(self) -> str:
        """The first and last merges as a table, for a notebook."""
        last = len(self._rows)
        counts = self.token_count(0), self.token_count(last), self.compression(last)
        return training_html(self._rows[:, :3], self._tokens, self._token_counts[1:], counts, self.stop_reason)

    @cached_property
    def _corpus(self) -> Corpus:
        """The distinct words in base symbols."""
        return self._given_corpus() if callable(self._given_corpus) else self._given_corpus

    @cached_property
    def _tokens(self) -> Sequence[bytes]:
        """Bytes of every id: one by one, or as ranges of the words if they are many."""
        listed = all_tokens(self._base, self._rows[:, :2].tolist())
        if listed is not None:
            return listed
        return cast("Sequence[bytes]", ranges_of_tokens(self._base, self._corpus, self._rows[:, :2], self._joined_at))

    @cached_property
    def _joined_at(self) -> npt.NDArray[np.int32]:
        """Rank of the merge that joined each symbol of the distinct words to the one before it."""
        return engine_of(self._learned).joined_at(self._corpus, self._learned, self._first_id)

    @cached_property
    def _base_sizes(self) -> npt.NDArray[np.int64]:
        """Bytes of text that each base symbol covers; 0 for an end-of-word mark."""
        base = self._base
        return base.sizes if isinstance(base, GrownVocabulary) else sizes_of(base)

    @cached_property
    def _token_counts(self) -> npt.NDArray[np.int64]:
        """Tokens of the training text at every step."""
        return self._corpus.token_count - np.concatenate(([0], np.cumsum(self._rows[:, 3])))

    def _checked_step(self, step: object) -> int:
        if type(step) is int and 0 <= step <= len(self._rows):
            return step
        return checks.step_number(step, len(self._rows))


def learn_merges(
    config: TrainConfig,
    base: TrainingBase,
    corpus: Corpus,
    forced: Sequence[tuple[int, int]],
    on_progress: Progress | None,
    surrogates: int,
    text: FirstText,
) -> Training:
    """Training on a corpus.

    >>> base, text = base_vocabulary(TrainConfig(), []), FirstText("", Split("none"))
    >>> learn_merges(TrainConfig(), base, Corpus.of([[97, 98]], [1]), (), None, 0, text).stop_reason
    'no pairs left'
    """
    first_id = len(base)
    most = config.vocab_size - first_id
    alone = base.alone if isinstance(base, GrownVocabulary) else base.without_bytes
    pairs = checked_forced(forced, first_id, alone, most)
    plan = Plan(first_id, most, config.tie_break, config.min_count, pairs)
    learned = engine_for(len(corpus.ids) * most).learn(corpus, plan, on_progress or ignore_progress)
    return Training(config, base, corpus, learned, stop_reason(corpus, learned, most), surrogates, text)
