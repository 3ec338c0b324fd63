"""Data of the views in the browser: frames, captions, chips, tables, sentences and spans."""
