"""Tokenizer: five stages composed, from a text to ids and back.

    text → normalizer → split → model → template → ids;  ids → decoder → text
                 special tokens are matched before, around and inside these

Every tokenizer of this package, whether trained here, published, or read from a file, is a Tokenizer. It is independent
of merges, pieces and scores: features of a single model are reached through `tokenizer.model`.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.display.library import Figure
from bpe_core.errors import TokenIdError, quoted
from bpe_core.language import message, term
from bpe_core.text.normalization import Normalized, replace_surrogates
from bpe_core.text.normalizers import IDENTITY, Normalization, Normalizer
from bpe_core.text.splits import Split
from bpe_core.text.splitter import Splitter
from bpe_core.tokenizer.decoders import DecodedToken, Decoder, JoinBytes, decoded_text
from bpe_core.tokenizer.encoding import Encoding, Others
from bpe_core.tokenizer.given_special_tokens import as_special_tokens
from bpe_core.tokenizer.known_ids import KnownIds
from bpe_core.tokenizer.model import EncodeStep, Model, PossibleMerge, TokenNode, token_tree
from bpe_core.tokenizer.remembered_words import RememberedWords
from bpe_core.tokenizer.special_tokens import Segment, SpecialToken, SpecialTokens
from bpe_core.tokenizer.stage_changes import changed_stages, check_stages
from bpe_core.tokenizer.templates import NO_TEMPLATE, Template
from bpe_core.tokenizer.text_encoder import EncodedText, encode_plainly, encode_text, short_ids, text_words
from bpe_core.tokenizer.vocabulary import Vocabulary
from bpe_core.work import taking

Special = Literal["text", "parse", "raise"]
_ALIGNED_BYTES = 26  # memory per normalized character with its alignment to the original
SPECIAL_MODES = ("text", "parse", "raise")
ONLY_STR = message("Only str is encoded.")
TRAINED = term("tokenizer", "trained")  # name of every tokenizer from a training


class Tokenizer(Vocabulary):
    """Normalizer, split, model, template and decoder, with the special tokens. Immutable.

    Made by `Training.tokenizer()`, `load_pretrained` and `load`, or composed from compatible stages.

    name            name in messages
    normalizer      applied to a text first
    split           divides the normalized text into words
    model           encodes words as tokens
    template        special tokens around one text or two; used by `pipeline`, not by `encode`
    decoder         converts tokens back to bytes
    config          settings of its training (a TrainConfig); None if it was not trained here
    kept            parts of its file unused by encoding, to be written back: truncation, padding, template

    >>> from bpe_core import TrainConfig, train
    >>> tokenizer = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259)).tokenizer()
    >>> tokenizer.encode("aaabdaaabac").ids.tolist()
    [258, 100, 258, 97, 99]
    >>> tokenizer.decode([258, 100]), tokenizer.decode_bytes([258, 100])
    ('aaabd', b'aaabd')
    >>> tokenizer.vocab_size, tokenizer.ids[-1], tokenizer.special_tokens, tokenizer.unknown_id
    (259, 258, {}, None)
    >>> tokenizer.token(258), tokenizer.token_bytes(258), tokenizer.token_id(b"aaab"), tokenizer.pieces[256:]
    ('aaab', b'aaab', 258, ('aa', 'aaa', 'aaab'))
    >>> tokenizer.tokenize("aaabd"), tokenizer.rank(258), tokenizer.merge_of(257, 98)
    (['aaab', 'd'], 2, (2, 258))
    """

    def __init__(
        self,
        name: str,
        *,
        model: Model,
        normalizer: Normalizer = IDENTITY,
        split: Splitter | None = None,
        template: Template = NO_TEMPLATE,
        decoder: Decoder | None = None,
        special_tokens: Sequence[SpecialToken] | Mapping[str, int] = (),
        config: Any = None,
        kept: Mapping[str, Any] | None = None,
    ) -> None:
        """Omitted stages do nothing: no normalization, no split, no template, bytes joined.

        Raises ConfigError for a value of the wrong type for its stage.
        """
        check_stages(name, model, normalizer, split, decoder, template, kept)
        self.name = name
        self.model = model
        self.normalizer = normalizer
        self.split: Splitter = Split() if split is None else split
        self.template = template
        self.decoder = JoinBytes() if decoder is None else decoder
        self.config = config
        self.kept = dict(kept or {})
        self._special = SpecialTokens(as_special_tokens(special_tokens), normalizer)
        self._known = KnownIds(model, self._special.names)
        self._remembered = RememberedWords(model)

    def __repr__(self) -> str:
        return f"<Tokenizer {self.name!r}, {self.vocab_size:,} ids>"

    # -- vocabulary ---------------------------------------------------------------------------------------------

    def with_special_tokens(self, special_tokens: Sequence[SpecialToken] | Mapping[str, int]) -> Self:
        """Add special tokens, given with their flags or as {text: id}.

        Raises VocabularyError for an empty name, for an id that is negative or belongs to another token, and for a
        second id of an existing special token.

        >>> from bpe_core import load_pretrained
        >>> chat = load_pretrained("gpt2").with_special_tokens({"<|end|>": 50257})
        >>> chat.encode("Hello<|end|>", special="parse").ids.tolist()
        [15496, 50257]
        """
        return self._with(_special=self._special.with_tokens(as_special_tokens(special_tokens), self.model.tokens))

    def with_stages(
        self,
        *,
        normalization: Normalization | None = None,
        lowercase: bool | None = None,
        strip_accents: bool | None = None,
        split: str | None = None,
        template: Template | None = None,
    ) -> Self:
        """Replace the normalization, split or template of the same model; None leaves a stage unchanged.

        The model was trained with the old stages: the new tokens are valid, but seldom good. Raises ConfigError for
        invalid values, and for a model that finds the words itself.

        >>> from bpe_core import load_pretrained
        >>> shouting = load_pretrained("gpt2").with_stages(lowercase=True)
        >>> shouting.decode(shouting.encode("HELLO").ids)
        'hello'
        """
        changed = changed_stages(self, normalization, lowercase, strip_accents, split, template)
        same = all(getattr(self, stage) == value for stage, value in changed.items())
        return self if same else self._with(**changed)

    # -- text to ids --------------------------------------------------------------------------------------------

    def encode(self, text: str, *, special: Special = "text") -> Encoding:
        """Tokens of `text`.

        `special`: how to treat names of special tokens in the text: as plain "text", "parse" them as tokens, or "raise"
        CorpusError. Added tokens that a file does not call special are tokens in every text. Lone surrogates become
        U+FFFD.

        Raises ConfigError for another `special`; CorpusError for anything but a str, and for more than 2 GiB of UTF-8.

        >>> from bpe_core import load_pretrained
        >>> gpt2 = load_pretrained("gpt2")
        >>> len(gpt2.encode("<|endoftext|>")), len(gpt2.encode("<|endoftext|>", special="parse"))
        (7, 1)
        """
        return self._encode_segments(*self._segments(text, special))

    def encode_batch(self, texts: Iterable[str], *, special: Special = "text") -> list[Encoding]:
        """Tokens of each of several texts; for rows with special tokens, truncated and padded, see `batch`.

        Raises as `encode` does, and ConfigError for anything but an iterable of texts.

        >>> from bpe_core import load_pretrained
        >>> [encoding.tokens for encoding in load_pretrained("gpt2").encode_batch(["low", "lower"])]
        [['low'], ['lower']]
        """
        from bpe_core.tokenizer.texts_encoder import encoded_texts  # imports Tokenizer

        return encoded_texts(self, texts, special)

    def encode_parts(self, parts: Iterable[tuple[str, int | None]]) -> Encoding:
        """Tokens of a text given in parts: (plain text, None), or (a special token's name, its id).

        Names of special tokens in plain text are not parsed. Raises TokenIdError for an id that does not belong to its
        token.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").encode_parts([("<|endoftext|>", 50256), ("Hello", None)]).ids.tolist()
        [50256, 15496]
        """
        segments: list[Segment] = []
        surrogates = 0
        for text, special_id in checks.text_parts(parts):
            if special_id is not None and self._special.names.get(self._checked_id(special_id)) != text:
                raise TokenIdError(
                    message(
                        "{text} is to be the special token {special_id:,}.", text=quoted(text), special_id=special_id
                    ),
                    limit=message(
                        "That id belongs to {token}.",
                        token=quoted(self.token_bytes(special_id).decode(errors="replace")),
                    ),
                    remedy=message("Give the special token its own id."),
                )
            repaired, replaced = replace_surrogates(text)
            surrogates += replaced
            special = [(Normalized(repaired, repaired), special_id)]
            segments += self._special.segments(repaired, parse=False) if special_id is None else special
        return self._encode_segments([*segments, (Normalized("", ""), None)], surrogates)

    def tokens_over_merges(self, text: str, *, special: Special = "text") -> npt.NDArray[np.int64]:
        """int64[merges + 1]: token count of `text` under no merge, the first only, …, all merges.

        Under N merges, a word is encoded whole only if these make its token. Without merges, the only count
        is that of `encode`. Raises as `encode` does.

        >>> from bpe_core import load_pretrained
        >>> gpt2 = load_pretrained("gpt2")
        >>> counts = gpt2.tokens_over_merges("low lower")
        >>> len(counts), counts[[0, 100, 1000, 50_000]].tolist(), len(gpt2.encode("low lower"))
        (50001, [9, 5, 4, 2], 2)
        """
        segments, _surrogates = self._segments(text, special)
        words, counts, special_tokens = text_words(segments, self.split)
        found = self.model.tokens_over_merges(words, counts)
        if found is None:
            return np.array([len(self.encode(text, special=special))])
        return found + special_tokens

    def tokenize(self, text: str) -> list[str]:
        """Tokens of a text as strings, marks included. Raises CorpusError for anything but a str."""
        return [self.token(token_id) for token_id in self.encode(text).ids.tolist()]

    def _encode_segments(self, segments: Sequence[Segment], surrogates: int) -> Encoding:
        ids = short_ids(segments, self.split, self._remembered)
        if ids is not None:
            return Encoding.later(ids, self._plainly, (segments, surrogates))
        with taking(lambda: _ALIGNED_BYTES * sum(len(part.text) for part, _ in segments if part.spans is not None)):
            return self._laid_out(encode_text(segments, self.split, self._remembered.long_texts), surrogates)

    def _laid_out(self, found: EncodedText, surrogates: int) -> Encoding:
        return Encoding(found.ids, *found.others(surrogates, self.token_bytes))

    def _plainly(self, of: tuple[Sequence[Segment], int]) -> Others:
        segments, surrogates = of
        found = encode_plainly(segments, self.split, self.model, self._remembered.tokens_of)
        return found.others(surrogates, self.token_bytes)

    def _segments(self, text: str, special: Special) -> tuple[Sequence[Segment], int]:
        """Normalized text divided at its special tokens, and the number of lone surrogates replaced."""
        checks.choice(special, "special", SPECIAL_MODES)
        whole = Normalized.of(text if isinstance(text, str) else checks.given_text(text, limit=ONLY_STR))
        if special == "raise":
            self._special.require_none(whole.text)
        parse = special == "parse"
        if not self._special.always_found and not (parse and len(self._special)):
            part = self.normalizer.normalize(whole.text) if self.normalizer.steps else whole
            return [(part, None)], whole.surrogates
        return self._special.segments(whole.text, parse=parse), whole.surrogates

    # -- how a word is encoded, and how a token was made ---------------------------------------------------------

    def trace(self, word: str) -> list[EncodeStep]:
        """Steps of encoding one word: its base symbols, then the word after every merge, until none applies.

        The word is normalized but not split. A merge at several places of the word is one step. For the few tokens of
        tiktoken's files that no merges lead to, the last step encodes the word whole (rank None). A model that does not
        merge pairs has one step, the result; its own `explain` shows the intermediate steps.

        Raises CorpusError for anything but a str.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").trace("the")[1:]
        [EncodeStep(ids=(83, 258), merged=(71, 68), rank=258), EncodeStep(ids=(1169,), merged=(83, 258), rank=1169)]
        """
        text = self.normalizer.normalize(checks.given_text(word, limit=ONLY_STR)).text
        if self.model.merges is None:
            return [EncodeStep(tuple(self.model.encode_word(text).ids), None, None)]
        steps: list[EncodeStep] = self.model.explain(text)
        return steps

    def rank(self, token_id: int) -> int | None:
        """Rank of the merge that makes a token (0 is the first); None for any other token.

        Raises TokenIdError for an id that is not in the vocabulary.
        """
        checked = self._checked_id(token_id)
        merges = self.model.merges
        return None if merges is None or checked in self._special.names else merges.rank_of(checked)

    def merge_of(self, left: int, right: int) -> tuple[int, int] | None:
        """Return (rank, new id) of a pair of tokens, or None. The lowest rank is applied first.

        Raises TokenIdError for an id that is not in the vocabulary.
        """
        pair = self._checked_id(left), self._checked_id(right)
        merges = self.model.merges
        return None if merges is None else merges.merge_of(*pair)

    def possible_merges(self, ids: Sequence[int]) -> list[PossibleMerge]:
        """Merges applicable to these tokens of a word, left to right. Raises as `merge_of` does.

        >>> from bpe_core import TrainConfig, train
        >>> tokenizer = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259)).tokenizer()
        >>> tokenizer.possible_merges([256, 97, 98, 256])
        [PossibleMerge(at=0, rank=1, token_id=257)]
        """
        known = [self._checked_id(token_id) for token_id in checks.token_ids(ids)]
        merges = self.model.merges
        found = [None if merges is None else merges.merge_of(left, right) for left, right in pairwise(known)]
        return [PossibleMerge(at, *merge) for at, merge in enumerate(found) if merge is not None]

    def tree(self, token_id: int) -> TokenNode:
        """Merge tree of a token, down to the base symbols. Raises TokenIdError for an id that is not in the vocabulary.

        >>> from bpe_core import load_pretrained
        >>> the = load_pretrained("gpt2").tree(1169)
        >>> the.rank, the.left, the.right.id
        (1169, TokenNode(id=83, left=None, right=None, rank=None), 258)
        """
        checked = self._checked_id(token_id)
        return TokenNode(checked) if checked in self._special.names else token_tree(checked, self.model.merges)

    def figure(
        self,
        name: str = "lengths",
        *,
        theme: str = "light",
        text: str | None = None,
        tokenizers: Mapping[str, Tokenizer] | None = None,
        token_id: int | None = None,
    ) -> Figure:
        """Plotly figure of the vocabulary; `theme`: see `Encoding.svg`.

        "lengths", "characters": number of tokens by length, marks such as ▁ counted, special tokens omitted
        "composition", "scripts": shares of token kinds or scripts, compared with those of other `tokenizers`
        "forest": the largest merge trees, sized by use in `text`, or the tree of `token_id`
        "merges": tokens of `text` under the first merges only, compared with those of other `tokenizers`
        Raises ConfigError for other names, themes or arguments; errors of `encode` and `token_bytes`.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").figure("characters").layout.title.text
        'Tokens by length in characters'
        """
        from bpe_core.tokenizer.tokenizer_figures import tokenizer_figure  # imports Tokenizer

        return tokenizer_figure(self, name, theme, text, tokenizers, token_id)

    # -- ids to text --------------------------------------------------------------------------------------------

    def decode(self, ids: Iterable[int], *, skip_special: bool = False, errors: str = "replace") -> str:
        """Text of ids. `errors` as in bytes.decode: bytes that are not UTF-8 are replaced, or raise.

        An end-of-word mark becomes a space, except at the very end. `skip_special` omits special tokens, and pieces of
        a Unigram model with their spelling. Raises TokenIdError for an id that is not in the vocabulary, ConfigError
        for another `errors`.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").decode([15496, 50256], skip_special=True)
        'Hello'
        """
        handler = checks.decoding_errors(errors)
        return decoded_text(self.decoder, self._decoded(ids, skip_special), handler)

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Bytes of ids, joined. Raises TokenIdError for an id that is not in the vocabulary."""
        return b"".join(self.decode_parts(ids))

    def decode_parts(self, ids: Iterable[int], *, skip_special: bool = False) -> list[bytes]:
        """Bytes that each of these tokens adds to the decoded text. Raises as `decode` does.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").decode_parts([15496, 995])
        [b'Hello', b' world']
        """
        return self.decoder.parts(self._decoded(ids, skip_special))

    # -- helpers ------------------------------------------------------------------------------------------------

    def _with(self, **stages: object) -> Self:
        changed = copy.copy(self)
        changed.__dict__.update(stages)
        changed._special = changed._special.with_normalizer(changed.normalizer)
        changed._known = KnownIds(changed.model, changed._special.names)
        return changed

    def _decoded(self, ids: Iterable[int], skip_special: bool) -> list[DecodedToken]:
        """Input of the decoder; each distinct id is looked up once."""
        checks.true_or_false(skip_special, "skip_special")
        checked = [i if type(i) is int else self._checked_id(i) for i in checks.token_ids(ids)]
        special = self._special.left_out
        known = {
            i: DecodedToken(i, self._bytes_of(i), i in special, self.spelling(i))
            for i in map(self._checked_id, dict.fromkeys(checked))
        }
        if not skip_special:
            return [known[i] for i in checked]
        # its vocabulary may spell two ids identically
        texts = self._special.special_texts if self.model.kind == "unigram" else ()
        return [known[i] for i in checked if i not in special and known[i].piece not in texts]
