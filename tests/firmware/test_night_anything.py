"""Any presses and events in any order: nothing raises, nothing is written that nobody confirmed, everything fits."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engines.game import Move
from engines.table import Table
from firmware import night as nights
from firmware.chain import LONGEST
from firmware.events import Blind, Commit, Effect, Event, Looked, Notice, Part, Pressed, Tick
from firmware.night import Night, screen
from firmware.states.table import STATES
from hardware.buttons.press import Button, Press
from hardware.display.draw import fits
from tests.firmware.evenings import GAMES, TEXTS, Evening, evening, started

CONFIRMING = {"proposal", "ask", "takeback", "correct", "setup"}


def honest(before: Night, event: Event, after: Night, effects: tuple[Effect, ...]) -> None:
    """What must hold for every single step."""
    shown = screen(before)
    assert not fits(screen(after)), (screen(after), fits(screen(after)))
    assert len(after.chain) <= LONGEST
    entries = [entry for effect in effects if isinstance(effect, Commit) for entry in effect.entries]
    decided = [entry for entry in entries if entry[0] not in ("reveal",)]
    if decided:
        assert isinstance(event, Pressed) and event.press.button is Button.CONFIRM, "only CONFIRM decides"
        assert shown.name in CONFIRMING, shown
    moves = [text for kind, text in entries if kind == "move"]
    assert len(moves) <= 1, "one CONFIRM, one move"
    if moves:
        assert before.match is not None and after.match is not None
        move = after.match.moves[-1]
        verb, what = before.match.game.rules.phrase(move)
        if shown.name == "proposal":
            assert shown.main == (what or verb), "what was written is what stood on the display"
            assert verb in shown.title
            assert before.match.names[move.player][:3] in shown.title
        else:
            assert what in shown.choices[shown.chosen]
    elif after.match is not None and before.match is not None and not decided:
        assert after.match.moves == before.match.moves


def events(one: Evening, rng: random.Random) -> Event:
    one.now += rng.random() * 3
    kind = rng.random()
    if kind < 0.55:
        button = rng.choice([Button.CONFIRM, Button.CONFIRM, Button.REJECT, Button.UP, Button.DOWN])
        return Pressed(Press(button, rng.random() < 0.2, one.now))
    if kind < 0.85:
        return Looked(meddled(one, rng), one.now)
    if kind < 0.9:
        return Blind(rng.choice(["hand", "dark", "glare left", "odd", ""]), one.now)
    if kind < 0.95:
        return Tick(one.now + rng.choice([0, 0, 70]))
    if kind < 0.98:
        return Part("camera", rng.choice([None, "no camera: check the ribbon"]), one.now)
    return Notice(rng.choice(["stick not read:\ntry another stick", "Too little power"]), one.now)


def meddled(one: Evening, rng: random.Random) -> Table:
    """The true table after a legal move, a mistake, nonsense, or nothing; sometimes badly read."""
    kind = rng.random()
    head = one.night.head
    if kind < 0.4 and head is not None:
        moves = [move for move in head.legal_moves() if getattr(move, "tile", "") in one.truth.dig]
        if moves:
            # The truth may be out of step with the record by now: then the hands do whatever they can.
            happen(one, rng.choice(moves))
    elif kind < 0.5:
        clutter(one, rng)
    table = one.truth.table()
    if rng.random() < 0.2 and table.pieces:
        pieces = list(table.pieces)
        for _ in range(rng.randint(1, 5)):
            at = rng.randrange(len(pieces))
            other = rng.choice([piece for piece in table.pieces if piece.kind == pieces[at].kind])
            pieces[at] = replace(pieces[at], identities=rng.choice([other.identities, ()]))
        table = replace(table, pieces=tuple(pieces))
    if rng.random() < 0.1:
        table = rng.choice([Table(), Table((), ("dig",)), replace(table, unread=("cards-1", "tiles-2"))])
    return table


def happen(one: Evening, move: Move) -> None:
    """A move done by hand on the true table, whatever the world says."""
    tile = getattr(move, "tile", None)
    if tile is None or tile not in one.truth.dig:
        return
    zone = f"tiles-{move.player + 1}" if hasattr(move, "player") else "removed"
    del one.truth.dig[tile]
    one.truth.piles[zone].append(tile)


def clutter(one: Evening, rng: random.Random) -> None:
    """Hands that do what no rule knows."""
    piles = list(one.truth.piles.values()) + list(one.truth.cards.values())
    source, target = rng.choice(piles), rng.choice(piles)
    if source:
        target.append(source.pop(rng.randrange(len(source))))


@pytest.mark.parametrize("seed", range(12))
def test_anything_may_happen(seed: int) -> None:
    rng = random.Random(seed)
    names = rng.choice([("Ana", "Ben"), ("WWWWWWWWWWWW", "Bartholomew1")])
    one = evening(seed, names) if seed % 3 == 0 else started(seed, names)
    one.watch = honest
    seen = set()
    for _ in range(120):
        one.send(events(one, rng))
        seen.add(one.night.place)
    assert seen <= set(STATES)
    again = nights.resume(GAMES, one.written, names, texts=TEXTS)[0]
    if one.night.match is not None:
        assert again.match == one.night.match


@pytest.mark.parametrize("place", sorted(STATES))
def test_every_state_has_a_way_to_pause_and_back_or_a_way_out(place: str) -> None:
    """P52, P53: no state is a trap."""
    state = STATES[place]
    keys = {(key.button, key.long) for key in state.keys}
    assert (Button.DOWN, True) in keys or state.patience > 0
    if not state.reads and place != "game":
        assert (Button.REJECT, False) in keys or place == "setup"


def test_random_nights_reach_every_state() -> None:
    """The property test above is worth something only if it comes everywhere."""
    seen: set[str] = set()
    for seed in range(8):
        rng = random.Random(1000 + seed)
        one = started(seed) if seed % 2 else evening(seed)
        for _ in range(100):
            one.send(events(one, rng))
            seen.add(one.night.place)
    # "players" needs a game for several numbers, "fault" a fault; the others have their own tests.
    assert set(STATES) - seen <= {
        "players",
        "fault",
        "end",
        "newgame",
        "correct",
        "corrected",
        "export",
        "hints",
    }
