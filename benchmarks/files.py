"""Tokenizers read from files: encoding with offsets, against the native library of each format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import sentencepiece
import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers, processors, trainers

from benchmarks.contests import Line
from benchmarks.measure import interleaved
from bpe_core.bundled.files import bundled
from bpe_core.formats import from_bytes

CHARACTERS = 1_000_000
_WORDS = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def encoding(name: str, texts: Sequence[str], *, rounds: int) -> Iterable[Line]:
    """Encode CHARACTERS of the texts with files of every model; both sides return offsets, the ids must be equal."""
    text = "".join(texts)[:CHARACTERS]
    for title, file, peer in (
        ("BERT (WordPiece)", *_library_file(bundled("bert-base-uncased.json"))),
        *(("BERT (WordPiece)", *made) for made in _nanotoken_file(bundled("bert-base-uncased.json"))),
        ("T5 (Unigram)", *_library_file(bundled("t5-small.json"))),
        ("a tokenizer.json of several stages (BPE)", *_library_file(_trained(texts))),
        ("a SentencePiece model (Unigram)", *_sentencepiece_file(texts)),
    ):
        ours = from_bytes(file, title)
        contestants: dict[str, Callable[[], Any]] = {
            "ours": lambda ours=ours: ours.encode(text).complete().ids,  # type: ignore[misc]
            "theirs": lambda peer=peer: peer[1](text),  # type: ignore[misc]
        }
        seconds, results = interleaved(contestants, rounds=rounds)
        assert np.array_equal(results["ours"], peer[2](results["theirs"])), f"{title}: {peer[0]} differs"
        what = f"encode {name}, {len(text) / 1e6:.1f} million characters, {title}, with offsets"
        yield Line(what, peer[0], seconds["ours"], seconds["theirs"])


_Peer = tuple[str, Callable[[str], Any], Callable[[Any], Sequence[int]]]
"""Name, a function that encodes a text with offsets, and one that returns the ids of the result."""


def _library_file(file: bytes) -> tuple[bytes, _Peer]:
    peer = tokenizers.Tokenizer.from_buffer(file)
    peer.no_truncation()
    return file, (
        "tokenizers, with offsets",
        lambda text: peer.encode(text, add_special_tokens=False),
        lambda encoded: encoded.ids,
    )


def _nanotoken_file(file: bytes) -> Iterable[tuple[bytes, _Peer]]:
    """The file and nanotoken, if it is installed."""
    if find_spec("nanotoken"):
        peer = import_module("nanotoken").WordPieceTokenizer.from_json(file.decode())
        yield file, ("nanotoken, no offsets", lambda text: peer.encode(text, add_special_tokens=False), list)


def _sentencepiece_file(texts: Sequence[str]) -> tuple[bytes, _Peer]:
    model = BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter("".join(texts)[: 2 * CHARACTERS].split("\n")),
        model_writer=model,
        vocab_size=8_000,
        num_threads=1,
        minloglevel=2,
    )
    peer = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    return model.getvalue(), (
        "sentencepiece, with offsets",
        lambda text: peer.Encode(text, return_type="proto"),
        lambda encoded: [piece.id for piece in encoded.pieces],
    )


def _trained(texts: Sequence[str]) -> bytes:
    """A tokenizer.json trained by `tokenizers`, with a normalizer, three pre-tokenizers and a special token."""
    peer = tokenizers.Tokenizer(models.BPE())
    peer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace("\t", "    ")])
    peer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.Split(Regex(_WORDS), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    peer.decoder, peer.post_processor = decoders.ByteLevel(), processors.ByteLevel(trim_offsets=False)
    trainer = trainers.BpeTrainer(
        vocab_size=16_384,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|end|>"],
        show_progress=False,
    )
    peer.train_from_iterator(texts, trainer)
    return str(peer.to_str()).encode()


IDS, MERGES = 262_144, 300_000
"""Size of the large tokenizer.json, as in the largest published vocabularies."""


def write_large(path: Path) -> None:
    """Write a tokenizer.json of IDS pieces and MERGES merges: invented words of 1 to 4 syllables, and characters."""
    syllables = [first + second for first in "bdfghjklmnprstvwxyz" for second in "aeiou"]
    characters = ["▁", *"abcdefghijklmnopqrstuvwxyz", *map(chr, range(0x4E00, 0x4E00 + 20_000))]
    vocabulary = {f"<0x{byte:02X}>": byte for byte in range(256)}
    vocabulary |= {char: 256 + i for i, char in enumerate(characters)}
    merges: list[list[str]] = []
    level = syllables
    for syllable in syllables:
        vocabulary[syllable] = len(vocabulary)
        merges.append([*syllable])
    while len(vocabulary) < IDS:
        following = []
        for left in level:
            for syllable in ["▁", *syllables] if len(left) == 2 else syllables:
                pair = ["▁", left] if syllable == "▁" else [left, syllable]
                if len(vocabulary) < IDS:
                    vocabulary["".join(pair)] = len(vocabulary)
                    merges.append(pair)
                    following.append("".join(pair))
        level = following
    others = ([word[:2], word[2:]] for word in vocabulary if len(word) == 6 and word[2:] in vocabulary)
    merges += [pair for pair, _ in zip(others, range(MERGES - len(merges)), strict=False)]
    peer = json.loads(tokenizers.Tokenizer(models.BPE()).to_str())
    peer["normalizer"] = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    peer["decoder"] = {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]}
    peer["model"] |= {"vocab": vocabulary, "merges": merges, "byte_fallback": True, "fuse_unk": True}
    path.write_text(json.dumps(peer, ensure_ascii=False, indent=2), encoding="utf-8")
