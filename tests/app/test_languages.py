"""Languages of the pages: which one is chosen, that it persists, and that every word comes from a catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

from bpe_core import TrainConfig
from bpe_core.language import LANGUAGES, PSEUDO, catalogues
from tests.app import pages
from tests.app.sending import address as address_bar
from ui.session.drafts import FIRST_TEXTS
from ui.session.lesson_file import to_file
from ui.session.lessons import all_lessons
from ui.session.shared_view import from_plain
from ui.session.training import Source, Wanted
from ui.widgets import address

HOSTILE = '"><script>alert(1)</script>![x](http://example.org/x.png)'


def opened(page: str = "lessons", **query: str) -> AppTest:
    """A new session whose browser opens this URL."""
    return pages.opened(page, query)


def headers(app: AppTest) -> list[str]:
    return [each.value for each in app.header]


def query_of(app: AppTest) -> list[str]:
    """The query parameters that the page last sent for the address bar."""
    return str(address_bar(app)["query"]).split("&")


@pytest.fixture
def in_japanese(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Catalogues with one word in Japanese."""
    folder = tmp_path / "ja"
    folder.mkdir()
    (folder / "test.po").write_text('msgid "Courses"\nmsgstr "コース"\n', "utf-8")
    monkeypatch.setattr(catalogues, "_FOLDERS", [tmp_path])
    catalogues.catalogue.cache_clear()
    yield
    catalogues.catalogue.cache_clear()


@pytest.fixture
def japanese_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(st.context), "locale", "ja-JP")


# -- which language -------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("in_japanese", "japanese_browser")
def test_a_japanese_browser_gets_japanese_where_a_catalogue_has_it() -> None:
    app = opened()
    assert headers(app) == ["コース", "All lessons"]
    assert app.menu_button(key="languages").proto.label == "日本語"
    assert not [each for each in query_of(app) if each.startswith("lang")], "detected, not chosen: not in links"


@pytest.mark.usefixtures("in_japanese", "japanese_browser")
def test_a_link_with_a_language_wins_over_the_browser() -> None:
    assert headers(opened(lang="en")) == ["Courses", "All lessons"]


@pytest.mark.usefixtures("in_japanese", "japanese_browser")
@pytest.mark.parametrize("asked", ["xx", "", "en-GB", HOSTILE])
def test_an_unknown_language_in_a_link_changes_nothing_and_is_not_shown(asked: str) -> None:
    app, default = opened(lang=asked), opened()
    assert headers(app) == ["コース", "All lessons"]
    assert [*texts(app)] == [*texts(default)]
    assert query_of(app) == query_of(default)


@pytest.mark.usefixtures("in_japanese")
def test_the_menu_changes_the_language_and_the_address_says_so() -> None:
    app = opened()
    app.menu_button(key="languages").click("ja").run()
    assert headers(app) == ["コース", "All lessons"]
    assert app.menu_button(key="languages").proto.label == "日本語"
    assert query_of(app)[-1] == "lang=ja"
    app.menu_button(key="languages").click("en").run()
    assert headers(app) == ["Courses", "All lessons"]
    assert query_of(app)[-1] == "lang=en"


def test_the_scripts_of_a_link_are_named_and_kept_in_every_language() -> None:
    app = opened("vocabulary", scripts="Latin")
    for language in ("ja", "zh", "en"):
        app.menu_button(key="languages").click(language).run()
        app._run(WidgetStates())  # for a closed menu, the browser sends nothing
        [scripts] = [each for each in app.multiselect if each.key == "scripts shown"]
        assert scripts.value == ["Latin"]
        assert "scripts=Latin" in query_of(app)


def test_a_draft_says_so_in_the_menu_and_is_chosen_there_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(st.context), "locale", "ko-KR")
    app = opened()
    assert headers(app) == ["Courses", "All lessons"]
    app.menu_button(key="languages").click("ko").run()
    assert app.menu_button(key="languages").proto.label == "한국어 (초안)"
    assert headers(app) == ["강좌", "모든 레슨"]
    lessons = [lesson for lesson in all_lessons() if lesson.question in texts(app)]
    assert lessons, "what has no Korean yet is in English"


