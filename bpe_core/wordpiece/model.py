"""WordPiece model: each word is segmented by the longest match from the left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from bpe_core import checks
from bpe_core.errors import VocabularyError, quoted
from bpe_core.kernels.pieces import PieceTree, longest_matches
from bpe_core.kernels.scan import WordTable
from bpe_core.language import message
from bpe_core.text.normalizers import IDENTITY, Normalizer
from bpe_core.text.splits import BERT_SPLIT, Split
from bpe_core.tokenizer.decoders import JoinWords
from bpe_core.tokenizer.model import EncodedWords, Kind, Model, Rule, View, WordTokens
from bpe_core.tokenizer.piece_trie import PieceTrie
from bpe_core.tokenizer.segmented_words import as_bytes, check_pieces, encoded_words, no_unknown
from bpe_core.tokenizer.tokenizer import Tokenizer

INSIDE = "##"
"""Prefix of a piece that does not begin a word. It occurs in no word, because # is a separate word."""

UNKNOWN_WORD = "[UNK]"


class LongestMatch(NamedTuple):
    """Longest piece that begins at character `start` of a word, up to character `end`; no id if there is none.

    >>> WordPieceModel(["[UNK]", "hug", "##s"]).explain("hugs")[0]
    LongestMatch(start=0, end=3, id=1)
    """

    start: int
    end: int
    id: int | None


class WordPieceModel(Model):
    """WordPiece vocabulary. A word that it cannot spell to the end becomes one unknown token. Immutable.

    pieces         tokens by id, special ones included; None for an unused id
    special_ids    tokens that text cannot become, unless `matches_special`
    longest_word   limit on the characters of a word, beyond which it is unknown; 0 is no limit
    unknown        token of unknown words; may be missing
    prefix         prefix of a piece that does not begin a word
    used_ids       ids that have a token, ascending
    aliases        other spellings that share the id of one of the pieces
    matches_special  whether text that spells a special or the unknown token becomes it, as in the tokenizers library

    >>> model = WordPieceModel(["[UNK]", "h", "hug", "##s", "##g"], special_ids=[0])
    >>> model.explain("hugsy")
    [LongestMatch(start=0, end=3, id=2), LongestMatch(start=3, end=4, id=3), LongestMatch(start=4, end=4, id=None)]
    >>> model.encode_word("hugs"), model.encode_word("hugsy")
    (WordTokens(ids=[2, 3], lengths=[3, 1]), WordTokens(ids=[0], lengths=[5]))
    >>> model.token_id(b"##s"), model.piece(3), model.text_of(b"##s", ends=False, with_space=False)
    (3, '##s', b's')
    >>> model.written(b"s", begins=False, ends=True), model.rule, sorted(model.views)
    (b'##s', 'longest match', ['matches'])
    """

    kind: ClassVar[Kind] = "wordpiece"
    rule: Rule = "longest match"
    views: frozenset[View] = frozenset(("matches",))
    is_compiled: ClassVar[bool] = True
    unit: Literal["byte", "char"] = "char"

    def __init__(
        self,
        pieces: Sequence[str | None],
        *,
        special_ids: Sequence[int] = (),
        longest_word: int = 0,
        unknown: str = UNKNOWN_WORD,
        prefix: str = INSIDE,
        matches_special: bool = False,
        aliases: Mapping[str, int] | None = None,
    ) -> None:
        check_pieces(pieces)
        self.pieces: tuple[str, ...] = tuple(piece or "" for piece in pieces)
        self.longest_word = longest_word
        self.unknown = unknown
        self.prefix = prefix
        self.matches_special = matches_special
        self.aliases = dict(aliases or {})
        self._special_ids = frozenset(special_ids)
        self.used_ids: tuple[int, ...] = tuple(i for i, piece in enumerate(pieces) if piece is not None)
        self.unknown_id: int | None = next(
            (i for i in self.used_ids if pieces[i] == unknown), self.aliases.get(unknown)
        )
        self.tokens: list[bytes | None] = [
            None if piece is None or i in self._special_ids else piece.encode() for i, piece in enumerate(pieces)
        ]

    def token_id(self, token: bytes) -> int | None:
        """Id of a token by its bytes, or None."""
        return self._ids.get(token)

    def piece(self, token_id: int) -> str:
        """Token as a string, with ## if it continues a word."""
        return self.pieces[token_id]

    def encode_word(self, word: str) -> WordTokens:
        """Tokens of one word. ## covers no bytes, the unknown token covers the whole word.

        Raises CorpusError for an unknown word if the vocabulary has no token for it.
        """
        found = self.explain(word)
        if found and found[-1].id is None:
            if self.unknown_id is None:
                raise no_unknown(word, self.unknown)
            return WordTokens([self.unknown_id], [len(as_bytes(word))])
        return WordTokens(
            [match.id for match in found if match.id is not None],
            [len(as_bytes(word[match.start : match.end])) for match in found],
        )

    def encode_words(self, words: WordTable) -> EncodedWords:
        """Tokens of many distinct words, found by the compiled kernels. Raises as `encode_word`.

        >>> model = WordPieceModel(["[UNK]", "hug", "##s"])
        >>> model.encode_words(WordTable.of([b"hugs", b"s"])).words.symbols.tolist()
        [1, 2, 0]
        """
        text, offsets = words.text.tobytes(), words.offsets
        unknown = -1 if self.unknown_id is None else self.unknown_id
        found = longest_matches(text, offsets, *self._trees, unknown=unknown, most_characters=self.longest_word)
        return encoded_words(found, words, lambda word: no_unknown(word, self.unknown))

    def explain(self, word: str) -> list[LongestMatch]:
        """Segmentation of a word by repeated longest match.

        The last match has no id if no piece fits there; the whole word is then unknown. Raises CorpusError for anything
        but a str.
        """
        checks.given_text(word, limit=message("Only str is encoded."))
        found: list[LongestMatch] = []
        if self.longest_word and len(word) > self.longest_word:
            return [LongestMatch(0, 0, None)]
        start = 0
        while start < len(word):
            fitting = list(self.fitting(word, start))
            if not fitting:
                return [*found, LongestMatch(start, start, None)]
            end, token_id = fitting[-1]
            found.append(LongestMatch(start, end, token_id))
            start = end
        return found

    def fitting(self, word: str, start: int) -> Iterator[tuple[int, int]]:
        """(end, id) of every piece that fits into a word at character `start`, the shortest first.

        >>> list(WordPieceModel(["[UNK]", "h", "hug", "##s"]).fitting("hugs", 0))
        [(1, 1), (3, 2)]
        """
        return (self._insides if start else self._starts).matches(word, start)

    def text_of(self, token: bytes, *, ends: bool, with_space: bool) -> bytes:
        """Text of a token, without ##."""
        return token.removeprefix(self.prefix.encode())

    def written(self, text: bytes, *, begins: bool, ends: bool) -> bytes:
        """Text, with ## if it does not begin a word."""
        return text if begins else self.prefix.encode() + text

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        ids = {token: i for i, token in enumerate(self.tokens) if token is not None}
        return ids | {piece.encode(): i for piece, i in self.aliases.items()}

    @cached_property
    def _starts(self) -> PieceTrie:
        """Pieces that begin a word."""
        return PieceTrie((piece, i) for i, piece in self._at_start)

    @cached_property
    def _insides(self) -> PieceTrie:
        """The other pieces, without their mark."""
        return PieceTrie((piece[len(self.prefix) :], i) for i, piece in self._plain if piece.startswith(self.prefix))

    @cached_property
    def _trees(self) -> tuple[PieceTree, PieceTree]:
        """Trees of the pieces that begin a word, and of the others, for the kernels."""
        inside = [(piece[len(self.prefix) :], i) for i, piece in self._plain if piece.startswith(self.prefix)]
        starts, insides = (
            PieceTree([piece.encode() for piece, _ in pieces], [i for _, i in pieces])
            for pieces in ([(piece, i) for i, piece in self._at_start], inside)
        )
        return starts, insides

    @property
    def _at_start(self) -> list[tuple[int, str]]:
        """Pieces that begin a word. As in the library, ##s itself is included, for a word spelled that way."""
        whole = self.matches_special or not self.prefix
        return [(i, piece) for i, piece in self._plain if whole or not piece.startswith(self.prefix)]

    @property
    def _plain(self) -> list[tuple[int, str]]:
        """Every token that text can become."""
        special = set() if self.matches_special else {*self._special_ids, self.unknown_id}
        named = [(i, self.pieces[i]) for i in self.used_ids if i not in special]
        return named + [(i, piece) for piece, i in self.aliases.items()]


