"""The steps that keep memories in order: embed, derive, consolidate, link."""
