"""Lessons: short guided exercises on prepared pages."""

from ui.lessons.page import show_lessons
from ui.shared.startup import app_first

app_first()
show_lessons()
