"""Lessons: short guided ones, each opening a page as it needs it."""

from ui.lessons_view import show_lessons
from ui.startup import app_first

app_first()
show_lessons()
