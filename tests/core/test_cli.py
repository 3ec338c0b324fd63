"""The command line from the outside: files and pipes in, results out, errors as one line and an exit code."""

import io
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bpe_core import TrainConfig, encode_fewest, encode_sampled, load, load_pretrained, save, train
from bpe_core.bundled.files import FOLDER
from bpe_core.cli import main
from bpe_core.cli.terminal import interrupted_at_once
from bpe_core.formats import to_bytes
from tests.core.format_samples import SAMPLES

PROJECT = Path(__file__).parents[2]
STORY = SAMPLES / "lantern_story.txt"
PROGRAM = [sys.executable, "-m", "bpe_core"]


class Terminal:
    """Runs commands in this process, with the bytes of stdin."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capfd = capfd

    def run(self, *arguments: str | Path, stdin: bytes = b"") -> tuple[int, str, str]:
        """Exit code, stdout and stderr of a command."""
        with self._monkeypatch.context() as patch:
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            patch.setattr("sys.stdout", open(os.dup(1), "w", encoding="ascii"))  # noqa: SIM115
            with sys.stdout:
                code = main([str(argument) for argument in arguments])
        out, error = self._capfd.readouterr()
        return code, out, error


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(monkeypatch, capfd)


def test_a_file_is_trained_saved_and_used(terminal: Terminal, tmp_path: Path) -> None:
    out = tmp_path / "tokenizer.json"
    code, output, error = terminal.run(
        "train", STORY, "--vocab-size", "400", "--split", "cl100k", "--format", "tokenizers", "--out", out
    )
    assert (code, error) == (0, "")
    assert output.startswith("400 ids (vocabulary full) in ")
    assert output.endswith(f"saved as tokenizers: {out}\n")
    expected = train(STORY.read_text(encoding="utf-8"), TrainConfig(vocab_size=400, split="cl100k")).tokenizer()
    text = "A lantern, é\r\n日本 \n"
    assert load(out).encode(text).ids.tolist() == expected.encode(text).ids.tolist()

    code, ids, _ = terminal.run("encode", "--tokenizer", out, stdin=text.encode())
    assert (code, ids) == (0, " ".join(map(str, expected.encode(text).ids.tolist())) + "\n")
    code, again, _ = terminal.run("decode", "--tokenizer", out, stdin=ids.encode())
    assert (code, again.encode()) == (0, text.encode())


def test_training_takes_every_setting_and_reports_as_json(terminal: Terminal, tmp_path: Path) -> None:
    out = tmp_path / "mine"
    code, output, _ = terminal.run(
        "train", "-", "--vocab-size", "60", "--unit", "char", "--split", "words", "--end-of-word", "</w>",
        "--normalization", "NFKC", "--lowercase", "--tie-break", "lowest-ids", "--min-count", "2",
        "--special-token", "<s>", "--special-token", "<e>", "--out", out, "--json",
        stdin="low lower LOWEST ｎｅｗ".encode(),
    )  # fmt: skip
    assert code == 0
    result = json.loads(output)
    assert result["stop_reason"] == "below min_count"
    assert (result["format"], result["out"], result["model"]) == ("bpe-lab", str(out), "bpe")
    config = load(out).config
    assert (config.unit, config.end_of_word, config.normalization, config.lowercase) == ("char", "</w>", "NFKC", True)
    assert config.special_tokens == ("<s>", "<e>")
    assert result["vocab_size"] == load(out).vocab_size


@pytest.mark.parametrize("model", ["wordpiece", "unigram", "sentencepiece"])
def test_the_rest_of_the_family_is_trained_too(model: str, terminal: Terminal, tmp_path: Path) -> None:
    code, _, _ = terminal.run("train", STORY, "--model", model, "--vocab-size", "90", "--out", tmp_path / "out")
    assert code == 0
    assert "lantern" in load(tmp_path / "out").decode(load(tmp_path / "out").encode("a lantern").ids)


def test_encoding_as_json_says_where_tokens_stand(terminal: Terminal) -> None:
    _, output, _ = terminal.run("encode", "--tokenizer", "gpt2", "--json", "--text", "é x")
    assert json.loads(output) == {
        "tokenizer": "gpt2",
        "count": 2,
        "ids": [2634, 2124],
        "starts": [0, 2],
        "ends": [2, 4],
        "tokens": ["é", " x"],
    }
    code, text, _ = terminal.run("decode", "--tokenizer", "gpt2", stdin=output.encode())
    assert (code, text) == (0, "é x")


def test_other_segmentations_are_drawn_with_a_seed_or_have_the_fewest_tokens(terminal: Terminal) -> None:
    given = ("encode", "--tokenizer", "gpt2", "--text", "ein Kuchen")
    assert (
        terminal.run(*given, "--fewest")[1]
        == " ".join(map(str, encode_fewest(load_pretrained("gpt2"), "ein Kuchen").ids)) + "\n"
    )
    drawn = encode_sampled(load_pretrained("gpt2"), "ein Kuchen", dropout=0.5, seed=3).ids
    assert terminal.run(*given, "--dropout", "0.5", "--seed", "3")[1] == " ".join(map(str, drawn)) + "\n"
    assert terminal.run(*given, "--dropout", "0")[1] == terminal.run(*given)[1]


def test_files_are_encoded_to_a_file_of_ids(terminal: Terminal, tmp_path: Path) -> None:
    out = tmp_path / "ids.npy"
    expected = load_pretrained("cl100k_base").encode(STORY.read_text(encoding="utf-8")).ids.tolist()
    given = ("encode", "--tokenizer", "cl100k_base", "--out", out, STORY, STORY)
    output = f"{2 * len(expected) + 1:,} ids as uint32: {out}\n"
    for separator in ("<|endoftext|>", "100257"):
        assert terminal.run(*given, "--separator", separator) == (0, output, "")
        assert np.load(out).tolist() == [*expected, 100_257, *expected]
    code, output, _ = terminal.run(*given, "--json")
    assert (code, json.loads(output)["count"]) == (0, 2 * len(expected))


def test_decoding_gives_the_bytes_that_were_encoded(terminal: Terminal, tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "decode", "--tokenizer", "gpt2", "--ids", "[198, 223]"], cwd=PROJECT, capture_output=True, check=True
    )
    assert done.stdout == load_pretrained("gpt2").decode_bytes([198, 223])
    _, output, _ = terminal.run("decode", "--tokenizer", "gpt2", "--json", "--ids", "223")
    assert json.loads(output) == {"count": 1, "text": "\N{REPLACEMENT CHARACTER}"}


def test_special_tokens_are_text_unless_parsed(terminal: Terminal) -> None:
    arguments = ("encode", "--tokenizer", "gpt2", "--text", "<|endoftext|>")
    assert terminal.run(*arguments, "--special", "parse")[1] == "50256\n"
    assert len(terminal.run(*arguments)[1].split()) > 1
    code, _, error = terminal.run(*arguments, "--special", "raise")
    assert code == 1
    assert "holds the special token" in error
    assert terminal.run("decode", "--tokenizer", "gpt2", "--ids", "50256,15496", "--skip-special")[1] == "Hello"


def test_comparing_gives_counts_and_agreement(terminal: Terminal) -> None:
    code, output, _ = terminal.run("compare", STORY)
    assert code == 0
    assert output.splitlines()[0].split() == ["tokenizer", "tokens", "bytes/token", "chars/token", "tokens/word"]
    assert [line.split()[0] for line in output.splitlines()[1:4]] == ["gpt2", "cl100k_base", "o200k_base"]
    _, output, _ = terminal.run(
        "compare", "--text", "Hello 12345", "--tokenizer", "gpt2", "--tokenizer", "cl100k_base", "--json"
    )
    result = json.loads(output)
    assert [row["name"] for row in result["rows"]] == ["gpt2", "cl100k_base"]
    assert result["agreement"][0]["left"] == "gpt2"
    assert 0 < result["agreement"][0]["f1"] < 1


def test_files_are_converted(terminal: Terminal, tmp_path: Path) -> None:
    code, output, _ = terminal.run("export", "--tokenizer", "gpt2", "--format", "gpt2", "--out", tmp_path / "folder")
    assert (code, output) == (0, f"50,257 ids saved as gpt2: {tmp_path / 'folder'}\n")
    code, _, _ = terminal.run(
        "export", "--tokenizer", tmp_path / "folder", "--format", "tiktoken", "--out", tmp_path / "a.tiktoken", "--json"
    )
    assert code == 0
    code, ids, _ = terminal.run(
        "encode", "--tokenizer", tmp_path / "a.tiktoken", "--split", "cl100k", "--special-token", "<s>=60000",
        "--special", "parse", "--text", "<s>Hello",
    )  # fmt: skip
    assert (code, ids) == (0, "60000 15496\n")
    code, file, _ = terminal.run("export", "--tokenizer", "gpt2", "--format", "tiktoken", "--out", "-")
    assert (code, file.splitlines()[0]) == (0, "IQ== 0")


def test_ranks_that_do_not_say_their_split_are_asked_about(terminal: Terminal, tmp_path: Path) -> None:
    ranks = to_bytes(train("low low", TrainConfig(vocab_size=257)).tokenizer(), format="tiktoken")
    file = tmp_path / "mine.tiktoken"
    file.write_bytes(ranks)
    for command in (["encode", "--tokenizer"], ["decode", "--tokenizer"], ["compare", "--tokenizer"]):
        code, _, output = terminal.run(*command, file)
        assert code == 1
        assert "do not say how texts are split" in output
        assert "none, words, gpt2, cl100k, o200k" in output
        assert "--split" in output
    assert terminal.run("encode", "--tokenizer", file, "--split", "gpt2", "--text", "low")[:2] == (0, "256 119\n")
    known = FOLDER / "r50k_base.tiktoken"
    assert terminal.run("encode", "--tokenizer", known, "--text", "Hello")[:2] == (0, "15496\n")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "arguments are required: command"),
        (["fly"], 2, "invalid choice: 'fly'"),
        (["train", STORY, "--out", "x"], 2, "required: --vocab-size"),
        (["train", STORY, "--vocab-size", "many", "--out", "x"], 2, "'many' is not a whole number"),
        (["train", STORY, "--vocab-size", "9" * 5_000, "--out", "x"], 2, "is not a whole number"),
        (["train", STORY, "--vocab-size", "3", "--out", "x"], 2, "vocab_size is 3"),
        (["train", STORY, "--vocab-size", "300", "--split", "((", "--out", "x"], 2, "not a valid regular expression"),
        (["train", STORY, "--vocab-size", "300", "--out", "-", "--json"], 2, "both write to stdout"),
        (["train", "-", "-", "--vocab-size", "300", "--out", "x"], 2, "named twice"),
        (
            ["train", STORY, "--model", "unigram", "--split", "none", "--vocab-size", "90", "--out", "x"],
            2,
            "--split is for",
        ),
        (["encode", "--tokenizer", "gpt2", "--text", "a", STORY], 2, "both given"),
        (["export", "--tokenizer", "gpt2", "--format", "gpt2", "--out", "-"], 2, "--out must be a folder"),
        (
            ["train", STORY, "--model", "unigram", "--format", "gpt2", "--vocab-size", "90", "--out", "x"],
            2,
            "--format gpt2 does not hold --model unigram",
        ),
        (["train", "missing.txt", "--vocab-size", "300", "--out", "x"], 1, "'missing.txt' cannot be read"),
        (["train", STORY, "--unit", "char", "--vocab-size", "9", "--out", "x"], 1, "Ask for at least"),
        (["train", STORY, "--vocab-size", "300", "--out", "missing/x"], 1, "cannot be written"),
        (["encode", "--tokenizer", "gpt2", STORY, STORY], 2, "several files are for --out"),
        (["encode", "--tokenizer", "gpt2", STORY, "--separator", "0"], 2, "--separator is for --out"),
        (["encode", "--tokenizer", "gpt2", "--out", "ids.npy"], 2, "--out is for files"),
        (["encode", "--tokenizer", "gpt2", "--text", "a", "--dropout", "0.1", "--fewest"], 2, "both given"),
        (["encode", "--tokenizer", "gpt2", "--text", "a", "--seed", "1"], 2, "--seed is for --dropout and --theta"),
        (["encode", "--tokenizer", "gpt2", "--out", "ids.npy", STORY, "--dropout", "0.1"], 2, "--dropout and --out"),
        (["encode", "--tokenizer", "gpt2", "--text", "a", "--theta", "1"], 2, "use --dropout"),
        (["encode", "--tokenizer", "t5-small", "--text", "a", "--dropout", "0.1"], 2, "use --theta"),
        (["encode", "--tokenizer", "gpt2", "--text", "a", "--dropout", "1.5"], 1, "a number from 0 to 1"),
        (["encode", "--tokenizer", "bert-base-uncased", "--text", "a", "--dropout", "0.1"], 1, "one segmentation"),
        (["encode", "--tokenizer", "gpt2", "--out", "ids.txt", STORY], 1, "ends with .npy or .bin"),
        (["encode", "--tokenizer", "gpt2", "--out", "ids.npy", STORY, "--separator", "</s>"], 1, "<|endoftext|>"),
        (["encode", "--tokenizer", "gpt2", "missing.txt"], 1, "'missing.txt' cannot be read: No such file"),
        (["encode", "--tokenizer", "gpt2", PROJECT], 1, "cannot be read: Is a directory. A file of texts must exist"),
        (["encode", "--tokenizer", "gpt2", ""], 1, "'' cannot be read"),
        (["draw", "--tokenizer", "gpt2", "a", "--out", "/dev/null/a.svg"], 1, "Check the path"),
        (
            ["encode", "--tokenizer", "gpt5", "--text", "a"],
            1,
            "cl100k_base, o200k_base, bert-base-uncased, bert-base-cased, t5-small. Did you mean gpt2?",
        ),
        (["encode", "--tokenizer", "cl100k", "--text", "a"], 1, "Did you mean cl100k_base?"),
        (["encode", "--tokenizer", "GPT-2", "--text", "a"], 1, "Did you mean gpt2?"),
        (["encode", "--tokenizer", "zzz", "--text", "a"], 1, "Use one of these names, the path of a file, or hf:"),
        (["encode", "--tokenizer", "gpt5.json", "--text", "a"], 1, "'gpt5.json' cannot be read: No such file"),
        (["export", "--tokenizer", "gpt2", "--out", "."], 1, "cannot be written: it is a folder"),
        (["encode", "--tokenizer", STORY, "--text", "a"], 1, "A line of a vocab.txt is one token"),
        (["encode", "--tokenizer", "gpt2", "--split", "words", "--text", "a"], 2, "gpt2 has its own"),
        (
            ["encode", "--tokenizer", "gpt2", "--special-token", "<s>=60000", "--text", "a"],
            2,
            "--special-token applies only to",
        ),
        (["decode", "--tokenizer", "gpt2", "--ids", "60000"], 1, "60000 is not a token id of gpt2"),
        (["decode", "--tokenizer", "gpt2", "--ids", "1 two"], 1, "'two' is not an id"),
        (["decode", "--tokenizer", "gpt2", "--ids", "1 -1"], 1, "-1 is not a token id of gpt2. Its ids are whole"),
        (["decode", "--tokenizer", "gpt2", "--ids", "9" * 20], 1, "is not a token id of gpt2. Its ids are whole"),
        (["decode", "--tokenizer", "gpt2", "--ids", '{"tokens": []}'], 1, "it has no ids"),
        (["encode", "--tokenizer", "gpt2", "--text", "ab\udcff"], 1, "--text is not UTF-8 at byte 2: 0xFF"),
        (["draw", "--tokenizer", "gpt2", "\udce9", "--out", "x.svg"], 1, "TEXT is not UTF-8 at byte 0: 0xE9"),
        (["decode", "--tokenizer", "gpt2", "--ids", '{"ids": ["a"]}'], 1, "is not an id"),
        (["decode", "--tokenizer", "gpt2", "--ids", "{" * 100_000], 1, "not JSON"),
        (["export", "--tokenizer", "gpt2", "--format", "wordpiece", "--out", "x"], 1, "which holds it"),
    ],
)
def test_a_mistake_is_one_line_and_an_exit_code(
    arguments: list[str | Path],
    code: int,
    says: str,
    terminal: Terminal,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    found, out, error = terminal.run(*arguments)
    assert (found, out) == (code, "")
    assert says in error
    assert "Traceback" not in error
    last = error.splitlines()[-1]
    assert ": error: " in last
    assert error.count("\n") == 1 or error.startswith("usage: ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["tokenizer.json", "my_tokenizer.json", "a.tiktoken", "vocab.txt"])
def test_the_name_of_a_file_does_not_decide_its_format(name: str, terminal: Terminal, tmp_path: Path) -> None:
    _, output, _ = terminal.run("train", STORY, "--vocab-size", "300", "--out", tmp_path / name)
    assert output.endswith(f"saved as bpe-lab: {tmp_path / name}\n")
    assert json.loads((tmp_path / name).read_bytes())["format"] == "bpe-lab"
    _, output, _ = terminal.run("export", "--tokenizer", "gpt2", "--out", tmp_path / name)
    assert output.endswith(f"saved as bpe-lab: {tmp_path / name}\n")


def test_a_file_named_json_that_is_none_is_told_so(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("Dear diary", encoding="utf-8")
    code, _, error = terminal.run("encode", "--tokenizer", tmp_path / "tokenizer.json", "--text", "a")
    assert code == 1
    assert "'tokenizer.json' is not JSON. Tokenizer files are" in error


def test_a_place_where_nothing_can_be_written_is_refused_before_the_training(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe_core.cli.trainers.train_bpe", None)
    code, _, error = terminal.run("train", STORY, "--vocab-size", "300", "--out", tmp_path / "missing" / "x")
    assert code == 1
    assert "there is no folder" in error


def test_train_saves_superbpe_and_does_not_offer_what_no_file_holds(tmp_path: Path, terminal: Terminal) -> None:
    given = ("train", STORY, "--vocab-size", "512", "--out", tmp_path / "made.json", "--method")
    assert terminal.run(*given, "superbpe", "--transition", "480")[0] == 0
    assert len(load(tmp_path / "made.json").encode(STORY.read_text(encoding="utf-8")).ids) == 674
    code, _, error = terminal.run(*given, "boundlessbpe")
    assert code == 2
    assert "choose from 'bpe', 'superbpe'" in error


@pytest.mark.parametrize(
    ("command", "limits"),
    [
        ("train", ["1,000,000", "1,000,000,000,000", "40 characters", "1,000 times", "5 MB", "1,024 KB", "16 MB"]),
        ("encode", ["100 MB", "1,000,000 tokens", "16 MB", "9,999,999", "2 GiB"]),
        ("decode", ["100 MB", "9,999,999"]),
        ("compare", ["100 MB", "2 GiB"]),
        ("export", ["100 MB", "all but BoundlessBPE"]),
    ],
)
def test_help_names_the_limits(command: str, limits: list[str], terminal: Terminal) -> None:
    code, output, _ = terminal.run(command, "--help")
    assert code == 0
    assert not [limit for limit in limits if limit not in " ".join(output.split())]


def test_input_that_is_not_utf8_is_named_with_its_byte(terminal: Terminal) -> None:
    code, _, error = terminal.run("encode", "--tokenizer", "gpt2", stdin=b"ab\xff")
    assert code == 1
    assert "stdin is not UTF-8 at byte 2: 0xFF" in error


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_ids_are_read_with_the_mark_of_their_encoding(encoding: str, terminal: Terminal) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    for ids in ("15496 11 995\r\n", '{"ids": [15496, 11, 995]}'):
        data = (mark + ids).encode(encoding)
        assert terminal.run("decode", "--tokenizer", "gpt2", stdin=data) == (0, "Hello, world", "")


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["train", "{}", "--vocab-size", "260", "--out", "{}"], "text.txt"),
        (["train", "{}/../text.txt", "--vocab-size", "260", "--out", "{}"], "text.txt"),
        (["page", "{}", "--vocab-size", "260", "--out", "{}"], "text.html"),
        (["compare", "{}", "--each", "--tokenizer", "gpt2", "--out", "{}"], "text.csv"),
        (["add", "low", "{}", "--tokenizer", "gpt2", "--out", "{}"], "text.txt"),
        (["shrink", "--used-in", "{}", "--tokenizer", "gpt2", "--map", "{}"], "text.txt"),
        (["encode", "{}", "--tokenizer", "gpt2", "--out", "{}"], "text.bin"),
        (["count", "{}", "--out", "{}"], "text.parquet"),
    ],
)
def test_a_text_is_never_overwritten(command: list[str], name: str, terminal: Terminal, tmp_path: Path) -> None:
    text = tmp_path / name
    text.write_text("text\nlow lower\n")
    (tmp_path / "text.txt").touch()
    filled = [each.replace("{}/..", str(tmp_path / ".")).replace("{}", str(text)) for each in command]
    code, _, error = terminal.run(*filled)
    assert code == 2
    assert "is an input file and would be overwritten. Choose another output file." in error
    assert text.read_text() == "text\nlow lower\n"


def test_a_tokenizer_may_be_replaced(terminal: Terminal, tmp_path: Path) -> None:
    text, made = tmp_path / "text.txt", tmp_path / "made.json"
    text.write_text("low lower")
    assert terminal.run("train", text, "--vocab-size", "260", "--out", made)[0] == 0
    assert terminal.run("export", "--tokenizer", made, "--format", "tokenizers", "--out", made)[0] == 0
    assert b'"version"' in made.read_bytes()


def test_what_a_user_named_does_not_control_the_terminal(terminal: Terminal) -> None:
    code, _, error = terminal.run("encode", "--tokenizer", "a\x1b[2J\nb", "--text", "a")
    assert code == 1
    assert "\x1b" not in error
    assert error.count("\n") == 1


def test_help_names_every_command(terminal: Terminal) -> None:
    code, output, _ = terminal.run("--help")
    assert code == 0
    assert all(f"\n    {name} " in output for name in ("train", "encode", "decode", "compare", "export"))


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    text = tmp_path / "long.txt"
    text.write_text("lantern " * 100_000, encoding="utf-8")
    with subprocess.Popen(
        [*PROGRAM, "encode", "--tokenizer", "gpt2", str(text)],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.fixture
def ctrl_c_is_heard() -> Iterator[None]:
    """Enable Ctrl-C as in a terminal, even if these tests run in the background, where it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_progress_shows_on_a_terminal_and_ctrl_c_ends_quietly(tmp_path: Path) -> None:
    text = tmp_path / "long.txt"
    text.write_text("".join(f"{i:x} " for i in range(400_000)), encoding="utf-8")
    ours, theirs = pty.openpty()
    arguments = [
        "train",
        str(text),
        "--model",
        "bpe",
        "--split",
        "none",
        "--vocab-size",
        "900000",
        "--out",
        str(tmp_path / "x"),
    ]
    with subprocess.Popen([*PROGRAM, *arguments], cwd=PROJECT, stderr=theirs, stdout=subprocess.PIPE) as process:
        os.close(theirs)
        seen = b""
        while b" of " not in seen:
            seen += os.read(ours, 1_000)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
    while True:
        try:
            more = os.read(ours, 1_000)
        except OSError:
            break
        seen += more
    os.close(ours)
    assert b"\rtraining [" in seen
    assert b"Traceback" not in seen
    assert seen.endswith(b"\r\x1b[K")
    assert not (tmp_path / "x").exists()


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_ends_even_where_an_exception_would_be_lost(capfd: pytest.CaptureFixture[str]) -> None:
    # As in a callback of the compiler: Python ignores exceptions raised there.
    program = """
import ctypes, signal
from bpe_core.cli.terminal import interrupted_at_once
from bpe_core.formats import to_bytes
from bpe_core.bundled.files import FOLDER
with interrupted_at_once():
    ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))()
    print("went on", flush=True)
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=PROJECT).returncode == 130
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_after_the_work_ctrl_c_is_an_exception_again() -> None:
    with interrupted_at_once():
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_a_job_in_the_background_goes_on_when_ctrl_c_ends_another(capfd: pytest.CaptureFixture[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does for background jobs of a script
    program = """
