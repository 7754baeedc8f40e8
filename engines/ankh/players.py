"""Two ways to play Ankh, from the open cards and the own hand alone: sensibly, and at random."""

from __future__ import annotations

import random

from engines.ankh.cards import is_papyrus, points, wishes
from engines.ankh.moves import Play, Sacrifice
from engines.ankh.scoring import option
from engines.ankh.state import AnkhState
from engines.game import Move

OTHERS = 0.6
"""What a point of the best other player costs."""
LATER = 0.5
"""What a point in a row is worth that has yet to be scored, and may change."""
POOR = -0.5
"""A turn that makes things worse by more is rather spent on a sacrifice."""
PATIENCE = 0.75
"""How often a poor hand is sacrificed instead of played: less than always, so that every game goes on."""
SACRIFICES = 0.15
"""How often a random player sacrifices."""
FACE_DOWN = 0.5
"""How often sacrificed cards are laid face down, where that is allowed."""


def pick(state: AnkhState, cards: tuple[str, ...], rng: random.Random, style: str) -> Move:
    """A legal move of the player to move, who holds these cards. Raises ValueError for an empty hand."""
    if not cards:
        raise ValueError("there is no card to play")
    player = state.to_move
    if style == "random":
        if rng.random() < SACRIFICES:
            return _sacrifice(state, tuple(rng.sample(cards, rng.randint(1, len(cards)))), rng)
        return Play(player, rng.choice(cards))
    now = _standing(state, state.rows, state.papyri[-1]) * LATER
    gains = {card: _after(state, card) - now for card in sorted(set(cards))}
    best = max(gains, key=lambda card: (gains[card], rng.random()))
    poor = tuple(card for card in cards if gains[card] < POOR)
    if gains[best] < POOR and poor and rng.random() < PATIENCE:
        return _sacrifice(state, poor, rng)
    return Play(player, best)


def _sacrifice(state: AnkhState, cards: tuple[str, ...], rng: random.Random) -> Sacrifice:
    if option(state, "sacrifices") == "hidden" and rng.random() < FACE_DOWN:
        return Sacrifice(state.to_move, (), len(cards))
    return Sacrifice(state.to_move, cards)


def _after(state: AnkhState, card: str) -> float:
    """How the player stands once the card is played: in points if it brings a scoring, else in hopes."""
    player, rows, top = state.to_move, state.rows, state.papyri[-1]
    if is_papyrus(card):
        top = card
    else:
        rows = (*rows[:player], (*rows[player], card), *rows[player + 1 :])
    scored = max(map(len, rows)) >= wishes(top)[1]
    return _standing(state, rows, top) * (1.0 if scored else LATER)


def _standing(state: AnkhState, rows: tuple[tuple[str, ...], ...], top: str) -> float:
    """What the rows are worth to the player to move: the own one, less that of the best other player."""
    worth = [points(row, top, state.numbers.points) for row in rows]
    mine = worth.pop(state.to_move)
    return mine - OTHERS * max(worth)
