"""Costs on Compare: typed prices, and the context windows that a text fills."""

from __future__ import annotations

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
    assert shown["Of the cheapest"][0] == "1.00×"
    assert page.session_state["prices"] == ["gpt2=2.5", "cl100k_base=5"]
    again = with_prices("with=gpt2&prices_open=1&prices=gpt2%3D2.5&prices=x%3D1&prices=gpt2%3Dnan&windows=100+9000")
    assert columns(again, "prices table")["Price of a million"] == ["2.5"]
    assert {"prices", "windows", "prices_open"} <= {each.name for each in PAGES["compare"]}


def test_windows_are_typed_and_those_that_are_none_are_told() -> None:
    page = with_prices()
    assert has(page, "windows chart")
    page.text_input(key="context windows").set_value("4k, -3, 0").run()
    assert any("There is no size among them" in line for line in texts(page))
    page.text_input(key="context windows").set_value("8192, 100 100").run()
    assert has(page, "windows chart")
    assert state.WINDOWS.default.split() == ["512", "2048", "8192", "32768", "131072"]
    assert payload(page, "windows chart")
