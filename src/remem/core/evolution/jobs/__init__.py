"""The jobs of evolution: schedule, run and list them."""
