"""Vocabulary and merges in two files: ids by token, and one line per merge, with bytes as characters.

Reads the files of GPT-2 and related models, and those of CLIP, whose words end with </w>, as the equivalent
tokenizer.json. The special tokens are those named by companion files; if these give no token a role, also all tokens of
vocab.json that are neither bytes nor made by a merge.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import repeat
from operator import add
from typing import Any

from bpe_core.errors import FormatError, quoted, refuse
from bpe_core.formats.added_tokens_json import write_added
from bpe_core.formats.bpe import (
    OTHER_FORMAT,
    bpe_model,
    plain_byte_tokens,
    refuse_normalization,
)
from bpe_core.formats.careful_json import json_text, parsed_json
from bpe_core.formats.companion_files import NamedTokens, named_tokens
from bpe_core.formats.file_choice import MERGES, VOCAB
from bpe_core.formats.problems import Problems
from bpe_core.formats.progress import NO_PROGRESS, SLICE, Share
from bpe_core.formats.reading import FEWER_TOKENS, MOST_SPECIAL, an_object, at_most, check_lines, checked_vocab, decoded
from bpe_core.language import message
from bpe_core.text.byte_characters import BYTE_OF, BYTE_ORDER, CHARACTERS, byte_level
from bpe_core.tokenizer.special_tokens import SpecialToken
from bpe_core.tokenizer.tokenizer import Tokenizer

KIND = message("vocab.json with merges.txt")
_VERSION = "#version"
"""Prefix of comment lines, at any place among the merges."""

_END = "</w>"
"""Suffix of CLIP's word-final tokens."""

_FILLER = re.compile(r"madeupword\d{4}")
"""Fairseq's padding tokens, which round up the vocabulary size; no text produces them."""

_FAIRSEQ = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
"""Special tokens of vocabularies with such padding (RoBERTa, BART)."""

_CLIP_SPLIT = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
_CLIP_SPECIAL = ("<|startoftext|>", "<|endoftext|>")
_CLIP_MERGES = 48_894
"""Number of merges in its file that CLIP uses: with bytes and special tokens, 49,408 tokens."""


