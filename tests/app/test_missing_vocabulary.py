"""The page that needs a missing or damaged vocabulary file reports it, and the other pages work."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from bpe_core.bundled import files, openai
from tests.app.pages import opened
from ui.memory.cache import MEMORY

PROJECT = Path(__file__).parents[2]
PAGES = ("train", "encode", "compare", "vocabulary", "algorithms", "pipeline", "lessons")


@pytest.fixture(params=["missing", "cut off"])
def without_gpt2(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The bundled files with GPT-2's missing or damaged; yields what the message must contain."""
    folder = tmp_path / "vocabularies"
    copytree(files.FOLDER, folder)
    file = folder / "r50k_base.tiktoken"
    file.unlink() if request.param == "missing" else file.write_bytes(file.read_bytes()[:1_000])
    monkeypatch.setattr(files, "FOLDER", folder)
    forget_vocabularies()
    yield {"missing": "cannot be read", "cut off": "is damaged"}[request.param]
    forget_vocabularies()


def forget_vocabularies() -> None:
    openai.load_ranked.cache_clear()
    MEMORY.forget()


def test_every_page_opens_without_the_vocabulary_file_of_gpt2(without_gpt2: str) -> None:
    app = opened()
    for page in PAGES:
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, page
        is_reported = any(without_gpt2 in text.value for text in app.text)
        with_gpt2 = page in ("train", "encode", "compare", "pipeline")  # by default; on Train the first screen
        assert is_reported == with_gpt2, page


def test_another_tokenizer_can_be_chosen_instead_of_the_one_whose_file_is_missing(without_gpt2: str) -> None:
    app = opened("encode", encode_with="cl100k_base")
    assert not any(without_gpt2 in text.value for text in app.text)


@pytest.mark.usefixtures("without_gpt2")
def test_a_tokenizer_file_is_still_recognised_by_its_content() -> None:
    other = (files.FOLDER / "cl100k_base.tiktoken").read_bytes()
    assert openai.bundled_name(other) == "cl100k_base"
    assert openai.bundled_name(b"IQ== 0\n") is None
