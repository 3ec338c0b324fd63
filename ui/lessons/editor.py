"""Lesson editor: the list of lessons on the left, the fields of one on the right."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _, listed, message, n_, translate
from ui.lessons.own_cards import keep_in_browser, show_problem, show_save_actions
from ui.lessons.row_actions import show_row_actions
from ui.lessons.step_fields import show_steps
from ui.session import own_drafts
from ui.session.asks import CUT_BY, KINDS, LONGEST_CHOICE, LONGEST_FIELD
from ui.session.navigation import ALL_LESSONS
from ui.session.own_lessons import LONGEST, MOST_MINUTES, PAGES_TO_OPEN, OwnLessons, own_set
from ui.session.shared_view import from_plain
from ui.views.shelf import kept_text
from ui.widgets.address import open_lesson
from ui.widgets.controls import menu
from ui.widgets.display import NAMES, page_title
from ui.widgets.layout import side_by_side
from ui.widgets.messages import note

_SHOWN_OF_TEXT = 60
_KINDS = {
    "nothing": message("Nothing"),
    "number": message("A number"),
    "choice": message("A choice"),
    "cuts": message("Where it is cut"),
    "merge": message("The next merge"),
}
_FIELDS = {
    "number": message("The number, such as 70 or 70 ± 20"),
    "cuts": message("Text to cut"),
    "merge": message("After how many merges"),
}
_INCOMPLETE = {
    "number": message("No question yet: type a whole number in digits."),
    "choice": message("No question yet: type two to eight lines, one of them with * before it."),
    "cuts": message("No question yet: type a line of 2 to 60 characters."),
    "merge": message("No question yet: type a number of merges in digits, 0 for the first merge."),
}


def show_editor() -> None:
    """Draw the page."""
    own_drafts.fill()
    own = own_set()
    with st.container(horizontal=True, vertical_alignment="center", key="way"):
        st.button(_("All lessons"), icon=":material/grid_view:", on_click=_close)
        st.space("stretch")
        show_save_actions(own)
    show_problem()
    keep_in_browser()
    left, right = side_by_side(2, 3, key="editor")
    with left, st.container(border=True, key="own list"):
        _show_list(own)
    with right, st.container(border=True, key="own fields"):
        if own.lessons:
            _show_fields(own)
            kept_text("lesson fields", "own lesson", most_bytes=2 * sum(LONGEST.values()), until_sent=True)
        else:
            note(_("There is no lesson yet."))


def _close() -> None:
    own_drafts.take()
    open_lesson(ALL_LESSONS)


# -- all lessons ---------------------------------------------------------------------------------------------


def _show_list(own: OwnLessons) -> None:
    st.text_input(
        _("Title of these lessons"),
        max_chars=LONGEST["title"],
        placeholder=_("Your lessons"),
        on_change=own_drafts.take,
        **own_drafts.DRAFT_SET_TITLE.widget(),
    )
    if own.lessons:
        lessons = n_("{count:,} lesson", "{count:,} lessons", len(own.lessons))
        st.caption(_("{lessons}, {minutes} minutes together", lessons=lessons, minutes=own.minutes))
    chosen = own_drafts.edited()
    for at in range(len(own.lessons)):
        _show_row(own, at, chosen)
    with st.container(horizontal=True):
        st.button(_("Add a lesson"), key="add lesson", icon=":material/add:", on_click=own_drafts.add)
        if len(own.lessons) > 1:
            st.button(_("Delete all"), key="delete all", type="tertiary", on_click=own_drafts.clear)


def _show_row(own: OwnLessons, at: int, chosen: int) -> None:
    each = own.lessons[at]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False, key=f"own row {at}"):
        st.button(
            f"{at + 1}",
            key=f"edit {at}",
            type="primary" if at == chosen else "secondary",
            help=_("Edit lesson {number}", number=at + 1),
            on_click=own_drafts.select,
            args=(at,),
        )
        with st.container(gap=None, width="stretch"):
            st.text(own_drafts.title_of(each))
            st.caption(_("{page} · {minutes} min", page=page_title(each.page), minutes=each.minutes))
        show_row_actions(
            at,
            len(own.lessons),
            key="",
            titles=(
                _("Move lesson {number} up", number=at + 1),
                _("Move lesson {number} down", number=at + 1),
                _("Delete lesson {number}", number=at + 1),
            ),
            move=own_drafts.move,
            delete=own_drafts.delete,
        )


# -- one lesson ----------------------------------------------------------------------------------------------


def _show_fields(own: OwnLessons) -> None:
    at = own_drafts.edited()
    words, changed = own_drafts.DRAFT_WORDS, own_drafts.take
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            _("Title of lesson {number}", number=at + 1),
            max_chars=LONGEST["title"],
            on_change=changed,
            **words["title"].widget(),
        )
        st.number_input(
            _("Minutes"),
            min_value=1,
            max_value=MOST_MINUTES,
            step=1,
            width=130,
            on_change=changed,
            **own_drafts.DRAFT_MINUTES.widget(),
        )
    _field("question", _("Question for the class"), _("It stays visible above the page that the lesson opens."), 80)
    _field("text", _("Text"), _("What to look at, or to try. It is on the lesson's own page."), 110)
    _field("answer", _("Answer"), None, 110)
    _show_ask()
    _field("notes", _("Notes for the speaker"), _("Shown in a window of its own, by the N key on the stage."), 80)
    _show_page(own, at)
    show_steps(own.lessons[at].steps, own.lessons[at].page)


def _field(name: str, label: str, placeholder: str | None, height: int) -> None:
    bound = own_drafts.DRAFT_WORDS[name].widget() | {"max_chars": LONGEST[name], "on_change": own_drafts.take}
    st.text_area(label, height=height, placeholder=placeholder, **bound)


def _show_ask() -> None:
    """Draw the fields of the lesson's question to the reader."""
    kind = own_drafts.DRAFT_ASK.get()
    with st.container(horizontal=True, vertical_alignment="top"):
        menu(
            _("Ask the reader for"),
            {each: _KINDS[each] for each in KINDS if each != "merge" or own_drafts.can_ask_merge()},
            own_drafts.DRAFT_ASK,
            width=180,
            on_change=own_drafts.choose_ask,
            help=_("Learners answer it before they see your answer."),
        )
        if kind == "cuts":
            tokenizers = {each: NAMES[each] for each in CUT_BY}
            menu(_("Tokenizer"), tokenizers, own_drafts.DRAFT_ASK_BY, width=130, on_change=own_drafts.take)
        if kind == "choice":
            st.text_area(
                _("Choices, one a line, with * before the right one"),
                max_chars=LONGEST_FIELD,
                height=110,
                on_change=own_drafts.take,
                **own_drafts.DRAFT_ASKED.widget(),
            )
        elif kind != KINDS[0]:
            st.text_input(
                translate(_FIELDS[kind]),
                max_chars=LONGEST_CHOICE,
                on_change=own_drafts.take,
                **own_drafts.DRAFT_ASKED.widget(),
            )
    if kind != KINDS[0] and own_drafts.drafted_ask() is None:
        note(_INCOMPLETE[kind])


