"""Files tokenizer.json of any stages: random models, normalizers, pre-tokenizers and added tokens, for properties."""

import base64

from hypothesis import strategies as st

from tests.core.charsmaps import charsmap
from tests.core.json_files import BERT_NORMALIZER, FLAGS, WORDPIECE, Json

ADDED = [
    {"id": 0, "content": "<s>", **FLAGS, "special": True},
    {"id": 0, "content": "low", **FLAGS, "lstrip": True, "normalized": True},
    {"id": 0, "content": "ab", **FLAGS, "rstrip": True, "single_word": True},
    {"id": 0, "content": "<m>", **FLAGS, "lstrip": True, "rstrip": True},
    {"id": 0, "content": "ow", **FLAGS, "rstrip": True, "normalized": True},
    {"id": 0, "content": "r a", **FLAGS, "normalized": True},
    {"id": 0, "content": "b", **FLAGS, "lstrip": True, "single_word": True},
    {"id": 0, "content": " ", **FLAGS},
    {"id": 0, "content": "low e", **FLAGS, "single_word": True},
]
PIECES = [*"▁abelowr é日#Ġ", "▁low", "##low", "##er", "ab", "er", "ow", "▁a", "a▁", "lo", "Ġlow", "[UNK]"]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
NUMBERED = {piece: at for at, piece in enumerate([*PIECES, *BYTES])}
MERGES = [["l", "o"], ["o", "w"], ["e", "r"], ["a", "b"], ["▁", "a"]]
MODELS: list[Json] = [
    {"type": "Unigram", "unk_id": 0, "vocab": [[piece, -1.5 - at] for at, piece in enumerate(["[UNK]", *PIECES[:-1]])]},
    {"type": "Unigram", "unk_id": 0, "byte_fallback": True, "vocab": [[piece, -1.5] for piece in [*PIECES, *BYTES]]},
    {"type": "Unigram", "unk_id": None, "vocab": [[piece, -1.5] for piece in "▁abelow é"]},
    {**WORDPIECE, "max_input_chars_per_word": 6, "vocab": NUMBERED},
    {"type": "WordLevel", "unk_token": "[UNK]", "vocab": NUMBERED},
    {"type": "BPE", "unk_token": "[UNK]", "vocab": NUMBERED, "merges": MERGES},
    {"type": "BPE", "unk_token": None, "vocab": NUMBERED, "merges": [*MERGES, ["a", "▁"]]},
    {"type": "BPE", "unk_token": "[UNK]", "byte_fallback": True, "fuse_unk": True, "vocab": NUMBERED, "merges": MERGES},
    {"type": "BPE", "unk_token": "[UNK]", "end_of_word_suffix": "r", "vocab": NUMBERED, "merges": MERGES[:2]},
]
TABLES = [
    charsmap({"\u200b": "", "\x00": "", "ﬁ": "fi", "\n": " ", "か\u3099": "が"}),
    charsmap({"a": "", "lo": " ", " ": "", "\u0301": "xyz"}),
    charsmap({"w": "ab", "\n": "", "x": " x", "b l": "z"}),
]
NORMALIZERS: list[Json] = [
    {"type": "Prepend", "prepend": "▁"},
    {"type": "Strip", "strip_left": True, "strip_right": True},
    *({"type": form} for form in ("NFC", "NFD", "NFKC", "NFKD")),
    {"type": "StripAccents"},
    {"type": "Lowercase"},
    {"type": "Nmt"},
    {"type": "ByteLevel"},
    *(
        {"type": "Replace", "pattern": pattern, "content": content}
        for pattern, content in (
            ({"String": " "}, "▁"),
            ({"String": "w e"}, "é"),
            ({"String": "a"}, " "),
            ({"String": ""}, "a"),
            ({"Regex": r"\s{2,}|[\n\r\t]"}, " "),
            ({"Regex": " {2,}"}, "▁"),
            ({"Regex": "^l|  +"}, ""),
            ({"Regex": r"w\s"}, "x"),
        )
    ),
    BERT_NORMALIZER,
    *({"type": "Precompiled", "precompiled_charsmap": base64.b64encode(table).decode()} for table in TABLES),
]  # fmt: skip
QWEN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
SPLITS: list[Json] = [
    *({"type": each} for each in ("WhitespaceSplit", "Whitespace", "BertPreTokenizer", "UnicodeScripts")),
    *(
        {"type": "Metaspace", "replacement": "▁", "prepend_scheme": each, "split": splits}
        for each in ("always", "first", "never")
        for splits in (True, False)
    ),
    *({"type": "ByteLevel", "add_prefix_space": True, "use_regex": each} for each in (True, False)),
    *({"type": "Digits", "individual_digits": each} for each in (True, False)),
    *({"type": "Punctuation", "behavior": each} for each in ("Isolated", "Contiguous", "MergedWithNext")),
    {"type": "CharDelimiterSplit", "delimiter": "e"},
    {"type": "FixedLength", "length": 3},
    *(
        {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": False}
        for pattern, behavior in (
            ({"String": " "}, "MergedWithPrevious"),
            ({"String": "low "}, "Isolated"),
            ({"Regex": QWEN}, "Isolated"),
            ({"Regex": QWEN}, "Contiguous"),
            ({"Regex": r"\w+ \w+"}, "Isolated"),
        )
    ),
]


def _sequences(name: str, steps: list[Json]) -> st.SearchStrategy[Json]:
    return st.lists(st.sampled_from(steps), max_size=2).map(lambda some: {"type": "Sequence", name: some})


any_stages = st.fixed_dictionaries(
    {
        "model": st.sampled_from(MODELS),
        "normalizer": _sequences("normalizers", NORMALIZERS),
        "pre_tokenizer": _sequences("pretokenizers", SPLITS),
        "added_tokens": st.lists(st.sampled_from(ADDED), max_size=3, unique_by=lambda token: token["content"]),
    }
)
"""Parts for `json_tokenizer`, which refuses some of them together."""
