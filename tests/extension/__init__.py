"""The browser extension, in real browsers."""
