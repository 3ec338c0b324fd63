"""Training that goes on from a tokenizer: its tokens are the base symbols, and new merges come after its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.corpus import Corpus
from bpe_core.bpe.file_symbols import FileSymbols
from bpe_core.bpe.merge_tables import TableMerges
from bpe_core.bpe.model import BpeModel
from bpe_core.bpe.vocabulary import Symbols
from bpe_core.errors import ConfigError, quoted
from bpe_core.kernels.scan import WordTable
from bpe_core.language import message
from bpe_core.text.normalizers import NORMALIZATIONS, Chain, Normalization
from bpe_core.text.splits import Split
from bpe_core.tokenizer.remembered_words import RememberedWords
from bpe_core.tokenizer.tokenizer import Tokenizer


@dataclass(frozen=True, eq=False)
class GrownVocabulary:
    """Tokens of a byte-level BPE tokenizer as the base symbols of a training; see BaseVocabulary.

    tokenizer  encodes each word; its ids are kept, and the first merge makes the id after the highest one

    >>> from bpe_core import load_pretrained
    >>> grown = GrownVocabulary(load_pretrained("gpt2"))
    >>> len(grown.tokens), grown.flat(b"low lowest", np.array([0, 4, 10])).ids.tolist()
    (50257, [9319, 220, 9319, 395])
    """

    tokenizer: Tokenizer
    mark = ""
    mark_id = None

    @property
    def model(self) -> BpeModel:
        """The model that encodes the words.

        >>> from bpe_core import load_pretrained
        >>> GrownVocabulary(load_pretrained("gpt2")).model.kind
        'bpe'
        """
        assert isinstance(self.tokenizer.model, BpeModel)
        return self.tokenizer.model

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """Ids of the special tokens, by their text.

        >>> from bpe_core import load_pretrained
        >>> GrownVocabulary(load_pretrained("gpt2")).special_tokens
        {'<|endoftext|>': 50256}
        """
        return self.tokenizer.special_tokens

    @cached_property
    def tokens(self) -> tuple[bytes, ...]:
        """Bytes of every id, from 0; b"" for an unused one.

        >>> from bpe_core import load_pretrained
        >>> GrownVocabulary(load_pretrained("gpt2")).tokens[-1]
        b'<|endoftext|>'
        """
        size = max(self.tokenizer.ids) + 1
        names = {number: text.encode() for text, number in self.special_tokens.items()}
        known = self.model.tokens
        return tuple(names.get(i) or (known[i] if i < len(known) else None) or b"" for i in range(size))

    @cached_property
    def without_bytes(self) -> frozenset[int]:
        """Ids that no merge joins: those of special tokens, and the unused ones.

        >>> from bpe_core import load_pretrained
        >>> GrownVocabulary(load_pretrained("gpt2")).without_bytes
        frozenset({50256})
        """
        special = self.special_tokens.values()
        return frozenset(i for i, token in enumerate(self.tokens) if not token or i in special)

    def flat(self, words: bytes, offsets: Int64s) -> Symbols:
        """Tokens of many words at once: word w is the UTF-8 words[offsets[w]:offsets[w + 1]].

        >>> from bpe_core import load_pretrained
        >>> GrownVocabulary(load_pretrained("gpt2")).flat(b"lowest", np.array([0, 6])).widths.tolist()
        [3, 3]
        """
        edges = offsets.tolist()
        encoded = self.model.encode_words(WordTable.of(words[start:end] for start, end in pairwise(edges)))
        return Symbols(encoded.words.symbols, encoded.words.offsets, encoded.lengths)

    def units(self, corpus: Corpus) -> int:
        """Bytes of the corpus.

        >>> from bpe_core import load_pretrained
        >>> GrownVocabulary(load_pretrained("gpt2")).units(Corpus.of([[9319, 395]], [2]))
        12
        """
        sizes = np.array([len(token) for token in self.tokens], np.int64)
        return int(sizes[corpus.ids] @ np.repeat(corpus.counts, np.diff(corpus.offsets)))

    @cached_property
    def _merges(self) -> Int32s:
        """The tokenizer's own merges as (left id, right id, new id), by rank."""
        return self.model.merges.table

    def tokenizer_with(
        self, tokens: Sequence[bytes | None], pairs: Sequence[tuple[int, int]], name: str = "trained"
    ) -> Tokenizer:
        """The tokenizer with merges of these pairs after its own; `tokens`: bytes of every id, the new ones last.

        >>> from bpe_core import load_pretrained
        >>> grown = GrownVocabulary(load_pretrained("gpt2"))
        >>> grown.tokenizer_with([*grown.tokens, b"lowest"], [(9319, 395)]).encode("lowest").ids.tolist()
        [50257]
        """
        first = len(self.tokens)
        made = [(left, right, first + rank) for rank, (left, right) in enumerate(pairs)]
        base = self.model.base
        if isinstance(base, FileSymbols):
            names = dict(base.names)
            for left, right, new in made:
                names[new] = names[left] + names[right]
            base = replace(base, ids={**base.ids, **{names[new]: new for _, _, new in reversed(made)}})
        merges = self.model.merges
        rows = np.concatenate((self._merges, np.array(made, np.int32).reshape(-1, 3)))
        table = TableMerges(rows, tokens if merges.takes_wholes else None)
        model = BpeModel(base, tokens, table, unit="byte", aliases=self.model.aliases)
        return self.tokenizer._with(name=name, model=model, config=None, _remembered=RememberedWords(model))


