"""Thoth installed: a Debian 13 of its own, booted with systemd as process 1, in which the installer, the unit, updates and the way
back are tried as on a Pi. ``python -m tests.machine`` (``make test-container``) is the container tier: everything but devices. It needs
root and systemd-nspawn; where they are not to be had it says so on its last line and exits with 77."""
