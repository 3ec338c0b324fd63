"""What a session holds: the values that pages read and set, links, lessons and lesson files, samples, own files."""
