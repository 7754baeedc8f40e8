"""Two moves in a row that read alike: whoever confirmed the first one sees that the second one is another."""

from __future__ import annotations

from dataclasses import replace

from engines import table_games
from engines.archaeology.moves import Dig, Drawn, Sell, Trade
from engines.catalogue import house
from engines.game import Move
from engines.referee import Match
from firmware import chain
from firmware import night as nights
from firmware.texts import load
from hardware.display.screen import Screen
from hardware.simulated.glances import again
from tests.expeditions import MARKET, step

AGAIN = load("en")("proposal.again")


def proposal(last: Move, now: Move) -> Screen:
    game = table_games()["archaeology"]
    begun = (step(MARKET), Dig(0), Drawn("treasure"), last)
    match = Match.begin(game, ("Ana", "Ben"), 0, {}, begun, house("archaeology"))
    night, _ = nights.begin(table_games(), ("Ana", "Ben"), seed=1)
    links = (chain.link(match, (now,)),)
    return nights.screen(replace(night, match=match, chain=links, place="proposal"))


def test_a_proposal_in_the_words_of_the_move_that_was_just_confirmed_says_once_more() -> None:
    cup = Sell(0, ("cup",))
    screen = proposal(cup, cup)
    assert (screen.main, screen.lines) == ("Cup", (AGAIN,)) and again(screen)


def test_a_trade_names_its_cards_below_their_numbers() -> None:
    screen = proposal(Sell(0, ("mask",)), Trade(0, ("cup", "talisman"), ("coin", "shard", "scrap")))
    assert screen.main == "2 for 3 cards"
    assert screen.lines == ("Cup, Talisman for Coin,", "Shard, Scrap")


def test_other_cards_are_no_repeat() -> None:
    screen = proposal(Sell(0, ("cup",)), Sell(0, ("mask",)))
    assert screen.lines == () and not again(screen)
