"""The Vocabulary page's exports: a tokenizer as a file for other programs, and the proof that it gives the same ids."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError, TrainConfig
from bpe_core.errors import quoted
from bpe_core.formats.proof import DecodingDifference, Proof, ProofDifference, ProofToken
from ui.components.token_table import token_table
from ui.components.tokens import Chip, Column, Table
from ui.session import state
from ui.session.state import Forks, Source
from ui.session.tokenizer_files import is_own
from ui.shared import controls
from ui.shared.address import keep_address
from ui.shared.cache import tokenizer
from ui.shared.display import bytes_words, counted, title_of
from ui.shared.layout import heading, side_by_side
from ui.shared.messages import note, problem
from ui.shared.progress import TrainingBar
from ui.vocabulary import cache
from ui.vocabulary.exports import FORMATS, Export, Format, code

LONGEST_PROOF = 1_000_000
"""Characters that the proof takes of a text."""

_AT_ONCE = 100_000
"""Characters that are proven without being asked for."""

_TEXTS = {"training": "Training text", "encode": "Encode's text", "own": "Own text"}
_ORIGINAL = Format("The file you opened", "As it is: the library that it belongs to reads it for the proof.", "")


@st.fragment
def show_files() -> None:
    """The expander with the formats and the proof. What is in it is made when it is open."""
    keep_address("files")
    title = "Take it elsewhere: files for other programs, and the proof that they give the same ids"
    with st.expander(title, icon=":material/output:", key=state.EXPORTS_OPEN.key, on_change="rerun") as panel:
        if not panel.open:
            return
        try:
            with st.spinner("Writing the files …"):
                exports = _exports()
        except BpeError as error:  # a file of the visitor's own that is gone or wrong
            problem(error, key="no export")
            return
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


def _exports() -> dict[str, Export | BpeError]:
    return {format: cache.export(*_chosen(), format) for format in FORMATS}


def _chosen() -> tuple[str, Source, TrainConfig, Forks]:
    return state.VOCABULARY_OF.get(), state.source(), state.CONFIG.get(), state.FORKS.get()


def _format() -> state.Item[str]:
    """What is chosen of the formats; for the visitor's own files also these as they are, and first."""
    return state.EXPORT_OWN_AS if is_own(state.VOCABULARY_OF.get()) else state.EXPORT_AS


# -- the files ---------------------------------------------------------------------------------------------------


def _show_formats(choices: list[str], written: dict[str, Export]) -> None:
    heading("File", f"of {title_of(state.VOCABULARY_OF.get())}, with all its tokens")
    st.radio(
        "Format",
        choices,
        format_func=lambda format: _ORIGINAL.title if format == state.ORIGINAL else FORMATS[format].title,
        captions=[(_ORIGINAL if format == state.ORIGINAL else FORMATS[format]).reader for format in choices],
        label_visibility="collapsed",
        **_format().widget(),
    )
    chosen = written.get(_format().get())
    if chosen is None:  # his own file, which he has
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download",
            chosen.download,
            file_name=chosen.name,
            mime="application/zip" if chosen.name.endswith(".zip") else "application/octet-stream",
            icon=":material/download:",
            type="primary",
            on_click="ignore",
            key="download export",
        )
        st.caption(f"{chosen.name}, {bytes_words(chosen.size)}", width="content")
    if chosen.unproven is not None:
        note(
            f"Exact for the training text, but perhaps not for others: by rank alone, token {chosen.unproven:,} "
            "can be made by another merge."
        )


def _show_impossible(reasons: dict[str, BpeError]) -> None:
    if reasons:
        st.caption("Formats that cannot hold this tokenizer:")
        st.text(
            "\n".join(f"{FORMATS[format].title}: {error.problem} {error.limit}" for format, error in reasons.items())
        )


def _show_code() -> None:
    heading("Load it", "in Python")
    st.code(code(tokenizer(*_chosen()), _format().get()), language="python", wrap_lines=True)


# -- the proof ---------------------------------------------------------------------------------------------------


