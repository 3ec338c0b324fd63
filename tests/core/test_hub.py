"""Tokenizers by name from the hub, against a server that speaks its protocol: fetched files, and errors."""

import errno
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import (
    BpeError,
    FormatError,
    HubError,
    TrainConfig,
    load,
    load_from_hub,
    load_pretrained,
    train,
    train_sentencepiece,
    train_wordpiece,
)
from bpe_core.bundled.files import FOLDER
from bpe_core.chats.template_files import read_chat_templates
from bpe_core.cli import main
from bpe_core.formats import to_bytes, to_files
from bpe_core.hub import files as hub_files
from bpe_core.hub.files import LOOKED_FOR, cached_files, chosen_files, fetched_files
from bpe_core.hub.library import hub_host
from bpe_core.hub.names import LONGEST_NAME, HubName, checked_name, parsed_name
from bpe_core.hub.switch import SETTING, is_allowed
from bpe_core.language import PSEUDO, in_language
from tests.core.misuse import Call, failures
from tests.draws import Outcomes
from tests.hub_server import LARGE, Hub, refuses_connections

TEXT = "low lower lowest hug hugs pug"
BPE = train(TEXT, TrainConfig(vocab_size=262)).tokenizer()
JSON = to_bytes(BPE, format="tokenizers")
WORDPIECE = to_bytes(train_wordpiece(TEXT, 40).tokenizer(), format="wordpiece")
MODEL = to_bytes(train_sentencepiece(TEXT, 30).tokenizer(), format="sentencepiece")
RANKS = to_bytes(BPE, format="tiktoken")
GPT2 = to_files(load_pretrained("gpt2"), format="gpt2")
NAME = "me/tiny-model.v1_5"
NOT_FETCHED = {"model.safetensors": b"weights", "README.md": b"# Tiny", "onnx/tokenizer.json": b"{}"}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch, hub: Hub) -> None:
    """The library times out after half a second and retries without delay."""
    from huggingface_hub import constants, file_download

    monkeypatch.setattr(constants, "HF_HUB_ETAG_TIMEOUT", 0.5)
    monkeypatch.setattr(constants, "HF_HUB_DOWNLOAD_TIMEOUT", 0.5)
    monkeypatch.setattr(file_download.time, "sleep", lambda _: None)


def problem(action: Callable[[], object], kind: type[BpeError] = HubError) -> BpeError:
    """The error of an action; asserts its kind, that it states problem and remedy, and that it hides its cause."""
    with pytest.raises(kind) as caught:
        action()
    error = caught.value
    assert error.problem.endswith((".", "…"))
    assert error.remedy.endswith(".")
    assert error.__suppress_context__ or error.__context__ is None
    for part in (error.problem, error.limit, error.remedy):
        assert not part or in_language(part, PSEUDO).startswith("⟦")
    return error


def fetched(hub: Hub) -> list[str]:
    """The names of the requested files, without requests for the file list."""
    return [each.rpartition("/")[2] for each in hub.asked if each.startswith("GET") and "/api/" not in each]


# -- what is fetched -----------------------------------------------------------------------------------------


