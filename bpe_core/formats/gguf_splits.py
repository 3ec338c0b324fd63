"""Splits of byte-level BPE models in GGUF files, which hold only a name for them (`tokenizer.ggml.pre`).

A split is a list of regular expressions, each applied to the words that the previous ones made: each match becomes a
word, and so does the text between two matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bpe_core.errors import quoted, refuse
from bpe_core.language import message
from bpe_core.text.splits import PATTERNS, PUBLISHED

_GPT2 = (PUBLISHED["gpt2"],)
_DIGITS = (r"\p{N}", *_GPT2)
_ENDS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_BY_THREE = (rf"{_ENDS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}|{_REST}",)
_BY_ONE = (rf"{_ENDS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}|{_REST}",)
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_TEKKEN = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
)
_PUNCTUATION = r" ?[^(\s|.,!?…。，、।۔،)]+"
_CHINESE = r"[一-龥ࠀ-一가-퟿]+"
_CASED = (
    "A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ"
    "-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂ"
    "ℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-"
    "Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃"
)
"""Letters with upper and lower case, as DeepSeek's first models list them."""

_SPLITS: tuple[tuple[str, Sequence[str]], ...] = (
    (
        "gpt-2 phi-2 mpt olmo jais trillion roberta-bpe gigachat "
        "jina-es jina-de jina-v1-en jina-v2-es jina-v2-de jina-v2-code",
        _GPT2,
    ),
    ("starcoder refact command-r smollm codeshell exaone minerva-7b", _DIGITS),
    ("llama3 llama-v3 llama-bpe falcon3 pixtral dbrx smaug-bpe glm4 chatglm-bpe", _BY_THREE),
    ("qwen2 deepseek-r1-qwen stablelm2 megrez", _BY_ONE),
    ("gpt-4o llama4", (PATTERNS["o200k"],)),
    ("tekken", _TEKKEN),
    (
        "falcon",
        (r"[\p{P}\$\+<=>\^~\|`]+", *_GPT2, r"[0-9][0-9][0-9]"),
    ),
    (
        "deepseek-llm",
        (
            r"[\r\n]",
            rf"\s?[{_CASED}]+",
            r"\s?[!-/:-~！-／：-～‘-‟　-。]+",
            r"\s+$",
            _CHINESE,
            r"\p{N}+",
        ),
    ),
    ("deepseek-coder", (r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", _CHINESE, r"\p{N}")),
    (
        "deepseek-v3",
        (
            r"\p{N}{1,3}",
            r"[一-龥぀-ゟ゠-ヿ]+",
            r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"
            r"|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        ),
    ),
    (
        "bailingmoe",
        (
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*"
            r"|\s*[\r\n]|\s+(?!\S)|\s+",
        ),
    ),
    (
        "chameleon",
        (
            "<sentinel:[0-9]+>",
            "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z",
            r"([\t\n]|    |  )",
            r"\p{N}",
            r"[\p{P}!-/:-@\[-`{-~]",
            *_GPT2,
        ),
    ),
    ("bloom poro-chat gpt3-finnish", (_PUNCTUATION,)),
    ("viking", (_PUNCTUATION, r"\p{N}")),
    ("default", (r"[\p{P}\$\+<=>\^~\|]+", *_GPT2, r"\p{N}+", r"[0-9][0-9][0-9]")),
)
_BY_NAME = {name: patterns for names, patterns in _SPLITS for name in names.split()}

WHOLE_WORDS = frozenset(("llama3", "llama-v3", "llama-bpe", "falcon3", "pixtral", "tekken"))
"""Models in which a word that is itself a token is encoded as it, whatever the merges."""


def pre_tokenizer(name: str) -> dict[str, Any]:
    """The pre-tokenizer of a split by its name, in tokenizer.json's form.

    Raises FormatError for an unknown name: without the right split the ids would differ.

    >>> len(pre_tokenizer("falcon")["pretokenizers"])
    4
    >>> pre_tokenizer("of-tomorrow")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The GGUF file names the split 'of-tomorrow'. ...
    """
    patterns = _BY_NAME.get(name)
    if patterns is None:
        refuse(
            message("The GGUF file names the split {split}.", split=quoted(name)),
            message("Such a file holds only its name, and {known:,} names are known.", known=len(_BY_NAME)),
            message("Open the tokenizer.json of the same model, which holds the split itself."),
        )
    levels = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": patterns == _GPT2}
    if patterns == _GPT2:
        return levels
    splits = [
        {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
        for pattern in patterns
    ]
    return {"type": "Sequence", "pretokenizers": [*splits, levels]}
