"""A page that plays by itself: its recording equals the training, it is small, and no text can break out of it."""

import base64
import gzip
import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import BpeError, ConfigError, CorpusError, FormatError, TrainConfig, Training, count_words, train
from bpe_core.bpe.page_views import _steps, merges_offered, page_bytes, symbols_of, training_page
from bpe_core.bpe.step_sentences import story_of
from bpe_core.bpe.step_tables import candidates_frame, changes_frame
from bpe_core.bpe.training_step import TrainingStep
from bpe_core.cli import main
from bpe_core.language import using_language
from bpe_core.page.html import page_html
from bpe_core.payloads.frames import unframe

SAMPLES = Path(__file__).parents[2] / "sample_texts"
HOSTILE = "</script><script>alert(1)</script> <!-- ]]> \u2028 &lt; \ud800 🙂"


def html(training: Training, title: str = "", languages: tuple[str, ...] = (), **options: Any) -> str:
    return page_html(lambda: training_page(training, title, **options), languages)


def recording(page: str) -> dict[str, Any]:
    [packed] = re.findall(r'id="recording">([^<]*)</script>', page)
    recorded: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed)))
    return recorded


def frames(page: str, step: int, key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    head, body = recording(page)["steps"][step][key]
    return head, body


def same(recorded: list[Any], frame: bytes) -> bool:
    """Whether a recorded frame equals this one; only the name of its body differs."""
    head, body = unframe(frame)
    return [{**head, "rev": recorded[0]["rev"]}, body] == recorded


def small(text: str, **settings: Any) -> Training:
    return train(text, TrainConfig(vocab_size=300, **settings))


@settings(max_examples=30, deadline=None)
@given(
    st.text("abc \n日é🙂", min_size=1, max_size=60),
    st.sampled_from([{}, {"split": "none"}, {"tie_break": "lowest-ids"}, {"tie_break": "first-counted"}]),
)
def test_every_step_is_recorded_as_the_training_gives_it(text: str, settings: dict[str, Any]) -> None:
    training = small(text, **settings)
    recorded = recording(html(training))
    assert len(recorded["steps"]) == len(training.merges) + 1
    for number, found in enumerate(recorded["steps"]):
        step = TrainingStep(training, number)
        assert same(found["candidates table"], candidates_frame(step, "candidates table"))
        assert same(found["changes table"], changes_frame(step, "changes table"))
        assert len(found["story"][1]["sentences"]) == len(story_of(step))
        assert found["text view"][0]["step"] == number


def test_the_curves_have_every_recorded_step_and_some_of_the_others() -> None:
    training = train((SAMPLES / "lantern_story.txt").read_text("utf-8"), TrainConfig(vocab_size=1_000))
    curves = recording(html(training, "", merges=100))["curves"]
    last = len(training.merges)
    assert curves["steps"][:101] == list(range(101))
    assert curves["steps"][-1] == last
    assert len(curves["steps"]) < 550
    assert curves["tokens"] == [training.token_count(step) for step in curves["steps"]]
    assert curves["units"] / curves["tokens"][-1] == training.compression(last)
    assert recording(html(small("a")))["curves"] is None


def test_the_tokens_of_the_text_and_of_the_merges_have_their_origin() -> None:
    training = small("low lower lowest")
    tokens = recording(html(training))["tokens"]
    assert set(map(int, tokens)) == {*training.at(0).corpus.ids.tolist(), *(m.token_id for m in training.merges)}
    low = training.tokenizer().token_id(b"low")
    assert tokens[str(low)]["merge"] == low - 255
    assert tokens[str(ord("l"))]["tree"] is None


def test_a_page_is_at_most_400_kilobytes_also_in_all_languages_and_of_about_the_size_announced() -> None:
    for name in ("lantern_story", "japanese_station_clock", "chinese_umbrella", "emoji_and_scripts", "toy_low_lower"):
        text = (SAMPLES / f"{name}.txt").read_text("utf-8")
        training = train(text, TrainConfig(vocab_size=512))
        size = len(html(training, name).encode())
        assert size <= 400_000, name
        assert 0.75 * size <= page_bytes(len(training.merges), symbols_of(training)) <= 1.25 * size, name
        if name == "lantern_story":
            in_all = len(html(training, name, ("en", "ja", "zh")).encode())
            assert in_all < 310_000
            assert in_all - size < 110_000  # three recordings, compressed one after the other, take 266,000 more


def test_no_text_leaves_its_place_in_the_page() -> None:
    page = html(small(HOSTILE), HOSTILE)
    assert page.count("</script>") == 3
    assert page.count("<script") == 3
    assert "<title>&lt;/script&gt;&lt;script&gt;alert(1)" in page
    assert not re.search(r"\son\w+=", page.partition("<script")[0])
    [policy] = re.findall(r'Policy" content="([^"]*)"', page)
    [loader] = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    [packed] = re.findall(r'<script type="text/plain" id="script">(.*?)</script>', page, re.DOTALL)
    script = gzip.decompress(base64.b64decode(packed)).decode()
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    for kind, text in (("script", loader), ("script", script), ("style", style)):
        named = re.findall(rf"{kind}-src ([^;]*)", policy)[0].split()
        assert f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'" in named
    assert policy.startswith("default-src 'none'")


def test_a_page_speaks_its_language() -> None:
    training = small("low low lower")
    with using_language("ja"):
        page = html(training, "low")
    assert '<html lang="ja">' in page
    assert recording(page)["words"]["Next"] == "次へ"
    in_english = frames(html(training), 1, "candidates table")[0]["title"]
    assert frames(page, 1, "candidates table")[0]["title"] != in_english == "What comes next"


def words_of(value: Any, at: int) -> Any:
    """A recording in one of its languages, without the names of bodies."""
    if isinstance(value, dict):
        if "" in value:
            return words_of(value[""][at], at)
        return {key: words_of(each, at) for key, each in value.items() if key != "rev"}
    return [words_of(each, at) for each in value] if isinstance(value, list) else value


@settings(max_examples=10, deadline=None)
@given(st.text("abc \n日é🙂\ud800", min_size=1, max_size=60))
def test_a_page_of_several_languages_has_each_as_a_page_of_its_own(text: str) -> None:
    training = small(text)
    page = html(training, "Low", ("zh", "en", "ja"))
    assert '<html lang="zh">' in page
    whole = recording(page)
    assert whole["languages"] == {"zh": "中文", "en": "English", "ja": "日本語"}
    for at, language in enumerate(whole["languages"]):
        alone = recording(html(training, "Low", (language,)))
        found = words_of(whole, at)
        assert not any("\4" in word for word in found["words"].values())  # the context of a term is not shown
        assert {**found, "words": 0, "languages": 0} == {**words_of(alone, 0), "words": 0, "languages": 0}
        assert alone["words"].items() <= found["words"].items()


def test_a_page_of_fewer_merges_says_so_and_ends_there() -> None:
    training = small("low low lower lowest newest")
    page = html(training, "low", merges=3)
    assert len(recording(page)["steps"]) == 4
    assert f"the first 3 of {len(training.merges)} merges" in page
    assert recording(page)["fixed"]["merge table"][1]["rows"] == 3


def test_of_a_long_text_the_page_shows_the_start_and_offers_fewer_merges() -> None:
    text = (SAMPLES / "lantern_story.txt").read_text("utf-8") * 2
    page = html(small(text))
    symbols = recording(page)["fixed"]["text view: symbols"][1]
    assert symbols["text"] == text[: len(symbols["text"])]
    assert 2_900 <= len(symbols["text"]) <= 3_000
    assert "counts are of the whole text" in frames(page, 1, "text view")[0]["caption"]
    letters = train("abcdefgh" * 200_000, TrainConfig(vocab_size=400, split="none"))
    assert merges_offered(letters) < 60


def test_to_html_writes_the_page_and_names_what_it_cannot_take(tmp_path: Path) -> None:
    training = small("low low lower")
    training.to_html(tmp_path / "low.html", title="Low & slow", language="zh", step=1)
    page = (tmp_path / "low.html").read_text("utf-8")
    assert "<h1>Low &amp; slow</h1>" in page
    assert recording(page)["step"] == 1
    wrong: list[tuple[type[BpeError], dict[str, Any]]] = [
        (ConfigError, {"language": "fr"}),
        (ConfigError, {"language": ["en", "fr"]}),
        (ConfigError, {"language": []}),
        (ConfigError, {"merges": 0}),
        (ConfigError, {"merges": "3"}),
        (ConfigError, {"step": 99}),
        (CorpusError, {"title": b"low"}),
        (FormatError, {"path": tmp_path / "missing" / "low.html"}),
    ]
    for error, arguments in wrong:
        with pytest.raises(error):
            training.to_html(**{"path": tmp_path / "other.html", **arguments})
    assert not (tmp_path / "other.html").exists()
    with pytest.raises(CorpusError):
        train(count_words("low low"), TrainConfig(vocab_size=258)).to_html(tmp_path / "counts.html")


def test_the_command_page_trains_and_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "story.txt").write_text("low low lower lowest", "utf-8")
    out = tmp_path / "story.html"
    given = ["page", str(tmp_path / "story.txt"), "--out", str(out), "--vocab-size", "260", "--quiet", "--json"]
    assert main([*given, "--tie-break", "lowest-ids", "--language", "ja"]) == 0
    assert json.loads(capsys.readouterr().out) == {"merges": 4, "bytes": out.stat().st_size, "out": str(out)}
    assert "<h1>story</h1>" in out.read_text("utf-8")
    assert main([*given[:-2], "--quiet", "--vocab-size", "10"]) == 2
    assert "vocab_size" in capsys.readouterr().err


def test_the_command_page_says_the_size_of_a_large_page_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "story.txt").write_text("low low lower lowest", "utf-8")
    out = tmp_path / "story.html"
    given = ["page", str(tmp_path / "story.txt"), "--out", str(out), "--vocab-size", "260"]
    assert main(given) == 0
    assert "--merges" not in capsys.readouterr().err
    monkeypatch.setattr("bpe_core.cli.pictures._LARGE", 50_000)
    assert main(given) == 0
    said = capsys.readouterr().err
    about = int(said.split(" KB")[0].split()[-1])
    assert about == pytest.approx(out.stat().st_size / 1000, rel=0.1)
    assert "--merges N" in said
    assert main([*given, "--quiet"]) == 0
    assert "--merges" not in capsys.readouterr().err


def test_no_recorded_step_holds_the_states_of_all_steps_before_it() -> None:
    for step in _steps(TrainingStep(small("low lower lowest newest"), 0), 5):
        before = step.snapshot.before
        assert before is None or before().before is None
