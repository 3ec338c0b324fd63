"""The tokenizers that a visitor can choose from: trained ones, the published ones, and those of own files."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from bpe_core import PRETRAINED, HubError
from bpe_core.bundled.openai import OPENAI
from bpe_core.hub.names import LONGEST_ADDRESS, PREFIX
from ui.session.items import Item, Upload, is_count, is_word_or_none
from ui.session.learned_tokenizers import LEARNED, is_learned, learned_now
from ui.session.tokenizer_files import (
    FILE_SPLITS,
    HubTokenizer,
    OwnTokenizer,
    TokenizerFile,
    WantedModel,
    is_own,
    title_and_case,
    wanted_model,
)

TRAINED = "trained"
"""The name of the tokenizer trained here, wherever tokenizers are chosen."""

TOKENIZERS = (TRAINED, *PRETRAINED)

SHOWN = (TRAINED, *OPENAI)
"""Those that are always in sight; the others are in a menu."""


def are_files(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(file, TokenizerFile | HubTokenizer) for file in value)


def are_hub_models(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(model, HubTokenizer) for model in value)


def are_models(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(model, WantedModel) for model in value)


def is_typed_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_ADDRESS


def is_split_or_none(value: object) -> bool:
    return value is None or (isinstance(value, str) and value in FILE_SPLITS)


TOKENIZER_FILES: Item[tuple[OwnTokenizer, ...]] = Item("tokenizer files", (), are_files)
WANTED_FILES: Item[tuple[OwnTokenizer, ...]] = Item("tokenizer files wanted", (), are_files)
WANTED_MODELS: Item[tuple[WantedModel, ...]] = Item("models wanted", (), are_models)
"""Models of the hub that are to be fetched."""

MODELS_TO_SPLIT: Item[tuple[HubTokenizer, ...]] = Item("models to split", (), are_hub_models)
"""Models that were fetched and have only ranks of tiktoken, until their split is chosen."""

MODEL_NAME = Item("model name", "", is_typed_name)
"""The name of a model that is typed."""

TOKENIZER_UPLOADS = Item("tokenizer uploads", 0, is_count)
UPLOADED_SPLIT: Item[str | None] = Item("split of an uploaded file", None, is_split_or_none)
MODEL_SPLIT: Item[str | None] = Item("split of a model", None, is_split_or_none)


def are_titles(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(title, str) for title in value)


FILES_OF_LINK: Item[list[str]] = Item("tokenizer files of the link", [], are_titles)
"""What links call the own tokenizers that were chosen where the link was made, or here before a reload."""


def missing_files() -> list[str]:
    """Those of them that are not in this session."""
    here = {title_and_case(file.in_links)[0] for file in TOKENIZER_FILES.get()}
    return [title for title in FILES_OF_LINK.get() if title_and_case(title)[0] not in here]


def cases_of_link() -> dict[str, bool | None]:
    """The case that was chosen for those of them that say it, by their titles."""
    return dict(map(title_and_case, missing_files()))


def missing_models() -> tuple[WantedModel, ...]:
    """Those of them that are models of the hub. A link can name anything, and what is no name is passed over."""
    found = []
    for title in missing_files():
        with suppress(HubError):
            found += [wanted_model(title)] if title.startswith(PREFIX) else []
    return tuple(found)


def tokenizer_upload() -> Upload:
    """The place for tokenizer files; another one after every addition, so that it is empty again."""
    return Upload(f"tokenizer upload {TOKENIZER_UPLOADS.get()}")


def tokenizers() -> tuple[str, ...]:
    """Every tokenizer that is offered: the trained one, the published ones, what the Algorithms page trains now, and
    those of own files."""
    return (*TOKENIZERS, *map(learned_now, LEARNED), *(file.name for file in TOKENIZER_FILES.get()))


def in_order(chosen: list[str]) -> tuple[str, ...]:
    """These tokenizers in the order of `tokenizers`; earlier trainings of the Algorithms page behind them."""
    offered = tokenizers()
    others = dict.fromkeys(name for name in chosen if name not in offered)
    return (*(name for name in offered if name in chosen), *others)


def other_tokenizers() -> tuple[str, ...]:
    """The tokenizers that are not always in sight."""
    return tuple(name for name in tokenizers() if name not in SHOWN)


def menu_beside(item: Item[Any]) -> Item[str | None]:
    """What was found in the menu beside a choice of tokenizers, until it is chosen."""
    return Item(f"{item.key} more", None, is_word_or_none)


def own_file(name: str) -> OwnTokenizer:
    """The visitor's own file of a name in `tokenizers()`."""
    return next(file for file in TOKENIZER_FILES.get() if file.name == name)


def without_files(chosen: Any) -> Any:
    """A choice of tokenizers without the visitor's own files, which others do not have; None for a single own file."""
    if isinstance(chosen, list):
        return [name for name in chosen if not is_own(name)]
    return None if is_own(chosen) else chosen


def at_hand_always(chosen: list[str]) -> list[str]:
    """A choice of tokenizers without those that have to be opened or trained first."""
    return [name for name in chosen if name in TOKENIZERS]


def files_in(chosen: list[str]) -> list[str]:
    """The visitor's own files in a choice of tokenizers."""
    return [name for name in chosen if is_own(name)]


def is_tokenizer(value: object) -> bool:
    return isinstance(value, str) and (value in tokenizers() or is_learned(value))


def are_tokenizers(value: object) -> bool:
    return isinstance(value, list) and all(map(is_tokenizer, value))
