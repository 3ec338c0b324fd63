"""The Lessons page: a question for the class, a prepared page for exploring it, and the answer."""
