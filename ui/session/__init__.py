"""Session state: values that pages read and set, links, lessons and lesson files, samples, uploaded files."""
