"""Costs on Compare: typed prices, and the context windows that a text fills."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import load_pretrained
from tests.app.pages import columns, has, opened, payload, texts
from ui.session import prices as state
from ui.session.choices import PAGES

TEXT = "low lower lowest " * 100
TOKENS = len(load_pretrained("gpt2").encode(TEXT))


def with_prices(query: str = "with=gpt2&with=cl100k_base&prices_open=1") -> AppTest:
    page = opened("compare", f"text={TEXT.replace(' ', '+')}&{query}")
    assert not page.exception
    return page


def test_the_card_is_closed_at_first() -> None:
    assert not has(opened("compare"), "prices table")


def test_a_typed_price_becomes_the_cost_of_the_text_and_goes_into_links() -> None:
    page = with_prices()
    assert columns(page, "prices table")["This text costs"] == ["–", "–"]
    page.number_input(key="price of gpt2").set_value(2.5).run()
    page.number_input(key="price of cl100k_base").set_value(5.0).run()
    shown = columns(page, "prices table")
    assert shown["Tokens"][0] == TOKENS
    assert float(shown["This text costs"][0]) == float(f"{TOKENS * 2.5 / 1e6:.4g}")
    assert shown["Against the cheapest"][0] == "1.00×"
    assert page.session_state["prices"] == ["gpt2=2.5", "cl100k_base=5"]
    again = with_prices("with=gpt2&prices_open=1&prices=gpt2%3D2.5&prices=x%3D1&prices=gpt2%3Dnan&windows=100+9000")
    assert columns(again, "prices table")["Price of a million"] == ["2.5"]
    assert {"prices", "windows", "prices_open"} <= {each.name for each in PAGES["compare"]}


def test_small_and_large_prices_are_written_without_exponents() -> None:
    page = with_prices("with=gpt2&with=cl100k_base&prices_open=1&prices=gpt2%3D1e-7&prices=cl100k_base%3D999999.5")
    shown = columns(page, "prices table")
    assert shown["Price of a million"] == ["0.0000001", "999,999.5"]
    assert "," in shown["Against the cheapest"][1]
    assert not any("e" in cell for cell in shown["Price of a million"] + shown["This text costs"])


@pytest.mark.parametrize(
    ("typed", "sizes", "others"),
    [
        ("131,072", [131_072], []),
        ("128k 1M", [128_000, 1_000_000], []),
        ("512,2048, 8192;100", [100, 512, 2048, 8192], []),
        ("1,000,000 1.5k", [1_500, 1_000_000], []),
        ("8192 0 -5 1e6 ٣ 9999999999 0.5 <b>", [8192], ["0", "-5", "1e6", "٣", "9999999999", "0.5", "<b>"]),
        ("", [], []),
    ],
)
def test_a_window_is_read_as_people_write_it(typed: str, sizes: list[int], others: list[str]) -> None:
    page = opened("compare", **{"compare_with": ["gpt2"], "prices_open": True, "context_windows": typed})
    figure = payload(page, "windows chart")["figure"]["data"] if has(page, "windows chart") else [{"y": []}]
    assert sorted(int(each.replace(",", "")) for each in figure[0]["y"]) == sizes
    said = [line for line in texts(page) if line.startswith(("No size", "A size"))]
    assert bool(said) == bool(others or not sizes)
    assert all(repr(word) in said[0] for word in others[:5])


def test_windows_are_typed_and_those_that_are_none_are_told() -> None:
    page = with_prices()
    assert has(page, "windows chart")
    page.text_input(key="context windows").set_value("4q, -3, 0").run()
    assert any("A size is a whole number" in line for line in texts(page))
    page.text_input(key="context windows").set_value("8192, 100 100").run()
    assert has(page, "windows chart")
    assert state.WINDOWS.default.split() == ["512", "2048", "8192", "32768", "131072"]
    assert payload(page, "windows chart")
