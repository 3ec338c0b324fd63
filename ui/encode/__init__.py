"""The parts of the Encode page, a file each; `page.py` puts them together."""
