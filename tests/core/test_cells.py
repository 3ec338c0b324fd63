"""A view in a notebook's cell: what the output has, what Python may set, and what a browser may request."""

import html
import re
import sys
from typing import Any

import pytest

from bpe_core import ConfigError, CorpusError, TrainConfig, Training, compare, count_words, load_pretrained, train
from bpe_core.bpe import page_views
from bpe_core.page import widget
from tests.core.misuse import WRONG
from tests.core.test_training_page import HOSTILE, recording

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def training() -> Training:
    return train("low lower lowest", TrainConfig(vocab_size=260))


@pytest.fixture
def in_jupyter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", "course.ipynb")
    monkeypatch.delenv("VSCODE_PID", raising=False)


def bundle(view: Any) -> dict[str, Any]:
    data: dict[str, Any] = view._repr_mimebundle_()[0]
    return data


def page_in(output: str) -> str:
    [page] = re.findall(r'<iframe [^>]*sandbox="allow-scripts" [^>]*srcdoc="([^"]*)"', output)
    return html.unescape(page)


def drawn(value: Any) -> Any:
    """Frames without the names of their bodies, which are shorter in a page."""
    if isinstance(value, dict):
        return {key: drawn(each) for key, each in value.items() if key != "rev"}
    return [drawn(each) for each in value] if isinstance(value, list | tuple) else value


