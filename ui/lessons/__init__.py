"""The Lessons page: a question for the class, a page set up to find out, and the answer."""
