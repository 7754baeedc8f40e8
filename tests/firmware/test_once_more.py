"""Moves in a row that read alike, and which cards a proposal means: whoever confirmed one move sees that the next is another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines import table_games
from engines.archaeology.moves import Dig, Drawn, End, Sell, Trade
from engines.catalogue import house
from engines.game import Move, Step
from engines.referee import Match
from firmware import chain
from firmware import night as nights
from firmware.texts import load
from hardware.display.draw import fits
from hardware.display.screen import Screen
from hardware.simulated.glances import told
from tests.expeditions import MARKET, step

TEXTS = load("en")
CUP = Sell(0, ("cup",))


def proposal(now: tuple[Step, ...], *confirmed: Move, more: Move | None = None) -> Screen:
    game = table_games()["archaeology"]
    begun = (step(MARKET), Dig(0), Drawn("treasure"), *confirmed)
    match = Match.begin(game, ("Ana", "Ben"), 0, {}, begun, house("archaeology"))
    links = (chain.link(match, now),)
    if more is not None:
        links = (*links, chain.link(links[0].match, (more,)))
    night, _ = nights.begin(table_games(), ("Ana", "Ben"), seed=1)
    screen = nights.screen(replace(night, match=match, chain=links, place="proposal"))
    assert not fits(screen)
    return screen


@pytest.mark.parametrize("before", [1, 2, 3])
def test_a_move_that_reads_as_those_confirmed_just_now_is_numbered(before: int) -> None:
    screen = proposal((CUP,), *[CUP] * before)
    assert (screen.main, screen.lines) == ("Cup", (TEXTS("proposal.again", number=before + 1),))
    assert told(screen) != told(proposal((CUP,), *[CUP] * (before - 1)))


def test_other_cards_and_other_trades_are_no_repeat() -> None:
    assert proposal((Sell(0, ("cup",)),), Sell(0, ("mask",))).lines == ()
    first, second = Trade(0, ("cup",), ("shard", "scrap")), Trade(0, ("mask",), ("coin", "cup"))
    one, other = proposal((first,)), proposal((second,), first)
    assert (one.main, one.lines) == ("1 for 2 cards", ("Cup for Shard, Scrap",))
    assert (other.main, other.lines) == ("1 for 2 cards", ("Mask for Coin, Cup",))


def test_the_cards_of_a_trade_stand_below_their_numbers_whatever_follows() -> None:
    trade = Trade(0, ("cup", "talisman"), ("coin", "shard", "scrap"))
    cards = ("Cup, Talisman for Coin,", "Shard, Scrap")
    assert proposal((trade,)).main == "2 for 3 cards"
    assert proposal((trade,)).lines == cards
    assert proposal((trade,), more=CUP).lines == cards


def test_whose_turn_is_taken_to_be_over_stands_before_the_cards() -> None:
    steps = (End(0), Dig(1), Drawn("treasure"), Trade(1, ("cup",), ("shard",)))
    assert proposal(steps).lines == ("after Ana: Cup for Shard",)
