"""``thoth doctor``: everything that can be wrong with a box, each with its remedy; and ``--self-test``, by which a new version proves itself."""
