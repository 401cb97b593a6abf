"""Documents that were deleted a moment ago and can be restored."""
