"""Lessons: short guided lessons, each opening a prepared page."""

from ui.lessons.page import show_lessons
from ui.shared.startup import app_first

app_first()
show_lessons()
