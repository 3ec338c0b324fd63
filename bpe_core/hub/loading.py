"""The tokenizer of a model on the hub, by its name."""

from __future__ import annotations

from collections.abc import Mapping

from bpe_core import checks
from bpe_core.hub.files import Progress, fetched_files
from bpe_core.hub.names import checked_name
from bpe_core.tokenizer.tokenizer import Tokenizer


def load_from_hub(
    name: str,
    revision: str | None = None,
    *,
    split: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
    on_progress: Progress | None = None,
) -> Tokenizer:
    """The tokenizer of a model on the Hugging Face hub, such as "Qwen/Qwen3-8B". Fetches its tokenizer files alone.

    `name`: may be the address of its page. `revision`: a branch, tag or commit; the main branch when None. `split`,
    `special_tokens`: for models that have only ranks of tiktoken, which hold neither (see `load`). `on_progress`:
    called with the bytes that have arrived and those of all files; what it raises ends the download.

    Files are kept in the cache of `huggingface_hub`, whose settings hold (HF_TOKEN, HF_ENDPOINT, HF_HOME,
    HF_HUB_OFFLINE): without a connection, what was fetched before is used. Raises HubError for a model that is gated,
    missing, without tokenizer or unreachable, each said so, and for any where BPE_LAB_HUB is off; FormatError, as
    `load` does, for files that cannot be read.

    >>> load_from_hub("Qwen/Qwen3-8B/tokenizer.json")  # load_from_hub("Qwen/Qwen3-8B") is its tokenizer
    Traceback (most recent call last):
        ...
    bpe_core.errors.HubError: 'Qwen/Qwen3-8B/tokenizer.json' is not the name of a model on the hub. A name is ...
    """
    wanted = checked_name(name, revision)
    checks.callback(on_progress)
    return fetched_files(wanted, on_progress).tokenizer(split=split, special_tokens=special_tokens)
