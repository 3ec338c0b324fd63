"""A server stays within its memory limit with ten visitors at once, with their uploads, and after abandoned work."""

import json
import time
import urllib.error
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks import crowd_inputs as inputs
from benchmarks.crowd import MOST, Part, Seen, add_tokenizer, compared, problems, resident, sampling, visit
from tests.browser.serving import Server, served_app
from tests.forged.visitor import Visitor, visiting
from ui.serving.startup import REST
from ui.serving.uploads import MOST_OF_SESSION

LIMIT, SIZE = 64, 120_000
PLENTY = 500
"""Seconds until an answer: the visitors wait for each other."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of little memory, whose modules and kernels are loaded."""
    variables = {"BPE_LAB_MEMORY_MB": str(LIMIT)}
    with served_app(tmp_path_factory.mktemp("small"), variables=variables) as served:
        with visiting(served.url) as visitor:
            visitor.open("compare", "text=low&with=gpt2&with=bert-base-uncased")
        served.wait_until_left()
        wait_until_prepared(served.pid)
        yield served


def wait_until_prepared(pid: int) -> None:
    """Wait until a server's memory has not grown for longer than its pause between two things that it loads."""
    most, since = 0.0, time.monotonic()
    while time.monotonic() - since < 3 * REST:
        now = resident(pid)
        if now > most + 1:
            most, since = now, time.monotonic()
        time.sleep(0.1)


def parts() -> list[Part]:
    own = (inputs.replacing(10), inputs.growing(12), inputs.normalizing("NFKC", "StripAccents"), inputs.splitting())
    texts = (inputs.repeated("a", 1, SIZE), inputs.letters(1, SIZE), inputs.mixed(1, SIZE), inputs.words(1, SIZE))
    return [
        *(compared(f"own {i}", text, file) for i, (text, file) in enumerate(zip(texts, own, strict=True))),
        *(compared(f"published {i}", text) for i, text in enumerate(texts)),
        compared("Japanese", inputs.japanese(1, SIZE), query="with=t5-small&with=gpt2"),
        compared("trained", inputs.words(2, SIZE), query="with=trained&with=gpt2"),
    ]


def test_ten_visitors_at_once_see_a_result_or_one_sentence(small: Server) -> None:
    crowd = parts()
    seen = [Seen(part.what) for part in crowd]
    together = Barrier(len(crowd))
    with sampling(small.pid) as samples, ThreadPoolExecutor(len(crowd)) as visitors:
        for part, each in zip(crowd, seen, strict=True):
            visitors.submit(visit, small, part, together, each)
    assert not [str(each) for each in seen if each.failed or not (each.result or each.problems)]
    assert any(each.result for each in seen)
    refused = [each for each in seen if any("The server allows 48 MB" in problem for problem in each.problems)]
    assert refused
    small.wait_until_left()
    assert "Traceback" not in small.log_text()
    assert max(samples) < samples[0] + 4 * LIMIT < MOST


def test_files_of_a_session_have_a_limit(server: Server) -> None:
    block = bytes(40 * 2**20)
    with visiting(server.url) as visitor:
        visitor.open("compare")
        for _ in range(MOST_OF_SESSION // len(block)):
            visitor.upload("tokenizer upload 0", "own.json", block)
        with pytest.raises(urllib.error.HTTPError, match="413") as refused:
            visitor.upload("tokenizer upload 0", "own.json", block)
        assert "128 MB を超えます" in "".join(refused.value.__notes__)
        assert visitor.run().status == "FINISHED_SUCCESSFULLY"


def large_file(path: Path) -> bytes:
    """A file that takes seconds to open, and that the server has not opened for another test."""
    vocabulary = {token: i for i, token in enumerate(["a", str(path), *(f"{i:07x}" for i in range(800_000))])}
    path.write_text(json.dumps({"model": {"type": "WordLevel", "unk_token": "a", "vocab": vocabulary}}))
    return path.read_bytes()


def opening(visitor: Visitor, file: bytes) -> WidgetState:
    """Begin to open a tokenizer file, and wait until it is being read. Return the uploader's value."""
    visitor.open("compare", "text=low&with=gpt2")
    uploaded = visitor.upload("tokenizer upload 0", "own.json", file)
    visitor.ask([uploaded])
    visitor.wait_for("opening files cancel")
    return uploaded


def test_cancel_ends_the_reading_of_a_file_and_frees_the_queue(server: Server, tmp_path: Path) -> None:
    file = large_file(tmp_path / "own.json")
    with visiting(server.url, patience=PLENTY) as visitor, visiting(server.url, patience=PLENTY) as other:
        opening(visitor, file)
        visitor.ask_click("opening files cancel")
        visitor.answer()
        assert any("this was cancelled" in each for each in problems(visitor))
        other.open("compare", "text=low&with=gpt2")
        add_tokenizer(other, inputs.replacing(2))
        assert any(each.endswith("-counts table") for each in other.page.widgets())


def test_a_run_that_nobody_asked_for_does_not_cancel_the_reading_of_a_file(server: Server, tmp_path: Path) -> None:
    file = large_file(tmp_path / "own.json")
    with visiting(server.url, patience=PLENTY) as visitor:
        uploaded = opening(visitor, file)
        visitor.ask([uploaded])
        assert visitor.answer().status == "FINISHED_SUCCESSFULLY"
        assert "Own tokenizers 1" in visitor.page.text()


def test_a_visitor_who_leaves_ends_the_reading_and_frees_the_queue(server: Server, tmp_path: Path) -> None:
    file = large_file(tmp_path / "own.json")
    with visiting(server.url, patience=PLENTY) as visitor:
        opening(visitor, file)
    server.wait_until_left()
    with visiting(server.url, patience=PLENTY) as other:
        opening(other, file)
        assert not any("Waiting" in each.text for each in other.page.of("progress"))