def sent_by(view: Any, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What a view sends to the browser from now on."""
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(view, "_send", lambda message, buffers=None: sent.append(message))
    return sent


def test_the_output_has_the_page_in_a_frame_without_rights_and_the_card(training: Training, in_jupyter: None) -> None:
    data = bundle(training.player(step=2, language="ja"))
    assert set(data) == {"text/plain", "text/html"}
    page = page_in(data["text/html"])
    assert '<html lang="ja">' in page
    assert "default-src 'none'" in page
    recorded = recording(page)
    assert (recorded["step"], recorded["cell"], len(recorded["steps"])) == (2, True, 5)
    assert training._repr_html_() in data["text/html"]


@pytest.mark.parametrize("variable", ["VSCODE_PID", ""])
def test_a_front_end_that_draws_widgets_alone_gets_a_widget_as_well(
    training: Training, in_jupyter: None, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "7") if variable else monkeypatch.delenv("JPY_SESSION_NAME")
    assert set(bundle(training.player())) == {"text/plain", "text/html", VIEW}


def test_an_output_shows_the_step_it_is_at_when_it_is_made(training: Training, in_jupyter: None) -> None:
    player = training.player()
    player.step = 3
    assert recording(page_in(bundle(player)["text/html"]))["step"] == 3
    assert repr(player) == "<step 3 of 4>"


def test_a_step_can_be_read_set_and_observed(training: Training) -> None:
    player: Any = training.player(step=1)
    seen: list[int] = []
    player.observe(lambda change: seen.append(change["new"]), "step")
    player.step = 4
    player.set_state({"step": 2})
    assert (player.step, seen) == (2, [4, 2])
    for wrong in (5, -1, 1.5, True, "2", None):
        with pytest.raises(ConfigError, match=r"The step is .*This training has the steps 0 to 4\. Choose one of them"):
            player.step = wrong
    assert player.step == 2


@pytest.mark.parametrize("what", WRONG)
def test_a_browser_sets_a_step_that_exists_and_nothing_else(
    training: Training, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    player: Any = training.player(step=1)
    sent = sent_by(player, monkeypatch)
    script = player._esm
    player._handle_msg({"content": {"data": {"method": "update", "state": {"step": WRONG[what]}}}, "buffers": []})
    player.set_state({"_esm": "alert(1)", "_last": 10**6, "_place": "x"})
    expected = 3 if what == "NumPy's 3" else 1
    assert (player.step, player._last, player._esm) == (expected, 4, script)
    assert sent[-1] == {"method": "update", "state": {"step": expected}, "buffer_paths": []}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_question_of_a_browser_has_no_answer(
    training: Training, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    player: Any = training.player()
    sent = sent_by(player, monkeypatch)
    wrong = WRONG[what]
    questions: list[Any] = [wrong, {"want": wrong, "of": 1}, {"want": "step"}, {"want": "other", "of": 1}]
    if what != "NumPy's 3":
        questions += [{"want": "step", "of": wrong}, {"want": "token", "of": wrong}]
    for question in questions:
        player._handle_custom_msg(question, [])
    assert not sent


def test_what_a_page_asks_for_is_what_a_page_records(training: Training, monkeypatch: pytest.MonkeyPatch) -> None:
    player: Any = training.player(step=2, language="zh")
    sent = sent_by(player, monkeypatch)
    for question in ({"want": "page"}, {"want": "token", "of": 257}, {"want": "merges", "of": 0}):
        player._handle_custom_msg(question, [])
    for step in range(5):
        player._handle_custom_msg({"want": "step", "of": step}, [])
    page, token, merges, *steps = [message["content"] for message in sent]
    recorded = recording(page["page"])
    assert drawn(token["token"]) == drawn([257, recorded["tokens"]["257"]])
    assert drawn(merges["fixed"]["merge table"]) == drawn(recorded["fixed"]["merge table"])
    expected = [[at, frames] for at, frames in enumerate(recorded["steps"])]
    assert [drawn(each["frames"]) for each in steps] == drawn(expected)


def test_a_long_training_records_its_first_merges_and_computes_the_others(
    monkeypatch: pytest.MonkeyPatch, in_jupyter: None
) -> None:
    text = " ".join(chr(97 + a) + chr(97 + b) for a in range(26) for b in range(26))
    training = train(text, TrainConfig(vocab_size=500))
    monkeypatch.setattr(page_views, "_SYMBOLS_IN_A_CELL", 20 * len(training.at(0).corpus.ids))
    player: Any = training.player(step=200)
    recorded = recording(page_in(bundle(player)["text/html"]))
    assert (len(recorded["steps"]), recorded["step"], player._last) == (21, 20, 244)
    sent = sent_by(player, monkeypatch)
    player._handle_custom_msg({"want": "step", "of": 244}, [])
    player._handle_custom_msg({"want": "merges", "of": 0}, [])
    step, merges = [message["content"] for message in sent]
    assert step["frames"][1]["text view"][0]["step"] == 244
    assert merges["fixed"]["merge table"][1]["rows"] == 244


def test_a_page_that_is_too_large_to_keep_is_a_widget_with_the_card(
    training: Training, monkeypatch: pytest.MonkeyPatch, in_jupyter: None
) -> None:
    monkeypatch.setattr("bpe_core.page.cell.MOST_BYTES", 1_000)
    data = bundle(training.player())
    assert data["text/html"] == training._repr_html_()
    assert VIEW in data


def test_without_anywidget_the_page_plays_by_itself(training: Training, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    widget._connected.cache_clear()
    player: Any = training.player(step=1)
    widget._connected.cache_clear()
    assert not hasattr(player, "_repr_mimebundle_")
    player.step = 2
    assert recording(page_in(player._repr_html_()))["step"] == 2
    with pytest.raises(ConfigError, match="The step is 9"):
        player.step = 9


def test_no_text_leaves_its_place_in_an_output(in_jupyter: None) -> None:
    training = train(HOSTILE * 3, TrainConfig(vocab_size=300))
    gpt2 = load_pretrained("gpt2")
    views = [training.player(), gpt2.encode(HOSTILE).view(), compare(HOSTILE, {HOSTILE: gpt2}).view()]
    for view in views:
        output = bundle(view)["text/html"]
        assert "<script" not in output
        assert output.count("<iframe") == 1
        page = page_in(output)
        assert page.count("<script") == page.count("</script>") == 3


def test_an_encoding_has_the_facts_and_the_tree_of_each_token(in_jupyter: None) -> None:
    encoding = load_pretrained("gpt2").encode("lower lower<|endoftext|>", special="parse")
    recorded = recording(page_in(bundle(encoding.view())["text/html"]))
    assert recorded["ids"] == encoding.ids.tolist()
    assert set(map(int, recorded["tokens"])) == set(encoding.ids.tolist())
    special = recorded["tokens"]["50256"]
    assert special["tree"] is None
    assert special["says"][1]["columns"][1]["cells"][0] == "special token"
    lower = recorded["tokens"][str(encoding.ids[1])]
    assert lower["tree"][1]["ids"][0] == encoding.ids[1]
    assert "once" in lower["says"][1]["columns"][1]["cells"]


def test_of_a_long_text_the_first_tokens_are_drawn(in_jupyter: None) -> None:
    encoding = load_pretrained("gpt2").encode("low " * 5_000)
    recorded = recording(page_in(bundle(encoding.view())["text/html"]))
    assert len(recorded["ids"]) == 2_000
    assert recorded["text"][1]["total"] == len(encoding)


@pytest.mark.parametrize("text", ["", " ", "\ud800", "日本語 🙂"])
def test_any_text_has_a_view(text: str) -> None:
    gpt2 = load_pretrained("gpt2")
    for view in (train(text).player(), gpt2.encode(text).view(), compare(text, {"GPT-2": gpt2}).view()):
        assert "<iframe" in bundle(view)["text/html"]
    assert "<iframe" in bundle(compare(text, {}).view())["text/html"]


def test_what_has_no_page_says_so_before_it_is_shown() -> None:
    with pytest.raises(CorpusError):
        train(count_words("low lower")).player()
    gpt2 = load_pretrained("gpt2")
    with pytest.raises(ConfigError, match="at most 6"):
        compare("low", {str(number): gpt2 for number in range(7)}).view()
