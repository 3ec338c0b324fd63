"""Available tokenizers: trained, published and uploaded."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from bpe_core import PRETRAINED, HubError
from bpe_core.bundled.openai import OPENAI
from bpe_core.hub.names import LONGEST_ADDRESS, PREFIX
from ui.session.items import Item, Upload, is_a, is_count, list_of, one_of, or_none, text_up_to, tuple_of
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
"""Name of the trained tokenizer in choices."""

TOKENIZERS = (TRAINED, *PRETRAINED)

SHOWN = (TRAINED, *OPENAI)
"""Tokenizers that are always visible; the others are in a menu."""


TOKENIZER_FILES: Item[tuple[OwnTokenizer, ...]] = Item("tokenizer files", (), tuple_of(TokenizerFile, HubTokenizer))
WANTED_FILES: Item[tuple[OwnTokenizer, ...]] = Item("tokenizer files wanted", (), tuple_of(TokenizerFile, HubTokenizer))
WANTED_MODELS: Item[tuple[WantedModel, ...]] = Item("models wanted", (), tuple_of(WantedModel))
"""Hub models to fetch."""

WANTED_ADDRESSES: Item[tuple[str, ...]] = Item("addresses wanted", (), tuple_of(str))
"""URLs of files to fetch."""

MODELS_TO_SPLIT: Item[tuple[HubTokenizer, ...]] = Item("models to split", (), tuple_of(HubTokenizer))
"""Fetched models with only tiktoken ranks, waiting for the choice of a split."""

MODEL_NAME = Item("model name", "", text_up_to(LONGEST_ADDRESS))
"""The typed name of a model."""

TOKENIZER_UPLOADS = Item("tokenizer uploads", 0, is_count)
UPLOAD_IS_NEW = Item("tokenizer upload is new", False, is_a(bool))
"""Whether the uploaded files have changed since they were last processed."""

UPLOADED_SPLIT: Item[str | None] = Item("split of an uploaded file", None, or_none(one_of(*FILE_SPLITS)))
MODEL_SPLIT: Item[str | None] = Item("split of a model", None, or_none(one_of(*FILE_SPLITS)))

FILES_OF_LINK: Item[list[str]] = Item("tokenizer files of the link", [], list_of(str))
"""Titles of uploaded tokenizers in the URL: chosen by the author of the link, or in this session before a reload."""


def missing_files() -> list[str]:
    """Titles of the link's tokenizers that this session lacks."""
    here = {title_and_case(file.in_links)[0] for file in TOKENIZER_FILES.get()}
    return [title for title in FILES_OF_LINK.get() if title_and_case(title)[0] not in here]


def cases_of_link() -> dict[str, bool | None]:
    """Chosen case of the missing files, by title."""
    return dict(map(title_and_case, missing_files()))


def missing_models() -> tuple[WantedModel, ...]:
    """Missing tokenizers that are hub models. Links may be forged; invalid names are ignored."""
    found = []
    for title in missing_files():
        with suppress(HubError):
            found += [wanted_model(title)] if title.startswith(PREFIX) else []
    return tuple(found)


def tokenizer_upload() -> Upload:
    """The uploader of tokenizer files; its key changes after each upload, which empties it."""
    return Upload(f"tokenizer upload {TOKENIZER_UPLOADS.get()}")


def tokenizers() -> tuple[str, ...]:
    """All offered tokenizers: trained, published, with the Algorithms page's current settings, and uploaded."""
    return (*TOKENIZERS, *map(learned_now, LEARNED), *(file.name for file in TOKENIZER_FILES.get()))


def in_order(chosen: list[str]) -> tuple[str, ...]:
    """Sort tokenizers in the order of `tokenizers`; earlier trainings of the Algorithms page come last."""
    offered = tokenizers()
    others = dict.fromkeys(name for name in chosen if name not in offered)
    return (*(name for name in offered if name in chosen), *others)


def other_tokenizers() -> tuple[str, ...]:
    """Tokenizers that are not always visible."""
    return tuple(name for name in tokenizers() if name not in SHOWN)


def menu_beside(item: Item[Any]) -> Item[str | None]:
    """Selection in the menu beside a choice of tokenizers, until it is applied."""
    return Item(f"{item.key} more", None, or_none(is_a(str)))


def own_file(name: str) -> OwnTokenizer:
    """The uploaded tokenizer of a name in `tokenizers()`."""
    return next(file for file in TOKENIZER_FILES.get() if file.name == name)


def without_files(chosen: Any) -> Any:
    """A choice of tokenizers without uploaded files, which recipients of a link lack; None for a single one."""
    if isinstance(chosen, list):
        return [name for name in chosen if not is_own(name)]
    return None if is_own(chosen) else chosen


def at_hand_always(chosen: list[str]) -> list[str]:
    """The published tokenizers of a choice, which need not be opened or trained first."""
    return [name for name in chosen if name in TOKENIZERS]


def files_in(chosen: list[str]) -> list[str]:
    """Uploaded files in a choice of tokenizers."""
    return [name for name in chosen if is_own(name)]


def is_tokenizer(value: object) -> bool:
    """Whether this names an offered tokenizer or one of Algorithms. The session's own are looked up last."""
    return isinstance(value, str) and (value in TOKENIZERS or is_learned(value) or value in tokenizers())


def are_tokenizers(value: object) -> bool:
    return isinstance(value, list) and all(map(is_tokenizer, value))
