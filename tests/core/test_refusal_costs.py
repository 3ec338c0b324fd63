"""What is too large is refused by a look at its bytes: nothing is parsed before, and at the limit files still open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import FormatError, load
from bpe_core.formats import careful_json, from_bytes, from_files, json_sizes, reading
from bpe_core.formats.careful_json import parsed_json
from bpe_core.formats.json_sizes import MOST_LEVELS, sizes_of
from tests.draws import examples

MERGES = b'{"version": "1.0", "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [%b]}}'
MANY = reading.MOST_TOKENS + 1


@pytest.fixture
def unparsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails where JSON is parsed."""

    def parse(*_: Any, **__: Any) -> NoReturn:
        pytest.fail("parsed before it was refused")

    monkeypatch.setattr(json, "loads", parse)


# -- JSON ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("unparsed")
@pytest.mark.parametrize(
    ("data", "says"),
    [
        (MERGES % b",".join([b'"a b"'] * MANY), "'merges' has more than 1,000,000 entries"),
        (MERGES % b",\n".join([b'["a", "b"]'] * MANY), "'merges' has more than 1,000,000 entries"),
        (MERGES % b",".join([b"5"] * MANY), "'merges' has more than 1,000,000 entries"),
        (MERGES % b",".join([rb'"\"\\ \\\""'] * MANY), "'merges' has more than 1,000,000 entries"),
        (b'{"model": {"vocab": {%b}}}' % b",".join([b'"a": 0'] * MANY), "'vocab' has more than 1,000,000 entries"),
        (b'{"vocab": [%b]}' % b",".join([b'["a", 0.5]'] * MANY), "'vocab' has more than 1,000,000 entries"),
        (b'{"tokens": [%b]}' % b",".join([b"null"] * 2_000_000), "'tokens' has more than 1,999,999 entries"),
        (b"[%b]" % b",".join([b"1"] * 2_000_000), "The file has more than 1,999,999 entries"),
        (b"[%b]" % b",".join([b"1"] * 20_000_000), "The file has more than 10,000,000 lists and values"),
        (b'{"a": [%b]}' % b",".join([b'["x"]'] * 6_000_000), "'a' has more than 1,999,999 entries"),
    ],
    ids=lambda value: f"{value[:80]!r}",
)
def test_json_that_is_too_large_is_refused_before_it_is_parsed(data: bytes, says: str) -> None:
    with pytest.raises(FormatError) as refused:
        from_bytes(data)
    assert says in str(refused.value)
    assert "That is the most allowed." in str(refused.value)
    with pytest.raises(FormatError) as refused:
        from_files({"mine.json": data})
    assert says in str(refused.value)


@pytest.mark.parametrize("data", [b"[\n1,\n2]", b"[1]", b"[ true ]", b"[1, 2]", b'[ "a"]', b"[-1e3, null]"])
def test_a_list_is_no_tokenizer_and_is_not_called_damaged_json(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ids.json"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"The file is \[.*\. It must be an object"):
        load(path)


@pytest.mark.parametrize("data", [b"[1", b"[PAD]\n[UNK]\n", b"[1, 2", b"[\n"])
def test_what_begins_like_a_list_and_is_none_is_not_json(data: bytes) -> None:
    with pytest.raises(FormatError, match="is not JSON"):
        from_files({"tokenizer.json": data})


def test_a_vocabulary_of_brackets_is_no_list() -> None:
    assert from_bytes(b"[\n1\n[1]\n[UNK]\n").token_id(b"[1]") == 2


@pytest.mark.parametrize("key", ["merges", "vocab", "tokens"])
def test_json_of_exactly_as_many_entries_as_are_allowed_is_parsed(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setattr(careful_json, "MOST_TOKENS", 6)
    monkeypatch.setattr(careful_json, "HIGHEST_ID", 9)
    most = 9 if key == "tokens" else 6
    for entry in (7, "a b", ["a", "b, c"], '"', {"a": [1, 2]}):
        content = {"x": "merges", "model": {key: [entry] * most}}
        assert parsed_json(json.dumps(content).encode(), limit="") == content
        content["model"] = {key: [entry] * (most + 1)}
        with pytest.raises(FormatError, match=f"'{key}' has more than {most} entries"):
            parsed_json(json.dumps(content).encode(), limit="")
    named = {key: {f"{i}": i for i in range(most)}}
    assert parsed_json(json.dumps(named).encode(), limit="") == named
    with pytest.raises(FormatError, match=f"'{key}' has more than {most} entries"):
        parsed_json(json.dumps({key: named[key] | {"more": 0}}).encode(), limit="")


def test_json_of_exactly_as_many_values_as_are_allowed_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(careful_json, "MOST_TOKENS", 3)
    monkeypatch.setattr(careful_json, "HIGHEST_ID", 100)
    monkeypatch.setattr(careful_json, "MOST_VALUES", 8)
    assert parsed_json(b'[1, {"a": ["[[[,,,"]}, 3, 4, 5, 6]', limit="") == [1, {"a": ["[[[,,,"]}, 3, 4, 5, 6]
    with pytest.raises(FormatError, match="has more than 8 lists and values"):
        parsed_json(b'[1, {"a": ["[[[,,,"]}, 3, 4, 5, 6, 7]', limit="")


def sizes(value: object, depth: int = 1, key: str = "") -> tuple[int, list[tuple[int, str]]]:
    """The values of what was parsed, and the entries of each of its lists and objects, with their keys."""
    if not isinstance(value, list | dict):
        return 0, []
    named = (
        [(each, name) for name, each in value.items()] if isinstance(value, dict) else [(each, "") for each in value]
    )
    total, found = max(1, len(named)), [(max(1, len(named)), key)] if depth <= MOST_LEVELS else []
    for each, name in named:
        inner, more = sizes(each, depth + 1, name)
        total, found = total + inner, found + more
    return total, found


TEXTS = st.text(st.sampled_from(list('ab"\\[]{},: \n日')), max_size=6)
VALUES = st.recursive(
    st.none() | st.integers(0, 99) | TEXTS,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(TEXTS, inner, max_size=6),
    max_leaves=40,
)


@settings(max_examples=examples(300))
@given(VALUES, st.sampled_from([None, 1]), st.booleans(), st.integers(1, 9))
def test_sizes_are_those_of_what_is_parsed(value: object, indent: int | None, ascii_only: bool, window: int) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_sizes, "_WINDOW", window)
        counted = sizes_of(data, 1_000)
    total, found = sizes(value)
    assert counted.values == total
    assert counted.longest == max((entries for entries, _ in found), default=1)
    if counted.longest > 1:
        written = {
            json.dumps(key, ensure_ascii=ascii_only)[1:-1] for entries, key in found if entries == counted.longest
        }
        assert counted.key in written
