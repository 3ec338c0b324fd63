"""The vocabulary files of the package, checked as they are read, and OpenAI's tokenizers, whose files are ranks."""
