"""Thoth as an appliance: from a bare Raspberry Pi OS to a service, its updates side by side, and the way back.

Needs Python 3.11 and its standard library only, for it runs before anything is installed. Every version keeps a copy of it, so
that ``thoth rollback`` works when the program in use does not.
"""
