"""``thoth play``: the referee alone, by hand in a terminal or line by line on a pipe."""