def test_a_tokenizer_is_opened_by_the_name_of_its_model(hub: Hub) -> None:
    hub.add(NAME, {"tokenizer.json": JSON, **NOT_FETCHED})
    tokenizer = load_from_hub(NAME)
    assert tokenizer.name == NAME
    assert tokenizer.encode(TEXT).ids.tolist() == BPE.encode(TEXT).ids.tolist()
    assert set(fetched(hub)) == {"tokenizer.json"}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"tokenizer.json": JSON, "vocab.txt": b"", "tokenizer.model": b""}, ("tokenizer.json",)),
        ({"tokenizer.model": MODEL, "vocab.txt": b""}, ("tokenizer.model",)),
        ({"spiece.model": MODEL}, ("spiece.model",)),
        ({"sentencepiece.bpe.model": MODEL, "merges.txt": b""}, ("sentencepiece.bpe.model",)),
        ({"spm.model": MODEL, "vocab.json": b"{}"}, ("spm.model",)),
        ({**GPT2, "vocab.txt": b""}, ("vocab.json", "merges.txt")),
        (
            {"tokenizer_config.json": b"{}", "added_tokens.json": b"{ }", "special_tokens_map.json": b"{  }", **GPT2},
            ("vocab.json", "merges.txt", "special_tokens_map.json", "added_tokens.json", "tokenizer_config.json"),
        ),
        ({"vocab.txt": WORDPIECE, "tokenizer_config.json": b"{}"}, ("vocab.txt", "tokenizer_config.json")),
        (
            {
                "config.json": b"{}",
                "chat_template.jinja": b"x",
                "tokenizer_config.json": b"{ }",
                "tokenizer.json": JSON,
            },
            ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "config.json"),
        ),
        ({"vocab.txt": WORDPIECE, "vocab.json": b"{}", "x.tiktoken": b""}, ("vocab.txt",)),
        ({"qwen.tiktoken": RANKS}, ("qwen.tiktoken",)),
    ],
)
def test_the_best_file_is_chosen_and_no_other_is_fetched(
    hub: Hub, files: dict[str, bytes], expected: tuple[str, ...]
) -> None:
    hub.add(NAME, {**NOT_FETCHED, **files})
    assert load_from_hub(NAME).vocab_size > 10
    assert tuple(dict.fromkeys(fetched(hub))) == expected


def test_chat_templates_of_a_folder_are_fetched_too(hub: Hub) -> None:
    hub.add(NAME, {"tokenizer.json": JSON, "additional_chat_templates/rag.jinja": b"rag", "other/x.jinja": b"x"})
    files = fetched_files(HubName(NAME))
    assert files.names() == ("tokenizer.json", "additional_chat_templates/rag.jinja")
    assert files.commit
    assert files.tokenizer().vocab_size == BPE.vocab_size
    found = cached_files(HubName(NAME))
    assert found is not None
    assert (found.names(), found.commit) == (files.names(), files.commit)
    templates = read_chat_templates(files.read())
    assert templates is not None
    assert templates.sources == {"rag": "rag"}


def test_files_of_tekken_come_before_others() -> None:
    assert chosen_files(["tekken.json", "tokenizer.model"]) == ("tekken.json",)
    assert chosen_files(["a/tokenizer.json", "vocab.json"]) == ()
    assert all(chosen_files(files) == files for files in LOOKED_FOR)


def test_a_tiktoken_file_takes_split_and_special_tokens(hub: Hub) -> None:
    hub.add(NAME, {"qwen.tiktoken": RANKS})
    tokenizer = load_from_hub(NAME, split="none", special_tokens={"<s>": 500})
    assert tokenizer.special_tokens == {"<s>": 500}


def test_the_files_beside_a_vocabulary_and_its_merges_name_the_special_tokens(hub: Hub) -> None:
    added = {"<s>": 50_257, "</s>": 50_258}
    beside = {"added_tokens.json": json.dumps(added).encode(), "special_tokens_map.json": b'{"bos_token": "<s>"}'}
    hub.add(NAME, {**GPT2, **beside})
    tokenizer = load_from_hub(NAME)
    assert added.items() <= {token.text: token.id for token in tokenizer.special_token_flags}.items()
    files = cached_files(HubName(NAME))
    assert files is not None
    assert files.tokenizer().special_token_flags == tokenizer.special_token_flags
    assert sum("/api/" in each for each in hub.asked) == 1


def test_only_ranks_that_nobody_has_published_need_a_split(hub: Hub) -> None:
    published = (FOLDER / "cl100k_base.tiktoken").read_bytes()
    for files, needs in (
        ({"tokenizer.model": RANKS}, True),
        ({"qwen.tiktoken": RANKS}, True),
        ({"qwen.tiktoken": published}, False),
        ({"tokenizer.model": MODEL}, False),
        ({"tokenizer.json": JSON}, False),
        ({"vocab.json": b"\x1f\x8bno gzip", "merges.txt": b""}, False),
    ):
        hub.add(NAME, files)
        assert fetched_files(HubName(NAME)).needs_split() == needs


