"""Decoders of the tokenizers library as small frozen values that decode to exactly the library's text.

They work on the spelling of tokens in the file (`DecodedToken.piece`). If the library would crash the process (Strip of
more characters than exist), they remove all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from bpe_core.huggingface.decoder_passes import CLEAN_UP, BeginWord, Pass, Swap, SwapMatches, Trim
from bpe_core.huggingface.decoder_steps import EachToken, LibraryDecoder, Of
from bpe_core.huggingface.owned_text import Atom, Group, atom, atoms, joined
from bpe_core.text.byte_characters import BYTE_OF
from bpe_core.text.pattern_limits import LONGEST_TRANSLATED
from bpe_core.text.splits import compile_pattern
from bpe_core.text.utf8 import is_utf8
from bpe_core.tokenizer.decoders import DecodedToken
from bpe_core.tokenizer.fallback_bytes import fallback_byte, fallback_texts

PrependScheme = Literal["always", "first", "never"]
PREPEND_SCHEMES = ("always", "first", "never")
"""Parts of a text to which the library's Metaspace prepends a mark: all, the first only, or none."""

_UNKNOWN = "\ufffd"


@dataclass(frozen=True)
class JoinSpaces(EachToken):
    """Joins tokens by single spaces: the library's behavior for a file without a decoder.

    >>> JoinSpaces().texts(["low", "er"])
    ['low', ' er']
    """

    def _passes(self, *, first: bool, last: bool) -> Sequence[Pass]:
        """A space before every token but the first."""
        return () if first else (BeginWord(None),)


@dataclass(frozen=True)
class WordPiece(EachToken):
    """Joins words by spaces; a token that begins with `prefix` continues a word.

    `cleanup`: whether spaces before punctuation and in some English abbreviations are removed, token by token.

    >>> WordPiece().texts(["low", "##er", ".", "hug"])
    ['low', 'er', '.', ' hug']
    """

    prefix: str = "##"
    cleanup: bool = True

    def _passes(self, *, first: bool, last: bool) -> Sequence[Pass]:
        """Mark or space, except for the first token, then the clean-up."""
        return (*(() if first else (BeginWord(self.prefix),)), *(CLEAN_UP if self.cleanup else ()))


@dataclass(frozen=True)
class MetaspaceDecoder(EachToken):
    """Replaces the mark `replacement` by a space; in the first token removes it, if texts get a mark prepended.

    `split` belongs to the library's pre-tokenizer of that name; it does not affect decoding.

    >>> MetaspaceDecoder().texts(["▁low", "▁hug"]), MetaspaceDecoder("▁", "never").texts(["▁low"])
    (['low', ' hug'], [' low'])
    """

    replacement: str = "▁"
    prepend_scheme: PrependScheme = "always"
    split: bool = True

    def _passes(self, *, first: bool, last: bool) -> Sequence[Pass]:
        """A space for the mark, or nothing."""
        return (Swap(self.replacement, "" if first and self.prepend_scheme != "never" else " "),)


@dataclass(frozen=True)
class BPEDecoder(EachToken):
    """Replaces the end-of-word mark `suffix` by a space; in the last token, removes it.

    >>> BPEDecoder().texts(["low</w>", "hug</w>"])
    ['low ', 'hug']
    """

    suffix: str = "</w>"

    def _passes(self, *, first: bool, last: bool) -> Sequence[Pass]:
        """A space for the mark, or nothing."""
        return (Swap(self.suffix, "" if last else " "),)


@dataclass(frozen=True)
class StripDecoder(EachToken):
    """Removes at most `start` characters `content` from the start of each token, and at most `stop` from its end.

    >>> StripDecoder("_", 1, 1).texts(["__low__", "_", ""])
    ['_low_', '', '']
    """

    content: str = " "
    start: int = 0
    stop: int = 0

    def _passes(self, *, first: bool, last: bool) -> Sequence[Pass]:
        """Trims both ends."""
        return (Trim(self.content, self.start, self.stop),)

    def _own(self, parts: list[bytes], of: Of) -> tuple[list[bytes], Of] | None:
        if of != "text":
            return None
        text = b"".join(parts).decode()
        edits = Trim(self.content, self.start, self.stop).edits(text)
        for edit in edits:
            _remove(parts, len(text[edit.start : edit.end].encode()), at_end=edit.start > 0)
        return parts, of


