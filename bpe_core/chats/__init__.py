"""Chat templates of models: read from their files, and rendered by Jinja in a process of its own."""
