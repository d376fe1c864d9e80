"""The bundled library: notes on papers in our own words."""
