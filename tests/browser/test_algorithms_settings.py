"""Training settings of the algorithms, chosen in a browser: bytes for Korean, words, counts, unknown characters."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from tests.browser.helpers import expect, wait_until_idle
from tests.browser.test_algorithms import card, opened

KOREAN = "안녕하세요"


@pytest.mark.thorough
def test_a_teacher_shows_what_becomes_of_korean_in_a_model_of_english(page: Page) -> None:
    opened(page, f"sample=lantern_story&word={quote(KOREAN)}")
    page.get_by_role("button", name="Rules").click()
    rules = page.locator(".st-key-algorithms-rules")
    pieces = page.locator(".segmentations dd").nth(3)
    expect(pieces.locator(".t")).to_have_text(["▁", "<unk>"])
    rules.get_by_text("Byte fallback", exact=True).click()
    expect(pieces.locator(".t")).to_have_text(["▁", *(f"<0x{byte:02X}>" for byte in KOREAN.encode())])
    expect(card(page, "SentencePiece")).to_contain_text("and 256 bytes")
    expect(page.get_by_text("so they become their bytes.")).to_be_visible()
    page.wait_for_url("**bytes=1**")

    rules.get_by_text("Whole words", exact=True).click()
    expect(card(page, "SentencePiece")).to_contain_text("Counted, not learned: the words between spaces")
    rules.get_by_text("Count", exact=True).click()
    expect(card(page, "WordPiece")).to_contain_text("merges the most frequent pair")
    expect(page.locator(".segmentations dd").nth(2).locator(".t")).to_have_text(["▁", "<unk>"])
    rules.get_by_text("Its word", exact=True).click()
    expect(page.locator(".segmentations dd").nth(2).locator(".t")).to_have_text(["<unk>"])
    page.wait_for_url("**unknown=word**")
    page.reload()
    wait_until_idle(page)
    expect(card(page, "SentencePiece")).to_contain_text("its library's words")
    expect(page.locator(".segmentations dd").nth(2).locator(".t")).to_have_text(["<unk>"])


def test_case_folding_is_chosen_from_the_list_and_an_unknown_character_is_drawn(page: Page) -> None:
    opened(page, f"sample=lantern_story&model=unigram&word={quote('LanÿTern')}")
    lattice = page.get_by_role("listbox", name="The lattice of the word")
    expect(lattice).to_have_count(2)
    expect(lattice.first.locator(".unknown")).to_have_count(2)  # L and ÿ
    expect(lattice.first.get_by_role("option", name="not a piece", exact=False).first).to_be_attached()
    page.get_by_role("button", name="Rules").click()
    page.get_by_role("combobox", name="SentencePiece normalizes by").click()
    page.get_by_role("option", name="nmt_nfkc_cf (lower case)").click()
    expect(page.get_by_text("Normalized by nmt_nfkc_cf: ▁lanÿtern")).to_be_visible()
    page.wait_for_url("**normalization=nmt_nfkc_cf**")
