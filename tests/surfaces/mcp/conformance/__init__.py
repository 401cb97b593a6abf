"""The official conformance suite against our door, with what the suite asks for behind it."""
