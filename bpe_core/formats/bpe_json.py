"""The BPE "model" of tokenizer.json, in general and in the form that this project writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import product

import numpy as np

from bpe_core.arrays import Int32s
from bpe_core.bpe.file_symbols import FileSymbols
from bpe_core.bpe.merge_tables import TableMerges
from bpe_core.bpe.model import BpeModel
from bpe_core.bpe.vocabulary import BaseVocabulary
from bpe_core.errors import quoted, refuse
from bpe_core.formats.aliases import aliases_of, tokens_of_vocab
from bpe_core.formats.bpe import byte_ids, merges_of
from bpe_core.formats.json_merges import MergeParts, numbered, without
from bpe_core.formats.normalizers import READ_MARK
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.reading import (
    MOST_TOKENS,
    SMALLER_FILE,
    Json,
    a_flag,
    a_list,
    a_text,
    an_object,
    at_most,
    checked_vocab,
    wrong,
)
from bpe_core.language import message
from bpe_core.text.byte_characters import CHARACTERS as LEVELS
from bpe_core.text.byte_characters import from_byte_level

_OTHER = re.compile(f"[^{re.escape(LEVELS)}]")
_BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")
_SETTINGS = (
    "type",
    "dropout",
    "unk_token",
    "continuing_subword_prefix",
    "end_of_word_suffix",
    "fuse_unk",
    "byte_fallback",
    "ignore_merges",
    "vocab",
    "merges",
)


def read_bpe(
    model: Json,
    added: Mapping[str, int],
    *,
    levels: bool,
    mark: str = "",
    plain: bool = False,
    share: Share = NO_PROGRESS,
) -> BpeModel:
    """Read a "model" section. Raises FormatError with the invalid key.

    levels  whether the pre-tokenizer writes bytes as characters
    mark    the end-of-word character that the normalizers add, in files of this project
    plain   whether the file decodes like this project's files, so that its symbols can be read as those of a training

    >>> model = {"vocab": {"a": 0, "b": 1, "ab": 2, "?": 3}, "merges": [["a", "b"]], "unk_token": "?"}
    >>> read_bpe(model, {}, levels=False).encode_word("abc").ids
    [2, 3]
    """
    return checked_bpe(model, added, levels=levels, mark=mark, plain=plain, share=share)()


def checked_bpe(
    model: Json, added: Mapping[str, int], *, levels: bool, mark: str = "", plain: bool = False, share: Share
) -> Callable[[], BpeModel]:
    """Check a "model" section except its merges; return a function that reads these and builds the model. Both raise
    FormatError.

    >>> checked_bpe({"vocab": {"a": 0}, "merges": []}, {}, levels=False, share=NO_PROGRESS)().tokens
    [b'a']
    """
    vocab = checked_vocab("model.vocab", an_object("model.vocab", model.get("vocab")))
    prefix, suffix = (_text_or_none(model, key) for key in ("continuing_subword_prefix", "end_of_word_suffix"))
    fuses, falls_back, wholes = (_flag(model, key) for key in ("fuse_unk", "byte_fallback", "ignore_merges"))
    check_dropout(model)
    bytes_ = {*LEVELS} if levels else {f"<0x{value:02X}>" for value in range(256)} if falls_back else None
    spells_all = bytes_ is not None and bytes_ <= vocab.keys() and not (levels and (prefix or suffix))
    unknown_id, missing = _unknown(model, vocab, needed=not spells_all)

    def make() -> BpeModel:
        rows = read_merges(model.get("merges"), vocab, prefix, share.part(0.0, 0.8))
        tokens = _tokens(vocab, levels=levels, falls_back=falls_back, mark=mark)
        share.reached(9, 10)
        if levels and not prefix and not suffix and unknown_id is None and _is_of_bytes(vocab, added):
            base = BaseVocabulary(tokens=(), special_tokens={}, byte_ids=byte_ids(tokens, "model.vocab"))
            words = _wholes(vocab, levels=True) if wholes else tokens
            return BpeModel(base, tokens, merges_of(rows, words, wholes=wholes), unit="byte")
        known = FileSymbols(
            vocab,
            levels=LEVELS if levels else "",
            unknown_id=unknown_id,
            fuses=fuses,
            falls_back=falls_back,
            prefix=prefix,
            suffix=suffix,
            unknown=missing,
        )
        complete = known.byte_ids is not None
        spells_all = complete if falls_back else unknown_id is not None and not fuses
        apart = not any(len(token) == 1 and token in vocab for token in added)
        is_own = plain and not levels and not prefix and not suffix and spells_all and apart and not aliases_of(vocab)
        if mark or is_own:
            base = BaseVocabulary(
                tokens=(),
                special_tokens={},
                byte_ids=known.byte_ids,
                char_ids={token: i for token, i in known.char_ids.items() if token != mark and token not in added},
                unknown_id=None if complete else unknown_id,
                mark=READ_MARK if mark else "",
                mark_id=vocab.get(mark) if mark else None,
            )
            fallback = () if levels else (base.byte_ids or ())
            return BpeModel(base, tokens, merges_of(rows, tokens, wholes=wholes, fallback=fallback), unit="char")
        merges = TableMerges(rows, _wholes(vocab, levels=levels) if wholes else None)
        aliases = _wholes(aliases_of(vocab), levels=levels)
        return BpeModel(known, tokens, merges, unit="byte" if levels else "char", aliases=aliases)

    return make


def read_merges(value: object, vocab: Mapping[str, int], prefix: str = "", share: Share = NO_PROGRESS) -> Int32s:
    """Merges by rank, as rows of ids: left, right, new.

    `prefix`: the continuing_subword_prefix, which a merge drops from its right token. The last of repeated pairs
    applies, as in the library. Raises FormatError for a merge of tokens outside the vocabulary.

    >>> read_merges(["a b"], {"a": 0, "b": 1, "ab": 2}).tolist()
    [[0, 1, 2]]
    """
    parts = value if isinstance(value, MergeParts) else MergeParts.of(a_list("model.merges", value))
    found = [np.zeros((0, 3), np.int32)]
    count = 0
    for number, part in enumerate(parts.each(), 1):
        found.append(numbered(part, vocab, prefix, count))
        count += len(part)
        share.reached(number, len(parts))
    at_most(count, MOST_TOKENS, message("model.merges has {entries:,} entries.", entries=count), SMALLER_FILE)
    rows = np.concatenate(found)
    keys = rows[:, 0].astype(np.int64) << 32 | rows[:, 1]
    last = np.unique(keys[::-1], return_index=True)[1]
    return rows if len(last) == len(rows) else rows[np.sort(len(rows) - 1 - last)]


def check_dropout(model: Json) -> None:
    """Raise FormatError for an invalid dropout. Encoding here ignores it: it is for training language models.

    >>> check_dropout({"dropout": 0.1})
    """
    dropout = model.get("dropout")
    is_number = isinstance(dropout, int | float) and not isinstance(dropout, bool)
    if dropout is not None and not (is_number and 0 <= dropout <= 1):
        wrong("model.dropout", dropout, message("It must be null, or a number from 0 to 1."))


def write_bpe(model: BpeModel) -> Json:
    """The "model" section for a model that was read from such a section, with symbols of the type FileSymbols.

    >>> section = {"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]], "fuse_unk": True}
    >>> written = write_bpe(read_bpe(section, {}, levels=False))
    >>> written["vocab"] == section["vocab"], written["merges"], written["fuse_unk"]
    (True, [['a', 'b']], True)
    """
    base = model.base
    assert isinstance(base, FileSymbols)
    names = base.names
    unknown = base.unknown
    if base.unknown_id is not None:
        unknown = names[base.unknown_id]
    spellings: dict[int, list[str]] = {}
    for token, token_id in base.ids.items():
        spellings.setdefault(token_id, []).append(token)
    merges = []
    for left, right, joined in model.merges.rows:
        pairs = product(spellings[left], spellings[right])
        pair = next((pair for pair in pairs if base.ids.get(pair[0] + without(base.prefix, pair[1])) == joined), None)
        if pair is None:
            refuse(
                message(
                    "The merge of {left} and {right} gives a token other than the two joined.",
                    left=quoted(names[left]),
                    right=quoted(names[right]),
                ),
                message("A merge joins two."),
            )
        merges.append([*pair])
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": unknown,
        "continuing_subword_prefix": base.prefix or None,
        "end_of_word_suffix": base.suffix or None,
        "fuse_unk": base.fuses,
        "byte_fallback": base.falls_back,
        "ignore_merges": model.merges.takes_wholes,
        "vocab": dict(base.ids),
        "merges": merges,
    }


# -- helpers --------------------------------------------------------------------------------------------------------


def _tokens(vocab: Mapping[str, int], *, levels: bool, falls_back: bool, mark: str) -> list[bytes | None]:
    def spelled(token: str) -> bytes:
        if levels:
            data = from_byte_level(token)
            return token.encode() if data is None else data  # None: a token that no text produces
        byte = _BYTE_TOKEN.fullmatch(token) if falls_back else None
        if byte:
            return bytes([int(byte[1], 16)])
        if mark and token.endswith(mark):
            return (token.removesuffix(mark) + READ_MARK).encode()
        return token.encode()

    return tokens_of_vocab(vocab, aliases_of(vocab), spelled)


def _is_of_bytes(vocab: Mapping[str, int], added: Mapping[str, int]) -> bool:
    """Whether every byte is a token, and every token but the added ones is spelled in byte-level characters."""
    if not {*LEVELS} <= vocab.keys() or aliases_of(vocab):
        return False
    return not _OTHER.search("".join(vocab)) or not any(token not in added and _OTHER.search(token) for token in vocab)


def _wholes(vocab: Mapping[str, int], *, levels: bool) -> dict[bytes, int]:
    """Tokens that whole words can become, by their bytes."""
    if not levels:
        return {token.encode(): i for token, i in vocab.items()}
    spelled = ((from_byte_level(token), i) for token, i in vocab.items())
    return {data: i for data, i in spelled if data is not None}


def _unknown(model: Json, vocab: Mapping[str, int], *, needed: bool) -> tuple[int | None, str | None]:
    """Id of the unknown token or None, and its name if it is `needed` but not in the vocabulary."""
    unknown = model.get("unk_token")
    if unknown is None:
        return None, None
    found = vocab.get(a_text("model.unk_token", unknown))
    return found, unknown if found is None and needed else None


def _text_or_none(model: Json, key: str) -> str:
    value = model.get(key)
    return "" if value is None else a_text(f"model.{key}", value)


def _flag(model: Json, key: str) -> bool:
    value = model.get(key)
    return False if value is None else a_flag(f"model.{key}", value)
