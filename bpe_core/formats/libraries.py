"""Reference libraries of the tokenizer formats: each reads the files, then encodes and decodes.

format           read by
"tokenizers"     tokenizers, as tokenizer.json
"tiktoken"       tiktoken, with pattern and special tokens, which are not in the file
"gpt2"           tokenizers, as vocabulary and merges, with its byte level and the special tokens
"wordpiece"      tokenizers, as vocabulary, with BERT's split
"sentencepiece"  sentencepiece
"bpe-lab"        bpe_core itself: no other library reads this file
"clip"           tokenizers, as merges, with CLIP's normalization and split
"tekken"         tiktoken, with the pattern in the file
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from bpe_core.errors import FormatError, quoted
from bpe_core.formats import from_files, gpt2_files, wordpiece_file
from bpe_core.formats.file_choice import MERGES, VOCAB
from bpe_core.formats.normalizers import library_steps
from bpe_core.language import message
from bpe_core.text.byte_characters import from_byte_level
from bpe_core.text.splits import PATTERNS
from bpe_core.tokenizer.tokenizer import Special, Tokenizer

if TYPE_CHECKING:
    import tokenizers

T = TypeVar("T")


class Peer(NamedTuple):
    """A library with a tokenizer's files loaded. Its calls may raise anything: see `run`.

    >>> from bpe_core import load_pretrained
    >>> from bpe_core.formats import to_files
    >>> gpt2 = load_pretrained("gpt2")
    >>> peer = PEERS["tiktoken"](gpt2, to_files(gpt2, format="tiktoken"))
    >>> peer.library, peer.encode("Hello", "text"), peer.token(15496), peer.decode([15496])
    ('tiktoken', [15496], b'Hello', 'Hello')
    """

    library: str
    version: str
    encode: Callable[[str, Special], list[int]]
    token: Callable[[int], bytes]
    decode: Callable[[list[int]], str]


def _tokenizers_json(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> Peer:
    with _needed("tokenizers"):
        import tokenizers
    data = _only(files)
    return _tokenizers(tokenizer, lambda: tokenizers.Tokenizer.from_buffer(data))


def _gpt2(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> Peer:
    with _needed("tokenizers"):
        from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

    def read() -> tokenizers.Tokenizer:
        lines = files[MERGES].decode().split("\n")
        pairs = [(left, right) for left, _, right in (line.partition(" ") for line in lines[1:] if line)]
        peer = Tokenizer(models.BPE(json.loads(files[VOCAB]), pairs))
        peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        peer.add_special_tokens([AddedToken(token, normalized=False) for token in tokenizer.special_tokens])
        return peer

    return _tokenizers(tokenizer, read)


def _wordpiece(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> Peer:
    with _needed("tokenizers"):
        from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

    def read() -> tokenizers.Tokenizer:
        lines = files[wordpiece_file.KIND].decode().removesuffix("\n").split("\n")
        peer = Tokenizer(models.WordPiece({line: i for i, line in enumerate(lines)}, unk_token="[UNK]"))
        settings = wordpiece_file.normalization_of(files.get(wordpiece_file.CONFIG))
        peer.normalizer = normalizers.BertNormalizer(**{key: settings[key] for key in settings if key != "type"})
        peer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        peer.add_special_tokens([AddedToken(token, normalized=False) for token in tokenizer.special_tokens])
        return peer

    return _tokenizers(tokenizer, read)


def _tokenizers(tokenizer: Tokenizer, read: Callable[[], tokenizers.Tokenizer]) -> Peer:
    peer = run("tokenizers", _READ, read)
    peer.no_truncation()  # a file's lengths apply to a language model's inputs
    peer.no_padding()
    names = {token.id for token in tokenizer.special_token_flags}

    def encode(text: str, special: Special) -> list[int]:
        peer.encode_special_tokens = special == "text"
        ids: list[int] = peer.encode(text, add_special_tokens=False).ids
        return ids

    def token(token_id: int) -> bytes:
        text = peer.id_to_token(token_id) or ""
        written = None if token_id in names or tokenizer.model.unit != "byte" else from_byte_level(text)
        return text.encode() if written is None else written

    def decode(ids: list[int]) -> str:
        text: str = peer.decode(ids, skip_special_tokens=False)
        return text

    return Peer("tokenizers", version("tokenizers"), encode, token, decode)


def _tiktoken(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> Peer:
    with _needed("tiktoken"):
        import tiktoken
    split = tokenizer.split.pattern.removeprefix("(?V1)")  # V1 supports &&, as tiktoken's patterns do

    def read() -> tiktoken.Encoding:
        lines = (line.split() for line in _only(files).splitlines() if line)
        ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
        special = tokenizer.special_tokens
        return tiktoken.Encoding(
            "file", pat_str=PATTERNS.get(split, split), mergeable_ranks=ranks, special_tokens=special
        )

    peer = run("tiktoken", _READ, read)

    def encode(text: str, special: Special) -> list[int]:
        ids: list[int] = peer.encode(text, allowed_special="all") if special == "parse" else peer.encode_ordinary(text)
        return ids

    return Peer("tiktoken", version("tiktoken"), encode, peer.decode_single_token_bytes, peer.decode)


def _sentencepiece(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> Peer:
    with _needed("sentencepiece"):
        from sentencepiece import SentencePieceProcessor
    peer = run("sentencepiece", _READ, lambda: SentencePieceProcessor(model_proto=_only(files)))
    return Peer(
        "sentencepiece",
        version("sentencepiece"),
        lambda text, _: peer.Encode(text),
        lambda i: peer.IdToPiece(i).encode(),
        peer.Decode,
    )


def _bpe_lab(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> Peer:
    again = from_files(files)
    return Peer(
        "bpe_core",
        "",
        lambda text, mode: again.encode(text, special=mode).ids.tolist(),
        again.token_bytes,
        again.decode,
    )


PEERS: dict[str, Callable[[Tokenizer, Mapping[str, bytes]], Peer]] = {
    "tokenizers": _tokenizers_json,
    "tiktoken": _tiktoken,
    "gpt2": _gpt2,
    "wordpiece": _wordpiece,
    "sentencepiece": _sentencepiece,
    "bpe-lab": _bpe_lab,
}
"""Readers of the files of `to_files`, by format."""


# -- files of other programs ------------------------------------------------------------------------------


def _settings_and_model(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> Peer:
    """The tokenizers library with a vocabulary, and the stages that the kind of file implies."""
    with _needed("tokenizers"):
        import tokenizers
    if VOCAB in files:
        content = gpt2_files.content_of(files)
    else:
        data = next(iter(files.values()))
        is_clip = gpt2_files.ends_words(data)
        content = gpt2_files.clip_content(data) if is_clip else wordpiece_file.content_of(data, files)
    if tokenizer.model.kind == "wordpiece":  # its lowercase setting may be the user's choice
        content["normalizer"] = {"type": "Sequence", "normalizers": library_steps(tokenizer.normalizer)}
    written = json.dumps(content)
    return _tokenizers(tokenizer, lambda: tokenizers.Tokenizer.from_str(written))


def _tekken(tokenizer: Tokenizer, files: Mapping[str, bytes]) -> Peer:
    """tiktoken with the ranks and pattern of a tekken.json, as in Mistral's own library."""
    with _needed("tiktoken"):
        import tiktoken
    content = json.loads(_only(files))
    config = content["config"]
    first = config["default_num_special_tokens"]

    def read() -> tiktoken.Encoding:
        used = (entry for entry in content["vocab"] if entry["rank"] < config["default_vocab_size"] - first)
        ranks = {base64.b64decode(entry["token_bytes"]): entry["rank"] for entry in used}
        return tiktoken.Encoding("file", pat_str=config["pattern"], mergeable_ranks=ranks, special_tokens={})

    peer = run("tiktoken", _READ, read)
    return Peer(
        "tiktoken",
        version("tiktoken"),
        lambda text, _: [first + i for i in peer.encode_ordinary(text)],
        lambda i: peer.decode_single_token_bytes(i - first),
        lambda ids: peer.decode([i - first for i in ids]),
    )


