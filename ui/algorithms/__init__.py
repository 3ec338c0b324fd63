"""The Algorithms page: several algorithms on one corpus, step by step and side by side."""
