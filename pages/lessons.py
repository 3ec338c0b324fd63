"""Lessons: short guided exercises on prepared pages."""

from ui.lessons.page import show_lessons

show_lessons()
