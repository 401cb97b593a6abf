"""Import items of other products and services as documents and memories."""
