"""The folder for transformers: the tokenizers library reads its tokenizer.json, and roles are special tokens."""

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer as LibraryTokenizer

from bpe_core import FormatError, Tokenizer, TrainConfig, load_pretrained, train, train_sentencepiece, train_wordpiece
from bpe_core.formats import to_files
from bpe_core.formats.transformers_folder import roles_of, settings_files

TEXT = (Path(__file__).parents[2] / "sample_texts" / "lantern_story.txt").read_text("utf-8")


def trained(**settings: object) -> Tokenizer:
    return train(TEXT, TrainConfig(**settings)).tokenizer()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tokenizer", "roles"),
    [
        (load_pretrained("gpt2"), {"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>"}),
        (load_pretrained("t5-small"), {"unk_token": "<unk>", "eos_token": "</s>", "pad_token": "<pad>"}),
        (trained(vocab_size=300), {}),
        (trained(vocab_size=300, special_tokens=("<s>", "<pad>")), {"bos_token": "<s>", "pad_token": "<pad>"}),
        (trained(vocab_size=100, unit="char"), {"unk_token": "<unk>"}),
        (
            train_wordpiece(TEXT, 200).tokenizer(),
            {
                "unk_token": "[UNK]",
                "pad_token": "[PAD]",
                "cls_token": "[CLS]",
                "sep_token": "[SEP]",
                "mask_token": "[MASK]",
            },
        ),
    ],
    ids=["gpt2", "t5", "trained", "special", "characters", "wordpiece"],
)
def test_the_folder_gives_the_ids_of_the_tokenizer_and_names_its_roles(
    tokenizer: Tokenizer, roles: dict[str, str]
) -> None:
    files = settings_files(tokenizer)
    library = LibraryTokenizer.from_str(to_files(tokenizer, format="tokenizers")["tokenizer.json"].decode())
    assert library.encode(TEXT, add_special_tokens=False).ids == tokenizer.encode(TEXT).ids.tolist()
    config = json.loads(files["tokenizer_config.json"])
    assert json.loads(files["special_tokens_map.json"]) == roles == roles_of(tokenizer)
    assert config.pop("tokenizer_class") == "PreTrainedTokenizerFast"
    assert config == {"clean_up_tokenization_spaces": False, **roles}
    assert all(library.token_to_id(token) is not None for token in roles.values())


def test_what_tokenizer_json_cannot_hold_has_no_folder() -> None:
    with pytest.raises(FormatError):
        to_files(train_sentencepiece(TEXT, 200, model_type="bpe").tokenizer(), format="tokenizers")
