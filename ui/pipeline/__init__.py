"""The parts of the Pipeline page, a file each; `ui/pipeline_view.py` puts them together."""
