"""The visitor's own tokenizers, from files and the hub: adding, listing and removing them. They stay in the session."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from bpe_core import BpeError, Tokenizer
from bpe_core.hub.address import checked_address, host_of, is_address
from bpe_core.hub.library import hub_host
from bpe_core.hub.names import LONGEST_ADDRESS
from bpe_core.huggingface.bert_normalizer import BertNormalizer
from bpe_core.language import _, n_, translate
from ui import cache
from ui.session import compare as state
from ui.session import hub, training
from ui.session.choices import replace_file
from ui.session.tokenizer_choice import (
    MODEL_NAME,
    MODELS_TO_SPLIT,
    TOKENIZER_FILES,
    TOKENIZER_UPLOADS,
    UPLOAD_IS_NEW,
    UPLOADED_SPLIT,
    WANTED_ADDRESSES,
    WANTED_FILES,
    WANTED_MODELS,
    cases_of_link,
    tokenizer_upload,
)
from ui.session.tokenizer_files import (
    FILE_TYPES,
    MOST_BYTES,
    MOST_FILES,
    Content,
    OwnTokenizer,
    TokenizerFile,
    check_room,
    read_together,
    title_and_case,
    wanted_model,
)
from ui.views.shelf import kept_files
from ui.widgets.display import NAMES
from ui.widgets.layout import popover_key
from ui.widgets.messages import problem
from ui.widgets.model_files import show_embedding_fit
from ui.widgets.opening import HEAVY_TO_OPEN, open_wanted
from ui.widgets.pickers import check_button, split_of_ranks
from ui.widgets.progress import TrainingBar


def own_files() -> None:
    """Draw the popover with the uploader and the list."""
    files = TOKENIZER_FILES.get()
    label = _("Own tokenizers {number}", number=len(files)) if files else _("Add a tokenizer")
    with st.popover(label, icon=":material/add:", key=popover_key(f"own files {TOKENIZER_UPLOADS.get()}")):
        _upload()
        if hub.HUB_ALLOWED:
            _ask_for_model()
        for file in files:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(_described(file), width="stretch")
                check_button(file.name)
                st.button(_("Remove"), key=f"remove {file.name}", on_click=_remove, args=(file.name,))
            _normalization(file)
            if _at_once(file) is not None:
                show_embedding_fit(file.name)
        st.caption(
            _(
                "The server has files for this session only, and links leave them out. This browser keeps them and "
                "offers them here after a reload, until you delete them. Models of the hub are named in links, and the "
                "page asks before it opens them again."
            )
        )


def _described(file: OwnTokenizer) -> str:
    name, _case = title_and_case(file.in_links)
    title = file.title if file.title == name else f"{file.title} ({name})"
    tokenizer = _at_once(file)
    if tokenizer is None:  # not in use either
        return title
    return n_("{title}: {count:,} id", "{title}: {count:,} ids", tokenizer.vocab_size, title=title)


def _at_once(file: OwnTokenizer) -> Tokenizer | None:
    """Tokenizer of a file if it is available quickly: cached, or small with its case just changed."""
    with suppress(BpeError):
        small = file.lowercase is not None and not file.is_packed and file.size <= HEAVY_TO_OPEN
        if small or cache.file_tokenizer.is_cached(file):
            return cache.file_tokenizer(file)
    return None


def _normalization(file: OwnTokenizer) -> None:
    """Draw the normalization assumed for a vocab.txt, which does not specify it, and a button to change it."""
    tokenizer = _at_once(file)
    if tokenizer is None or "normalization" not in tokenizer.kept:
        return
    step = next((step for step in tokenizer.normalizer.steps if isinstance(step, BertNormalizer)), None)
    lowers = step is not None and step.lowercase
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(translate(tokenizer.kept["normalization"]), width="stretch")
        st.button(
            _("Keep upper case") if lowers else _("Make lower case"),
            key=f"lower case {file.name}",
            on_click=replace_file,
            args=(file, replace(file, lowercase=not lowers)),
        )


def _upload() -> None:
    st.file_uploader(
        _(
            "tokenizer.json, .tiktoken, vocab.txt, .model, .gguf, tekken.json, BPE Lab's, or vocab.json with "
            "merges.txt; with them tokenizer_config.json, chat_template.jinja and config.json"
        ),
        type=FILE_TYPES,
        accept_multiple_files=True,
        max_upload_size=MOST_BYTES // 2**20,
        on_change=_take_uploads,
        **tokenizer_upload().widget(),
    )
    files = TOKENIZER_FILES.get()
    kept_files(
        "tokenizer files",
        tokenizer_upload().key,
        most=2 * MOST_FILES,
        most_bytes=MOST_BYTES,
        room=MOST_FILES - len(files),
        opened=[name for file in files if isinstance(file, TokenizerFile) for name, _ in file.files],
    )
    uploaded = tokenizer_upload().files()
    try:
        asks = _asks_split([Content(data) for _, data in uploaded])
    except BpeError as error:  # too many queued jobs
        problem(error, key="uploads not read")
        return
    waits = asks and not split_of_ranks(UPLOADED_SPLIT)
    if UPLOAD_IS_NEW.get() and uploaded and not asks:
        _add()
    UPLOAD_IS_NEW.set(False)
    if WANTED_FILES.get():  # even if they were added by a run that this one preempted
        st.rerun()
    if uploaded:  # waiting for their split, refused or cancelled
        st.button(_("Add to the comparison"), type="primary", on_click=_add, disabled=waits, key="add tokenizer files")


def _take_uploads() -> None:
    UPLOAD_IS_NEW.set(True)
    WANTED_FILES.set(())  # they are among the uploads


def _asks_split(uploaded: Sequence[Content]) -> bool:
    """Whether a file does not specify its split. Raises BpeError if the visitor has too many queued jobs."""
    ranks = [each for each in uploaded if each.may_need_split]
    unread = [each for each in ranks if not cache.needs_split.is_cached(each)]
    bar = TrainingBar(key="reading uploads", on_cancel=_drop_uploads)
    with bar.turn(heavy=any(each.is_packed or len(each.data) > HEAVY_TO_OPEN for each in unread)):
        for each in unread:
            cache.needs_split(
                each,
                on_progress=lambda done, total: bar.report(
                    done, total, _("Reading the file: {share:.0%}", share=done / total)
                ),
            )
    bar.clear()
    return any(map(cache.needs_split, ranks))


def _drop_uploads() -> None:
    """Empty the uploader."""
    TOKENIZER_UPLOADS.set(TOKENIZER_UPLOADS.get() + 1)


def _ask_for_model() -> None:
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                _("Or a model's name on the Hugging Face hub, or a file's https address"),
                placeholder="Qwen/Qwen3-8B",
                max_chars=LONGEST_ADDRESS,
                **MODEL_NAME.widget(),
            )
            st.button(_("Fetch"), on_click=_add_model, key="add from the hub")
        typed = MODEL_NAME.get()
        if is_address(typed):
            st.text(_("Only this button asks {host}, and only for tokenizer files.", host=host_of(typed)))
        else:
            st.text(
                _(
                    "Only this button asks {host}, and only for files of the tokenizer, its chat template and "
                    "config.json.",
                    host=hub_host(),
                )
            )


def _add_model() -> None:
    typed = MODEL_NAME.get()
    try:
        check_room(TOKENIZER_FILES.get(), 1)
        if is_address(typed):
            WANTED_ADDRESSES.set((checked_address(typed),))
            return
        model = wanted_model(typed)
    except BpeError as error:
        training.PROBLEM.set(error)
        return
    WANTED_MODELS.set((model,))


def _add() -> None:
    kept = TOKENIZER_FILES.get()
    taken = {*NAMES.values(), *(file.title for file in kept)}
    new = read_together(
        tokenizer_upload().files(),
        split=UPLOADED_SPLIT.get(),
        taken=taken,
        needs_split=cache.needs_split,
        cases=cases_of_link(),
    )
    try:
        check_room((*kept, *new))
    except BpeError as error:
        training.PROBLEM.set(error)
        return
    WANTED_FILES.set(tuple(new))


def open_added() -> None:
    """Open newly added files and add them to the comparison. Call before the page draws the choices."""
    to_split = MODELS_TO_SPLIT.get()
    new = open_wanted()
    if not new and to_split == MODELS_TO_SPLIT.get():
        return
    if new:
        state.RIGHT.set(new[-1].name)  # explain the differences from the new one first
    _drop_uploads()
    UPLOADED_SPLIT.set(None)
    MODEL_NAME.set("")


def _remove(name: str) -> None:
    chosen = [each for each in state.WITH.get() if each != name]
    TOKENIZER_FILES.set(tuple(file for file in TOKENIZER_FILES.get() if file.name != name))
    state.WITH.set(chosen)
