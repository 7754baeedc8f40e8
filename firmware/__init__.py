"""The service: one night at the table, its screens, journal, settings and command line."""

import os

# One thread for linear algebra, said before NumPy is first imported: the matrices are small, every thread costs memory, and
# on a busy machine two that wait for each other are several times slower than one.
for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
