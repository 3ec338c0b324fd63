"""Shared code of the tokenizers library's decoders: lists of texts in and out, with the owner of each part."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import reduce
from typing import Literal

from bpe_core.huggingface.decoder_passes import Pass, check_size, passed
from bpe_core.huggingface.owned_text import Group, atom, edited, joined
from bpe_core.tokenizer.decoders import DecodedToken, Decoder

Of = Literal["tokens", "runs", "text"]
"""Form of a list of bytes for the next decoder: a text per token, per run of fallback bytes, or one text."""


class LibraryDecoder(Decoder):
    """Base of the library's decoders: each maps a list of texts to another, and the last list is joined.

    >>> from bpe_core.huggingface.decoders import MetaspaceDecoder
    >>> tokens = [DecodedToken(0, b"", piece="▁a"), DecodedToken(1, b"", piece="▁<0xC3>")]
    >>> MetaspaceDecoder().texts(["▁a", "▁b"]), MetaspaceDecoder().text(tokens), MetaspaceDecoder().parts(tokens)
    (['a', ' b'], 'a <0xC3>', [b'a', b' <0xC3>'])
    """

    @abstractmethod
    def texts(self, tokens: list[str]) -> list[str]:
        """Texts decoded from the tokens, before joining; possibly more or fewer than tokens.

        Raises CorpusError if they become too long, or if a pattern takes too long.
        """

    @abstractmethod
    def _groups(self, groups: list[Group]) -> list[Group]:
        """The same, with the tokens that each part of a text came from."""

    def text(self, tokens: Sequence[DecodedToken]) -> str:
        """Text of the tokens, decoded as in the library."""
        return "".join(self.texts([token.piece for token in tokens]))

    def parts(self, tokens: Sequence[DecodedToken]) -> list[bytes]:
        """Bytes that each token adds to the text; for a one-byte token that byte, whether UTF-8 or not.

        Joined and decoded they equal `text`, except that invalid UTF-8 may give a different number of U+FFFD.
        """
        texts, rest = self._begun([token.piece for token in tokens])
        own = own_parts(texts, rest) if texts else []
        if own is not None:
            return own
        groups = [[atom(at, text)] for at, text in enumerate(texts)]
        for decoder in rest:
            groups = decoder._groups(groups)
        found: list[list[bytes]] = [[] for _ in tokens]
        for group in groups:
            for each in group:
                for owner, data in each.owned:
                    found[owner].append(data)
        return [b"".join(each) for each in found]

    def _begun(self, tokens: list[str]) -> tuple[list[str], tuple[LibraryDecoder, ...]]:
        """Texts after the decoders that give one text per token, and the remaining decoders."""
        return tokens, (self,)

    def _own(self, parts: list[bytes], of: Of) -> tuple[list[bytes], Of] | None:
        """The same as `_groups` if every token keeps separate bytes; None if that requires examining characters.

        `parts`: bytes of each token, joined UTF-8; `of`: their form after the previous decoder.
        """
        return None


def own_parts(texts: Sequence[str], decoders: Sequence[LibraryDecoder]) -> list[bytes] | None:
    """Bytes of each token after decoders that keep the bytes of tokens separate; None if one of them may not.

    >>> from bpe_core.huggingface.decoders import ByteFallback, Fuse, StripDecoder
    >>> own_parts([" a", "<0xC3>", "<0xA9>"], (ByteFallback(), Fuse(), StripDecoder(" ", 1, 0)))
    [b'a', b'\\xc3', b'\\xa9']
    """
    found: list[bytes] = [text.encode() for text in texts]
    of: Of = "tokens"
    for decoder in decoders:
        step = decoder._own(found, of)
        if step is None:
            return None
        found, of = step
    return found


class EachToken(LibraryDecoder):
    """Decoder of one token at a time; the result may depend on whether it is the first or the last.

    >>> from bpe_core.huggingface.decoders import StripDecoder
    >>> StripDecoder(" ", 1, 0).texts([" a", "b", "  c"])
    ['a', 'b', ' c']
    """

    @abstractmethod
    def _passes(self, *, first: bool, last: bool) -> Sequence[Pass]:
        """Passes applied to a token, in order."""

    def texts(self, tokens: list[str]) -> list[str]:
        """Texts decoded from the tokens; each distinct token is processed once."""
        return self._texts(tokens)

    def _begun(self, tokens: list[str]) -> tuple[list[str], tuple[LibraryDecoder, ...]]:
        return self._texts(tokens), ()

    def _texts(self, tokens: list[str]) -> list[str]:
        inside, size = tokens[1:-1], len(tokens)
        passes = self._passes(first=False, last=False)
        known = {token: passed(passes, token) for token in set(inside)}
        found = [known[token] for token in inside]
        if tokens:
            found.insert(0, passed(self._passes_at(0, size), tokens[0]))
        if size > 1:
            found.append(passed(self._passes_at(size - 1, size), tokens[-1]))
        total = sum(map(len, found))
        if total > sum(map(len, tokens)):
            check_size(total)
        return found

    def _groups(self, groups: list[Group]) -> list[Group]:
        texts = self._texts([joined(group) for group in groups])
        return [
            group
            if text == joined(group)
            else [atom(group[0].first, text)]
            if len(group) == len(group[0].owned) == 1
            else self._edited(group, at, len(groups))
            for at, (group, text) in enumerate(zip(groups, texts, strict=True))
        ]

    def _edited(self, group: Group, at: int, size: int) -> Group:
        return reduce(lambda now, each: edited(now, each.edits(joined(now))), self._passes_at(at, size), group)

    def _passes_at(self, at: int, size: int) -> Sequence[Pass]:
        return self._passes(first=at == 0, last=at == size - 1)
