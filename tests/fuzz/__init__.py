"""Generated requests to every operation of the published OpenAPI, against a real server."""
