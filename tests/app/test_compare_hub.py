"""Hub models on Compare: requested by name, fetched in turn, reopened after a reload, and switched off."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from bpe_core import BpeError, train, train_wordpiece
from bpe_core.bundled.files import FOLDER
from bpe_core.formats import to_bytes
from bpe_core.hub.address import FetchedFile
from bpe_core.hub.library import hub_host
from bpe_core.hub.names import HubName
from bpe_core.hub.switch import SETTING
from tests.app.pages import lanes, opened, texts
from tests.app.sending import chosen
from tests.app.test_compare import button, captions, compare, find, selectbox
from tests.hub_server import Hub
from ui.session import hub as setting
from ui.session.links import to_link
from ui.session.tokenizer_choice import MODEL_NAME, WANTED_MODELS
from ui.session.tokenizer_files import WantedModel
from ui.widgets import hub_download
from ui.widgets.progress import TrainingBar

__all__ = ["compare"]

TEXT = "low lower lowest hug hugs pug"
JSON = to_bytes(train(TEXT).tokenizer(), format="tokenizers")
WORDPIECE = to_bytes(train_wordpiece(TEXT, 40).tokenizer(), format="wordpiece")
RANKS = to_bytes(train(TEXT).tokenizer(), format="tiktoken")
NAME = "me/tiny-2.5_b"
SPLIT = "Split into words: a .tiktoken file does not say"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch, hub: Hub) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_ETAG_TIMEOUT", 1)
    for module in ("file_download", "utils._http"):  # its own clock: other threads sleep by the global one
        monkeypatch.setattr(f"huggingface_hub.{module}.time", SimpleNamespace(sleep=lambda _: None))


def fields(app: AppTest) -> list[Any]:
    return [each for each in app.text_input if each.key == "model name"]


def add(app: AppTest, name: str) -> None:
    """Type the name of a model and press the button."""
    [field] = fields(app)
    field.set_value(name).run()
    button(app, "Fetch").click().run()
    assert not app.exception


def own(app: AppTest) -> list[str]:
    return [name for name in chosen(app, "compare with choice") if name.startswith("file:")]


# -- asking --------------------------------------------------------------------------------------------------


def test_the_hub_is_not_asked_before_the_click_and_the_page_names_the_host(compare: AppTest, hub: Hub) -> None:
    [field] = fields(compare)
    field.set_value(NAME).run()
    assert not hub.asked
    host = hub.url.removeprefix("http://")
    assert (
        f"Only this button asks {host}, and only for files of the tokenizer, its chat template and config.json."
        in texts(compare)
    )


def test_a_model_becomes_a_column_by_its_name(compare: AppTest, hub: Hub) -> None:
    hub.add(NAME, {"tokenizer.json": JSON, "model.safetensors": b"weights"})
    add(compare, NAME)
    assert lanes(compare)[-1] == "tiny-2.5_b"
    assert any(text.startswith(f"tiny-2.5_b (hf:{NAME}): ") for text in texts(compare))
    assert fields(compare)[0].value == ""
    assert not any("safetensors" in each for each in hub.asked)
    button(compare, "Remove").click().run()
    assert "tiny-2.5_b" not in lanes(compare)


def test_a_revision_and_the_prefix_are_taken(compare: AppTest, hub: Hub) -> None:
    hub.add(NAME, {"vocab.txt": WORDPIECE})
    add(compare, f" hf:{NAME}@v1 ")
    assert lanes(compare)[-1] == "tiny-2.5_b"
    assert f"GET /api/models/{NAME}/revision/v1" in hub.asked


def test_other_pages_take_it_too(compare: AppTest, hub: Hub) -> None:
    hub.add(NAME, {"vocab.txt": WORDPIECE})
    add(compare, NAME)
    [name] = own(compare)
    compare.session_state["encode text"] = "low"
    encode = compare.switch_page("pages/encode.py").run()
    find(encode, "encode with", name)
    assert "tiny-2.5_b · special tokens as plain text" in captions(encode)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("me/other", "has no model named 'me/other', or it is private."),
        ("<b>**x**</b>", "'<b>**x**</b>' is not the name of a model on the hub."),
        ("", "'' is not the name of a model on the hub."),
        ("me/gated", "me/gated is gated: "),
        ("me/nothing", "me/nothing has no tokenizer file; it has 'README.md'."),
        ("me/down", "cannot be reached: it returned status 503."),
        ("me/bad", "me/bad: The file is JSON, but not a tokenizer's."),
        ("http://example.com/me/tiny", "'http://example.com/me/tiny' is not downloaded."),
        ("me / tiny", "'me / tiny' is not the name of a model on the hub."),
        ("me/page", "is not from the hub"),
        ("me/tiny@v9", "me/tiny has no revision 'v9'."),
    ],
)
def test_what_cannot_be_had_is_told_apart_and_nothing_changes(
    compare: AppTest, hub: Hub, name: str, reason: str
) -> None:
    hub.add("me/gated", {"tokenizer.json": JSON}, behaviour="gated", token="x")
    hub.add("me/nothing", {"README.md": b""})
    hub.add("me/down", {"tokenizer.json": JSON}, behaviour="503")
    hub.add("me/bad", {"tokenizer.json": b'{"a": {}}'})
    hub.add("me/page", {"tokenizer.json": JSON}, behaviour="page")
    hub.add("me/tiny", {"tokenizer.json": JSON})
    add(compare, name)
    assert any(reason in text for text in texts(compare))
    assert lanes(compare) == ["Trained", "GPT-2", "cl100k", "o200k"]


@pytest.mark.parametrize("file", ["qwen.tiktoken", "tokenizer.model"])
def test_ranks_ask_for_their_split_as_those_of_a_file_do(compare: AppTest, hub: Hub, file: str) -> None:
    hub.add(NAME, {file: RANKS})
    add(compare, NAME)
    assert f"Fetched: hf:{NAME}" in texts(compare)
    assert lanes(compare) == ["Trained", "GPT-2", "cl100k", "o200k"]
    assert button(compare, "Add").disabled
    selectbox(compare, SPLIT).set_value("o200k").run()
    button(compare, "Add").click().run()
    assert not compare.exception
    assert lanes(compare)[-1] == "tiny-2.5_b"
    assert not any(text.startswith("Fetched") for text in texts(compare))
    [added] = compare.session_state["tokenizer files"]
    assert added.tokenizer().split.pattern == "o200k"


def test_ranks_that_are_published_bring_their_split(compare: AppTest, hub: Hub) -> None:
    hub.add(NAME, {"cl100k.tiktoken": (FOLDER / "cl100k_base.tiktoken").read_bytes()})
    add(compare, NAME)
    assert lanes(compare)[-1] == "tiny-2.5_b"


def test_a_visitor_goes_on_without_the_ranks(compare: AppTest, hub: Hub) -> None:
    hub.add(NAME, {"qwen.tiktoken": RANKS})
    add(compare, NAME)
    add(compare, NAME)
    assert f"Fetched: hf:{NAME}, hf:{NAME}" in texts(compare)
    button(compare, "Go on without").click().run()
    assert not any(text.startswith("Fetched") for text in texts(compare))
    assert lanes(compare) == ["Trained", "GPT-2", "cl100k", "o200k"]


def test_a_link_has_the_split_that_was_chosen(compare: AppTest, hub: Hub) -> None:
    hub.add(NAME, {"qwen.tiktoken": RANKS})
    add(compare, NAME)
    selectbox(compare, SPLIT).set_value("o200k").run()
    button(compare, "Add").click().run()
    view = compare.session_state["latest view"].view
    again = opened("compare", to_link(view, str).query)
    assert f"Not here: hf:{NAME} split=o200k" in texts(again)
    button(again, "Ask the hub").click().run()
    assert lanes(again)[-1] == "tiny-2.5_b"
    [added] = again.session_state["tokenizer files"]
    assert added.tokenizer().split.pattern == "o200k"


@pytest.mark.parametrize("page", ["encode", "vocabulary", "pipeline"])
def test_other_pages_ask_for_the_split_of_a_model_of_a_link_too(hub: Hub, page: str) -> None:
    hub.add(NAME, {"qwen.tiktoken": RANKS})
    again = opened(page, f"own=hf:{NAME.replace('/', '%2F')}")
    button(again, "Ask the hub").click().run()
    assert f"Fetched: hf:{NAME}" in texts(again)
    selectbox(again, SPLIT).set_value("gpt2").run()
    button(again, "Add").click().run()
    assert not again.exception
    assert [file.split for file in again.session_state["tokenizer files"]] == ["gpt2"]


def test_no_more_models_are_kept_than_files(compare: AppTest, hub: Hub) -> None:
    hub.add(NAME, {"vocab.txt": WORDPIECE})
    for _ in range(4):
        add(compare, NAME)
    assert lanes(compare)[-4:] == ["tiny-2.5_b", "tiny-2.5_b 2", "tiny-2.5_b 3", "tiny-2.5_b 4"]
    hub.requests.clear()
    add(compare, NAME)
    assert any(text.startswith("With these there are 5 tokenizer files") for text in texts(compare))
    assert not hub.asked


# -- waiting and cancelling ------------------------------------------------------------------------------------


def when_reported(monkeypatch: pytest.MonkeyPatch, what: Callable[[str], object]) -> None:
    """Call `what` once, with the first text of the progress bar."""
    left = [what]
    monkeypatch.setattr(TrainingBar, "report", lambda self, done, total, words: left and left.pop()(words))


def wait_until_no_download() -> None:
    for thread in threading.enumerate():
        if thread.name == "download":
            thread.join(10)
    assert not len(hub_download.DOWNLOADS)


def test_a_download_says_what_it_is_at(compare: AppTest, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.add(NAME, {"tokenizer.json": JSON}, behaviour="silent")
    shown: list[str] = []
    when_reported(monkeypatch, lambda words: (shown.append(words), hub.may_go_on.set()))
    add(compare, NAME)
    assert shown == [f"Asking {hub_host()}"]
    assert own(compare)


def test_a_download_waits_its_turn(compare: AppTest, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    busy, may_end = [threading.Event() for _ in range(hub_download.AT_ONCE)], threading.Event()

    def work(begun: threading.Event) -> None:
        with hub_download.DOWNLOADS.turn(None, lambda before: None):
            begun.set()
            may_end.wait(10)

    for begun in busy:
        threading.Thread(target=work, args=(begun,)).start()
        assert begun.wait(10)
    hub.add(NAME, {"tokenizer.json": JSON})
    shown: list[str] = []
    when_reported(monkeypatch, lambda words: (shown.append(words), may_end.set()))
    add(compare, NAME)
    assert shown == ["Waiting: 1 before you"]
    assert own(compare)


def test_a_download_that_is_cancelled_ends_and_can_be_asked_for_once_more(
    compare: AppTest, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait_and_stop(bar: TrainingBar, done: int, total: int, words: str) -> None:
        bar.begin(0.0, words)
        hub.may_go_on.set()
        raise StopException

    hub.add(NAME, {"tokenizer.json": JSON}, behaviour="silent")
    with monkeypatch.context() as waiting:
        waiting.setattr(TrainingBar, "report", wait_and_stop)
        add(compare, NAME)
    [cancel] = [each for each in compare.button if each.label == "Cancel"]
    cancel.click().run()
    wait_until_no_download()
    assert "The files were not opened: this was cancelled." in texts(compare)
    assert not own(compare)
    add(compare, NAME)
    assert own(compare)


def test_a_model_is_fetched_when_a_visitor_is_back_whose_connection_broke(
    compare: AppTest, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(_: str) -> None:
        hub.may_go_on.set()
        raise StopException

    hub.add(NAME, {"tokenizer.json": JSON}, behaviour="silent")
    with monkeypatch.context() as leaving:
        when_reported(leaving, leave)
        add(compare, NAME)
    wait_until_no_download()
    compare.run()
    assert own(compare)


# -- links and reloads -----------------------------------------------------------------------------------------


def test_a_reload_asks_before_it_opens_the_model_again(compare: AppTest, hub: Hub) -> None:
    hub.add(NAME, {"tokenizer.json": JSON})
    add(compare, f"{NAME}@v1")
    view = compare.session_state["latest view"].view
    assert view.choices["own"] == [f"hf:{NAME}@v1"]
    hub.requests.clear()
    again = opened("compare", to_link(view, str).query)
    assert f"Not here: hf:{NAME}@v1" in texts(again)
    assert not hub.asked
    button(again, "Ask the hub").click().run()
    assert lanes(again)[-1] == "tiny-2.5_b"
    assert not any("Not here" in text for text in texts(again))


@pytest.mark.parametrize("page", ["encode", "vocabulary", "pipeline"])
def test_other_pages_open_the_models_of_a_link_from_the_cache_where_there_is_no_connection(
    compare: AppTest, hub: Hub, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.add(NAME, {"tokenizer.json": JSON})
    add(compare, NAME)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    again = opened(page, f"own=hf:{NAME.replace('/', '%2F')}&own=hf:**no**&own=tiny")
    button(again, "Ask the hub").click().run()
    assert not again.exception
    assert len(again.session_state["tokenizer files"]) == 1
    assert "Not here: hf:**no**, tiny" in texts(again)
    assert not any(each.label == "Ask the hub" for each in again.button)


def test_why_a_model_of_a_link_cannot_be_opened_is_said(hub: Hub) -> None:
    again = opened("encode", "own=hf:me%2Fother")
    button(again, "Ask the hub").click().run()
    assert any("has no model named 'me/other', or it is private." in text for text in texts(again))


def test_a_model_that_is_gone_from_the_cache_is_said_so(compare: AppTest, hub: Hub, tmp_path: Any) -> None:
    hub.add(NAME, {"vocab.txt": WORDPIECE + b"gone\n"})
    add(compare, NAME)
    [file] = compare.session_state["tokenizer files"]
    for path in (tmp_path / "hub").rglob("vocab.txt"):
        path.unlink()
    with pytest.raises(Exception, match="no longer in the cache"):
        file.tokenizer()


# -- the switch ------------------------------------------------------------------------------------------------


def test_an_administrator_switches_it_off(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting, "HUB_ALLOWED", False)
    hub.add(NAME, {"tokenizer.json": JSON})
    app = opened("compare", f"own=hf:{NAME.replace('/', '%2F')}")
    assert not fields(app)
    assert not any(each.label in ("Ask the hub", "Fetch") for each in app.button)
    assert f"Not here: hf:{NAME}" in texts(app)
    app.session_state["models wanted"] = (WantedModel(HubName("me")), WantedModel(HubName(NAME)))
    app.run()
    assert "This server does not access the hub." in texts(app)
    assert not hub.asked


def test_what_is_deployed_is_off_unless_an_administrator_says_on() -> None:
    compose = Path(__file__).parents[2] / "deploy" / "compose.yaml"
    assert f"{SETTING}: ${{{SETTING}:-off}}" in compose.read_text(encoding="utf-8")


def test_a_visitor_has_only_so_many_downloads_at_a_time() -> None:
    with (
        hub_download.DOWNLOADS.turn("me", lambda before: None),
        hub_download.DOWNLOADS.turn("me", lambda before: None),
        pytest.raises(BpeError, match="2 of your downloads are not finished yet"),
        hub_download.DOWNLOADS.turn("me", lambda before: None),
    ):
        pass


@pytest.mark.parametrize("forged", [None, 5, ["x"], "x" * 10_000])
def test_a_forged_name_is_none(forged: object) -> None:
    assert not MODEL_NAME.valid(forged)
    assert not WANTED_MODELS.valid(forged)


def test_a_file_is_fetched_by_its_address_and_its_host_is_named_before(
    compare: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def fetched(address: str, on_progress: object) -> FetchedFile:
        asked.append(address)
        return FetchedFile("mine.json", JSON)

    monkeypatch.setattr(hub_download, "fetch_address", fetched)
    [field] = fields(compare)
    field.set_value("https://example.org/files/mine.json").run()
    assert any("example.org" in each for each in texts(compare))
    assert not asked
    button(compare, "Fetch").click().run()
    assert asked == ["https://example.org/files/mine.json"]
    assert own(compare)


def test_ranks_by_address_are_refused_since_their_split_is_unknown(
    compare: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_download, "fetch_address", lambda *_: FetchedFile("mine.tiktoken", RANKS))
    add(compare, "https://example.org/mine.tiktoken")
    assert not own(compare)
    assert any("do not say how texts are split" in each for each in texts(compare))


@pytest.mark.parametrize("address", ["https://me:secret@example.org/mine.json", "https://[", "https://"])
def test_an_address_that_is_none_is_refused_before_any_request(compare: AppTest, address: str) -> None:
    add(compare, address)
    assert not own(compare)
    assert any("is not downloaded" in each for each in texts(compare))