def grown_settings(tokenizer: Tokenizer, config: TrainConfig) -> TrainConfig:
    """Settings of a training that goes on from a tokenizer: those of `config`, with the tokenizer's stages.

    Raises ConfigError for a tokenizer that is not byte-level BPE, for one whose words no single pattern finds, and for
    a vocab_size that leaves no room.

    >>> from bpe_core import load_pretrained
    >>> grown_settings(load_pretrained("cl100k_base"), TrainConfig(vocab_size=101_000)).split
    'cl100k'
    """
    if not isinstance(tokenizer, Tokenizer):
        raise ConfigError(
            message("base is {value} of type {type}.", value=quoted(tokenizer), type=type(tokenizer).__name__),
            limit=message("It takes a Tokenizer."),
            remedy=message('Write for example load_pretrained("gpt2").'),
        )
    check_grows(tokenizer)
    split = tokenizer.split
    source = tokenizer.config if isinstance(tokenizer.config, TrainConfig) else None
    form = _form(tokenizer) if source is None else source.normalization
    if not isinstance(split, Split) or split.by_model or form is None:
        raise ConfigError(
            message("{name} finds its words in several stages.", name=tokenizer.name),
            limit=message(
                "Training goes on from one whose split is a pattern, and whose normalization a Unicode form."
            ),
            remedy=message("Give it another split with tokenizer.with_stages."),
        )
    first = max(tokenizer.ids) + 1
    if config.vocab_size <= first:
        raise ConfigError(
            message("vocab_size is {vocab_size:,}.", vocab_size=config.vocab_size),
            limit=message("{name} has ids up to {highest:,} already.", name=tokenizer.name, highest=first - 1),
            remedy=message("Ask for at least {least:,}.", least=first + 1),
        )
    return replace(
        config,
        unit="byte",
        split=split.pattern,
        end_of_word="",
        normalization=form,
        lowercase=source is not None and source.lowercase,
        strip_accents=source is not None and source.strip_accents,
        byte_fallback=False,
        special_tokens=(),
    )


def takes_library_tables(tokenizer: Tokenizer) -> bool:
    """Whether the words of a tokenizer are found with the older Unicode tables of another library.

    >>> from bpe_core import load_pretrained
    >>> takes_library_tables(load_pretrained("gpt2"))
    True
    """
    return isinstance(tokenizer.split, Split) and tokenizer.split.library


def check_grows(tokenizer: Tokenizer) -> None:
    """Raise ConfigError for a tokenizer that is not byte-level BPE.

    >>> from bpe_core import load_pretrained
    >>> check_grows(load_pretrained("gpt2"))
    """
    model = tokenizer.model
    if not isinstance(model, BpeModel) or model.base.byte_ids is None or model.base.char_ids:
        raise ConfigError(
            message("{name} is not byte-level BPE.", name=tokenizer.name),
            limit=message("Training goes on from a tokenizer whose merges join bytes, so that it knows every text."),
            remedy=message("Choose GPT-2, cl100k_base, o200k_base, or a training on bytes."),
        )


def _form(tokenizer: Tokenizer) -> Normalization | None:
    """Unicode form that is the tokenizer's whole normalization; None for any other normalization."""
    if not isinstance(tokenizer.normalizer, Chain):
        return None
    names = [step.name for step in tokenizer.normalizer.steps] or ["none"]
    return next((form for form in NORMALIZATIONS if names == [form]), None)
