"""Generated requests to every operation of the published OpenAPI, sent to a real server."""