ORIGINALS = PEERS | {
    "gpt2": _settings_and_model,
    "wordpiece": _settings_and_model,
    "clip": _settings_and_model,
    "tekken": _tekken,
}
"""Readers of original files, which other programs may have written, by kind."""


_READ = message("read the file")
"""The failed action in the error message of `run`."""


def _only(files: Mapping[str, bytes]) -> bytes:
    (data,) = files.values()
    return data


@contextmanager
def _needed(library: str) -> Iterator[None]:
    """Around an import: raises FormatError if the library is not installed."""
    try:
        yield
    except ImportError:
        raise FormatError(
            message("The library {library} is not installed.", library=library),
            limit=message("It must read the file for the proof."),
            remedy=message(
                "Install it (pip install {library}) and start again; to save the file it is not needed.",
                library=library,
            ),
        ) from None


def run(library: str, what: str, call: Callable[[], T]) -> T:
    """Call a library. Raises FormatError for any exception of the library but a MemoryError.

    A panic of a Rust library is not an Exception.

    >>> run("base64", "read the file", lambda: base64.b64decode("a"))
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The library base64 could not read the file: ...
    """
    try:
        return call()
    except (FormatError, MemoryError):
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise FormatError(
            message(
                "The library {library} could not {do_this}: {reason}.",
                library=library,
                do_this=what,
                reason=quoted(str(error), 160),
            ),
            limit=message("The proof needs that."),
            remedy=message("Try another text, a shorter one, or another format."),
        ) from None
