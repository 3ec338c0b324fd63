"""Hugging Face's tokenizer.json: five stages, one to one, and added tokens.

Reads all normalizers, pre-tokenizers, models, decoders and post-processors of the library; each stage has its own
module. Ids equal the library's encode(…, add_special_tokens=False), except if a template lacks $A or repeats it:
`encode` gives the tokens of the text once, `pipeline` and `batch` follow the template. Truncation and padding are
preserved and written back, but not applied. Dropout is off, as intended outside the training of language models.
"""

from __future__ import annotations

from collections.abc import Callable

from bpe_core.bpe.model import BpeModel
from bpe_core.errors import quoted, refuse
from bpe_core.formats import unigram_json
from bpe_core.formats.added_tokens_json import read_added
from bpe_core.formats.bpe_json import checked_bpe
from bpe_core.formats.decoders_json import read_decoder
from bpe_core.formats.library_normalizers import flat_steps, read_normalizer
from bpe_core.formats.models_json import checked_unigram, checked_wordlevel, checked_wordpiece, model_kind
from bpe_core.formats.normalizers import read_normalizers
from bpe_core.formats.post_processors_json import read_padding, read_post_processor, read_truncation
from bpe_core.formats.pretokenizers_json import read_pre_tokenizer
from bpe_core.formats.problems import Problems
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.reading import Json, an_object, made, wrong
from bpe_core.formats.reading_memory import PER_TOKEN
from bpe_core.formats.tokenizers_json_writing import KIND, is_of_file, write
from bpe_core.huggingface.split_chain import SplitChain
from bpe_core.language import listed, message
from bpe_core.text.byte_characters import from_byte_level
from bpe_core.text.normalizers import Chain, Normalizer
from bpe_core.text.splits import Split
from bpe_core.tokenizer.decoders import Decoder, JoinBytes, JoinWords
from bpe_core.tokenizer.model import Model
from bpe_core.tokenizer.special_tokens import SpecialToken
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.wordpiece.model import INSIDE, WordPieceModel
from bpe_core.work import taking

__all__ = ["KIND", "is_of_file", "read", "write"]

_VERSION = "1.0"
_ROOT = (
    "version",
    "truncation",
    "padding",
    "added_tokens",
    "normalizer",
    "pre_tokenizer",
    "post_processor",
    "decoder",
    "model",
)


def read(content: Json, name: str = "", share: Share = NO_PROGRESS) -> Tokenizer:
    """Read a tokenizer.json parsed to `content`. Raises FormatError with every invalid key.

    >>> import json
    >>> from bpe_core import load_pretrained
    >>> read(json.loads(write(load_pretrained("gpt2")))).encode("Hello").ids.tolist()
    [15496]
    """
    unknown = [quoted(key) for key in content if key not in _ROOT]
    if unknown:
        refuse(
            message("The file has {keys}, which is not known.", keys=listed(unknown[:5], last="")),
            message("A {kind} has {keys}.", kind=KIND, keys=listed(tuple(_ROOT), last="")),
        )
    if content.get("version", _VERSION) != _VERSION:
        wrong(
            "version",
            content["version"],
            message("A {kind} has the version {version}.", kind=KIND, version=quoted(_VERSION)),
        )
    model = an_object("model", content["model"])
    vocab = model.get("vocab")
    with taking(PER_TOKEN * len(vocab) if isinstance(vocab, dict | list) else 0):
        return _read(content, model, name, share)


def _read(content: Json, model: Json, name: str, share: Share) -> Tokenizer:
    kind = _checked_kind(model_kind(model))
    if kind == "Unigram" and unigram_json.is_own(content, model):
        tokenizer = unigram_json.read(content, model, name)
        pieces = {piece: i for i, piece in enumerate(tokenizer.pieces)}
        added = read_added(content.get("added_tokens", []), pieces, len(pieces))
        return made("added_tokens", lambda: tokenizer.with_special_tokens(added))
    problems = Problems()
    found = problems.of(lambda: read_pre_tokenizer(content.get("pre_tokenizer"), "pre_tokenizer", spells=kind != "BPE"))
    levels, split = found or (False, Split())
    added_tokens = problems.of(lambda: _read_added(content, model)) or ()
    mark, normalizer = problems.of(lambda: _normalizer(content.get("normalizer"), split)) or ("", Chain())
    decoder = problems.of(lambda: read_decoder(content.get("decoder"), "decoder"))
    template = problems.of(lambda: read_post_processor(content.get("post_processor"), "post_processor"))
    kept = {
        "truncation": problems.of(lambda: read_truncation(content.get("truncation"), "truncation")),
        "padding": problems.of(lambda: read_padding(content.get("padding"), "padding")),
        "post_processor": None if template is None else template[1],
        "dropout": model.get("dropout") or None,
    }
    normalized = (each.text for each in added_tokens if each.normalized or each.decodes_normalized)
    respelled = any(normalizer.normalize(text).text != text for text in normalized)
    given_decoder = None if respelled else content.get("decoder")  # only the file's own decoder restores them
    plain = _decodes_plainly(given_decoder, falls_back=model.get("byte_fallback") is True)
    share.reached(1, 20)
    rest = share.part(0.05, 1.0)
    make_model = problems.of(
        lambda: _checked_model(model, kind, added_tokens, levels=levels, mark=mark, plain=plain, share=rest)
    )
    problems.refuse_if_any()
    assert make_model is not None
    made_model = make_model()
    assert decoder is not None
    assert template is not None
    return Tokenizer(
        name,
        model=made_model,
        normalizer=normalizer,
        split=split,
        template=template[0],
        decoder=_decoder(decoder, made_model, added_tokens, given_decoder, levels=levels, mark=mark, plain=plain),
        special_tokens=added_tokens,
        kept={key: value for key, value in kept.items() if value is not None},
    )