def wordpiece_tokenizer(
    vocab: Sequence[str],
    *,
    special_tokens: Sequence[str],
    name: str = "WordPiece",
    normalizer: Normalizer = IDENTITY,
    split: Split | None = None,
    longest_word: int = 0,
) -> Tokenizer:
    """Tokenizer of a WordPiece vocabulary. `vocab`: every token in id order, special ones included.

    By default it splits by BERT's rule. Raises VocabularyError for a vocabulary with a duplicate piece, or without
    [UNK] or one of the special tokens.

    >>> tokenizer = wordpiece_tokenizer(["[UNK]", "h", "hug", "##s", "##g"], special_tokens=["[UNK]"])
    >>> tokenizer.tokenize("hugs hug mug")
    ['hug', '##s', 'hug', '[UNK]']
    >>> [(token.char_start, token.char_end) for token in tokenizer.encode("hugs hug mug")]
    [(0, 3), (3, 4), (5, 8), (9, 12)]
    """
    vocab = _texts(vocab, "vocab")
    special_tokens = _texts(special_tokens, "special_tokens")
    ids = {piece: i for i, piece in enumerate(vocab)}
    if len(ids) < len(vocab):
        twice = next(piece for i, piece in enumerate(vocab) if ids[piece] != i)
        raise VocabularyError(
            message("The vocabulary holds {twice} twice.", twice=quoted(twice)),
            limit=message("A piece has one id."),
            remedy=message("Remove one."),
        )
    missing = next((token for token in (UNKNOWN_WORD, *special_tokens) if token not in ids), None)
    if missing is not None:
        raise VocabularyError(
            message("The vocabulary lacks {missing}.", missing=quoted(missing)),
            limit=message("It needs {unknown} and every special token.", unknown=UNKNOWN_WORD),
            remedy=message("Add it."),
        )
    special = {token: ids[token] for token in special_tokens}
    longest_word = checks.whole_number(longest_word, "longest_word", error=VocabularyError)
    return Tokenizer(
        name,
        model=WordPieceModel(vocab, special_ids=list(special.values()), longest_word=longest_word),
        normalizer=normalizer,
        split=Split(BERT_SPLIT) if split is None else split,
        decoder=JoinWords(INSIDE),
        special_tokens=special,
    )


def _texts(value: object, what: str) -> list[str]:
    texts = checks.sequence(value, what, message("texts"), error=VocabularyError)
    return [checks.utf8_text(text, message("A token of {name}", name=what), error=VocabularyError) for text in texts]
