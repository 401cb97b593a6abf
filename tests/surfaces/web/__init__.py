"""The web app, as a browser loads it."""