import signal
from bpe_core.cli.terminal import interrupted_at_once
from bpe_core.formats import to_bytes
from bpe_core.bundled.files import FOLDER
with interrupted_at_once():
    signal.raise_signal(signal.SIGINT)
    print("went on", flush=True)
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=PROJECT).returncode == 0
    assert capfd.readouterr() == ("went on\n", "")


def test_a_pipe_sees_no_progress(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "train", "--vocab-size", "300", "--out", "-"],
        cwd=PROJECT,
        input=b"low lower lowest",
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    assert json.loads(done.stdout)["format"] == "bpe-lab"


@pytest.mark.parametrize("option", [None, "--lowercase", "--no-lowercase"])
def test_the_case_of_a_vocabulary_is_chosen_wherever_it_is_read(
    option: str | None, terminal: Terminal, tmp_path: Path
) -> None:
    cased, plain = tmp_path / "cased", tmp_path / "plain"
    for folder in (cased, plain):
        folder.mkdir()
        (folder / "vocab.txt").write_text("[UNK]\nlow\nLow\n")
    (cased / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    for folder in (cased, plain):
        keeps = option == "--no-lowercase" or (option is None and folder is cased)
        given = ["--tokenizer", str(folder / "vocab.txt"), *([] if option is None else [option])]
        code, ids, _ = terminal.run("encode", *given, "--text", "Low low")
        assert (code, ids) == (0, "2 1\n" if keeps else "1 1\n")
        code, counts, _ = terminal.run("compare", *given, "--tokenizer", "gpt2", "--text", "LOW", "--json")
        assert code == 0
        found = load(folder / "vocab.txt", lowercase=not keeps).encode("LOW")
        assert [row["tokens"] for row in json.loads(counts)["rows"]] == [len(found), 2]
        (tmp_path / "text.txt").write_text("Low")
        code, _, _ = terminal.run("encode", *given, str(tmp_path / "text.txt"), "--out", str(tmp_path / "ids.npy"))
        assert (code, np.load(tmp_path / "ids.npy").tolist()) == (0, [2 if keeps else 1])
        code, _, _ = terminal.run("export", *given, "--format", "tokenizers", "--out", str(tmp_path / "saved.json"))
        assert load(tmp_path / "saved.json").encode("Low").ids.tolist() == [2 if keeps else 1]
        code, data, error = terminal.run("export", *given, "--format", "wordpiece", "--out", "-")
        assert (code, data) == (0, "[UNK]\nlow\nLow\n")
        assert ("does not specify how texts are normalized" in error) is keeps


@pytest.mark.parametrize("option", ["--lowercase", "--no-lowercase"])
def test_the_case_of_what_is_no_vocabulary_is_not_chosen(option: str, terminal: Terminal, tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    save(load_pretrained("bert-base-uncased"), saved, format="tokenizers")
    for command in ("encode", "compare"):
        for name in ("bert-base-uncased", str(saved)):
            code, _, error = terminal.run(command, "--tokenizer", name, option, "--text", "Low")
            assert code in (1, 2)
            assert "a vocab.txt" in error
