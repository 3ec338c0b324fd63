"""Settings of a training: every field of TrainConfig, with a preview of the words that no merge crosses."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError, Tokenizer
from bpe_core.bpe.growth import counted_by
from bpe_core.bpe.settings_words import changed_settings, settings_line
from bpe_core.language import TranslatableMessage, _, counted, joined, message, translate
from bpe_core.payloads.spans import TokenSpans
from bpe_core.text.digits import AS_SPLIT, SPLITS_WITH_DIGITS, digits_of
from bpe_core.text.normalizer_settings import normalize
from bpe_core.text.normalizers import NORMALIZATIONS
from bpe_core.text.splits import PATTERNS, PUBLISHED
from ui.cache import base_of, settled
from ui.session import drafts
from ui.session import training as state
from ui.train import cache
from ui.views.token_flow import token_view
from ui.views.verbatim import verbatim_view
from ui.widgets.controls import menu, segments
from ui.widgets.display import base_title, title_of
from ui.widgets.fragments import fragment
from ui.widgets.layout import popover_key
from ui.widgets.messages import note, problem

_SPLIT_NAMES = {
    "gpt2": "GPT-2",
    "cl100k": "cl100k (GPT-4)",
    "o200k": "o200k (GPT-4o)",
    "words": message("Words (white space dropped)"),
    "none": message("None: one long word"),
    "own": message("Own regular expression"),
}
_SPLIT_SAYS = {
    "gpt2": message("Letters with the space before them, digits, punctuation, white space; 's and 've apart."),
    "cl100k": message("Like GPT-2, but numbers in threes and 'S as well as 's."),
    "o200k": message("Like cl100k, but capitals inside a word begin a new one, and 's and 've stay with their word."),
    "words": message("Everything between white space; the white space itself is in no token."),
    "none": message("The whole text is one word: merges may run across spaces and lines."),
    "own": message("Every match is a word; what no match covers is in no token."),
    "tokenizer": message("The tokenizer finds the words by rules of its own."),
}
_SPLIT_SAYS_BUT_DIGITS = {
    "cl100k": message("Like GPT-2, but 'S as well as 's; digits as chosen."),
    "o200k": message("Like GPT-2, but capitals inside a word begin a new one; digits as chosen."),
}
_DIGIT_NAMES = {
    "split": message("As the split says"),
    "one": message("One by one"),
    "left": message("Threes from the left"),
    "right": message("Threes from the right"),
}
_TIE_NAMES = {
    "first-seen": message("First seen in the text"),
    "lowest-ids": message("Lowest ids"),
    "first-counted": message("First counted, at any step"),
}
_ORDER_NAMES = {"byte-value": message("By value"), "gpt2": message("As in GPT-2")}
_UNIT_NAMES = {"byte": message("Bytes (byte-level BPE)"), "char": message("Characters")}
_METHOD_NAMES = {
    "bpe": message("Never"),
    "superbpe": message("From a size on: SuperBPE"),
    "boundlessbpe": message("Two whole words: BoundlessBPE"),
}
_PREVIEW = 600
_WIDE = (
    "<style>[data-testid=stPopoverBody]:has(.st-key-settings-form) "
    "{ width: min(1000px, 96vw) !important; max-width: none !important; max-height: calc(100vh - 130px) !important }"
    "</style>"
)


def show_settings() -> None:
    """Draw the settings popover; its button applies them."""
    st.html(_WIDE)
    now = state.CONFIG.get(), state.FORKS.get(), base_title(state.CONFIG.get())
    changed = changed_settings(*now)
    label = _("Settings: {changed}", changed=changed) if changed else _("Settings")
    with st.popover(
        label, help=settings_line(*now), icon=":material/tune:", width="content", key=popover_key("settings")
    ):
        _form()


@fragment
def _form() -> None:
    """Draw the form in a fragment: a change reruns only the preview."""
    with st.container(key="settings form"):
        symbols, ids, text = st.columns(3, gap="medium")
    with symbols:
        _symbols_and_split()
    with ids:
        _ids_and_ties()
    with text:
        _text()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(_("Train with these settings"), on_click=_use_draft, type="primary")
        words = _words()
        if not isinstance(words, BpeError):
            _say_what_the_draft_is()
    _split_preview(words)
    if state.WANTED.get() is not None or state.PROBLEM.get() is not None:
        st.rerun()


def _symbols_and_split() -> None:
    names = {name: title_of(name) if name else message("Nothing: it starts from scratch") for name in drafts.bases()}
    menu(
        _("Continue from"),
        names,
        drafts.BASE,
        on_change=_make_room,
        args=(_first_id(),),
        help=_(
            "Its ids, its split and its special tokens are kept; new merges come after its own. Tokenizers opened on "
            "Compare are offered too."
        ),
    )
    if drafts.BASE.get():
        return
    chars = drafts.UNIT.get() == "char"
    segments(
        _("Symbols before any merge"),
        _UNIT_NAMES,
        drafts.UNIT,
        help=_("Bytes: 256 symbols cover every text. Characters: those of this text; any other is unknown."),
    )
    menu(_("Split into words by"), _SPLIT_NAMES, drafts.SPLIT)
    if drafts.SPLIT.get() in SPLITS_WITH_DIGITS:
        menu(
            _("Digits"),
            _DIGIT_NAMES,
            drafts.DIGITS,
            help=_(
                "GPT-2 keeps a number whole, cl100k and o200k cut threes from the left. From the right, ones, tens and "
                "hundreds are always in the same place of their group, as in 1,234,567."
            ),
        )
    if drafts.SPLIT.get() == "own":
        st.text_input(_("Regular expression: every match is a word"), max_chars=2_000, **drafts.PATTERN.widget())
    st.text_input(
        _("End-of-word mark"),
        placeholder="</w>",
        disabled=not chars,
        max_chars=40,
        help=_("One more symbol after every word, so that est at the end of a word differs from est inside it."),
        **drafts.END_OF_WORD.widget(),
    )
    st.toggle(
        _("Byte fallback"),
        disabled=not chars,
        help=_("An unknown character becomes its bytes instead of the unknown token."),
        **drafts.BYTE_FALLBACK.widget(),
    )


def _first_id() -> int:
    """Id of the first merge in the form, special tokens aside; 0 if the tokenizer to continue from cannot be read."""
    try:
        return _base().vocab_size if drafts.BASE.get() else 256
    except BpeError:
        return 0


def _make_room(before: int) -> None:
    """Set the vocabulary size so that the chosen tokenizer gets as many merges as before."""
    first = _first_id()
    if before and first:
        drafts.VOCAB_SIZE.set(max(drafts.VOCAB_SIZE.get() - before, 1) + first)


def _ids_and_ties() -> None:
    chars = drafts.UNIT.get() == "char"
    st.number_input(
        _("Vocabulary size, all ids"),
        1,
        step=64,
        help=_("Special tokens, base symbols and merges together: 512 ids on bytes leave room for 256 merges."),
        **drafts.VOCAB_SIZE.widget(),
    )
    if drafts.BASE.get():
        st.caption(_("{ids:,} of them are there already.", ids=_first_id()))
        return
    _crossing()
    _ties()
    menu(
        _("Order of the 256 byte ids"),
        _ORDER_NAMES,
        drafts.BASE_ORDER,
        disabled=chars and not drafts.BYTE_FALLBACK.get(),
        help=_("Changes the ids, and ties where the lowest ids win."),
    )


def _crossing() -> None:
    menu(
        _("Merges cross words"),
        _METHOD_NAMES,
        drafts.METHOD,
        help=_(
            "SuperBPE drops the split between words when the vocabulary has reached a size. BoundlessBPE merges two "
            "words side by side when each is a single token and has a letter."
        ),
    )
    if drafts.METHOD.get() == "superbpe":
        st.number_input(
            _("Ids at which merges begin to cross words"),
            1,
            step=64,
            help=_("At most the vocabulary size, at which nothing is left to merge across words."),
            **drafts.TRANSITION.widget(),
        )


def _ties() -> None:
    menu(
        _("A tie goes to the pair"),
        _TIE_NAMES,
        drafts.TIE_BREAK,
        help=_(
            "Decides when several pairs have the largest count. Libraries differ here, and so do their vocabularies: "
            "minbpe takes the pair seen first, tokenizers the lowest ids, and programs that update one Counter the "
            "pair that they counted first, before any merge or after the earliest one."
        ),
    )
    st.number_input(
        _("Minimum count of a merge"),
        1,
        help=_("How often a pair has to occur. With 1, merging goes on until the vocabulary is full."),
        **drafts.MIN_COUNT.widget(),
    )


def _text() -> None:
    if drafts.BASE.get():
        _ties()
        return
    menu(
        _("Unicode normalization"),
        {form: _("none") if form == "none" else form for form in NORMALIZATIONS},
        drafts.NORMALIZATION,
        help=_("Before anything else. NFC composes e and its accent into one character, NFD decomposes them."),
    )
    with st.container(horizontal=True):
        st.toggle(_("Lower case"), **drafts.LOWERCASE.widget())
        st.toggle(_("Strip accents"), **drafts.STRIP_ACCENTS.widget())
    st.text_area(
        _("Special tokens, one a line"),
        height=80,
        max_chars=5_000,
        placeholder="<|endoftext|>",
        help=_("They get the first ids, and no merge ever makes them."),
        **drafts.SPECIAL_TOKENS.widget(),
    )


def _say_what_the_draft_is() -> None:
    """Show that the settings in the form are in use, or why they cannot be used."""
    try:
        is_settled = settled(drafts.draft_config()) == state.CONFIG.get()
    except BpeError as error:
        st.text(translate(joined(error.problem, error.limit, error.remedy)))
        return
    if is_settled:
        st.caption(_("These are the settings in use."), width="content")


def _use_draft() -> None:
    try:
        state.want_config(settled(drafts.draft_config()))
    except BpeError as error:
        state.PROBLEM.set(error)


def _words() -> TokenSpans | BpeError:
    """Words of the form's split for the start of the text, or the error."""
    text = state.source().text[:_PREVIEW]
    try:
        split = _split()
    except BpeError as error:
        return error
    return cache.words_of(_normalized(text), split) if split else cache.words_by(text, _base())


