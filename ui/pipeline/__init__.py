"""The parts of the Pipeline page, a file each; `page.py` puts them together."""