def test_two_who_ask_for_the_same_model_at_once_download_it_once(hub: Hub) -> None:
    hub.add(NAME, {"tokenizer.json": JSON}, behaviour="slow")
    found: list[int] = []
    both = [threading.Thread(target=lambda: found.append(load_from_hub(NAME).vocab_size)) for _ in range(2)]
    for each in both:
        each.start()
    while sum("/api/" in each for each in hub.asked) < 2 or not any("/cdn/" in each for each in hub.asked):
        time.sleep(0.01)
    hub.may_go_on.set()
    for each in both:
        each.join(30)
    assert found == [BPE.vocab_size] * 2
    assert sum(each.startswith("GET /cdn/") for each in hub.asked) == 1


def test_a_revision_is_a_branch_a_tag_or_a_commit(hub: Hub) -> None:
    model = hub.add(NAME, {"tokenizer.json": JSON})
    for revision in (None, "v1", "refs/pr/1", model.commit):
        files = fetched_files(HubName(NAME, revision))
        assert (files.commit, files.reached, files.size()) == (model.commit, True, len(JSON))


def test_a_second_time_nothing_is_downloaded(hub: Hub) -> None:
    hub.add(NAME, {"tokenizer.json": JSON})
    load_from_hub(NAME)
    before = len(fetched(hub))
    load_from_hub(NAME)
    assert len(fetched(hub)) == before


def test_a_model_that_has_changed_is_fetched_again(hub: Hub) -> None:
    hub.add(NAME, {"vocab.txt": WORDPIECE})
    before = load_from_hub(NAME).vocab_size
    hub.add(NAME, {"vocab.txt": WORDPIECE + b"new\n"})
    assert load_from_hub(NAME).vocab_size == before + 1


