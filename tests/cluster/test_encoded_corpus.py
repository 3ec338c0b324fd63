"""Two workers encode a corpus: the shards hold the ids of one process, also of an interrupted run."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bpe_core import (
    BpeError,
    ConfigError,
    CorpusError,
    FormatError,
    TokenIdError,
    Tokenizer,
    TrainConfig,
    load_pretrained,
    train,
    train_picky,
    train_unigram,
)
from bpe_core.cli import main
from bpe_core.cluster import encode_corpus
from bpe_core.cluster.encoding import mark_of
from bpe_core.cluster.shards import Folder
from bpe_core.tokenizer.special_tokens import SpecialToken
from tests.cluster.conftest import SOURCE, TEXTS, in_order
from tests.draws import first

GPT2 = load_pretrained("gpt2")
END = GPT2.special_tokens["<|endoftext|>"]


def tokenizers() -> list[Tokenizer]:
    """Tokenizers with ids of both sizes; one whose texts cannot be divided anywhere, and one with words of its own."""
    lowered = train(
        SOURCE, TrainConfig(vocab_size=400, split="o200k", normalization="NFKC", lowercase=True)
    ).tokenizer()
    undivided = train(SOURCE, TrainConfig(vocab_size=400, split=r"\w+|\s+|[^\w\s]+")).tokenizer()
    return [GPT2, load_pretrained("o200k_base"), lowered, undivided]


def shards(folder: Path) -> list[np.ndarray[Any, Any]]:
    return [np.load(file) for file in sorted(folder.glob("*.npy"))]


def ids(folder: Path) -> list[int]:
    return [each for shard in shards(folder) for each in shard.tolist()]


def expected(texts: list[str], tokenizer: Tokenizer, end: int | None = None) -> list[int]:
    return [each for text in texts for each in [*tokenizer.encode(text).ids.tolist(), *([] if end is None else [end])]]


@pytest.mark.parametrize("number", first(2, list(range(4))), ids=str)
def test_two_workers_with_small_blocks_write_the_ids_of_one_process(
    number: int, corpus: Path, scheduler: str, tmp_path: Path
) -> None:
    tokenizer = tokenizers()[number]
    end = 7 if number else END
    seen: list[tuple[int, int]] = []
    done = encode_corpus(
        f"{corpus}/*",
        tokenizer,
        tmp_path / "new" / "ids",
        end_of_text=end,
        scheduler=scheduler,
        block=6_000,
        on_progress=lambda *at: seen.append(at),
    )
    assert ids(tmp_path / "new" / "ids") == expected(in_order(), tokenizer, end)
    assert {shard.dtype.name for shard in shards(tmp_path / "new" / "ids")} == {done.dtype}
    assert (done.count, done.kept, done.skipped) == (len(ids(tmp_path / "new" / "ids")), 0, ())
    assert seen[-1][0] == seen[-1][1] == done.bytes == sum(path.stat().st_size for path in corpus.iterdir())


def test_an_interrupted_run_is_resumed_and_writes_no_complete_shard_again(
    corpus: Path, scheduler: str, tmp_path: Path
) -> None:
    def run(**given: Any) -> Any:
        return encode_corpus(f"{corpus}/*", GPT2, tmp_path, scheduler=scheduler, block=4_000, **given)

    def leave(done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        run(on_progress=leave)
    whole = run()
    assert 0 < whole.kept < whole.parts
    times = {file: file.stat().st_mtime_ns for file in tmp_path.glob("*.npy")}
    cut, gone = sorted(times)[1:3]
    cut.write_bytes(cut.read_bytes()[:-3])
    gone.unlink()
    seen: list[tuple[int, int]] = []
    again = run(on_progress=lambda *at: seen.append(at))
    assert (again.kept, again.count, len(seen)) == (whole.parts - 2, whole.count, 2)
    assert seen[0][0] > seen[0][1] / 2  # parts encoded by the first run count as done
    assert ids(tmp_path) == expected(in_order(), GPT2)
    assert {file for file in times if file.stat().st_mtime_ns != times[file]} == {cut, gone}
    assert run().kept == whole.parts


def test_a_folder_of_other_ids_or_of_something_else_is_left_alone(corpus: Path, scheduler: str, tmp_path: Path) -> None:
    text = corpus / "a.txt"
    encode_corpus(text, GPT2, tmp_path / "ids", scheduler=scheduler)
    before = {file: file.read_bytes() for file in (tmp_path / "ids").iterdir()}
    others: list[tuple[dict[str, Any], str]] = [
        ({"tokenizer": train("low", TrainConfig(vocab_size=257)).tokenizer()}, "tokenizer"),
        ({"end_of_text": END}, "end_of_text"),
        ({"special": "parse"}, "special"),
        ({"block": 10_000}, "parts"),
        ({"addresses": corpus / "b.jsonl"}, "kinds"),
    ]
    for other, named in others:
        with pytest.raises(ConfigError, match=f"has the ids of another run: its {named} is"):
            encode_corpus(**{"addresses": text, "tokenizer": GPT2, "out": tmp_path / "ids", **other})
    Path(tmp_path, "letters").mkdir()
    Path(tmp_path, "letters", "dear.txt").write_text("Dear", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"has files, but no corpus\.json"):
        encode_corpus(text, GPT2, tmp_path / "letters")
    Path(tmp_path, "ids", "corpus.json").write_text("[", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"has files, but no corpus\.json"):
        encode_corpus(text, GPT2, tmp_path / "ids")
    assert all(file.read_bytes() == data for file, data in before.items() if file.name != "corpus.json")


def trained(text: str, **given: Any) -> Tokenizer:
    return train(text, TrainConfig(vocab_size=257, **given)).tokenizer()


def marked(**flags: bool) -> Tokenizer:
    return trained("low low").with_special_tokens([SpecialToken("<mask>", 257, **flags)])


def picky(text: str) -> Tokenizer:
    return train_picky(text, TrainConfig(vocab_size=258)).tokenizer()


DIFFERENT: dict[str, Callable[[], tuple[Tokenizer, Tokenizer]]] = {
    "one merge": lambda: (trained("qx qx"), trained("xq xq")),
    "the split": lambda: (trained("qx qx"), trained("qx qx", split="words")),
    "the normalization": lambda: (trained("qx qx"), trained("qx qx", lowercase=True)),
    "a special token": lambda: (GPT2.with_special_tokens({"<a>": 50257}), GPT2.with_special_tokens({"<b>": 50257})),
    "a flag of a special token": lambda: (marked(), marked(strip_left=True)),
    "pieces and their scores": lambda: (
        train_unigram("hug", 8).tokenizer(),
        train_unigram("hug hug gu", 8).tokenizer(),
    ),
    "merges of whole words": lambda: (
        trained("qx qx", method="boundlessbpe"),
        trained("xq xq", method="boundlessbpe"),
    ),
    "removals": lambda: (picky("qx qx qxz"), picky("zx zx zxq")),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_tokenizers_that_differ_in_one_thing_have_different_marks(what: str) -> None:
    one, other = DIFFERENT[what]()
    assert one.name == other.name
    assert one.vocab_size == other.vocab_size
    assert mark_of(one) != mark_of(other)


def test_a_tokenizer_has_the_same_mark_in_every_process() -> None:
    program = (
        "from tests.cluster.test_encoded_corpus import *\n"
        "for make in DIFFERENT.values():\n"
        "    for tokenizer in make():\n"
        "        tokenizer.encode('a low qx ' * {times})\n"
        "        print(mark_of(tokenizer))"
    )
    found = [
        subprocess.run(
            [sys.executable, "-c", program.format(times=times)],
            env={**os.environ, "PYTHONHASHSEED": str(times), "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout.splitlines()
        for times in (1, 2)
    ]
    assert found[0] == found[1]
    assert len(found[0]) == 2 * len(DIFFERENT)


def test_a_folder_of_a_tokenizer_with_another_merge_is_left_alone(corpus: Path, scheduler: str, tmp_path: Path) -> None:
    text = _text(tmp_path, "low lower")
    encode_corpus(text, trained("qx qx"), tmp_path / "ids", scheduler=scheduler)
    with pytest.raises(ConfigError, match="has the ids of another run: its mark is"):
        encode_corpus(text, trained("xq xq"), tmp_path / "ids", scheduler=scheduler)


@pytest.mark.parametrize("use", ["write", "plan", "write_plan", "counts"])
def test_memory_that_runs_out_is_no_problem_of_the_folder(use: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> Any:
        raise MemoryError

    monkeypatch.setattr("bpe_core.cluster.shards.library", fail)
    given: dict[str, tuple[Any, ...]] = {
        "write": (0, [np.zeros(1, np.uint16)]),
        "plan": (),
        "write_plan": ({},),
        "counts": ("<u2",),
    }
    with pytest.raises(MemoryError):
        getattr(Folder("ids"), use)(*given[use])


def test_a_damaged_file_stops_the_encoding_by_name_or_is_skipped(tmp_path: Path, scheduler: str) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    for name, data in {"a.txt": TEXTS[0], "b.txt": TEXTS[1][:5_000] + "\xff", "d.txt": TEXTS[2]}.items():
        Path(texts, name).write_bytes(data.encode("latin-1"))
    Path(texts, "c.jsonl.gz").write_bytes(gzip.compress(json.dumps({"text": SOURCE}).encode())[:-200])
    with pytest.raises(CorpusError, match=r"b\.txt' is not UTF-8 at byte 5,000|c\.jsonl\.gz' cannot be read"):
        encode_corpus(f"{texts}/*", GPT2, tmp_path / "ids", scheduler=scheduler)
    done = encode_corpus(f"{texts}/*", GPT2, tmp_path / "ids", scheduler=scheduler, damaged="skip")
    assert [Path(each.name.strip("'")).name for each in done.skipped] == ["b.txt", "c.jsonl.gz"]
    assert ids(tmp_path / "ids") == expected([TEXTS[0], TEXTS[2]], GPT2)
    assert done.count == len(ids(tmp_path / "ids"))


def test_every_text_has_its_end_also_an_empty_one_and_one_divided_where_it_cannot_be(
    tmp_path: Path, scheduler: str
) -> None:
    Path(tmp_path, "a.txt").write_bytes(b"")
    Path(tmp_path, "b.txt").write_bytes(b"x" * 5_000)  # indivisible: all of it is in the first part
    Path(tmp_path, "c.jsonl").write_text('{"text": ""}\n\n{"text": null}\n{"text": "low"}', encoding="utf-8")
    encode_corpus(f"{tmp_path}/*.*", GPT2, tmp_path / "ids", end_of_text=END, scheduler=scheduler, block=1_000)
    assert ids(tmp_path / "ids") == expected(["", "x" * 5_000, "", "low"], GPT2, END)


def test_problems_of_the_place_and_of_the_settings_are_said(tmp_path: Path, corpus: Path, scheduler: str) -> None:
    Path(tmp_path, "a file").write_bytes(b"")
    with pytest.raises(FormatError, match="cannot be written"):
        encode_corpus(corpus / "a.txt", GPT2, tmp_path / "a file")
    with pytest.raises(TokenIdError):
        encode_corpus(corpus / "a.txt", GPT2, tmp_path / "ids", end_of_text=50_257)
    with pytest.raises(BpeError, match="endoftext"):
        encode_corpus(_text(tmp_path, "<|endoftext|>"), GPT2, tmp_path / "ids", special="raise", scheduler=scheduler)


def test_the_reason_for_which_a_shard_is_not_written_reaches_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("bpe_core.cluster.shards.library", fail)
    with pytest.raises(FormatError) as raised:
        Folder("ids").write(0, [np.zeros(1, np.uint16)])
    assert "No space left" in str(pickle.loads(pickle.dumps(raised.value)))


def _text(folder: Path, text: str) -> Path:
    Path(folder, "text.txt").write_text(text, encoding="utf-8")
    return folder / "text.txt"


def test_the_shards_are_written_to_an_address_too(corpus: Path, scheduler: str, tmp_path: Path) -> None:
    out = f"{tmp_path.as_uri()}/ids"
    done = encode_corpus(corpus / "b.jsonl", GPT2, out, scheduler=scheduler, out_options={"auto_mkdir": True})
    assert done.path == out
    assert ids(tmp_path / "ids") == expected(TEXTS, GPT2)


@pytest.mark.thorough
def test_without_a_scheduler_this_machine_encodes(corpus: Path, tmp_path: Path) -> None:
    encode_corpus(corpus / "b.jsonl", GPT2, tmp_path, workers=1)
    assert ids(tmp_path) == expected(TEXTS, GPT2)


def test_the_command_line_encodes_and_goes_on(
    corpus: Path, scheduler: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "ids")
    given = ["encode-corpus", f"{corpus}/*", "--tokenizer", "gpt2", "--end-of-text", "<|endoftext|>", "--out", out]
    on = ["--scheduler", scheduler, "--block-size", "20000"]
    assert main([*given, *on]) == 0
    assert "ids as uint16" in capfd.readouterr().out
    assert main([*given, *on, "--json"]) == 0
    printed = json.loads(capfd.readouterr().out)
    assert printed["kept"] == printed["parts"]
    assert ids(tmp_path / "ids") == expected(in_order(), GPT2, END)
    assert main([*given, *on, "--special", "parse"]) == 1
    assert "special" in capfd.readouterr().err
    assert main([*given[:5], "of text", *given[6:]]) == 1
    assert "--end-of-text: 'of text' is not a special token of gpt2" in capfd.readouterr().err
