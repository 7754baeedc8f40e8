"""Cards on the mat: rows in which they lie over one another, piles of which the top counts, free cards."""