def _split() -> str:
    """Name or pattern of the form's split; "" if the tokenizer to continue from has its own rules for words.

    Raises BpeError if a training cannot continue from it.
    """
    if not drafts.BASE.get():
        return drafts.draft_split()
    config = settled(drafts.draft_config())
    return config.split if counted_by(_base()) else ""


def _base() -> Tokenizer:
    """Tokenizer to continue from. Raises BpeError if it cannot be read."""
    base = base_of(state.GrownConfig(base=drafts.BASE.get()))
    assert base is not None
    return base


def _split_preview(words: TokenSpans | BpeError) -> None:
    if isinstance(words, BpeError):
        problem(words, key="split problem")
        return
    split = _split()
    digits = digits_of(split)
    chosen = digits.split if digits else split if split in PATTERNS else "own" if split else "tokenizer"
    grouped = digits is not None and digits.digits != AS_SPLIT
    says = (grouped and _SPLIT_SAYS_BUT_DIGITS.get(chosen)) or _SPLIT_SAYS[chosen]
    st.caption(translate(joined(says, _how_many(words.total))))
    token_view(words, key="split preview", height=104, label=_("Words of the split"))
    if words.gaps:
        note(_("Characters without a colour are in no word: they are dropped."))
    if chosen not in ("own", "tokenizer"):
        verbatim_view(PATTERNS.get(split, split), label=_("Regular expression"), key="pattern of the split")
    if split in PUBLISHED:
        st.caption(_("As first published, with the same words:"))
        verbatim_view(PUBLISHED[split], label=_("Published pattern"), key="published pattern of the split")


def _how_many(words: int) -> TranslatableMessage:
    if drafts.METHOD.get() != "bpe" and not drafts.BASE.get():
        return counted("{count:,} word in the part below.", "{count:,} words in the part below.", words)
    if len(state.source().text) <= _PREVIEW:
        return counted(
            "{count:,} word in the text; no merge crosses a word boundary.",
            "{count:,} words in the text; no merge crosses a word boundary.",
            words,
        )
    return counted(
        "{count:,} word in the first {characters} characters; no merge crosses a word boundary.",
        "{count:,} words in the first {characters} characters; no merge crosses a word boundary.",
        words,
        characters=_PREVIEW,
    )


def _normalized(text: str) -> str:
    """The text after the form's normalization, as the split sees it."""
    try:
        return normalize(text, settled(drafts.draft_config())).text
    except BpeError:
        return text