def _checked_kind(kind: object) -> str:
    """A supported type of model. Raises FormatError for any other."""
    if not isinstance(kind, str) or kind not in _KINDS:
        refuse(
            message("model.type is {kind}, which BPE Lab does not support.", kind=quoted(kind)),
            message("{known} are read.", known=listed(_KINDS)),
            message("Use the file with the tokenizers library."),
        )
    return kind


def _normalizer(value: object, split: Split | SplitChain | None) -> tuple[str, Normalizer]:
    """This project's end-of-word character or "", and the normalizer."""
    if not any(step.get("type") == "Replace" for _, step in flat_steps(value, "normalizer")):
        return "", read_normalizer(value, "normalizer")  # this project's own forms always contain a Replace
    normalizer, mark = read_normalizers(value, "normalizer", "" if split is None else split.pattern)
    return mark, normalizer


def _decodes_plainly(decoder: object, *, falls_back: bool) -> bool:
    """Whether a decoder only joins tokens, and byte tokens for byte fallback, as in this project's files."""
    steps = decoder.get("decoders") if isinstance(decoder, dict) and decoder.get("type") == "Sequence" else [decoder]
    kinds = [step.get("type") if isinstance(step, dict) else None for step in steps] if isinstance(steps, list) else []
    return kinds == (["ByteFallback", "Fuse"] if falls_back else ["Fuse"])


def _read_added(content: Json, model: Json) -> tuple[SpecialToken, ...]:
    """The added tokens. As in the library, a repeated Unigram piece has its last id."""
    vocab, added = model.get("vocab"), content.get("added_tokens", [])
    if not isinstance(vocab, list):
        known = vocab if isinstance(vocab, dict) else {}  # reading the model reports its errors
        return read_added(added, known if set(map(type, known.values())) <= {int} else {}, len(known))
    given = added if isinstance(added, list) else []
    names = {str(token.get("content")) for token in given if isinstance(token, dict)}
    pieces = (entry[0] if isinstance(entry, list) and entry else None for entry in vocab)
    ids = {piece: i for i, piece in enumerate(pieces) if isinstance(piece, str) and piece in names}
    return read_added(added, ids, len(vocab))


def _checked_model(
    model: Json, kind: str, added: tuple[SpecialToken, ...], *, levels: bool, mark: str, plain: bool, share: Share
) -> Callable[[], Model]:
    if kind != "BPE":
        return _MODELS[kind](model, share)
    ids = {token.text: token.id for token in added}
    return checked_bpe(model, ids, levels=levels, mark=mark, plain=plain, share=share)


_MODELS: dict[str, Callable[[Json, Share], Callable[[], Model]]] = {
    "WordPiece": checked_wordpiece,
    "WordLevel": checked_wordlevel,
    "Unigram": checked_unigram,
}
_KINDS = ("BPE", *_MODELS)


def _decoder(
    decoder: Decoder,
    model: Model,
    added: tuple[SpecialToken, ...],
    given: object,
    *,
    levels: bool,
    mark: str,
    plain: bool,
) -> Decoder:
    """The file's decoder, or an equivalent built-in one."""
    if isinstance(model, BpeModel) and (mark or (plain and not levels)):
        return model.decoder
    if isinstance(model, WordPieceModel) and given == {"type": "WordPiece", "prefix": INSIDE, "cleanup": False}:
        return JoinWords(INSIDE)
    is_levels = isinstance(given, dict) and given.get("type") == "ByteLevel"
    if levels and is_levels and all(from_byte_level(token.text) in (None, token.text.encode()) for token in added):
        return JoinBytes()
    return decoder
