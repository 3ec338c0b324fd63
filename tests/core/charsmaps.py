"""Replacement tables for the normalizer Precompiled, made for the tests."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping

import sentencepiece

Node = dict[int, "Node | int"]
_VALUE = -1


def charsmap(replacements: Mapping[str, str]) -> bytes:
    """A table with these replacements, as a double-array trie."""
    begins: dict[str, int] = {}
    texts = b""
    root: Node = {}
    for key, text in replacements.items():
        if text not in begins:
            begins[text] = len(texts)
            texts += text.encode() + b"\0"
        node = root
        for byte in key.encode():
            node = node.setdefault(byte, {})  # type: ignore[assignment]
        node[_VALUE] = begins[text]
    units = {0: 0}
    waiting = [(0, root)]
    while waiting:
        at, node = waiting.pop()
        labels = [max(label, 0) for label in node]
        base = next(base for base in range(1, 1 << 21) if not any(base ^ label in units for label in labels))
        units[at] |= (base ^ at) << 10 | (1 << 8 if _VALUE in node else 0)
        for label, child in node.items():
            if isinstance(child, int):
                units[base] = 1 << 31 | child
            else:
                units[base ^ label] = label
                waiting.append((base ^ label, child))
    size = (max(units) | 0xFF) + 1
    array = [units.get(at, 1 << 31 | 0x7F) for at in range(size)]
    return struct.pack(f"<I{size}I", 4 * size, *array) + texts


def trained_charsmap(rule: str) -> bytes:
    """The table of a model trained by SentencePiece with one of its rules: nmt_nfkc, nmt_nfkc_cf, nfkc, nfkc_cf."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["low lower lowest"] * 20),
        model_writer=model,
        vocab_size=14,
        normalization_rule_name=rule,
        minloglevel=2,
    )
    return _field(_field(model.getvalue(), 3), 2)


def _field(message: bytes, wanted: int) -> bytes:
    """The value of a field in a protobuf message: number 3 is the normalizer's settings, number 2 in them its table."""
    at = 0
    while at < len(message):
        key, at = _number(message, at)
        if key & 7 == 2:
            size, at = _number(message, at)
            if key >> 3 == wanted:
                return message[at : at + size]
            at += size
        elif key & 7 == 0:
            _, at = _number(message, at)
        else:
            at += 4 if key & 7 == 5 else 8
    raise AssertionError(f"the message has no field {wanted}")


def _number(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
