"""Tokenizers of the visitor's own, from files and from the hub: added, listed and removed. They stay in the session."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError
from bpe_core.hub.library import hub_host
from bpe_core.hub.names import LONGEST_ADDRESS
from bpe_core.language import _, n_
from ui.components.shelf import kept_files
from ui.session import hub, state
from ui.session.tokenizer_files import (
    FILE_TYPES,
    MOST_BYTES,
    MOST_FILES,
    OwnTokenizer,
    check_room,
    needs_split,
    read_together,
    wanted_model,
)
from ui.shared import cache
from ui.shared.display import NAMES
from ui.shared.layout import popover_key
from ui.shared.opening import open_wanted
from ui.shared.pickers import check_button, split_of_ranks


def own_files() -> None:
    """The popover with the uploader and the list."""
    files = state.TOKENIZER_FILES.get()
    label = _("Own tokenizers {number}", number=len(files)) if files else _("Add a tokenizer")
    with st.popover(label, icon=":material/add:", key=popover_key(f"own files {state.TOKENIZER_UPLOADS.get()}")):
        _upload()
        if hub.HUB_ALLOWED:
            _ask_for_model()
        for file in files:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(_described(file), width="stretch")
                check_button(file.name)
                st.button(_("Remove"), key=f"remove {file.name}", on_click=_remove, args=(file.name,))
        st.caption(
            _(
                "The server has files for this session only, and links leave them out. This browser keeps them and "
                "offers them here after a reload, until you delete them. Models of the hub are named in links, and the "
                "page asks before it opens them again."
            )
        )


def _described(file: OwnTokenizer) -> str:
    title = file.title if file.title == file.in_links else f"{file.title} ({file.in_links})"
    if not cache.file_tokenizer.is_at_hand(file):  # nor is it in use
        return title
    return n_("{title}: {count:,} id", "{title}: {count:,} ids", cache.file_tokenizer(file).vocab_size, title=title)


def _upload() -> None:
    st.file_uploader(
        _("tokenizer.json, .tiktoken, vocab.txt, .model, tekken.json, BPE Lab's, or vocab.json with merges.txt"),
        type=FILE_TYPES,
        accept_multiple_files=True,
        max_upload_size=MOST_BYTES // 2**20,
        **state.tokenizer_upload().widget(),
    )
    kept_files("tokenizer files", state.tokenizer_upload().key, most=2 * MOST_FILES, most_bytes=MOST_BYTES)
    uploaded = state.tokenizer_upload().files()
    asks = any(needs_split(data) for _, data in uploaded)
    waits = asks and not split_of_ranks(state.UPLOADED_SPLIT)
    if uploaded:
        st.button(_("Add to the comparison"), type="primary", on_click=_add, disabled=waits, key="add tokenizer files")


def _ask_for_model() -> None:
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                _("Or a model's name on the Hugging Face hub"),
                placeholder="Qwen/Qwen3-8B",
                max_chars=LONGEST_ADDRESS,
                **state.MODEL_NAME.widget(),
            )
            st.button(_("Add from the hub"), on_click=_add_model, key="add from the hub")
        st.text(_("Only this button asks {host}, and only for tokenizer files.", host=hub_host()))


def _add_model() -> None:
    try:
        model = wanted_model(state.MODEL_NAME.get())
        check_room(state.TOKENIZER_FILES.get(), 1)
    except BpeError as error:
        state.PROBLEM.set(error)
        return
    state.WANTED_MODELS.set((model,))


def _add() -> None:
    kept = state.TOKENIZER_FILES.get()
    taken = {*NAMES.values(), *(file.title for file in kept)}
    new = read_together(state.tokenizer_upload().files(), split=state.UPLOADED_SPLIT.get(), taken=taken)
    try:
        check_room((*kept, *new))
    except BpeError as error:
        state.PROBLEM.set(error)
        return
    state.WANTED_FILES.set(tuple(new))


def open_added() -> None:
    """Open the files that were just added, and compare with them. Before the page draws what it chooses from."""
    to_split = state.MODELS_TO_SPLIT.get()
    new = open_wanted()
    if not new and to_split == state.MODELS_TO_SPLIT.get():
        return
    if new:
        state.COMPARE_RIGHT.set(new[-1].name)  # asked at once: why does it differ?
    state.TOKENIZER_UPLOADS.set(state.TOKENIZER_UPLOADS.get() + 1)
    state.UPLOADED_SPLIT.set(None)
    state.MODEL_NAME.set("")


def _remove(name: str) -> None:
    chosen = [each for each in state.COMPARE_WITH.get() if each != name]
    state.TOKENIZER_FILES.set(tuple(file for file in state.TOKENIZER_FILES.get() if file.name != name))
    state.COMPARE_WITH.set(chosen)
