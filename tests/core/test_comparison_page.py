"""A page of a comparison: each difference has the reason that the comparison gives, and limits are named."""

import json
from pathlib import Path
from typing import Any

import pytest

from bpe_core import ConfigError, FormatError, Tokenizer, TrainConfig, compare, load_pretrained, train
from bpe_core.cli import main
from bpe_core.comparison.page_views import MOST_DIFFERENCES, comparison_page
from bpe_core.comparison.reason_views import drawn_reason
from bpe_core.page.html import page_html
from bpe_core.payloads.reasons import reason_frame
from tests.core.test_training_page import HOSTILE, recording, same

TEXT = "The lowest lanterns, 12345!\n\nnaïve 日本語 " + "x" * 40


@pytest.fixture(scope="module")
def tokenizers() -> dict[str, Tokenizer]:
    mine = train(TEXT, TrainConfig(vocab_size=280)).tokenizer()
    return {"Mine": mine, "GPT-2": load_pretrained("gpt2"), "cl100k": load_pretrained("cl100k_base")}


def test_each_difference_has_its_place_and_its_reason(tokenizers: dict[str, Tokenizer]) -> None:
    comparison = compare(TEXT, tokenizers)
    pairs = recording(page_html(lambda: comparison_page(comparison, "")))["pairs"]
    names = list(tokenizers)
    assert set(pairs) == {"0 1", "0 2", "1 2"}
    for pair, recorded in pairs.items():
        left, right = (names[int(at)] for at in pair.split())
        found = comparison.disagreements(left, right)
        assert recorded["all"] == len(found) == len(recorded["differences"])
        for each, drawn in zip(found, recorded["differences"], strict=True):
            assert drawn["at"] == [each.start, each.end]
            reason = drawn_reason(comparison, left, right, each.start, each.end)
            assert same(drawn["reason"], reason_frame(*reason))
            assert drawn["note"][1]["of"] == drawn["at"]


def test_of_a_long_text_the_start_is_shown_and_its_first_differences_are_explained(
    tokenizers: dict[str, Tokenizer],
) -> None:
    comparison = compare("lanterns 12345\n" * 3_000, tokenizers)
    recorded = recording(page_html(lambda: comparison_page(comparison, "")))
    lines = recorded["lines"][1]
    assert len(lines["text"]) <= 20_000
    assert lines["after"] == 45_000 - len(lines["text"])
    pair = recorded["pairs"]["1 2"]
    assert len(pair["differences"]) == MOST_DIFFERENCES < pair["all"]
    assert pair["differences"][-1]["at"][1] <= len(lines["text"])
    assert recorded["counts"][1]["columns"][1]["cells"] == [row.tokens for row in comparison.rows]


def test_no_text_leaves_its_place_in_the_page(tokenizers: dict[str, Tokenizer]) -> None:
    page = page_html(lambda: comparison_page(compare(HOSTILE.replace("\ud800", ""), tokenizers), HOSTILE))
    assert page.count("<script") == page.count("</script>") == 3


def test_to_html_writes_the_page_and_names_what_it_cannot_take(
    tmp_path: Path, tokenizers: dict[str, Tokenizer]
) -> None:
    comparison = compare("low lower", tokenizers)
    comparison.to_html(tmp_path / "low.html", title="Low", language="ja")
    page = (tmp_path / "low.html").read_text("utf-8")
    assert '<html lang="ja">' in page
    assert "トークン" in json.dumps(recording(page)["pairs"]["0 1"]["says"], ensure_ascii=False)
    wrong: list[tuple[type[Exception], dict[str, Any]]] = [
        (ConfigError, {"language": "fr"}),
        (FormatError, {"path": tmp_path / "missing" / "low.html"}),
    ]
    for error, arguments in wrong:
        with pytest.raises(error):
            comparison.to_html(**{"path": tmp_path / "other.html", **arguments})
    many = compare("low", {str(number): tokenizers["GPT-2"] for number in range(7)})
    with pytest.raises(ConfigError, match="at most 6"):
        many.to_html(tmp_path / "other.html")
    assert not (tmp_path / "other.html").exists()


def test_a_page_of_one_tokenizer_has_no_differences(tokenizers: dict[str, Tokenizer]) -> None:
    recorded = recording(page_html(lambda: comparison_page(compare("low", {"GPT-2": tokenizers["GPT-2"]}), "")))
    assert recorded["pairs"] == {}
    assert recorded["lines"][0]["tells"] is False


def test_the_command_page_with_tokenizers_writes_the_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "story.txt").write_text("low lower x = 12345", "utf-8")
    out = tmp_path / "tokens.html"
    given = ["page", str(tmp_path / "story.txt"), "--out", str(out), "--tokenizer", "gpt2", "--tokenizer"]
    assert main([*given, "cl100k_base", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"tokenizers": ["gpt2", "cl100k_base"], "bytes": out.stat().st_size, "out": str(out)}
    recorded = recording(out.read_text("utf-8"))
    assert recorded["pairs"]["0 1"]["differences"]
    assert main([*given, "cl100k_base", "--tie-break", "lowest-ids"]) == 2
    assert "without --tokenizer" in capsys.readouterr().err
