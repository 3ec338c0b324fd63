"""Encoding: the tokens of a text as parallel arrays, with their offsets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self, TypeVar, overload, runtime_checkable

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.arrays import ReadOnlyArrays
from bpe_core.display.library import Figure
from bpe_core.language import message
from bpe_core.page.cell import CellView
from bpe_core.page.html import write_page
from bpe_core.page.widget import cell_view
from bpe_core.text.normalization import Normalized
from bpe_core.tokenizer.figure_views import encoding_figure, encoding_svg
from bpe_core.tokenizer.html_views import encoding_html
from bpe_core.tokenizer.tables import DataFrame, encoding_table
from bpe_core.tokenizer.token_places import Offsets, TokenPlaces

Ids = npt.NDArray[np.int32]


@runtime_checkable
class Occurrences(Protocol):
    """Source of countable tokens: an Encoding, or the training text at a step (Snapshot)."""

    def occurrences(self) -> tuple[Ids, npt.NDArray[np.int64]]:
        """Ids and their counts; an id may be repeated."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an encoding.

    index                 index in the text, from 0
    id, bytes             id and bytes in the vocabulary
    start, end            byte range in the UTF-8 of the normalized text
    char_start, char_end  range of characters that it touches
    word                  index of the word that it belongs to; -1 for a special token
    special               whether it was matched as a special token (or is <unk>)

    >>> from bpe_core import load_pretrained
    >>> load_pretrained("gpt2").encode("low é")[1]
    Token(index=1, id=38251, bytes=b' \\xc3\\xa9', start=3, end=6, char_start=3, char_end=5, word=1, special=False)
    """

    index: int
    id: int
    bytes: bytes
    start: int
    end: int
    char_start: int
    char_end: int
    word: int
    special: bool


Of = TypeVar("Of")
Others = tuple[Normalized, Callable[[int], bytes], TokenPlaces]
"""Fields of an Encoding besides its ids."""

_OTHERS = ("normalized", "token_bytes", "places")


@dataclass(frozen=True, eq=False)
class Encoding(ReadOnlyArrays):
    """Tokens of one text: read-only arrays of equal length, one entry per token.

    ids                     int32
    starts, ends            int32: byte range in the UTF-8 of `text`
    char_starts, char_ends  int32: range of characters that the token touches, even partly
    word_ids                int32: index of the word that the token belongs to; -1 for a special token
    word_starts, word_ends  int32: byte range of every word; only these two have one entry per word
    special                 bool: matched as a special token (or <unk>)

    The ids exist from the start; ranges of bytes, ranges of characters and words are each computed on first use and
    cached. `normalized` is the text that the offsets refer to, with its alignment to the original.

    >>> from bpe_core import TrainConfig, train
    >>> encoding = train("hug hug").tokenizer().encode("hug é")
    >>> len(encoding), encoding[-1].char_start, encoding[-1].char_end
    (4, 4, 5)
    >>> encoding.text, encoding.ids.tolist()
    ('hug é', [257, 32, 195, 169])
    >>> encoding.starts.tolist(), encoding.ends.tolist()
    ([0, 3, 4, 5], [3, 4, 5, 6])
    >>> encoding.char_starts.tolist(), encoding.char_ends.tolist()
    ([0, 3, 4, 4], [3, 4, 5, 5])
    >>> encoding.word_ids.tolist(), encoding.word_starts.tolist(), encoding.word_ends.tolist()
    ([0, 1, 1, 1], [0, 3], [3, 6])
    >>> encoding.special.tolist()
    [False, False, False, False]
    """

    ids: Ids
    normalized: Normalized
    token_bytes: Callable[[int], bytes] = field(repr=False)
    places: TokenPlaces = field(repr=False)

    @classmethod
    def later(cls, ids: Ids, others: Callable[[Of], Others], of: Of) -> Self:
        """Construct with read-only ids, for many short texts: others(of) computes the other fields on first access.

        >>> from bpe_core import load_pretrained
        >>> found = load_pretrained("gpt2").encode("low")
        >>> same = Encoding.later(found.ids, lambda one: (one.normalized, one.token_bytes, one.places), found)
        >>> same.ends.tolist(), same == found
        ([3], True)
        """
        made = object.__new__(cls)
        object.__setattr__(made, "ids", ids)
        object.__setattr__(made, "_others", others)
        object.__setattr__(made, "_of", of)
        return made

    if not TYPE_CHECKING:  # otherwise type checkers accept any attribute

        def __getattr__(self, name: str) -> object:
            """Compute all fields of an encoding made by `later`, set them as attributes, and return this one."""
            known = vars(self)
            if name not in _OTHERS or "_others" not in known:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            for other, value in zip(_OTHERS, known["_others"](known["_of"]), strict=True):
                known.setdefault(other, value)  # another thread may have set it first
            return known[name]

    def __getstate__(self) -> dict[str, object]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def starts(self) -> Offsets:
        """int32: start of each token, in bytes of the UTF-8 of `text`."""
        return self.places.in_bytes.get().starts

    @property
    def ends(self) -> Offsets:
        """int32: end of each token, in bytes of the UTF-8 of `text`."""
        return self.places.in_bytes.get().ends

    @property
    def char_starts(self) -> Offsets:
        """int32: first character that each token touches."""
        return self.places.in_characters.get().starts

    @property
    def char_ends(self) -> Offsets:
        """int32: one after the last character that each token touches."""
        return self.places.in_characters.get().ends

    @property
    def word_ids(self) -> Offsets:
        """int32: index of the word that each token belongs to; -1 for a special token."""
        return self.places.words.get().word_ids

    @property
    def word_starts(self) -> Offsets:
        """int32: start of each word, in bytes of the UTF-8 of `text`."""
        return self.places.words.get().word_starts

    @property
    def word_ends(self) -> Offsets:
        """int32: end of each word, in bytes of the UTF-8 of `text`."""
        return self.places.words.get().word_ends

    @property
    def special(self) -> npt.NDArray[np.bool_]:
        """bool: whether each token was matched as a special token (or is <unk>)."""
        return self.places.words.get().special

    def complete(self) -> Self:
        """Compute every array and return this encoding, whose size in memory then stays constant.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").encode("low").complete().ends.tolist()
        [3]
        """
        self.places.arrays()
        return self

    @property
    def text(self) -> str:
        """Normalized text that the offsets refer to."""
        return self.normalized.text

    @property
    def utf8(self) -> bytes:
        """UTF-8 of `text`, which byte offsets refer to; computed once, with the tokens.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").encode("é").utf8
        b'\\xc3\\xa9'
        """
        return self.normalized.utf8

    @property
    def character_starts(self) -> Offsets:
        """int32: byte offset of each character of `text`, then the size of `utf8`.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").encode("éa").character_starts.tolist()
        [0, 2, 3]
        """
        return self.normalized.character_starts

    def occurrences(self) -> tuple[Ids, npt.NDArray[np.int64]]:
        """Ids of all tokens, each with a count of one.

        >>> from bpe_core import load_pretrained
        >>> [column.tolist() for column in load_pretrained("gpt2").encode("Hello world").occurrences()]
        [[15496, 995], [1, 1]]
        """
        return self.ids, np.ones(len(self.ids), np.int64)

    @property
    def tokens(self) -> list[str]:
        """Tokens as strings, marks included; bytes that are not whole characters become U+FFFD.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("bert-base-uncased").encode("lowest").tokens
        ['lowest']
        """
        known = {i: self.token_bytes(i).decode("utf-8", "replace") for i in np.unique(self.ids).tolist()}
        return [known[i] for i in self.ids.tolist()]

    def __eq__(self, other: object) -> bool:
        """Whether the ids, places and texts are equal; tokenizers are not compared."""
        if not isinstance(other, Encoding):
            return NotImplemented
        one, two = self.normalized, other.normalized
        return (
            one.text == two.text
            and one.original == two.original
            and np.array_equal(self.ids, other.ids)
            and all(map(np.array_equal, self.places.arrays(), other.places.arrays()))
        )

    def __hash__(self) -> int:
        return hash((len(self.ids), self.normalized.text))

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> list[Token]: ...
    def __getitem__(self, index: int | slice) -> Token | list[Token]:
        if isinstance(index, slice):
            return [self[position] for position in range(len(self.ids))[index]]
        position = range(len(self.ids))[checks.whole_number(index, message("The index of a token"), None)]
        starts, ends = self.places.in_bytes.get()
        char_starts, char_ends = self.places.in_characters.get()
        words = self.places.words.get()
        token_id = int(self.ids[position])
        return Token(
            index=position,
            id=token_id,
            bytes=self.token_bytes(token_id),
            start=int(starts[position]),
            end=int(ends[position]),
            char_start=int(char_starts[position]),
            char_end=int(char_ends[position]),
            word=int(words.word_ids[position]),
            special=bool(words.special[position]),
        )

    def __iter__(self) -> Iterator[Token]:
        return (self[index] for index in range(len(self.ids)))

    def table(self) -> DataFrame:
        """Tokens as a pandas DataFrame, one row per token; the index `token` starts at 0.

        id                    int32
        bytes                 object: bytes of the token
        text                  str: the bytes as text; missing (NaN) if they are not whole characters
        start, end            int32: byte range in the UTF-8 of the normalized text
        char_start, char_end  int32: range of characters that the token touches
        word                  int32: index of the word that it belongs to; -1 for a special token
        special               bool: matched as a special token (or <unk>)

        >>> from bpe_core import TrainConfig, train
        >>> table = train("hug hug").tokenizer().encode("hug é").table()
        >>> table[["id", "start", "end", "word"]].values.tolist()
        [[257, 0, 3, 0], [32, 3, 4, 1], [195, 4, 5, 1], [169, 5, 6, 1]]
        >>> table["text"].isna().tolist()
        [False, False, True, True]
        """
        return encoding_table(self)

    def svg(self, *, width: int = 960, theme: str = "light", caption: str = "", ids: bool = False) -> str:
        """The text in coloured tokens as an SVG picture, for slides and paper: text, not outlines.

        `width`: in px, 200 to 4,000; the height follows. `theme`: "light", "dark", "print", or for a projector
        "light-strong" or "dark-strong". `caption`: a line under the picture. `ids`: draw each id under its token.
        Raises CorpusError for more than 5,000 tokens or 20,000 characters, ConfigError for an invalid setting.

        >>> from bpe_core import load_pretrained
        >>> svg = load_pretrained("gpt2").encode("Hello, world").svg(caption="GPT-2", theme="print")
        >>> svg[:4], ">Hello</text>" in svg, ">GPT-2</text>" in svg
        ('<svg', True, True)
        """
        return encoding_svg(self, width=width, theme=theme, caption=caption, ids=ids)

    def figure(self, name: str = "ranks", *, theme: str = "light") -> Figure:
        """Plotly figure of token frequency by rank, on log axes, with Zipf's law.

        `theme`: see `svg`. Raises ConfigError for another name or theme.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").encode("low low low").figure().data[1].y
        (2, 1)
        """
        return encoding_figure(self, name, theme)

    def to_html(self, path: str | Path, *, title: str = "", language: str | Sequence[str] = "en") -> None:
        """Write a self-contained page that shows the text in tokens, and the facts and the merge tree of each.

        The page has the first 2,000 tokens. `language`: "en", "ja" and so on, or a list of them, as for a training's
        page. Raises ConfigError for other values, and FormatError if the file cannot be written.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").encode("low").to_html("low.html", language=[])
        Traceback (most recent call last):
        bpe_core.errors.ConfigError: language is []. It takes 'en', 'ja', 'zh', 'ko'. Choose one.
        """
        from bpe_core.tokenizer.encoding_page import page_of_encoding  # imports Tokenizer, which imports Encoding

        write_page(path, lambda named: page_of_encoding(self, named), title=title, language=language)

    def view(self, *, language: str = "en", height: int = 460) -> CellView:
        """View for a notebook: the text in tokens, and the facts and the merge tree of the clicked token.

        `language`: "en", "ja" and so on. `height`: in pixels, 200 to 4,000. Raises ConfigError for other values.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").encode("low").view(language="fr")
        Traceback (most recent call last):
        bpe_core.errors.ConfigError: language is 'fr'. It takes 'en', 'ja', 'zh', 'ko'. Choose one.
        """
        from bpe_core.tokenizer.encoding_page import ShownEncoding  # imports Tokenizer, which imports Encoding

        return cell_view(ShownEncoding(self), language=language, height=height)

    def _repr_html_(self) -> str:
        """Notebook view of the tokens as coloured spans; for a long text, the first ones and a count of the rest."""
        return encoding_html(self)
