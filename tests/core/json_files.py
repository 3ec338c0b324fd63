"""Files tokenizer.json, made of their parts by tests."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tokenizers import Tokenizer as Library

from bpe_core import Tokenizer
from bpe_core.formats import from_bytes, to_bytes

Json = dict[str, Any]
Answer = TypeVar("Answer")

FLAGS = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
STAGES = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")

BERT_NORMALIZER = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": None,
    "lowercase": True,
}
NO_MODEL = {"type": "BPE", "vocab": {}, "merges": []}
WORDPIECE = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##"}


def added_token(content: str, token_id: int, **flags: bool) -> Json:
    """An added token; flags that are not given are false."""
    return {"id": token_id, "content": content, **FLAGS, **flags}


def json_file(**parts: Any) -> Json:
    """A tokenizer.json of these parts; the others are null, and nothing is added."""
    return {"version": "1.0", **dict.fromkeys(STAGES), "added_tokens": [], **parts}


def json_tokenizer(**parts: Any) -> Tokenizer:
    return from_bytes(json.dumps(json_file(**parts)).encode())


def peer_of_file(content: Json) -> Library:
    """The tokenizers library's reading of a tokenizer.json."""
    return Library.from_str(json.dumps(content))


def peer_of(tokenizer: Tokenizer) -> Library:
    """The same tokenizer in the tokenizers library, read from the file written for it."""
    return Library.from_str(to_bytes(tokenizer, format="tokenizers").decode())


def unless_it_panics(asked: Callable[[], Answer]) -> Answer | None:
    """An answer of the tokenizers library; None if it panics."""
    try:
        return asked()
    except BaseException as error:  # its panics are not subclasses of Exception
        if type(error).__name__ != "PanicException":
            raise
        return None


def file_of_bytes(vocab: dict[str, int], merges: Sequence[Any], special: Sequence[str] = (), **model: Any) -> bytes:
    """A tokenizer.json of BPE over bytes; `special`: added tokens; those that the vocabulary lacks get a new id."""
    levels = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    content = json_file(
        added_tokens=[added_token(token, vocab.get(token, len(vocab)), special=True) for token in special],
        pre_tokenizer=levels,
        decoder=levels,
        model={"type": "BPE", "vocab": vocab, "merges": merges, **model},
    )
    return json.dumps(content).encode()
