"""An HTML file that plays a recorded training without a server, from the views of the app."""
