"""What a page leaves in its session between runs: callbacks and downloads hold no large values, so caches can evict."""

from __future__ import annotations

import gc

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from bpe_core import Comparison, Disagreement, Encoding
from tests.app.pages import opened
from ui.memory.cache import MEMORY


@pytest.mark.parametrize(
    ("page", "query", "kinds"),
    [
        ("compare", "text=low+lower+l%C3%B6w&with=gpt2&with=bert-base-uncased&lines=true", (Comparison, Disagreement)),
        ("compare", "text=low+lower+l%C3%B6w&with=gpt2&with=t5-small&listed=in+order", (Comparison, Disagreement)),
        ("encode", "text=low+lower+l%C3%B6w&with=bert-base-uncased&view=lanes", (Encoding,)),
        ("encode", "text=low+lower+l%C3%B6w&with=gpt2", (Encoding,)),
    ],
)
def test_a_page_between_its_runs_holds_no_values_of_the_caches(
    page: str, query: str, kinds: tuple[type, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    downloads = []
    button = streamlit.download_button

    def kept(label: str, data: object, *args: object, **options: object) -> bool:
        downloads.append(data)  # as the server keeps them until the next run
        return button(label, data, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(streamlit, "download_button", kept)
    before = alive(kinds)
    app: AppTest = opened(page, query)
    assert downloads
    MEMORY.settle()
    MEMORY.forget()
    assert alive(kinds) <= before
    assert not app.exception


def alive(kinds: tuple[type, ...]) -> set[int]:
    gc.collect()
    return {id(each) for each in gc.get_objects() if isinstance(each, kinds)}
