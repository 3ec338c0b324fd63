"""Training that continues from a tokenizer: its tokens are the base symbols, and new merges come after its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import cast

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
from bpe_core.text.utf8 import count_characters
from bpe_core.text.word_counts import WordSettings
from bpe_core.tokenizer.decoders import EndOfWord
from bpe_core.tokenizer.remembered_words import RememberedWords
from bpe_core.tokenizer.tokenizer import TRAINED, Tokenizer


@dataclass(frozen=True, eq=False)
class GrownVocabulary:
    """Tokens of a BPE tokenizer as the base symbols of a training; see BaseVocabulary.

    tokenizer  encodes each word; its ids are kept, and the first merge makes the id after the highest one

    >>> from bpe_core import load_pretrained
    >>> grown = GrownVocabulary(load_pretrained("gpt2"))
    >>> len(grown.tokens), grown.flat(b"low lowest", np.array([0, 4, 10])).ids.tolist()
    (50257, [9319, 220, 9319, 395])
    """

    tokenizer: Tokenizer
    mark = ""
    mark_id = None

    def __len__(self) -> int:
        return len(self.tokens)

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
        known, size = self.model.tokens, max(self.tokenizer.ids) + 1
        names = {token.id: token.text.encode() for token in self.tokenizer.special_token_flags}
        return tuple(names.get(i) or (known[i] if i < len(known) else None) or b"" for i in range(size))

    @cached_property
    def without_bytes(self) -> frozenset[int]:
        """Ids without a token of the model: those of added tokens, and the unused ones.

        >>> from bpe_core import load_pretrained
        >>> GrownVocabulary(load_pretrained("gpt2")).without_bytes
        frozenset({50256})
        """
        known = self.model.tokens
        return self._added.union(i for i in range(len(self.tokens)) if i >= len(known) or known[i] is None)

    @cached_property
    def _added(self) -> frozenset[int]:
        """Ids of the added tokens, special or not."""
        return frozenset(token.id for token in self.tokenizer.special_token_flags)

    @cached_property
    def alone(self) -> frozenset[int]:
        """Ids that no new merge joins: those without a token, the unknown token, and fallback bytes.

        A decoder reads fallback bytes one by one, each spelled as `<0xE3>`.

        >>> from bpe_core import load_pretrained
        >>> GrownVocabulary(load_pretrained("gpt2")).alone
        frozenset({50256})
        """
        base = self.model.base
        unknown = () if base.unknown_id is None else (base.unknown_id,)
        return self.without_bytes.union(unknown, () if self.model.unit == "byte" else base.byte_ids or ())

    @cached_property
    def sizes(self) -> Int64s:
        """int64: bytes of text that each id covers, without an end-of-word mark.

        >>> from bpe_core import load_pretrained
        >>> GrownVocabulary(load_pretrained("gpt2")).sizes[[75, 9319]].tolist()
        [1, 3]
        """
        return np.array([len(text) for text in self._texts], np.int64)

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
        """Size of the corpus in characters if merges join characters, else in bytes.

        >>> from bpe_core import load_pretrained
        >>> GrownVocabulary(load_pretrained("gpt2")).units(Corpus.of([[9319, 395]], [2]))
        12
        """
        by_bytes = self.model.unit == "byte"
        sizes = self.sizes if by_bytes else np.array([count_characters(text) for text in self._texts], np.int64)
        return int(sizes[corpus.ids] @ np.repeat(corpus.counts, np.diff(corpus.offsets)))

    @cached_property
    def _texts(self) -> list[bytes]:
        """Bytes of every id without the end-of-word mark."""
        model = self.model
        return [
            token if i in self._added else model.text_of(token, ends=model.ends_word(i), with_space=False)
            for i, token in enumerate(self.tokens)
        ]

    @cached_property
    def _merges(self) -> Int32s:
        """The tokenizer's own merges as (left id, right id, new id), by rank."""
        return self.model.merges.table

    def tokenizer_with(
        self, tokens: Sequence[bytes | None], pairs: Sequence[tuple[int, int]], name: str = TRAINED
    ) -> Tokenizer:
        """The tokenizer with merges of these pairs after its own; `tokens`: bytes of every id, the new ones last.

        A merge whose result is spelled like a token that the tokenizer has without a merge, as in Llama 3, gets the id
        of that token: a file has one id for one spelling.

        >>> from bpe_core import load_pretrained
        >>> grown = GrownVocabulary(load_pretrained("gpt2"))
        >>> grown.tokenizer_with([*grown.tokens, b"lowest"], [(9319, 395)]).encode("lowest").ids.tolist()
        [50257]
        """
        tokens, made = self._numbered(tokens, pairs)
        base = self.model.base
        if isinstance(base, FileSymbols):
            names = dict(base.names)
            for left, right, new in made:
                names[new] = names[left] + names[right]
            base = replace(base, ids={**{names[new]: new for _, _, new in reversed(made)}, **base.ids})
        merges = self.model.merges
        rows = np.concatenate((self._merges, np.array(made, np.int32).reshape(-1, 3)))
        table = TableMerges(rows, tokens if merges.takes_wholes else None)
        model = BpeModel(base, tokens, table, unit=self.model.unit, aliases=self.model.aliases)
        ends = isinstance(self.tokenizer.decoder, EndOfWord)  # it knows which tokens end words
        decoder = model.decoder if ends else self.tokenizer.decoder
        return self.tokenizer._with(
            name=name, model=model, decoder=decoder, config=None, _remembered=RememberedWords(model)
        )

    def _numbered(
        self, tokens: Sequence[bytes | None], pairs: Sequence[tuple[int, int]]
    ) -> tuple[Sequence[bytes | None], list[tuple[int, int, int]]]:
        """Bytes of every id, and the merges of these pairs as (left id, right id, new id)."""
        first = len(self.tokens)
        spelled = ((first + rank, self._apart.get(tokens[first + rank] or b"")) for rank in range(len(pairs)))
        again = {new: known for new, known in spelled if known is not None}
        made = [
            (again.get(left, left), again.get(right, right), again.get(first + rank, first + rank))
            for rank, (left, right) in enumerate(pairs)
        ]
        return [None if i in again else token for i, token in enumerate(tokens)] if again else tokens, made

    @cached_property
    def _apart(self) -> Mapping[bytes, int]:
        """Tokens that no merge makes or joins, by their bytes."""
        known = np.zeros(len(self.tokens), np.bool_)
        known[self._merges] = True
        known[[*self.without_bytes, *self.model.base.symbol_ids]] = True
        return {self.tokens[i]: i for i in np.flatnonzero(~known).tolist() if self.tokens[i]}


