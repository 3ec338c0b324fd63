"""Published rank files, recognized by SHA-256: their splits and special tokens, which the files lack.

Source: the programs that use each file. A file shared by several programs has the special tokens of the first: Llama 3
to 3.3 those of Meta's own reader, Qwen those of Qwen 1 (Emu3 adds others to the same ranks), Kimi those of K2, Whisper
those for 99 languages. Others can be passed when reading the file, also by name (see `published`).
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from bpe_core.bundled.openai import bundled_name, load_ranked
from bpe_core.errors import VocabularyError, quoted
from bpe_core.language import listed, message

_CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_LLAMA3 = rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_SPACES}"
_QWEN = _LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
_UPPER, _LOWER = (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]")
_KIMI = (  # V1: the regex version that supports &&
    rf"(?V1)[\p{{Han}}]+|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_CONTRACTIONS}?"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_CONTRACTIONS}?"
    rf"|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_SPACES}"
)
_WHISPER_LANGUAGES = (
    "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt "
    "la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc "
    "ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su"
)
_KIMI_FIRST, _KIMI_LAST = 163_584, 163_839
_KIMI_NAMES = {
    163_584: "[BOS]",
    163_585: "[EOS]",
    163_586: "<|im_end|>",
    163_587: "<|im_user|>",
    163_588: "<|im_assistant|>",
    163_590: "<|start_header_id|>",
    163_591: "<|end_header_id|>",
    163_593: "[EOT]",
    163_594: "<|im_system|>",
    163_595: "<|tool_calls_section_begin|>",
    163_596: "<|tool_calls_section_end|>",
    163_597: "<|tool_call_begin|>",
    163_598: "<|tool_call_argument_begin|>",
    163_599: "<|tool_call_end|>",
    163_601: "<|im_middle|>",
    163_838: "[UNK]",
    163_839: "[PAD]",
}


class PublishedRanks(NamedTuple):
    """Facts that a published rank file lacks: its name, split, and special tokens with ids.

    >>> published("llama3").special_tokens["<|eot_id|>"]
    128009
    """

    name: str
    split: str
    special_tokens: Mapping[str, int]


def published(name: str) -> PublishedRanks:
    """Split and special tokens of a published rank file, by its name in `NAMES`.

    Needed for files that are recognized as another because of equal ranks: "o200k_harmony" has the ranks of o200k_base,
    "p50k_edit" those of p50k_base. Raises VocabularyError for an unknown name.

    >>> from bpe_core import load
    >>> from bpe_core.bundled.files import FOLDER
    >>> _, split, special_tokens = published("o200k_harmony")
    >>> harmony = load(FOLDER / "o200k_base.tiktoken", split=split, special_tokens=special_tokens)
    >>> harmony.encode("<|start|>user<|message|>", special="parse").ids.tolist()
    [200006, 1428, 200008]
    """
    if not isinstance(name, str) or name not in _MADE:
        raise VocabularyError(
            message("{name} is not the name of a published rank file.", name=quoted(name)),
            limit=message("Known: {known}.", known=listed(NAMES, last="")),
            remedy=message("Give split and special_tokens themselves."),
        )
    split, special = _MADE[name]
    return PublishedRanks(name, split, special())


def recognized(data: bytes) -> PublishedRanks | None:
    """The published rank file with this content, or None.

    >>> from bpe_core.bundled.files import FOLDER
    >>> recognized((FOLDER / "cl100k_base.tiktoken").read_bytes()).split, recognized(b"IQ== 0\\n")
    ('cl100k', None)
    """
    bundled = bundled_name(data)
    if bundled is not None:
        known = load_ranked(bundled)
        return PublishedRanks(bundled, known.split.pattern, known.special_tokens)
    name = _NAME_OF_SUM.get(sha256(data).hexdigest())
    return None if name is None else published(name)


def split_is_known(data: bytes) -> bool:
    """Whether these ranks are a published file, whose split is known.

    >>> from bpe_core.bundled.files import FOLDER
    >>> split_is_known((FOLDER / "r50k_base.tiktoken").read_bytes()), split_is_known(b"IQ== 0\\n")
    (True, False)
    """
    data = data.removeprefix(BOM_UTF8)
    return bundled_name(data) is not None or sha256(data).hexdigest() in _NAME_OF_SUM


def _from(first: int, names: Sequence[str]) -> dict[str, int]:
    return {name: first + i for i, name in enumerate(names)}


def _reserved(kind: str, numbers: range) -> list[str]:
    return [f"<|{kind}reserved_special_token_{i}|>" for i in numbers]


def _llama3() -> dict[str, int]:
    named = ["finetune_right_pad_id", "step_id", "start_header_id", "end_header_id", "eom_id", "eot_id", "python_tag"]
    return _from(
        128_000,
        [
            "<|begin_of_text|>",
            "<|end_of_text|>",
            *_reserved("", range(2)),
            *(f"<|{name}|>" for name in named),
            "<|image|>",
            *_reserved("", range(2, 246)),
        ],
    )


def _llama4() -> dict[str, int]:
    text, vision, reasoning = "text_post_train_", "vision_", "reasoning_"
    names = [
        *(f"<|{name}|>" for name in ("begin_of_text", "end_of_text", "fim_prefix", "fim_middle", "fim_suffix")),
        *(f"<|{name}|>" for name in ("header_start", "header_end", "eom", "eot", "step")),
        *_reserved(text, range(6)),
        *(f"<|{name}|>" for name in ("python_start", "python_end", "finetune_right_pad")),
        *_reserved(text, range(8, 69)),
        *("<|image_start|>", "<|image_end|>"),
        *_reserved(vision, range(2)),
        *("<|tile_x_separator|>", "<|tile_y_separator|>"),
        *_reserved(vision, range(2, 6)),
        "<|image|>",
        *_reserved(vision, range(6, 7)),
        "<|patch|>",
        *_reserved(vision, range(7, 1048)),
        *_reserved(reasoning, range(8)),
        *("<|reasoning_thinking_start|>", "<|reasoning_thinking_end|>"),
    ]
    return _from(200_000, [*names, *_reserved("", range(2_048 - len(names)))])


def _qwen() -> dict[str, int]:
    return _from(151_643, ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *(f"<|extra_{i}|>" for i in range(205))])


def _kimi() -> dict[str, int]:
    ids = range(_KIMI_FIRST, _KIMI_LAST + 1)
    return {_KIMI_NAMES.get(token_id, f"<|reserved_token_{token_id}|>"): token_id for token_id in ids}


def _whisper() -> dict[str, int]:
    tasks = ["translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps"]
    seconds = [f"{i * 0.02:.2f}" for i in range(1_501)]
    names = ["endoftext", "startoftranscript", *_WHISPER_LANGUAGES.split(), *tasks, *seconds]
    return _from(50_257, [f"<|{name}|>" for name in names])


def _harmony() -> dict[str, int]:
    """tiktoken's special tokens, without the second name for the id of <|endofprompt|>."""
    named = {
        "startoftext": 199_998,
        "endoftext": 199_999,
        "return": 200_002,
        "constrain": 200_003,
        "channel": 200_005,
        "start": 200_006,
        "end": 200_007,
        "message": 200_008,
        "call": 200_012,
        "endofprompt": 200_018,
    }
    reserved = {f"reserved_{i}": i for i in range(200_000, 201_088) if i not in named.values()}
    return {f"<|{name}|>": token_id for name, token_id in (reserved | named).items()}


def _p50k() -> dict[str, int]:
    return {"<|endoftext|>": 50_256}


def _p50k_edit() -> dict[str, int]:
    return _p50k() | _from(50_281, ["<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"])


_MADE: dict[str, tuple[str, Callable[[], dict[str, int]]]] = {
    "llama3": (_LLAMA3, _llama3),
    "llama4": ("o200k", _llama4),
    "qwen": (_QWEN, _qwen),
    "kimi-k2": (_KIMI, _kimi),
    "whisper-multilingual": ("gpt2", _whisper),
    "p50k_base": ("gpt2", _p50k),
    "p50k_edit": ("gpt2", _p50k_edit),
    "o200k_harmony": ("o200k", _harmony),
}
NAMES = tuple(_MADE)
"""Names accepted by `published`."""

_NAME_OF_SUM = {
    "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55": "llama3",
    "d0bdbaf59b0762c8c807617e2d8ea51420eb1b1de266df2495be755c8e0ed6ed": "llama4",
    "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186": "qwen",
    "b6c497a7469b33ced9c38afb1ad6e47f03f5e5dc05f15930799210ec050c5103": "kimi-k2",
    "b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126": "whisper-multilingual",
    "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069": "p50k_base",
}
