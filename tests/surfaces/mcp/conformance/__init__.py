"""The official conformance suite against our endpoint, with what the suite asks for behind it."""