@pytest.mark.parametrize("behaviour", ["", "moved", "unlisted"])
def test_large_files_come_from_another_host_without_the_token(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, behaviour: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    hub.add(NAME, {"tokenizer.json": JSON}, behaviour=behaviour)
    assert len(JSON) >= LARGE
    assert load_from_hub(NAME).vocab_size == BPE.vocab_size
    tokens = dict(hub.requests)
    assert tokens[f"GET /cdn/{NAME}//tokenizer.json"] is None
    assert tokens[f"GET /api/models/{NAME}"] == "Bearer hf_secret"


def test_progress_is_told_in_bytes_of_all_files(hub: Hub) -> None:
    hub.add(NAME, GPT2)
    calls: list[tuple[int, int]] = []
    load_from_hub(NAME, on_progress=lambda done, total: calls.append((done, total)))
    total = sum(map(len, GPT2.values()))
    assert calls[-1] == (total, total)
    assert calls == sorted(calls)


def test_what_progress_raises_ends_the_download_and_leaves_nothing_half(hub: Hub, tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise StoppedError

    hub.add(NAME, {"tokenizer.json": JSON})
    with pytest.raises(StoppedError):
        load_from_hub(NAME, on_progress=stop)
    assert not list(tmp_path.rglob("*.incomplete"))
    assert load_from_hub(NAME).vocab_size == BPE.vocab_size


# -- without a connection ------------------------------------------------------------------------------------


def unreachable(hub: Hub, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    from huggingface_hub import constants

    if how == "offline":
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    elif how == "refused":
        monkeypatch.setattr(constants, "ENDPOINT", refuses_connections())
    elif how == "no such host":
        monkeypatch.setattr(constants, "ENDPOINT", "http://no-such-host.invalid")
    elif how == "no address":
        monkeypatch.setattr(constants, "ENDPOINT", "no address")
    else:
        for model in hub.models.values():
            model.behaviour = how


UNREACHABLE = {
    "offline": "is not in the cache, and the hub's library is set to work offline",
    "refused": "cannot be reached: it refuses the connection.",
    "no such host": "no-such-host.invalid cannot be reached: its name cannot be resolved.",
    "no address": "no address",
    "silent": "cannot be reached: there is no answer in time.",
    "silent file": "cannot be reached: there is no answer in time.",
    "503": "cannot be reached: it returned status 503.",
    "429": "accepts no more requests for now",
    "page": "is not from the hub: the response is not JSON.",
    "other json": "is not from the hub: the response has an unexpected form.",
    "redirects": "cannot be reached: it redirects too often.",
}


@pytest.mark.parametrize("how", UNREACHABLE)
def test_a_hub_that_cannot_be_reached_is_said_so(hub: Hub, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    hub.add(NAME, {"tokenizer.json": JSON})
    unreachable(hub, monkeypatch, how)
    error = problem(lambda: load_from_hub(NAME))
    assert UNREACHABLE[how] in error.problem
    assert how == "no address" or (hub_host() in error.problem) == (how != "offline")


@pytest.mark.parametrize("how", UNREACHABLE)
def test_what_was_fetched_before_is_opened_without_a_connection(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    model = hub.add(NAME, {"tokenizer.json": JSON})
    load_from_hub(NAME)
    unreachable(hub, monkeypatch, how)
    files = fetched_files(HubName(NAME))
    assert (files.reached, files.commit) == (False, model.commit)
    assert files.tokenizer().vocab_size == BPE.vocab_size
    assert cached_files(HubName(NAME, "v1")) is None


def test_the_cache_is_looked_into_without_asking_anybody(hub: Hub) -> None:
    assert cached_files(HubName(NAME)) is None
    hub.add(NAME, GPT2)
    load_from_hub(NAME)
    hub.requests.clear()
    files = cached_files(HubName(NAME))
    assert files is not None
    assert files.names() == ("vocab.json", "merges.txt")
    assert not hub.asked


def test_files_that_are_gone_from_the_cache_are_said_so(hub: Hub) -> None:
    hub.add(NAME, {"vocab.txt": WORDPIECE})
    files = fetched_files(HubName(NAME))
    Path(files.paths[0][1]).unlink()
    assert "vocab.txt of me/tiny-model.v1_5 is no longer in the cache" in problem(files.tokenizer).problem
    assert files.size() == 0


# -- what is refused -----------------------------------------------------------------------------------------


def test_a_gated_model_is_told_from_a_missing_one(hub: Hub) -> None:
    hub.add(NAME, {"tokenizer.json": JSON}, behaviour="gated", token="hf_mine")
    gated = problem(lambda: load_from_hub(NAME))
    missing = problem(lambda: load_from_hub("me/other"))
    assert gated.problem.startswith(f"{NAME} is gated: 127.0.0.1")
    assert f"{hub.url}/{NAME}" in gated.remedy
    assert "HF_TOKEN" in gated.remedy
    assert missing.problem.endswith("has no model named 'me/other', or it is private.")


@pytest.mark.parametrize("behaviour", ["gated", ""])
def test_a_token_opens_what_is_gated_or_private(hub: Hub, monkeypatch: pytest.MonkeyPatch, behaviour: str) -> None:
    hub.add(NAME, {"tokenizer.json": JSON}, behaviour=behaviour, token="hf_mine")
    problem(lambda: load_from_hub(NAME))
    monkeypatch.setenv("HF_TOKEN", "hf_mine")
    assert load_from_hub(NAME).vocab_size == BPE.vocab_size


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("401", "refuses access to me/tiny-model.v1_5: status 401."),
        ("403", "refuses access to me/tiny-model.v1_5: status 403."),
        ("404", "has no model named 'me/tiny-model.v1_5', or it is private."),
        ("418", "cannot be reached: it returned status 418."),
    ],
)
def test_an_answer_without_a_reason_is_said_by_its_number(hub: Hub, status: str, reason: str) -> None:
    hub.add(NAME, {"tokenizer.json": JSON}, behaviour=status)
    assert problem(lambda: load_from_hub(NAME)).problem.endswith(reason)


def test_a_missing_revision_is_named(hub: Hub) -> None:
    hub.add(NAME, {"tokenizer.json": JSON})
    error = problem(lambda: load_from_hub(NAME, "v2"))
    assert error.problem == f"{NAME} has no revision 'v2'."


def test_a_model_without_tokenizer_says_what_it_has(hub: Hub) -> None:
    hub.add(NAME, {**NOT_FETCHED, **{f"part{n}.bin": b"x" for n in range(3)}})
    error = problem(lambda: load_from_hub(NAME))
    assert error.problem == (
        f"{NAME} has no tokenizer file; it has 'README.md', 'model.safetensors', 'onnx/tokenizer.json', 'part0.bin' "
        "and 2 more."
    )
    hub.add(NAME, {})
    assert problem(lambda: load_from_hub(NAME)).problem.endswith("it has no files.")
    assert not fetched(hub)


def test_a_file_that_is_too_large_is_not_fetched(hub: Hub) -> None:
    hub.add(NAME, {"tokenizer.json": JSON}, sizes={"tokenizer.json": 100_000_001})
    error = problem(lambda: load_from_hub(NAME))
    assert error.problem == f"tokenizer.json of {NAME} has 100,000,001 bytes."
    assert not fetched(hub)


def test_a_file_that_turns_out_too_large_ends_the_download(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.add(NAME, {"tokenizer.json": JSON}, behaviour="unlisted", sizes={"tokenizer.json": 5})
    monkeypatch.setattr(hub_files, "MOST_BYTES", len(JSON) - 1)
    assert f"tokenizer.json of {NAME} has {len(JSON):,} bytes." in problem(lambda: load_from_hub(NAME)).problem


def test_a_file_that_cannot_be_read_gives_the_error_of_its_format_and_the_name(hub: Hub) -> None:
    hub.add(NAME, {"tokenizer.json": b'{"a": {}}'})
    error = problem(lambda: load_from_hub(NAME), FormatError)
    assert error.problem == f"{NAME}: The file is JSON, but not a tokenizer's."


# -- in transit and on disk ------------------------------------------------------------------------------------


def test_a_connection_that_breaks_again_and_again_is_said_so(hub: Hub) -> None:
    hub.add(NAME, {"vocab.txt": WORDPIECE}, behaviour="broken")
    assert "cannot be reached: the connection broke." in problem(lambda: load_from_hub(NAME)).problem


def test_a_file_of_another_content_is_refused_and_not_kept_for_good(hub: Hub) -> None:
    model = hub.add(NAME, {"tokenizer.json": JSON}, behaviour="wrong")
    error = problem(lambda: load_from_hub(NAME))
    assert error.problem.startswith(f"tokenizer.json of {NAME} is damaged")
    model.behaviour = ""
    assert load_from_hub(NAME).vocab_size == BPE.vocab_size


def test_a_host_that_names_no_commit_is_no_hub(hub: Hub) -> None:
    hub.add(NAME, {"vocab.txt": WORDPIECE}, behaviour="nameless")
    assert len(WORDPIECE) < LARGE
    assert "is not from the hub: " in problem(lambda: load_from_hub(NAME)).problem


def test_fewer_bytes_than_announced_are_a_damaged_download(hub: Hub) -> None:
    hub.add(NAME, {"tokenizer.json": JSON}, sizes={"tokenizer.json": len(JSON) + 5})
    assert "is damaged" in problem(lambda: load_from_hub(NAME)).problem


@pytest.mark.parametrize(
    ("number", "remedy"), [(errno.ENOSPC, "Free space, "), (errno.EROFS, "Allow it, "), (errno.EACCES, "Allow it, ")]
)
def test_a_cache_that_cannot_be_written_to_is_said_so(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, number: int, remedy: str
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(number, "the reason")

    hub.add(NAME, {"tokenizer.json": JSON})
    monkeypatch.setattr("os.makedirs", fail)
    error = problem(lambda: load_from_hub(NAME))
    assert error.problem == f"The cache of the hub's files cannot be written to: {os.strerror(number)}."
    assert error.remedy.startswith(remedy)


def test_a_cache_that_is_a_file_is_said_so(hub: Hub, tmp_path: Path) -> None:
    hub.add(NAME, {"tokenizer.json": JSON})
    (tmp_path / "hub").write_bytes(b"")
    assert problem(lambda: load_from_hub(NAME)).problem.startswith("The cache of the hub's files cannot be written to")


def test_a_wrong_argument_is_an_error_of_this_project(hub: Hub) -> None:
    hub.add(NAME, {"qwen.tiktoken": RANKS})
    arguments = {
        "name": NAME,
        "revision": "v1",
        "split": "gpt2",
        "special_tokens": {"<s>": 500},
        "on_progress": lambda *_: None,
    }
    assert not list(failures(Call(load_from_hub, arguments)))


# -- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Qwen/Qwen3-8B", HubName("Qwen/Qwen3-8B")),
        (" hf:Qwen/Qwen3-8B \n", HubName("Qwen/Qwen3-8B")),
        ("gpt2@refs/pr/4", HubName("gpt2", "refs/pr/4")),
        ("hf:a/b@v1.0", HubName("a/b", "v1.0")),
    ],
)
def test_a_name_may_have_a_prefix_and_a_revision(written: str, expected: HubName) -> None:
    assert parsed_name(written) == expected
    assert parsed_name(str(expected)) == expected


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://huggingface.co/Qwen/Qwen3-8B", HubName("Qwen/Qwen3-8B")),
        ("https://huggingface.co/Qwen/Qwen3-8B/", HubName("Qwen/Qwen3-8B")),
        ("https://huggingface.co/Qwen/Qwen3-8B/tree/main", HubName("Qwen/Qwen3-8B")),
        ("https://huggingface.co/Qwen/Qwen3-8B/tree/v1", HubName("Qwen/Qwen3-8B", "v1")),
        (" hf:https://huggingface.co/a/b/blob/v1/tokenizer.json?download=true#L3 ", HubName("a/b", "v1")),
        ("https://huggingface.co/a/b/tree/refs%2Fpr%2F4", HubName("a/b", "refs/pr/4")),
        ("https://huggingface.co/a/b/tree/refs/pr/4", HubName("a/b", "refs/pr/4")),
        ("https://huggingface.co/a/b/discussions/4", HubName("a/b")),
        ("http://hf.co/gpt2", HubName("gpt2")),
        ("HuggingFace.co/gpt2/resolve/main/vocab.json", HubName("gpt2")),
        ("https://mirror.example:80/hub/a/b/tree/v2", HubName("a/b", "v2")),
    ],
)
def test_the_address_of_a_page_names_its_model(
    monkeypatch: pytest.MonkeyPatch, address: str, expected: HubName
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "https://mirror.example:80/hub")
    assert parsed_name(address) == expected
    assert "://" not in address or checked_name(address.strip().removeprefix("hf:")) == expected


def test_a_model_is_opened_by_the_address_of_its_page_and_a_revision_that_is_given_holds(hub: Hub) -> None:
    hub.add(NAME, {"vocab.txt": WORDPIECE})
    assert load_from_hub(f"{hub.url}/{NAME}/tree/v1").name == NAME
    load_from_hub(f"{hub.url}/{NAME}/tree/v1", "refs/pr/1")
    asked = [each for each in hub.asked if "/api/" in each]
    assert asked == [f"GET /api/models/{NAME}/revision/{revision}" for revision in ("v1", "refs/pr/1")]


@pytest.mark.parametrize(
    "written",
    [
        "",
        "hf:",
        "a b",
        "a/b/c",
        "/a",
        "a/",
        "-a/b",
        "a--b",
        "a..b",
        "../b",
        "a/b.git",
        "é/b",
        "a" * 97,
        "https://example.com/a/b",
        "https://huggingface.co/",
        "https://huggingface.co/datasets/a/b",
        "https://huggingface.co/a/b/tree/..%2F..",
        "https://[",
        "huggingface.co/-a/b",
        "a/b@",
        "a/b@../../etc",
        "a/b@v1/../..",
        "a/b@/v1",
        "a/b@v1/",
        "a/b@v 1",
        "a/b@" + "v" * 251,
        "a/b@v1@v2",
        "a/b\0",
        "<b>/x",
        None,
        5,
        b"a/b",
    ],
)
def test_what_is_no_name_is_refused_before_anybody_is_asked(hub: Hub, written: Any) -> None:
    problem(lambda: parsed_name(written))
    assert not hub.asked


@pytest.mark.floor(refused=30, accepted=6)
@given(
    st.text(st.sampled_from("aZ0_.-/é "), max_size=12)
    | st.from_regex(r"[\w.-]{90,99}/[a-z]{2}", fullmatch=True)
    | st.from_regex(r"[aZ0_.-]{1,4}/[aZ0_.-]{1,4}", fullmatch=True)
)
def test_a_name_is_accepted_only_where_the_library_accepts_it(outcomes: Outcomes, name: str) -> None:
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id

    try:
        validate_repo_id(name)
        expected = True
    except HFValidationError:
        expected = False
    try:
        accepted = checked_name(name).name == name
    except HubError:
        accepted = False
    outcomes.count(accepted)
    assert accepted == expected


def test_the_longest_name_fits_where_it_is_typed() -> None:
    name = HubName(f"{'a' * 96}/{'b' * 96}", "v" * 250)
    assert parsed_name(str(name)) == name
    assert len(str(name)) == LONGEST_NAME


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://huggingface.co", "huggingface.co"),
        ("http://127.0.0.1:80/x", "127.0.0.1:80"),
        ("https://me:secret@mirror.example", "mirror.example"),
        ("nothing", "nothing"),
        ("http://[", "http://["),
    ],
)
def test_the_host_is_that_of_the_address(monkeypatch: pytest.MonkeyPatch, address: str, host: str) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
    assert hub_host() == host


