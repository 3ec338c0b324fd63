"""The parts of the Encode page, a file each; `ui/encode_view.py` puts them together."""