@dataclass(frozen=True)
class ReplaceDecoder(EachToken):
    """Replaces every occurrence of the text `old` in a token by `new`.

    With `pattern`, `old` is a regular expression in the file's syntax, and `pattern` the same in that of the regex
    library. The new text is literal in either case: $1 is not a group. An empty token stays empty. Raises ConfigError
    for a pattern that does not compile.

    >>> ReplaceDecoder("▁", " ").texts(["▁low"]), ReplaceDecoder("\\\\h+", "#", pattern="[0-9a-fA-F]+").texts(["a0 x"])
    ([' low'], ['# x'])
    """

    old: str
    new: str
    pattern: str | None = None

    def __post_init__(self) -> None:
        if self.pattern is not None:
            compile_pattern(self.pattern, LONGEST_TRANSLATED)

    def _passes(self, *, first: bool, last: bool) -> Sequence[Pass]:
        """Replacement pass."""
        return (Swap(self.old, self.new) if self.pattern is None else SwapMatches(self.pattern, self.new),)

    def _texts(self, tokens: list[str]) -> list[str]:
        return [after if before else "" for before, after in zip(tokens, super()._texts(tokens), strict=True)]


@dataclass(frozen=True)
class CTC(EachToken):
    """Collapses equal consecutive tokens and removes `pad_token`; `cleanup`: WordPiece's, and delimiters become spaces.

    >>> CTC().texts(["h", "h", "<pad>", "h", "|", "i"])
    ['h', 'h', ' ', 'i']
    """

    pad_token: str = "<pad>"
    word_delimiter_token: str = "|"
    cleanup: bool = True

    def _passes(self, *, first: bool, last: bool) -> Sequence[Pass]:
        """Removal of the pad token, then the clean-up."""
        cleaned = (*CLEAN_UP, Swap(self.word_delimiter_token, " ")) if self.cleanup else ()
        return (Swap(self.pad_token, ""), *cleaned)

    def texts(self, tokens: list[str]) -> list[str]:
        """Texts made of the tokens; empty ones are omitted."""
        return [text for text in super().texts([token for token, _ in groupby(tokens)]) if text]

    def _groups(self, groups: list[Group]) -> list[Group]:
        kept = [next(same) for _, same in groupby(groups, joined)]
        return [group for group in super()._groups(kept) if joined(group)]

    def _begun(self, tokens: list[str]) -> tuple[list[str], tuple[LibraryDecoder, ...]]:
        return tokens, (self,)


@dataclass(frozen=True)
class ByteLevelDecoder(LibraryDecoder):
    """Joins tokens as bytes: each of the 256 byte characters is a byte; a token with any other becomes its UTF-8.

    The fields belong to the library's pre-tokenizer of that name; they do not affect decoding.

    >>> ByteLevelDecoder().texts(["lÃ", "©", "Ġ€"])
    ['léĠ€']
    >>> ByteLevelDecoder().parts([DecodedToken(0, b"", piece="lÃ"), DecodedToken(1, b"", piece="©")])
    [b'l\\xc3', b'\\xa9']
    """

    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True

    def texts(self, tokens: list[str]) -> list[str]:
        """One text, with U+FFFD for invalid UTF-8."""
        known = {token: _bytes_of(token) for token in set(tokens)}
        return [b"".join([known[token] for token in tokens]).decode("utf-8", "replace")]

    def parts(self, tokens: Sequence[DecodedToken]) -> list[bytes]:
        """Bytes of each token."""
        known = {piece: _bytes_of(piece) for piece in {token.piece for token in tokens}}
        return [known[token.piece] for token in tokens]

    def _groups(self, groups: list[Group]) -> list[Group]:
        return [atoms([part for group in groups for part in _group_bytes(group)])]