@pytest.mark.usefixtures("in_japanese")
def test_a_chosen_language_stays_on_other_pages_and_after_a_reload() -> None:
    app = opened()
    app.menu_button(key="languages").click("ja").run()
    app.switch_page("pages/encode.py").run()
    assert app.menu_button(key="languages").proto.label == "日本語"
    assert query_of(app)[-1] == "lang=ja"
    app.switch_page("pages/lessons.py").run()
    assert headers(app) == ["コース", "All lessons"]
    assert headers(opened(lang="ja")) == ["コース", "All lessons"]


@pytest.mark.usefixtures("in_japanese")
def test_back_leads_to_what_was_shown_in_the_language_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(lang="en")
    app.menu_button(key="languages").click("ja").run()
    monkeypatch.setattr(address, "_by_history", lambda: True)
    app.query_params["lang"] = "en"
    app.run()
    assert headers(app) == ["コース", "All lessons"]


def test_links_to_other_pages_say_the_language_that_was_chosen() -> None:
    app = opened(lesson="overlaps", lang="ja")
    [link] = app.get("page_link")
    assert "lang=ja" in link.proto.query_string.split("&")


# -- what is opened -------------------------------------------------------------------------------------------


def test_a_lesson_opens_in_the_language_of_its_link() -> None:
    app = opened(lesson="overlaps", lang=PSEUDO)
    assert headers(app) == ["⟦Counted twice, merged once⟧"]
    app.button(key="reveal").click().run()
    assert untranslated(app) == []


def test_a_lesson_file_opens_in_the_language_of_the_visitor() -> None:
    app = opened(lang=PSEUDO)
    plain = {"page": "lessons", "choices": {"lesson": "overlaps"}}
    app.file_uploader(key="lesson file").upload("x.json", to_file(from_plain(plain)), "application/json").run()
    assert headers(app) == ["⟦Counted twice, merged once⟧"]


def test_what_is_wrong_with_a_lesson_file_is_said_in_the_language_of_the_visitor() -> None:
    app = opened(lang=PSEUDO)
    app.file_uploader(key="lesson file").upload("x.json", b'{"format": "other"}', "application/json").run()
    assert "⟦The file is not a lesson file.⟧" in [each.value for each in app.text]
    assert untranslated(app) == []


def test_what_is_wrong_with_a_link_is_said_in_the_language_of_the_visitor() -> None:
    app = opened("encode", lang=PSEUDO, token="x")
    notice = (
        "⟦This link cannot be opened. ⟦Its 'token' is 'x', which is not valid.⟧ So the page opens with its defaults.⟧"
    )
    assert notice in [each.value for each in app.text]


# -- every word of every page ---------------------------------------------------------------------------------

NAMES = {
    *("BPE", "WordPiece", "Unigram", "SentencePiece", "GPT-2", "cl100k", "o200k", "BERT", "T5"),
    *("CSV", "Parquet", "UTF-8"),
    *(language.title for language in LANGUAGES.values()),
    PSEUDO,
}
"""Names that are the same in every language."""

WORDS = ("label", "body", "help", "placeholder", "options", "title", "caption", "text")
"""The fields of Streamlit's elements and containers that contain visible text."""

_ICON = re.compile(r":material/\w+:")
_MARKUP = re.compile(r"<style>.*?</style>|<[^>]*>", re.DOTALL)
_TRANSLATED = re.compile(r"⟦[^⟦⟧]*⟧")


def texts(app: AppTest) -> Iterator[str]:
    """All text of Streamlit's elements and containers on a page, without icons and markup."""
    blocks = [app._tree]
    while blocks:
        node: Any = blocks.pop()
        blocks += [*getattr(node, "children", {}).values()][::-1]
        for message in (getattr(node, "proto", None), *kinds_of(getattr(node, "proto", None))):
            for name in WORDS:
                value = getattr(message, name, ())
                for text in [value] if isinstance(value, str) else value if not callable(value) else ():
                    if isinstance(text, str) and text:
                        yield _MARKUP.sub("", _ICON.sub("", text))


def kinds_of(proto: Any) -> Iterator[Any]:
    """The specific kind of a container: popover, expander, tab."""
    for kind in ("popover", "expandable", "tab", "dialog", "form"):
        if proto is not None and kind in proto.DESCRIPTOR.fields_by_name and proto.HasField(kind):
            yield getattr(proto, kind)


