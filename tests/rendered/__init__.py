"""Rendered photographs of tables with cards and tiles on them: the recogniser's own proving ground, every truth exact.

The faces here come from generators of their own; nothing here may be used for training. ``python -m tests.rendered --help``.
"""
