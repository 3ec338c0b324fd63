"""The length of a normalized text is known before alignment, and an excessive one is rejected immediately."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_core import CorpusError
from bpe_core.formats import from_bytes
from bpe_core.text import growth, normalizers
from bpe_core.text.growth import bounded, longest
from bpe_core.text.normalization import MOST_CHARACTERS
from bpe_core.tokenizer.tokenizer import Tokenizer
from tests.core.json_files import BERT_NORMALIZER
from tests.draws import examples

STEPS = [
    *({"type": form} for form in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel")),
    {"type": "Prepend", "prepend": "▁"},
    {"type": "Strip", "strip_left": True, "strip_right": True},
    {"type": "Replace", "pattern": {"String": "a"}, "content": "bcd"},
    {"type": "Replace", "pattern": {"String": "ab"}, "content": "aab"},
    {"type": "Replace", "pattern": {"Regex": "[a-m]"}, "content": "xy"},
    BERT_NORMALIZER,
]
CHARACTERS = st.sampled_from("ab \té\u0301ﷺ㎏ﬁが中豈日İΣ😀각\u200bΐ")


def tokenizer_of(*steps: dict[str, object]) -> Tokenizer:
    return from_bytes(written(*steps))


def written(*steps: dict[str, object]) -> bytes:
    whole = json.loads(LibraryTokenizer(models.BPE({"a": 0}, [])).to_str())
    return json.dumps(whole | {"normalizer": {"type": "Sequence", "normalizers": steps}}).encode()


@example([STEPS[-1], STEPS[-2]], ["İ"], 3)
@example([{"type": "ByteLevel"}, {"type": "NFD"}], [" "], 3)
@example([{"type": "Replace", "pattern": {"String": "a"}, "content": "ﷺ"}, {"type": "NFKC"}], ["a"], 3)
@example([STEPS[-1], {"type": "Replace", "pattern": {"String": " "}, "content": "xy"}], ["\t"], 3)
@settings(max_examples=examples(200))
@given(st.lists(st.sampled_from(STEPS), max_size=4), st.lists(CHARACTERS, max_size=60), st.integers(3, 40))
def test_the_length_is_known_before(steps: list[dict[str, object]], drawn: list[str], window: int) -> None:
    text = "".join(drawn)
    chain = tokenizer_of(*steps).normalizer
    library = LibraryTokenizer.from_str(written(*steps).decode()).normalizer
    made = library.normalize_str(text) if library else text
    prepended = sum(step["type"] == "Prepend" for step in steps)
    assert len(made) <= bounded(chain.steps, text) + 8 * prepended
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(growth, "FEW", -1)
        whole = longest(chain.steps, text)
        patched.setattr(growth, "WINDOW", window)
        windows = longest(chain.steps, text)
    assert whole >= len(made)
    # Window by window, a Unicode form may miss a composition, or decompose characters that it would have kept.
    assert whole * 0.5 - 8 <= windows <= whole * 2 + 64 * (1 + len(text) // window)


@pytest.mark.parametrize(("steps", "char"), [(2, "a"), (3, "😀"), (12, "a")])
def test_what_grows_too_much_is_refused_before_it_is_made(steps: int, char: str) -> None:
    step = {"type": "Replace", "pattern": {"String": char}, "content": char * 10}
    with pytest.raises(CorpusError, match="makes a text of"):
        tokenizer_of(*[step] * steps).encode(char * (2 * MOST_CHARACTERS // 10**steps + 1))


_REFUSED = """
import json, resource, sys
sys.path.insert(0, sys.argv[1])
from bpe_core import CorpusError
from tests.core.test_growth import tokenizer_of
refused = tokenizer_of(*[{"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 10}] * 12)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for text in ("a", "a" * 4_900_000):
    try:
        refused.encode(text)
    except CorpusError:
        continue
    raise SystemExit("not refused")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_a_refusal_takes_little_memory() -> None:
    project = str(__file__).rsplit("/tests/", 1)[0]
    done = subprocess.run([sys.executable, "-c", _REFUSED, project], capture_output=True, text=True, cwd=project)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 300 * 1024


def test_a_text_alone_is_rewritten_as_with_its_alignment() -> None:
    text = "a ab ﬁ ÄΣ 中\t豈 \u0301é " * 3
    for step in tokenizer_of(*STEPS).normalizer.steps:
        assert growth.rewritten(step, text) == step.change(text)[0]
        assert growth.rewritten(step, "") == step.change("")[0] == ""
    assert normalizers.Chain(()).text(text) == text
