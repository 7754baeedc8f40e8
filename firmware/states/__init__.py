"""The states of a night; ``table.py`` lists them, each with its keys."""
