"""Progress of reading a tokenizer file: reported in order to the end, for every format; an exception cancels it."""

import gzip
import json
from itertools import pairwise
from pathlib import Path

import pytest

from bpe_core import load, load_pretrained, save
from bpe_core.errors import FormatError
from bpe_core.formats import from_bytes, from_files, to_bytes, to_files
from bpe_core.formats.progress import SLICE, WHOLE
from bpe_core.hub.files import HubFiles
from bpe_core.hub.names import HubName
from tests.core.format_samples import sentencepiece, trained, unigram, wordpiece
from tests.core.test_formats_others import tekken
from tests.draws import first

LARGE = 2 * SLICE + 1
CHARS = [chr(0x4E00 + i) for i in range(250)]
PAIRS = [(left, right) for left in CHARS for right in CHARS][:LARGE]
VOCAB = {token: i for i, token in enumerate([*CHARS, *(left + right for left, right in PAIRS)])}


def file_of(**model: object) -> bytes:
    return json.dumps({"version": "1.0", "model": model}).encode()


FILES = {
    "tokenizers": file_of(type="BPE", vocab=VOCAB, merges=PAIRS),
    "tokenizers, merges as texts": file_of(type="BPE", vocab=VOCAB, merges=[" ".join(pair) for pair in PAIRS]),
    "WordPiece": file_of(
        type="WordPiece",
        unk_token=CHARS[0],
        continuing_subword_prefix="##",
        max_input_chars_per_word=100,
        vocab=VOCAB,
    ),
    "WordLevel": file_of(type="WordLevel", unk_token=CHARS[0], vocab=VOCAB),
    "Unigram": file_of(type="Unigram", unk_id=0, vocab=[[token, -1.5] for token in VOCAB]),
    "Unigram of this project": to_bytes(unigram(), format="tokenizers"),
    "tekken": json.dumps(tekken()).encode(),
    "bpe-lab": to_bytes(trained("bytes"), format="bpe-lab"),
    "tiktoken": to_bytes(load_pretrained("gpt2"), format="tiktoken"),
    "vocab.txt": to_bytes(wordpiece(), format="wordpiece"),
    "sentencepiece": sentencepiece().model.data,
}


def progress_of(files: dict[str, bytes]) -> list[tuple[int, int]]:
    calls: list[tuple[int, int]] = []
    from_files(files, "mine", on_progress=lambda done, total: calls.append((done, total)))
    return calls


@pytest.mark.parametrize("packed", first(1, [True, False]))
@pytest.mark.parametrize("kind", FILES)
def test_every_format_tells_how_far_it_is_from_the_start_to_the_end(kind: str, packed: bool) -> None:
    data = gzip.compress(FILES[kind], 1) if packed else FILES[kind]
    calls: list[tuple[int, int]] = []
    tokenizer = from_bytes(data, on_progress=lambda done, total: calls.append((done, total)))
    done = [each for each, _ in calls]
    assert {total for _, total in calls} == {WHOLE}
    assert done[0] == 0
    assert done[-1] == WHOLE
    assert done == sorted(done)
    assert tokenizer.encode("low 一丁").ids.tolist() == from_bytes(data).encode("low 一丁").ids.tolist()


@pytest.mark.parametrize(
    "kind", ["tokenizers", "tokenizers, merges as texts", "WordPiece", "WordLevel", "Unigram", "tiktoken"]
)
def test_a_large_vocabulary_tells_more_than_its_start_and_end(kind: str) -> None:
    done = [each for each, _ in progress_of({"file": FILES[kind]})]
    assert len(set(done)) >= 4
    assert max(after - before for before, after in pairwise(done)) < 0.6 * WHOLE


def test_two_files_and_a_path_and_files_of_the_hub_tell_it_as_well(tmp_path: Path) -> None:
    files = to_files(load_pretrained("gpt2"), format="gpt2")
    done = [each for each, _ in progress_of(files)]
    assert (done[0], done[-1], done) == (0, WHOLE, sorted(done))
    assert len(set(done)) > 4
    save(load_pretrained("gpt2"), tmp_path / "gpt2.tiktoken", format="tiktoken")
    calls: list[tuple[int, int]] = []
    load(tmp_path / "gpt2.tiktoken", on_progress=lambda *call: calls.append(call))
    found = HubFiles(HubName("me/tiny"), "", (("gpt2.tiktoken", str(tmp_path / "gpt2.tiktoken")),))
    again: list[tuple[int, int]] = []
    found.tokenizer(on_progress=lambda *call: again.append(call))
    assert calls == again
    assert calls[-1] == (WHOLE, WHOLE)


@pytest.mark.parametrize("error", first(1, [KeyboardInterrupt, RecursionError, FormatError, ValueError]))
@pytest.mark.parametrize("kind", FILES)
def test_what_on_progress_raises_ends_the_reading_and_is_what_the_caller_gets(
    kind: str, error: type[BaseException]
) -> None:
    every = len(progress_of({"file": FILES[kind]}))
    for last in sorted({1, 2, every // 2, every}):
        calls = 0

        def cancel(done: int, total: int, last: int = last) -> None:
            nonlocal calls
            calls += 1
            if calls == last:
                raise error("enough")

        with pytest.raises(error, match=r"^enough$"):
            from_bytes(FILES[kind], on_progress=cancel)
        assert calls == last


def test_a_file_that_is_refused_never_tells_its_end() -> None:
    calls: list[int] = []
    with pytest.raises(FormatError):
        from_bytes(
            file_of(type="BPE", vocab=VOCAB, merges=[*PAIRS, ["x", "y"]]),
            on_progress=lambda done, _: calls.append(done),
        )
    assert WHOLE not in calls
