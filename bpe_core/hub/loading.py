"""Load tokenizers from the hub by model name."""

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
    """Load a model's tokenizer from the Hugging Face hub, such as "Qwen/Qwen3-8B". Downloads only its tokenizer files.

    `name`: may be the URL of the model's page. `revision`: a branch, tag or commit; None for the main branch. `split`,
    `special_tokens`: for models with only tiktoken ranks, which hold neither (see `load`). `on_progress`: called with
    (bytes received, bytes in total); its exception ends the download.

    Files are kept in the cache of `huggingface_hub`, whose settings apply (HF_TOKEN, HF_ENDPOINT, HF_HOME,
    HF_HUB_OFFLINE): without a connection, cached files are used. Raises HubError, with the reason, for a model that is
    gated, missing, without tokenizer or unreachable, and for every model if BPE_LAB_HUB is off; FormatError, as `load`
    does, for files that cannot be read.

    >>> load_from_hub("Qwen/Qwen3-8B/tokenizer.json")  # load_from_hub("Qwen/Qwen3-8B") is its tokenizer
    Traceback (most recent call last):
        ...
    bpe_core.errors.HubError: 'Qwen/Qwen3-8B/tokenizer.json' is not the name of a model on the hub. A name is ...
    """
    wanted = checked_name(name, revision)
    checks.callback(on_progress)
    return fetched_files(wanted, on_progress).tokenizer(split=split, special_tokens=special_tokens)
