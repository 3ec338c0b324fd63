"""Parts of a tokenizer.json without a type, or with another one, are read as the tokenizers library reads them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tokenizers
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_core import FormatError
from bpe_core.formats import from_bytes, to_bytes
from tests.core.json_files import json_file
from tests.draws import Outcomes, examples

Json = dict[str, Any]

WHOLE = json_file(model={"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"})
LEVELS: Json = {"add_prefix_space": True, "trim_offsets": False, "use_regex": True}
REPLACE: Json = {"pattern": {"String": "a"}, "content": "b"}
PARTS: dict[str, tuple[list[str], Json]] = {
    "normalizer": (
        [
            "BertNormalizer",
            "Bert",
            "Strip",
            "StripAccents",
            "NFC",
            "Sequence",
            "Nmt",
            "Replace",
            "Prepend",
            "ByteLevel",
        ],
        {
            **{"clean_text": True, "handle_chinese_chars": False, "strip_accents": None, "lowercase": True},
            **{"strip_left": True, "strip_right": False, "prepend": "a", "normalizers": [{"type": "NFC"}]},
            **{"precompiled_charsmap": None, **REPLACE},
        },
    ),
    "pre_tokenizer": (
        [
            "BertPreTokenizer",
            "ByteLevel",
            "CharDelimiterSplit",
            "Metaspace",
            "Split",
            "Punctuation",
            "Digits",
            "Sequence",
        ],
        {**LEVELS, **REPLACE, "behavior": "Removed", "invert": False, "delimiter": "x", "individual_digits": True},
    ),
    "decoder": (
        ["BPEDecoder", "ByteLevel", "WordPiece", "Metaspace", "CTC", "Sequence", "Replace", "Fuse", "Strip"],
        {
            **{"suffix": "x", "prefix": "##", "cleanup": True, "pad_token": "p", "word_delimiter_token": "|"},
            **{"replacement": "_", "start": 1, "stop": 0, "decoders": [], **LEVELS, **REPLACE},
        },
    ),
    "post_processor": (
        ["BertProcessing", "RobertaProcessing", "ByteLevel", "TemplateProcessing", "Sequence"],
        {
            **{"sep": ["a", 0], "cls": ["a", 0], "processors": [], **LEVELS},
            **{"single": [], "pair": [], "special_tokens": {}},
        },
    ),
}


def drawn(kinds: list[str], fields: Json) -> st.SearchStrategy[Json]:
    kept = st.sets(st.sampled_from(sorted(fields))).map(lambda keys: {key: fields[key] for key in keys})
    wrong = st.dictionaries(st.sampled_from(sorted(fields)), st.sampled_from([1, None, []]), max_size=1)
    types = st.one_of(st.sampled_from([{}, {"type": "Foo"}, {"type": None}, {"type": []}]), st.sampled_from(kinds))
    return st.builds(
        lambda kind, part, other: {**({"type": kind} if isinstance(kind, str) else kind), **part, **other},
        types,
        st.one_of(kept, st.just(fields)),
        wrong,
    )


parts = st.sampled_from(sorted(PARTS)).flatmap(lambda name: st.tuples(st.just(name), drawn(*PARTS[name])))


@pytest.mark.floor(refused=70, accepted=70)
@given(part=parts)
@example(part=("decoder", {"suffix": "x"}))
@example(part=("decoder", {"type": "Foo", "suffix": 1, "prefix": "##", "cleanup": True}))
@example(part=("normalizer", {"type": "BertNormalizer", "prepend": "a"}))
@example(part=("normalizer", {"type": "Bert", "clean_text": True, "handle_chinese_chars": True, "lowercase": True}))
@example(part=("normalizer", {"normalizers": [{"prepend": "a"}]}))
@example(part=("post_processor", {"type": "ByteLevel", "single": [], "pair": [], "special_tokens": {}}))
@settings(max_examples=examples(300))
def test_a_part_is_read_as_the_library_reads_it_whatever_its_type(outcomes: Outcomes, part: tuple[str, Json]) -> None:
    name, value = part
    file = json.dumps({**WHOLE, name: value})
    try:
        expected = json.loads(tokenizers.Tokenizer.from_str(file).to_str())[name]
    except BaseException:
        with pytest.raises(FormatError, match=name):
            from_bytes(file.encode())
        outcomes.refused += 1
        return
    outcomes.accepted += 1
    written = to_bytes(from_bytes(file.encode()), format="tokenizers").decode()
    assert flat(json.loads(tokenizers.Tokenizer.from_str(written).to_str())[name]) == flat(expected)


def flat(part: Json | None) -> list[Json]:
    """Steps of a normalizer or pre-tokenizer, whose sequences are written flat, and every other part as it is."""
    inner = None if part is None else part.get("normalizers", part.get("pretokenizers"))
    return [step for each in inner for step in flat(each)] if inner is not None else [part] if part else []
