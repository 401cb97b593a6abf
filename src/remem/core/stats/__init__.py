"""How much there is: counted for people and for programs."""
