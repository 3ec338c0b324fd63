"""Exports of the Vocabulary page: tokenizer files for other programs, and the proof that they give the same ids."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bpe_core import BpeError, TrainConfig
from bpe_core.bpe.training_step import Forks
from bpe_core.errors import quoted
from bpe_core.formats.proof import DecodingDifference, Proof, ProofDifference, ProofToken
from bpe_core.formats.transformers_folder import roles_of, settings_files
from bpe_core.language import _, joined, message, n_, translate
from bpe_core.payloads.chips import Chip, Column, Table
from bpe_core.tokenizer.facts import TokenFacts
from ui.cache import facts_of, tokenizer
from ui.session import encode, training
from ui.session import vocabulary as state
from ui.session.items import Item
from ui.session.tokenizer_files import is_own
from ui.session.training import Source
from ui.views.token_table import token_table_view
from ui.views.verbatim import verbatim_view
from ui.vocabulary import cache
from ui.vocabulary.exports import FORMATS, Export, Format, code, packed
from ui.widgets import controls
from ui.widgets.address import keep_address
from ui.widgets.controls import segments
from ui.widgets.display import bytes_words, title_of
from ui.widgets.downloads import download_button
from ui.widgets.fragments import fragment
from ui.widgets.layout import heading, side_by_side
from ui.widgets.messages import note, problem
from ui.widgets.panels import show_panel
from ui.widgets.progress import TrainingBar

LONGEST_PROOF = 1_000_000
"""Maximum characters of a text used for the proof."""

_AT_ONCE = 100_000
"""Maximum characters proven automatically."""

_TEXTS = {"training": message("Training text"), "encode": message("Encode's text"), "own": message("Own text")}
_ORIGINAL = Format(
    message("The file you opened"), message("As it is: the library that it belongs to reads it for the proof."), ""
)


@fragment
def show_files() -> None:
    """Draw the expander with the formats and the proof; its content is computed only when open."""
    keep_address("files")
    title = _("Take it elsewhere: files for other programs, and the proof that they give the same ids")
    show_panel(title, "output", state.EXPORTS_OPEN, _show_content, card="exports")


def _show_content() -> None:
    with st.spinner(_("Writing the files …")):
        exports = {format: cache.export(*_chosen(), format) for format in FORMATS}
    written = {format: each for format, each in exports.items() if isinstance(each, Export)}
    refused = {format: each for format, each in exports.items() if not isinstance(each, Export)}
    choices = [*([state.ORIGINAL] if is_own(state.VOCABULARY_OF.get()) else []), *written]
    if not choices:
        _show_impossible(refused)
        return
    if _format().get() not in choices:
        _format().set(choices[0])
    left, right = side_by_side(2, 3, key="elsewhere")
    with left:
        _show_formats(choices, written)
        _show_impossible(refused)
    with right:
        _show_proof()
        if _format().get() in written:
            _show_code()


def _chosen() -> tuple[str, Source, TrainConfig, Forks]:
    return state.VOCABULARY_OF.get(), training.source(), training.CONFIG.get(), training.FORKS.get()


def _format() -> Item[str]:
    """Item of the chosen format; for uploaded files, the first option is the unchanged original."""
    return state.EXPORT_OWN_AS if is_own(state.VOCABULARY_OF.get()) else state.EXPORT_AS


# -- the files ---------------------------------------------------------------------------------------------------


def _show_formats(choices: list[str], written: dict[str, Export]) -> None:
    of = title_of(state.VOCABULARY_OF.get())
    shown = {format: _ORIGINAL if format == state.ORIGINAL else FORMATS[format] for format in choices}
    heading(_("File"), _("of {tokenizer}, with all its tokens", tokenizer=of))
    st.radio(
        _("Format"),
        choices,
        format_func=lambda format: translate(shown[format].title),
        captions=[translate(each.reader) for each in shown.values()],
        label_visibility="collapsed",
        **_format().widget(),
    )
    chosen = written.get(_format().get())
    if chosen is None:  # the visitor's own file
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        download_button(_("Download"), chosen.download, chosen.name, type="primary", key="download export")
        size = _("{name}, {size}", name=chosen.name, size=bytes_words(chosen.size))
        st.caption(size, width="content")
    if _format().get() == "tokenizers":
        _show_folder(chosen)
    elif _format().get() == "gpt2":
        st.caption(_two_files(facts_of(*_chosen())))
    if chosen.unproven is not None:
        note(
            _(
                "Exact for the training text, but perhaps not for others: by rank alone, token {token:,} can be made "
                "by another merge.",
                token=chosen.unproven,
            )
        )


def _show_folder(json: Export) -> None:
    """Draw the download of a folder for transformers, with the roles that its special tokens get."""
    of = tokenizer(*_chosen())
    roles = ", ".join(f"{role} {token}" for role, token in roles_of(of).items())
    download_button(
        _("Folder for transformers"),
        partial(packed, {**json.files, **settings_files(of)}),
        "tokenizer-folder.zip",
        icon=":material/folder_zip:",
        key="download folder",
    )
    st.text(
        _("AutoTokenizer.from_pretrained reads the unpacked folder, with the roles {roles}.", roles=roles)
        if roles
        else _("AutoTokenizer.from_pretrained reads the unpacked folder.")
    )


def _two_files(facts: TokenFacts) -> str:
    """Purpose of each of the two files, and origin of the number of ids."""
    return _(
        "vocab.json gives each token its id; merges.txt lists the pairs in the order in which they are merged."
        " {ids:,} ids: {symbols:,} base symbols + {merges:,} merges + {special:,} special.",
        ids=len(facts),
        symbols=len(facts) - facts.special - facts.merged,
        merges=facts.merged,
        special=facts.special,
    )


def _show_impossible(reasons: dict[str, BpeError]) -> None:
    if reasons:
        said = {translate(joined(error.problem, error.limit, error.remedy)) for error in reasons.values()}
        if len(reasons) == len(FORMATS) and len(said) == 1:
            st.text(*said)
            return
        st.caption(_("Formats that cannot hold this tokenizer:"))
        st.text("\n".join(_reason(FORMATS[format], error) for format, error in reasons.items()))


def _reason(format: Format, error: BpeError) -> str:
    return _("{format}: {reason}", format=format.title, reason=joined(error.problem, error.limit))


def _show_code() -> None:
    heading(_("Load it"), _("in Python"))
    verbatim_view(code(tokenizer(*_chosen()), _format().get()), label=_("Load it"), key="code that loads it")


# -- the proof ---------------------------------------------------------------------------------------------------


def _show_proof() -> None:
    heading(_("Proof"), _("this text, encoded here and by the library that has read the file"))
    segments(_("Text of the proof"), _TEXTS, state.PROOF_ON, hidden=True)
    text = _text()
    whole = len(text.text)
    if whole > LONGEST_PROOF:
        text = Source("proof", "", text.text[:LONGEST_PROOF])
        note(_("The first {first:,} of {all:,} characters are compared.", first=LONGEST_PROOF, all=whole))
    if len(text.text) > _AT_ONCE and state.PROOF_ASKED.get() != text.digest:
        st.button(
            n_("Compare {count:,} character", "Compare {count:,} characters", len(text.text)),
            icon=":material/fact_check:",
            on_click=state.PROOF_ASKED.set,
            args=(text.digest,),
            key="prove",
        )
        return
    asked = (*_chosen(), _format().get(), text)
    bar = TrainingBar(key="proof", on_cancel=lambda: state.PROOF_ASKED.set(""))
    try:
        with bar.turn(heavy=len(text.text) > _AT_ONCE and not cache.proof.is_cached(*asked)):
            bar.clear()
            with st.spinner(_("Both encode the text …")):
                proof = cache.proof(*asked)
    except BpeError as error:
        proof = error
    if not isinstance(proof, Proof):
        problem(proof, key="no proof")
    elif proof.difference is None:
        st.success(_("**Same ids:** {told}", told=_summary(proof)), icon=":material/check_circle:")
        if proof.decoding is not None:
            _show_decoding(proof, proof.decoding)
    else:
        _show_difference(proof, proof.difference)


def _text() -> Source:
    chosen = state.PROOF_ON.get()
    if chosen == "training":
        return training.source()
    if chosen == "own":
        controls.text_input(_("Text to compare"), state.PROOF_TEXT, height=110)
    return Source("proof", "", encode.TEXT.get() if chosen == "encode" else state.PROOF_TEXT.get())


def _summary(proof: Proof) -> str:
    """Description of the comparison, in one or two sentences."""
    only = message("this app itself, the only one that reads this file")
    reader = only if proof.library == "bpe_core" else _reader(proof)
    tokens = n_("{count:,} token", "{count:,} tokens", proof.tokens)
    characters = n_("{count:,} character", "{count:,} characters", proof.characters)
    how = (
        _("{tokens} of {characters}, read by {reader}.", tokens=tokens, characters=characters, reader=reader)
        if _format().get() == state.ORIGINAL
        else _("{tokens} of {characters}, read back by {reader}.", tokens=tokens, characters=characters, reader=reader)
    )
    twice = message("The same again with the special tokens in the text parsed.") if proof.parsed else ""
    back = message("Both decode them to the same text.") if proof.decoded and proof.decoding is None else ""
    return translate(joined(how, twice, back))


def _reader(proof: Proof) -> str:
    """Name of the reader of the file, as an untranslated message."""
    return message("this app") if proof.library == "bpe_core" else f"{proof.library} {proof.version}"


def _show_difference(proof: Proof, difference: ProofDifference) -> None:
    place = {"token": difference.index + 1, "character": difference.character + 1}
    st.error(
        _(
            "**Different ids** from token {token:,} on, at character {character:,} of the text, with special tokens "
            "parsed.",
            **place,
        )
        if difference.parsed
        else _("**Different ids** from token {token:,} on, at character {character:,} of the text.", **place),
        icon=":material/cancel:",
    )
    rows = max(len(difference.ours), len(difference.theirs))
    ours, theirs = _padded(difference.ours, rows), _padded(difference.theirs, rows)
    table = Table(
        Column(message("Token"), [difference.index + 1 + i for i in range(rows)], "number"),
        Column(message("Here"), [_chip(token) for token in ours], "chip"),
        Column(message("Id here"), [token and token.id for token in ours], "number"),
        Column(message("By {reader}", reader=_reader(proof)), [_chip(token) for token in theirs], "chip"),
        Column(message("Id there"), [token and token.id for token in theirs], "number"),
    )
    token_table_view(table, key="proof difference", height=None, label=_("The first difference"), pickable=False)
    note(translate(difference.reason) or _("The reason is not known."))


def _show_decoding(proof: Proof, difference: DecodingDifference) -> None:
    note(
        _(
            "Decoded, the texts differ from character {place:,} on. Here: {ours}. By {reader}: {theirs}.",
            place=difference.character + 1,
            ours=quoted(difference.ours),
            reader=_reader(proof),
            theirs=quoted(difference.theirs),
        )
    )


def _padded(tokens: tuple[ProofToken, ...], rows: int) -> list[ProofToken | None]:
    return [*tokens, *[None] * (rows - len(tokens))]


def _chip(token: ProofToken | None) -> Chip | None:
    return token and Chip.of_bytes(token.id, token.bytes)
