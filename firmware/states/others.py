"""Interruptions: score, pause, power-off, help, the end, and the failsafe."""

from __future__ import annotations

from dataclasses import replace

from firmware.chain import Finding
from firmware.events import Carry, Export, PowerOff
from firmware.states import play, setup
from firmware.states.base import NO_LIST, Listing, Night, Result, stay

INTERRUPTIONS = ("pause", "help", "poweroff", "newgame", "stick", "carry", "notice")
CALM = (*setup.ORDER, "turn", "end", "carry")
"""Where a notice may take the display: nothing on it waits for an answer that could be meant for something else."""
_MOST_NOTICES = 8


def _leave(night: Night) -> str:
    """Where an interruption returns to."""
    return night.back if night.place in INTERRUPTIONS else night.place


def resume(night: Night) -> Result:
    """Back to where the night was interrupted."""
    if night.match is None:
        return setup.enter(night, night.back if night.back in setup.ORDER else "game"), ()
    return play.settle(replace(night, place="turn", page=0))


def pause(night: Night) -> Result:
    """Long DOWN: everything waits; from here the device can be switched off."""
    texts = night.texts
    doors = (
        ("go", "help", "new", "stick", "off") if night.match is not None else ("go", "help", "stick", "off")
    )
    listing = Listing(tuple(texts(f"pause.{door}") for door in doors), doors)
    return replace(night, place="pause", back=_leave(night), listing=listing, picked=None, page=0), ()


def pause_choose(night: Night) -> Result:
    door = night.listing.value
    if door == "help":
        return help_(night)
    if door == "off":
        return replace(night, place="poweroff", listing=NO_LIST), ()
    if door == "new":
        return replace(night, place="newgame", listing=NO_LIST), ()
    if door == "stick":
        listing = Listing(tuple(night.texts(f"stick.{what}") for what in TO_CARRY), TO_CARRY)
        return replace(night, place="stick", listing=listing), ()
    return resume(night)


TO_CARRY = ("records", "report", "figures")
"""What can be carried to a stick: all records, what helps to find a fault, what was measured."""


def carry(night: Night) -> Result:
    """CONFIRM on what shall be carried to the stick; a notice says what came of it."""
    what: str = night.listing.value
    return replace(night, place="carry", listing=NO_LIST), (Carry(what),)


def notice(night: Night, text: str) -> Night:
    """Something to be told; what waits to be told already is not told twice."""
    if text in night.notices:
        return night
    return replace(night, notices=(*night.notices, text)[-_MOST_NOTICES:])


def told(night: Night) -> Night:
    """The oldest notice takes the display as soon as nothing on it asks for an answer."""
    if not night.notices or night.place not in CALM:
        return night
    return replace(night, place="notice", back=_leave(night), listing=NO_LIST, picked=None, page=0)


def noted(night: Night) -> Result:
    """A notice was read: the next one, or back to the game."""
    return resume(replace(night, notices=night.notices[1:]))


def power_off(night: Night) -> Result:
    return night, (PowerOff(),)


def new_game(night: Night) -> Result:
    """CONFIRM at the end, or after the question in the pause: the first question again, the usual answers chosen."""
    return setup.begin(night), ()


def ask_new_game(night: Night) -> Result:
    return replace(night, place="newgame", listing=NO_LIST), ()


def help_(night: Night) -> Result:
    """What the buttons do, one after the other."""
    return replace(night, place="help", back=_leave(night), listing=NO_LIST, picked=None, page=0), ()


def score(night: Night) -> Result:
    """Long UP: the score, item by item."""
    if night.match is None:
        return stay(night)
    return replace(night, place="score", listing=NO_LIST, picked=None, page=0), ()


def hints(night: Night) -> Result:
    """What the game points at for the player to move (which tiles can be taken)."""
    return replace(night, place="hints", listing=NO_LIST, picked=None, page=0), ()


def export(night: Night) -> Result:
    """The record of the game as a text file; the display says where it is."""
    return replace(night, place="export", exported=None, listing=NO_LIST, picked=None, page=0), (Export(),)


def recover(night: Night) -> Result:
    """CONFIRM in the failsafe state: on with the game as the journal has it."""
    night = replace(night, trouble="", chain=(), finding=Finding(), table=None, place="turn", doubt=None)
    if night.match is None:
        return setup.enter(night, "game"), ()
    return play.settle(night)
