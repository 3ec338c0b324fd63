"""Lessons: short guided ones, each opening a page as it needs it."""

from ui.lessons.page import show_lessons
from ui.shared.startup import app_first

app_first()
show_lessons()
