"""The jobs of evolution: which are due, who does them, what became of them."""