def test_the_library_of_the_hub_is_imported_on_first_use_only() -> None:
    command = (
        "import sys, bpe_core, bpe_core.cli; assert not {'huggingface_hub', 'httpx2'} & {*sys.modules};"
        "from bpe_core.hub.library import hub_library; hub_library();"
        "from huggingface_hub import constants; assert constants.HF_HUB_DISABLE_TELEMETRY"
    )
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# -- the switch ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_cached", [False, True])
def test_a_switch_that_is_off_keeps_programs_and_the_command_line_from_the_hub_and_its_cache(
    hub: Hub, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, is_cached: bool
) -> None:
    hub.add(NAME, {"tokenizer.json": JSON})
    if is_cached:
        load_from_hub(NAME)
    hub.requests.clear()
    monkeypatch.setenv(SETTING, "off")
    error = problem(lambda: load_from_hub(NAME))
    assert str(error) == (
        f"{NAME} is not requested from the hub. BPE_LAB_HUB is off."
        " Set it to on, or open its tokenizer file from your disk."
    )
    for command in ("encode", "compare"):
        assert main([command, "--tokenizer", f"hf:{NAME}", "--text", "lower"]) == 1
        assert capfd.readouterr() == ("", f"python -m bpe_core: error: {error}\n")
    assert not hub.asked