@dataclass(frozen=True)
class ByteFallback(LibraryDecoder):
    """Decodes consecutive tokens <0xNN> as bytes, with a U+FFFD for each byte if they are not UTF-8.

    >>> ByteFallback().texts(["a", "<0xC3>", "<0xA9>", "b", "<0xC3>"])
    ['a', 'é', 'b', '\ufffd']
    """

    def texts(self, tokens: list[str]) -> list[str]:
        """Texts made of the tokens."""
        return fallback_texts(tokens)

    def _own(self, parts: list[bytes], of: Of) -> tuple[list[bytes], Of] | None:
        if of != "tokens":
            return None
        values = {part: fallback_byte(part.decode()) for part in set(parts)}
        known = {part: part if value is None else bytes([value]) for part, value in values.items()}
        found = [known[part] for part in parts]
        return (found, "runs") if is_utf8(b"".join(found)) else None

    def _groups(self, groups: list[Group]) -> list[Group]:
        known = {token: fallback_byte(token) for token in {joined(group) for group in groups}}
        found: list[Group] = []
        for is_byte, run in groupby(groups, lambda group: known[joined(group)] is not None):
            if not is_byte:
                found += run
                continue
            owned = [(group[0].first, bytes([known[joined(group)] or 0])) for group in run]
            whole = is_utf8(b"".join([data for _, data in owned]))
            found += [atoms(owned)] if whole else [[Atom(_UNKNOWN, (each,))] for each in owned]
        return found


@dataclass(frozen=True)
class Fuse(LibraryDecoder):
    """Joins all tokens to one text, so that the following decoders see it whole.

    >>> DecoderSequence((Fuse(), StripDecoder(" ", 1, 0))).texts([" low", " hug"])
    ['low hug']
    """

    def texts(self, tokens: list[str]) -> list[str]:
        """One text."""
        return ["".join(tokens)]

    def _own(self, parts: list[bytes], of: Of) -> tuple[list[bytes], Of] | None:
        return parts, "text"

    def _groups(self, groups: list[Group]) -> list[Group]:
        """One group."""
        return [[each for group in groups for each in group] or [atom(0, "")]]


@dataclass(frozen=True)
class DecoderSequence(LibraryDecoder):
    """Decoders in sequence; without any, tokens are joined unchanged.

    >>> steps = ReplaceDecoder("▁", " "), ByteFallback(), Fuse(), StripDecoder(" ", 1, 0)
    >>> DecoderSequence(steps).texts(["▁low", "<0x0A>"])
    ['low\\n']
    """

    decoders: tuple[LibraryDecoder, ...] = ()

    def texts(self, tokens: list[str]) -> list[str]:
        """Texts made of the tokens."""
        for decoder in self.decoders:
            tokens = decoder.texts(tokens)
        return tokens

    def _groups(self, groups: list[Group]) -> list[Group]:
        for decoder in self.decoders:
            groups = decoder._groups(groups)
        return groups

    def _begun(self, tokens: list[str]) -> tuple[list[str], tuple[LibraryDecoder, ...]]:
        for at, decoder in enumerate(self.decoders):
            tokens, rest = decoder._begun(tokens)
            if rest:
                return tokens, (*rest, *self.decoders[at + 1 :])
        return tokens, ()


# -- bytes -------------------------------------------------------------------------------------------------------


def _bytes_of(token: str) -> bytes:
    """Bytes represented by byte characters; for a token with any other character its UTF-8."""
    try:
        return bytes([BYTE_OF[char] for char in token])
    except KeyError:
        return token.encode()


def _group_bytes(group: Group) -> list[tuple[int, bytes]]:
    """Bytes of a group by owner, converted as in `_bytes_of`."""
    if all(char in BYTE_OF for each in group for char in each.text):
        return [(each.first, _bytes_of(each.text)) for each in group]
    whole = [each.owned if _UNKNOWN not in each.text else atom(each.first, each.text).owned for each in group]
    return [part for owned in whole for part in owned]


def _remove(parts: list[bytes], size: int, *, at_end: bool) -> None:
    """Remove `size` bytes from the start or the end of the joined parts."""
    for at in reversed(range(len(parts))) if at_end else range(len(parts)):
        taken = min(size, len(parts[at]))
        parts[at] = parts[at][: len(parts[at]) - taken] if at_end else parts[at][taken:]
        size -= taken
        if not size:
            return
