"""How the networks are trained: made-up faces, photographs of them, lessons. Nothing here is needed to read."""