def _show_page(own: OwnLessons, at: int) -> None:
    page = own_drafts.DRAFT_PAGE.get()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        menu(
            _("Page that it opens"),
            {each: page_title(each) for each in PAGES_TO_OPEN},
            own_drafts.DRAFT_PAGE,
            width=180,
            on_change=own_drafts.use_page,
            help=_("With what you see on it now: text, settings, step. Go there, set it up, and come back."),
        )
        st.button(
            _("Use what I see on {page} now", page=page_title(page)),
            key="use page",
            icon=":material/photo_camera:",
            on_click=own_drafts.use_page,
        )
        st.button(
            _("Look at the lesson"),
            key="look",
            type="tertiary",
            on_click=_look,
            args=(at,),
            icon=":material/visibility:",
        )
    for line in _set_up(own, at):
        st.text(line)


def _look(at: int) -> None:
    own_drafts.take()
    names = own_set().names
    if at < len(names):
        open_lesson(names[at])


def _set_up(own: OwnLessons, at: int) -> list[str]:
    """Description of a lesson's page, one line each: its text, tokenizers, training."""
    view = from_plain(dict(own.lessons[at].scene))
    lines = []
    text = view.choices.get("text", "")
    if isinstance(text, str) and text:
        lines.append(_("Text: {text}", text=_short(text)))
    with_ = view.choices.get("with", view.choices.get("of", ""))
    if with_:
        names = with_ if isinstance(with_, list) else [with_]
        lines.append(
            _("Tokenizers: {names}", names=listed([NAMES.get(str(name), str(name)) for name in names], last=""))
        )
    if view.training is not None:
        text = _short(view.training.source.text)
        lines.append(_("Training: {text}, at step {step:,}", text=text, step=view.training.step))
    return lines


def _short(text: str) -> str:
    line = " ".join(text[: 4 * _SHOWN_OF_TEXT].split())
    return _("“{text}”", text=line if len(line) <= _SHOWN_OF_TEXT else line[:_SHOWN_OF_TEXT] + "…")
