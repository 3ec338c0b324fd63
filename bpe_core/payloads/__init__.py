"""What the views in the browser draw, as data: frames, captions, chips, tables, sentences and spans."""
