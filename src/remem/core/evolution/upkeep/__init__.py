"""The steps of upkeep: embed, derive, consolidate and link memories."""