def _show_proof() -> None:
    heading("Proof", "this text, encoded here and by the library that has read the file")
    st.segmented_control(
        "Text of the proof",
        list(_TEXTS),
        format_func=_TEXTS.__getitem__,
        required=True,
        label_visibility="collapsed",
        **state.PROOF_ON.widget(),
    )
    text = _text()
    whole = len(text.text)
    if whole > LONGEST_PROOF:
        text = Source("proof", "", text.text[:LONGEST_PROOF])
        note(f"The first {LONGEST_PROOF:,} of {whole:,} characters are compared.")
    if len(text.text) > _AT_ONCE and state.PROOF_ASKED.get() != text.digest:
        st.button(
            f"Compare {counted(len(text.text), 'character')}",
            icon=":material/fact_check:",
            on_click=state.PROOF_ASKED.set,
            args=(text.digest,),
            key="prove",
        )
        return
    asked = (*_chosen(), _format().get(), text)
    bar = TrainingBar(key="proof", on_cancel=lambda: state.PROOF_ASKED.set(""))
    try:
        with bar.turn(heavy=len(text.text) > _AT_ONCE and not cache.is_proven(*asked)):
            bar.clear()
            with st.spinner("Both encode the text …"):
                proof = cache.proof(*asked)
    except BpeError as error:
        proof = error
    if not isinstance(proof, Proof):
        problem(proof, key="no proof")
    elif proof.difference is None:
        st.success(f"**Same ids:** {_told(proof)}", icon=":material/check_circle:")
        if proof.decoding is not None:
            _show_decoding(proof, proof.decoding)
    else:
        _show_difference(proof, proof.difference)


def _text() -> Source:
    chosen = state.PROOF_ON.get()
    if chosen == "training":
        return state.source()
    if chosen == "own":
        controls.text_input("Text to compare", state.PROOF_TEXT, height=110)
    return Source("proof", "", state.ENCODE_TEXT.get() if chosen == "encode" else state.PROOF_TEXT.get())


def _told(proof: Proof) -> str:
    """What was compared, in a sentence or two."""
    reader = "this app itself, the only one that reads this file" if proof.library == "bpe_core" else _reader(proof)
    counts = f"{counted(proof.tokens, 'token')} of {counted(proof.characters, 'character')}"
    twice = " The same again with the special tokens in the text parsed." if proof.parsed else ""
    back = " Both decode them to the same text." if proof.decoded and proof.decoding is None else ""
    how = "read" if _format().get() == state.ORIGINAL else "read back"
    return f"{counts}, {how} by {reader}.{twice}{back}"


def _reader(proof: Proof) -> str:
    return "this app" if proof.library == "bpe_core" else f"{proof.library} {proof.version}"


def _show_difference(proof: Proof, difference: ProofDifference) -> None:
    place = f"from token {difference.index + 1:,} on, at character {difference.character + 1:,} of the text"
    how = ", with special tokens parsed" if difference.parsed else ""
    st.error(f"**Different ids** {place}{how}.", icon=":material/cancel:")
    rows = max(len(difference.ours), len(difference.theirs))
    ours, theirs = _padded(difference.ours, rows), _padded(difference.theirs, rows)
    table = Table(
        (
            Column("Token", [difference.index + 1 + i for i in range(rows)], "number"),
            Column("Here", [_chip(token) for token in ours], "chip"),
            Column("Id here", [token and token.id for token in ours], "number"),
            Column(f"By {_reader(proof)}", [_chip(token) for token in theirs], "chip"),
            Column("Id there", [token and token.id for token in theirs], "number"),
        )
    )
    token_table(table, key="proof difference", height=None, label="The first difference", pickable=False)
    note(difference.reason or "The reason is not known.")


def _show_decoding(proof: Proof, difference: DecodingDifference) -> None:
    note(
        f"Decoded, the texts differ from character {difference.character + 1:,} on. Here: "
        f"{quoted(difference.ours)}. By {_reader(proof)}: {quoted(difference.theirs)}."
    )


def _padded(tokens: tuple[ProofToken, ...], rows: int) -> list[ProofToken | None]:
    return [*tokens, *[None] * (rows - len(tokens))]


def _chip(token: ProofToken | None) -> Chip | None:
    return token and Chip.of_bytes(token.id, token.bytes)