def untranslated(app: AppTest, typed: tuple[str, ...] = ()) -> list[str]:
    """Text of a page in the pseudo-locale that comes from no catalogue and is neither a name nor user input."""
    found = []
    for text in texts(app):
        left = text
        while (outer := _TRANSLATED.sub("", left)) != left:
            left = outer
        for name in sorted({*NAMES, *typed}, key=len, reverse=True):
            left = left.replace(name, "")
        if any(character.isalpha() for character in left):
            found.append(text)
    return found


def all_lessons_shown() -> AppTest:
    return opened(lang=PSEUDO)


def one_lesson() -> AppTest:
    """Lesson 33, with textbook results beside its answer."""
    app = opened(lesson="engineers.score_against_count", lang=PSEUDO)
    return app.button(key="reveal").click().run()


def printed_results() -> AppTest:
    app = opened(lesson="where_textbooks_differ", lang=PSEUDO)
    return app.button(key="reveal").click().run()


def editor() -> AppTest:
    """The lesson editor; the untitled lesson has the page Train."""
    app = opened(lang=PSEUDO)
    return app.button(key="write lessons").click().run()


PAGES: dict[str, tuple[Callable[[], AppTest], tuple[str, ...]]] = {
    "all lessons": (all_lessons_shown, ()),
    "one lesson": (one_lesson, ()),
    "printed results": (printed_results, ()),
    "editor": (editor, ()),
}
"""A function that opens each page, and the user input on it."""


@pytest.mark.parametrize("page", PAGES)
def test_every_word_of_a_page_comes_from_a_catalogue(page: str) -> None:
    come, typed = PAGES[page]
    app = come()
    assert not app.exception, app.exception
    assert len([*texts(app)]) > 20
    assert untranslated(app, typed) == []


def test_a_word_that_comes_from_no_catalogue_is_found() -> None:
    def page() -> None:
        import streamlit

        streamlit.button("⟦Next⟧ Go on", help="⟦⟦A⟧ b⟧ c")
        streamlit.popover("BPE · 1,200 ⟦ids⟧")
        streamlit.popover("More")

    assert untranslated(AppTest.from_function(page).run()) == ["⟦Next⟧ Go on", "⟦⟦A⟧ b⟧ c", "More"]


@pytest.mark.parametrize(
    ("language", "first"), [("en", "lantern_story"), ("ja", "japanese_station_clock"), ("zh", "chinese_umbrella")]
)
def test_a_session_begins_with_a_text_in_its_language_unless_a_link_names_one(language: str, first: str) -> None:
    app = opened("train", lang=language)
    assert f"sample={first}" in query_of(app)
    assert app.selectbox(key="draft sample").value == first
    app.menu_button(key="languages").click("en" if language != "en" else "ja").run()
    assert f"sample={first}" in query_of(app), "a training stays when the language changes"
    assert "sample=toy_hug" in query_of(opened("train", lang=language, sample="toy_hug"))


@pytest.mark.parametrize("language", ["ja", "zh"])
@pytest.mark.parametrize("page", ["encode", "compare", "pipeline"])
def test_a_page_begins_with_a_text_in_the_language_and_its_link_means_that_text_in_any(
    page: str, language: str
) -> None:
    def text_of(app: AppTest) -> str:
        name = f"{page} text"
        return str(app.session_state[name]) if name in app.session_state else ""  # the default text

    first = pages.opened(page, f"lang={language}")
    assert re.search("[\u3040-\u30ff\u4e00-\u9fff]{2}", text_of(first))
    query = address_bar(first)["query"].replace(f"lang={language}", "lang=en")
    assert text_of(pages.opened(page, query)) == text_of(first)
    for opening in ("stage=1", "tour=1", "embed=1&card=tokens"):
        assert text_of(pages.opened(page, f"{opening}&lang={language}")) == text_of(first)
    for named in (f"via=overlaps&lang={language}", "lang=en"):
        assert not text_of(pages.opened(page, named))


def test_what_pages_begin_with_in_a_language_is_valid() -> None:
    firsts = [(item, value) for texts in FIRST_TEXTS.values() for item, value in texts.items()]
    assert [(item.key, value) for item, value in firsts if not item.valid(value)] == []


def test_a_training_takes_the_place_of_the_text_with_which_a_page_began() -> None:
    app = pages.opened(query="lang=ja")
    app.session_state["wanted"] = Wanted(Source("paste", "", "low lower"), TrainConfig(), own=True, carried=True)
    app.run()
    assert app.session_state["encode text"] == app.session_state["compare text"] == "low lower"