def write(tokenizer: Tokenizer) -> dict[str, bytes]:
    """The two files of a byte-level BPE with GPT-2's split, by name.

    Raises FormatError for a tokenizer that the files cannot hold without changing ids.

    >>> from bpe_core import TrainConfig, train
    >>> write(train("low low", TrainConfig(vocab_size=258)).tokenizer())["merges.txt"]
    b'#version: 0.2\\nl o\\nlo w\\n'
    """
    ids = plain_byte_tokens(tokenizer, KIND)
    refuse_normalization(tokenizer, KIND)
    if tokenizer.split.pattern != "gpt2":
        refuse(
            message("The tokenizer splits texts by {split}.", split=quoted(tokenizer.split.pattern)),
            message("Readers of {kind} split as GPT-2 does.", kind=KIND),
            message('Save it as "tokenizers" or "bpe-lab".'),
        )
    rows = bpe_model(tokenizer).merges.rows
    names = {token_id: byte_level(token) for token, token_id in ids.items()}
    made = {token_id for _, _, token_id in rows}
    never = next((i for token, i in ids.items() if len(token) > 1 and i not in made), None)
    if never is not None:
        refuse(
            message(
                "No merge makes the token {token_id:,} ({token}).",
                token_id=never,
                token=quoted(tokenizer.token_bytes(never)),
            ),
            message("In {kind} every token but bytes and special tokens comes from a merge.", kind=KIND),
            message('Save it as "tokenizers" or "bpe-lab".'),
        )
    vocab = names | {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    if len(set(vocab.values())) < len(vocab):
        twice = next(token for token, i in tokenizer.special_tokens.items() if token in names.values())
        refuse(
            message("The special token {token} is written as another token is.", token=quoted(twice)),
            message("{kind} names each once.", kind=KIND),
            OTHER_FORMAT,
        )
    lines = [f"{names[left]} {names[right]}" for left, right, _ in rows]
    if any(line.startswith(_VERSION) for line in lines):
        refuse(
            message("A merge begins with #version."),
            message("Readers take such a line as a comment."),
            message('Save it as "bpe-lab".'),
        )
    by_id = {vocab[token_id]: token_id for token_id in sorted(vocab)}
    return {
        VOCAB: json_text(by_id).encode(),
        MERGES: "".join(line + "\n" for line in [f"{_VERSION}: 0.2", *lines]).encode(),
    }


def content_of(files: Mapping[str, bytes], share: Share = NO_PROGRESS) -> dict[str, Any]:
    """Convert vocab.json, merges.txt and companions, given by these names, to the content of a tokenizer.json.

    Raises FormatError with the invalid line or key.

    >>> from bpe_core import TrainConfig, train
    >>> from bpe_core.formats import tokenizers_json
    >>> files = write(train("low low", TrainConfig(vocab_size=258)).tokenizer())
    >>> tokenizers_json.read(content_of(files)).tokenize("low low")
    ['low', ' ', 'low']
    """
    problems = Problems(of_files=True)
    vocab = problems.of(lambda: _vocab(files[VOCAB]))
    share.reached(1, 2)
    merges = _merges(files[MERGES], vocab, problems)
    share.reached(1, 1)
    named = named_tokens(files, vocab or {}, problems)
    problems.refuse_if_any()
    ids = vocab or {}
    if any(token.endswith(_END) for token in ids):
        absent = next((char for char in BYTE_OF if char + _END not in ids or char not in ids), None)
        if absent is not None:
            refuse(
                message(
                    "{file} ends words with {mark}, and has not both {missing!r} and {ended!r}.",
                    file=VOCAB,
                    mark=_END,
                    missing=absent,
                    ended=absent + _END,
                ),
                message("The only such files supported are CLIP's, which have every byte in both forms."),
                message("Open the tokenizer.json of the same model, which says how texts are normalized and split."),
            )
        return _clip(ids, merges, named)
    if not any(named.roles.values()):
        tokens = {token["content"]: token for token in (*_unmade(ids, merges), *named.tokens)}
        named = named._replace(tokens=sorted(tokens.values(), key=lambda token: token["id"]))
    levels = {"type": "ByteLevel", "add_prefix_space": named.add_prefix_space, "trim_offsets": True, "use_regex": True}
    return tokenizer_content(model_of(ids, merges), named.tokens, levels)


def clip_content(data: bytes) -> dict[str, Any]:
    """Convert CLIP's merges (bpe_simple_vocab_16e6.txt), which define its vocabulary, to a tokenizer.json's content.

    Skips the first line, which is not a merge, and uses the next 48,894. Raises FormatError for other merges.

    >>> content = clip_content(b"#version: 0.2\\nl o\\nlo w</w>\\n")
    >>> list(content["model"]["vocab"])[-4:]
    ['lo', 'low</w>', '<|startoftext|>', '<|endoftext|>']
    """
    lines = _lines(data)[1 : _CLIP_MERGES + 1]
    chars = [CHARACTERS[byte] for byte in BYTE_ORDER]
    tokens = [*chars, *(char + _END for char in chars), *(line.replace(" ", "", 1) for line in lines), *_CLIP_SPECIAL]
    ids = {token: i for i, token in enumerate(tokens)}  # a token made twice keeps its last id, as in CLIP's reader
    problems = Problems()
    merges = _merges(data, ids, problems, most=_CLIP_MERGES)
    problems.refuse_if_any()
    return _clip(ids, merges, NamedTokens([]))


def ends_words(data: bytes) -> bool:
    """Whether these are merges of tokens with the suffix </w>, like CLIP's.

    >>> ends_words(b"#version: 0.2\\nl o\\nlo w</w>\\n"), ends_words(b"#version: 0.2\\nl o\\n")
    (True, False)
    """
    return _VERSION.encode() in data[:100].split(b"\n", 1)[0] and _END.encode() in data


def is_merges(data: bytes) -> bool:
    """Whether a file begins like merges: with a version line, in CLIP's file prefixed by its name.

    >>> is_merges(b"#version: 0.2\\nl o\\n"), is_merges(b"l o\\n")
    (True, False)
    """
    return data.startswith(_VERSION.encode()) or (data[:1] == b'"' and ends_words(data))


def _clip(ids: dict[str, int], merges: list[str], named: NamedTokens) -> dict[str, Any]:
    """CLIP's stages: lower case, collapsed white space, its own split, and the suffix </w>."""
    known = [token for token in _CLIP_SPECIAL if token in ids]
    tokens = named.tokens or write_added(
        [SpecialToken(token, ids[token], normalized=token == _CLIP_SPECIAL[0]) for token in known]
    )
    model = model_of(ids, merges) | {"end_of_word_suffix": _END, "unk_token": known[-1] if known else None}
    split = {"type": "Split", "pattern": {"Regex": _CLIP_SPLIT}, "behavior": "Removed", "invert": True}
    levels = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    space = {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}
    ends = {"type": "Replace", "pattern": {"String": _END}, "content": " "}  # as in CLIP's own decoder
    return tokenizer_content(model, tokens, {"type": "Sequence", "pretokenizers": [split, levels]}) | {
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, space, {"type": "Lowercase"}]},
        "decoder": {"type": "Sequence", "decoders": [levels, ends]},
    }


def model_of(ids: dict[str, int], merges: list[str]) -> dict[str, Any]:
    """The model of a tokenizer.json.

    >>> model_of({"l": 0, "o": 1, "lo": 2}, ["l o"])["merges"]
    ['l o']
    """
    return {"type": "BPE", "vocab": ids, "merges": merges}


