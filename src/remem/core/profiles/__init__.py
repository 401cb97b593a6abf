"""Who somebody is, from what is remembered: lasting facts, what is recent, what a query needs."""
