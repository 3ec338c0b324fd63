"""A folder that `AutoTokenizer.from_pretrained` of transformers reads: tokenizer.json, and the roles of special tokens.

tokenizer_config.json names the class, PreTrainedTokenizerFast, which takes everything else from tokenizer.json;
special_tokens_map.json repeats the roles for older versions. Roles are inferred from common names of special tokens.
"""

from __future__ import annotations

import json

from bpe_core.formats.file_choice import COMPANIONS
from bpe_core.tokenizer.tokenizer import Tokenizer

_MAP, _ADDED, _CONFIG = COMPANIONS

_USUAL_NAMES = {
    "unk_token": ("[UNK]", "<unk>", "<|unk|>"),
    "bos_token": ("<s>", "<bos>", "<|begin_of_text|>", "<|startoftext|>", "<|endoftext|>"),
    "eos_token": ("</s>", "<eos>", "<|end_of_text|>", "<|im_end|>", "<|endoftext|>"),
    "pad_token": ("[PAD]", "<pad>", "<|pad|>"),
    "cls_token": ("[CLS]", "<cls>"),
    "sep_token": ("[SEP]", "<sep>"),
    "mask_token": ("[MASK]", "<mask>"),
}


def settings_files(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Contents of the files that accompany tokenizer.json.

    >>> from bpe_core import load_pretrained
    >>> settings_files(load_pretrained("gpt2"))["special_tokens_map.json"].decode().split()[1:3]
    ['"bos_token":', '"<|endoftext|>",']
    """
    roles = roles_of(tokenizer)
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": False, **roles}
    return {_CONFIG: _written(config), _MAP: _written(roles)}


def roles_of(tokenizer: Tokenizer) -> dict[str, str]:
    """Special token of each role, inferred from the tokens' names; `unk_token` is the model's own, if it has one.

    >>> from bpe_core import load_pretrained
    >>> roles_of(load_pretrained("gpt2"))
    {'bos_token': '<|endoftext|>', 'eos_token': '<|endoftext|>'}
    """
    special = tokenizer.special_tokens
    roles = {}
    for role, names in _USUAL_NAMES.items():
        name = next((name for name in names if name in special), None)
        if role == "unk_token" and tokenizer.unknown_id is not None:
            name = tokenizer.token(tokenizer.unknown_id)
        if name is not None:
            roles[role] = name
    return roles


def _written(content: dict[str, object] | dict[str, str]) -> bytes:
    return json.dumps(content, ensure_ascii=False, indent=2).encode()