def tokenizer_content(
    model: dict[str, Any], tokens: Sequence[dict[str, Any]], pre_tokenizer: dict[str, Any]
) -> dict[str, Any]:
    """A tokenizer.json of byte-level BPE, with added tokens, and without a normalizer or a template.

    >>> tokenizer_content(model_of({}, []), [], {})["decoder"]["type"]
    'ByteLevel'
    """
    decoder = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0",
        "added_tokens": list(tokens),
        "normalizer": None,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": decoder,
        "model": model,
    }


def _unmade(ids: Mapping[str, int], merges: Sequence[str]) -> list[dict[str, Any]]:
    """Tokens that are neither a byte nor made by a merge: the special tokens if no companion names them.

    An empty token, as in Whisper's vocab.json, keeps its id; no text produces it.
    """
    made = {ids[merge.replace(" ", "")] for merge in merges}
    used = made.union(ids[token] for token in BYTE_OF if token in ids)
    special = [token for token, i in ids.items() if token and i not in used]
    if any(_FILLER.fullmatch(token) for token in special):
        special = [token for token in special if token in _FAIRSEQ]
    at_most(
        len(special),
        MOST_SPECIAL,
        message("{file} holds {tokens:,} tokens that no merge makes.", file=VOCAB, tokens=len(special)),
        FEWER_TOKENS,
    )
    return write_added([SpecialToken(token, ids[token]) for token in special])


def _lines(data: bytes) -> list[str]:
    """Lines of the merges, without a final empty one."""
    check_lines(data, MERGES)
    lines = [line.removesuffix("\r") for line in decoded(data, MERGES).split("\n")]
    return lines[:-1] if not lines[-1] else lines


def _vocab(data: bytes) -> dict[str, int]:
    value = parsed_json(data, VOCAB, limit=message("It is an object of tokens and their ids."))
    return checked_vocab(VOCAB, an_object(VOCAB, value))


_A_LINE = message("A line is two tokens with a space between them.")
_BOTH = message("It holds both tokens of every merge and the token that they become.")


def _merges(data: bytes, ids: Mapping[str, int] | None, problems: Problems, most: int | None = None) -> list[str]:
    """Lines with merges of vocabulary tokens, at most `most`. `ids`: None if the vocabulary is unreadable.

    The last of repeated pairs applies, and lines that begin with #version are comments, as in the library.
    """
    lines = problems.of(lambda: _lines(data)) or []
    at = 1 if lines and lines[0][:1] == '"' and _VERSION in lines[0] else 0
    merges: list[str] = []
    while at < len(lines) and (most is None or len(merges) < most):
        part = lines[at : at + (SLICE if most is None else min(SLICE, most - len(merges)))]
        if any(line.startswith(_VERSION) for line in part) or not _are_merges(part, ids):
            merges += [line for number, line in enumerate(part, at + 1) if _is_merge(line, number, ids, problems)]
        else:
            merges += part
        at += len(part)
    return merges


def _are_merges(lines: Sequence[str], ids: Mapping[str, int] | None) -> bool:
    """Whether all lines are merges of vocabulary tokens."""
    if ids is None or set(map(str.count, lines, repeat(" "))) != {1}:
        return False
    tokens = " ".join(lines).split(" ")
    known = ids.__contains__
    return all(tokens) and all(map(known, tokens)) and all(map(known, map(add, tokens[::2], tokens[1::2])))


def _is_merge(line: str, number: int, ids: Mapping[str, int] | None, problems: Problems) -> bool:
    """Whether a line is a merge of vocabulary tokens; one that is neither this nor a comment is a problem."""
    if line.startswith(_VERSION):
        return False
    left, space, right = line.partition(" ")
    if not (left and right and space) or " " in right:
        if not problems.again(number, _A_LINE):
            problem = message("Line {number:,} of {file} is {line}.", number=number, file=MERGES, line=quoted(line))
            problems.at(number, problem, _A_LINE)
        return False
    if ids is not None and not (left in ids and right in ids and left + right in ids):
        if not problems.again(number, _BOTH):
            error = _lacking(message("Line {number:,} of {file}", number=number, file=MERGES), left, right, ids)
            problems.at(number, error.problem, error.limit, error.remedy)
        return False
    return True


def _lacking(place: str, left: str, right: str, ids: Mapping[str, int]) -> FormatError:
    """Error for a merge with a token missing from the vocabulary."""
    absent = next(token for token in (left, right, left + right) if token not in ids)
    return FormatError(
        message(
            "{place} merges {left} and {right}, but the vocabulary lacks {missing}.",
            place=place,
            left=quoted(left),
            right=quoted(right),
            missing=quoted(absent),
        ),
        limit=_BOTH,
        remedy=message("Use a vocabulary and merges that were saved together."),
    )