def test_a_switch_that_says_neither_on_nor_off_is_told_on_the_command_line(
    hub: Hub, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, "offf")
    assert main(["encode", "--tokenizer", f"hf:{NAME}", "--text", "lower"]) == 1
    assert "BPE_LAB_HUB is 'offf'. It is on or off." in capfd.readouterr().err
    assert not hub.asked


@pytest.mark.parametrize(
    ("asked", "allowed"), [(None, True), ("", True), ("on", True), (" OFF ", False), ("off", False)]
)
def test_the_switch_is_on_unless_it_says_off(asked: str | None, allowed: bool) -> None:
    assert is_allowed(asked) == allowed


@pytest.mark.parametrize("asked", ["0", "no", "offf"])
def test_a_switch_that_says_neither_is_refused(asked: str) -> None:
    with pytest.raises(Exception, match="BPE_LAB_HUB is"):
        is_allowed(asked)


# -- the command line ------------------------------------------------------------------------------------------


def test_every_command_takes_a_model_by_its_name(hub: Hub, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    hub.add(NAME, {"tokenizer.json": JSON})
    ids = BPE.encode("lower").ids.tolist()
    shown = " ".join(map(str, ids))
    assert main(["encode", "--tokenizer", f"hf:{NAME}", "--text", "lower"]) == 0
    assert capfd.readouterr() == (f"{shown}\n", "")
    assert main(["decode", "--tokenizer", f"hf:{NAME}@v1", "--ids", shown]) == 0
    assert capfd.readouterr() == ("lower", "")
    assert main(["compare", "--tokenizer", f"hf:{NAME}", "--tokenizer", "gpt2", "--text", "lower"]) == 0
    assert capfd.readouterr().out.splitlines()[1].split()[:2] == [f"hf:{NAME}", str(len(ids))]
    assert main(["export", "--tokenizer", f"hf:{NAME}", "--out", str(tmp_path / "mine.json"), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["tokenizer"] == NAME
    assert load(tmp_path / "mine.json").encode(TEXT).ids.tolist() == BPE.encode(TEXT).ids.tolist()


def test_the_command_line_takes_split_and_special_tokens_for_ranks(hub: Hub, capfd: pytest.CaptureFixture[str]) -> None:
    hub.add(NAME, {"qwen.tiktoken": RANKS})
    given = ["--split", "cl100k", "--special-token", "<s>=500", "--special", "parse", "--text", "<s>"]
    assert main(["encode", "--tokenizer", f"hf:{NAME}", *given]) == 0
    assert capfd.readouterr().out == "500\n"
    hub.add(NAME, {"tokenizer.json": JSON})
    assert main(["encode", "--tokenizer", f"hf:{NAME}", *given]) == 1
    assert f"{NAME}: split is given for a file that has its own." in capfd.readouterr().err


def test_the_command_line_asks_for_the_split_of_ranks_of_the_hub(hub: Hub, capfd: pytest.CaptureFixture[str]) -> None:
    hub.add(NAME, {"tokenizer.model": RANKS})
    for command in ("encode", "compare"):
        assert main([command, "--tokenizer", f"hf:{NAME}", "--text", "low"]) == 1
        reason = capfd.readouterr().err
        assert f"'hf:{NAME}' holds tiktoken's ranks, which do not say how texts are split." in reason
        assert "--split" in reason


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("hf:me/other", "has no model named 'me/other', or it is private."),
        ("hf:me/other@../x", "'../x' is not a revision."),
        ("hf:", "'' is not the name of a model on the hub."),
        ("hf:\x1b[2J/x", "is not the name of a model on the hub."),
    ],
)
def test_the_command_line_says_on_one_line_why_a_model_cannot_be_had(
    hub: Hub, capfd: pytest.CaptureFixture[str], name: str, reason: str
) -> None:
    assert main(["encode", "--tokenizer", name, "--text", "x"]) == 1
    out, error = capfd.readouterr()
    assert out == ""
    assert error.startswith("python -m bpe_core: error: ")
    assert reason in error
    assert error.count("\n") == 1
    assert "\x1b" not in error


def test_a_file_that_is_called_like_a_model_is_opened_by_its_path(
    hub: Hub, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hf:mine").write_bytes(WORDPIECE)
    monkeypatch.chdir(tmp_path)
    assert main(["encode", "--tokenizer", "./hf:mine", "--text", "low"]) == 0
    assert not hub.asked
