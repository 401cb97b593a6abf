"""How clients are let in."""