def grown_settings(tokenizer: Tokenizer, config: TrainConfig) -> TrainConfig:
    """Settings of a training that continues from a tokenizer: those of `config`, with the tokenizer's stages.

    Where the words are not those of a pattern, the tokenizer itself finds them (see base_words), and the split is
    "none". Raises ConfigError for a tokenizer that is not BPE, and for a vocab_size that leaves no room.

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
    first = max(tokenizer.ids) + 1
    if config.vocab_size <= first:
        raise ConfigError(
            message("vocab_size is {vocab_size:,}.", vocab_size=config.vocab_size),
            limit=message("{name} has ids up to {highest:,} already.", name=name_of(tokenizer), highest=first - 1),
            remedy=message("Ask for at least {least:,}.", least=first + 1),
        )
    model, counted = cast("BpeModel", tokenizer.model), counted_by(tokenizer)
    return replace(
        config,
        unit=model.unit,
        split=counted.split if counted else "none",
        end_of_word="",
        normalization=counted.normalization if counted else "none",
        lowercase=counted is not None and counted.lowercase,
        strip_accents=counted is not None and counted.strip_accents,
        byte_fallback=False,
        special_tokens=(),
    )


def counted_by(tokenizer: Tokenizer) -> WordSettings | None:
    """Split and normalization by which the words of a byte-level tokenizer are counted; None if these do not determine
    the words.

    >>> from bpe_core import load_pretrained
    >>> counted_by(load_pretrained("gpt2")).split, counted_by(load_pretrained("bert-base-uncased"))
    ('gpt2', None)
    """
    model, split = tokenizer.model, tokenizer.split
    source = tokenizer.config if isinstance(tokenizer.config, TrainConfig) else None
    form = _form(tokenizer) if source is None else source.normalization
    if not isinstance(model, BpeModel) or model.unit != "byte" or model.base.byte_ids is None or model.base.mark:
        return None
    if not isinstance(split, Split) or split.by_model or form is None or tokenizer._special.always_found:
        return None
    return WordSettings(
        split.pattern, form, source is not None and source.lowercase, source is not None and source.strip_accents
    )


def name_of(tokenizer: Tokenizer) -> str:
    """Name of a tokenizer for messages, including one read from bytes.

    >>> from bpe_core import load_pretrained
    >>> name_of(load_pretrained("gpt2"))
    'gpt2'
    """
    return tokenizer.name or message("The tokenizer")


def takes_library_tables(tokenizer: Tokenizer) -> bool:
    """Whether the words of a tokenizer are found with the older Unicode tables of another library.

    >>> from bpe_core import load_pretrained
    >>> takes_library_tables(load_pretrained("gpt2"))
    True
    """
    return isinstance(tokenizer.split, Split) and tokenizer.split.library


def check_grows(tokenizer: Tokenizer) -> None:
    """Raise ConfigError for a tokenizer without a list of merges, or whose tokens are spelled with a prefix.

    >>> from bpe_core import load_pretrained
    >>> check_grows(load_pretrained("gpt2"))
    """
    model = tokenizer.model
    if not isinstance(model, BpeModel) or (isinstance(model.base, FileSymbols) and model.base.prefix):
        raise ConfigError(
            message("{name} has no list of merges to continue from.", name=name_of(tokenizer)),
            limit=message("BPE trainings, tokenizer.json, merges.txt and .tiktoken files have one."),
            remedy=message("bpe_core.formats.by_merges derives one for a BPE .model file.")
            if model.kind == "sentencepiece"
            else message("Choose one of these, for example GPT-2 or cl100k_base."),
        )


def _form(tokenizer: Tokenizer) -> Normalization | None:
    """Unicode form that is the tokenizer's whole normalization; None for any other normalization."""
    if not isinstance(tokenizer.normalizer, Chain):
        return None
    names = [step.name for step in tokenizer.normalizer.steps] or ["none"]
    return next((form for form in NORMALIZATIONS if names == [form]), None)
