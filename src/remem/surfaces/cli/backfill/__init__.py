"""Past sessions of coding agents, read from where each agent keeps them."""
