"""Inputs that take the most memory of the app: small tokenizer files, and the longest text that each page accepts."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from pyarrow import array, parquet, table
from tokenizers import Tokenizer, models

LONGEST = 4_900_000
"""Characters, a little below the limit of a page."""

_JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"
_MIXED = "Hello 世界, naïve Ünïcode ﬁ Ⅻ ガギグ 한국어 привет e\u0301\u0323 ﷺ "


def tokenizer_file(
    steps: Sequence[dict[str, Any]] = (), split: dict[str, Any] | None = None, tokens: Sequence[str] = ("a", "b")
) -> bytes:
    """A small tokenizer.json with these normalizer steps and this pre-tokenizer."""
    whole = json.loads(Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, [])).to_str())
    normalizer = {"type": "Sequence", "normalizers": [*steps]} if steps else None
    return json.dumps(whole | {"normalizer": normalizer, "pre_tokenizer": split}).encode()


def replacing(size: int) -> bytes:
    """A tokenizer that replaces each "a" by `size` letters."""
    return tokenizer_file([{"type": "Replace", "pattern": {"String": "a"}, "content": "b" * size}])


def growing(steps: int) -> bytes:
    """A tokenizer that doubles each "a" in every step."""
    return tokenizer_file([{"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}] * steps)


def replacing_by_pattern() -> bytes:
    """A tokenizer that replaces letters found by a pattern."""
    return tokenizer_file([{"type": "Replace", "pattern": {"Regex": "[a-d]"}, "content": "xy"}])


def normalizing(*steps: str) -> bytes:
    """A tokenizer with these Unicode steps."""
    return tokenizer_file([{"type": step} for step in steps])


def splitting(behavior: str = "Isolated") -> bytes:
    """A byte-level tokenizer that splits at every character."""
    by_character = {"type": "Split", "pattern": {"Regex": "."}, "behavior": behavior, "invert": False}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    return tokenizer_file(split={"type": "Sequence", "pretokenizers": [by_character, byte_level]})


def repeated(piece: str, number: int, size: int = LONGEST) -> str:
    """A piece repeated to `size` characters, made distinct by its number."""
    return f"{number} {piece * (size // len(piece) + 1)}"[:size]


def japanese(number: int, size: int = LONGEST) -> str:
    """Japanese of `size` characters."""
    return repeated(_JAPANESE, number, size)


def mixed(number: int, size: int = LONGEST) -> str:
    """Many scripts, ligatures and combining marks."""
    return repeated(_MIXED, number, size)


def letters(number: int, size: int = LONGEST) -> str:
    """One word of random letters."""
    return "".join(random.Random(number).choices("abcdefgh", k=size))


def words(number: int, size: int = LONGEST) -> str:
    """Random words, hardly any of them twice."""
    drawn = random.Random(number)
    return " ".join(f"{drawn.getrandbits(32):08x}" for _ in range(size // 9))


def characters(number: int, size: int = LONGEST) -> str:
    """Random Chinese characters."""
    drawn = random.Random(number)
    return "".join(map(chr, drawn.choices(range(0x4E00, 0x9FA5), k=size)))


def lines(number: int, size: int = LONGEST) -> str:
    """Short lines of random letters."""
    return "\n".join(letters(number, size))[:size]


def tables(number: int) -> tuple[str, bytes]:
    """Name and content of a file of many texts, near the limit of the page, packed or not."""
    if number % 4 == 0:
        return "same.parquet", _parquet({"text": array([words(number, 2_000_000)]).take(array([0] * 500))})
    if number % 4 == 1:
        return "rows.parquet", _parquet({"text": words(number, 30_000_000).split(" ")})
    if number % 4 == 2:
        return "rows.jsonl", "".join(
            json.dumps({"text": mixed(at, 1_000)}, ensure_ascii=False) + "\n" for at in range(8_000)
        ).encode()
    lines_of = words(number, 1_700_000).split(" ")
    return "languages.parquet", _parquet({f"l{at}": lines_of for at in range(12)})


def _parquet(columns: dict[str, Any]) -> bytes:
    file = BytesIO()
    parquet.write_table(table(columns), file, compression="zstd")
    return file.getvalue()
