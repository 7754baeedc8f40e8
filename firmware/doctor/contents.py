"""What the owner gave and what was played: settings, journal, gallery, printed numbers."""

from __future__ import annotations

from pathlib import Path

from engines import games, table_games
from firmware.box import stick
from firmware.doctor.base import FAIL, OK, WARN, Facts, Line, Lines
from firmware.written import entries
from firmware.written.export import snapshot
from firmware.written.journal import NAME, JournalError


def settings(facts: Facts) -> Lines:
    for fault in facts.faults:
        yield Line("settings", FAIL, f"line {fault.line}: {fault.key}: {fault.text}", fault.remedy)
    if not facts.faults:
        where = str(facts.config) if facts.config else "the defaults, or /etc/thoth/thoth.toml"
        brought = facts.state / stick.BROUGHT / stick.SETTINGS
        yield Line("settings", OK, where + (", and what a stick brought" if brought.exists() else ""))


def journal(facts: Facts) -> Lines:
    path = facts.state / NAME
    if not path.exists():
        yield Line("journal", OK, f"none yet in {facts.state}")
        return
    try:
        with snapshot(path) as copy:
            notice, nights = copy.notice, copy.nights()
            written = copy.entries()
    except (JournalError, OSError) as error:
        yield Line(
            "journal",
            FAIL,
            str(error),
            "run the doctor as the service does: sudo -u thoth thoth doctor; else check the card",
        )
        return
    if notice:
        yield Line(
            "journal",
            WARN,
            notice,
            "start the service: it keeps what is sound and sets the damaged file aside",
        )
    damage = entries.replay(games(), written).damage
    if damage:
        yield Line(
            "journal", WARN, damage, "the game goes on at the last sound entry; nothing has to be done"
        )
    aside = sorted(facts.state.glob(f"{NAME}.damaged-?"))
    if aside:
        yield Line(
            "journal",
            WARN,
            f"damaged files were set aside: {', '.join(path.name for path in aside)}",
            "keep them until the nights in them are not missed, then delete them; a card that does this twice is worn out",
        )
    if not notice and not damage:
        yield Line(
            "journal", OK, f"{len(nights)} nights, {sum(one.entries for one in nights)} entries, sound"
        )


def gallery(facts: Facts) -> Lines:
    from vision.gallery import Gallery, GalleryError

    named = facts.settings.text("gallery")
    came = facts.state / stick.BROUGHT / stick.GALLERY
    folders = [Path(named).expanduser()] if named else []
    folders += [came] if came.is_dir() else []
    if not folders:
        yield Line("gallery", OK, "none: the eyes know Thoth's printed set")
    for folder in folders:
        for name, game in table_games().items():
            if not (folder / name).is_dir():
                continue
            layout = game.reading.layout(game.players[0], game.defaults)
            try:
                found = Gallery.load(folder / name)
                found.fitted(layout)
            except GalleryError as error:
                yield Line("gallery", FAIL, str(error), f"show the faces again: thoth enrol {name}")
            else:
                for damage in found.damage:
                    yield Line(
                        "gallery", WARN, damage, f"show that face again: thoth enrol {name} --face NAME"
                    )
                if not found.damage:
                    yield Line("gallery", OK, f"{name}: {len(found.pictures)} faces")


def catalogue(facts: Facts) -> Lines:
    from engines.catalogue import shipped
    from firmware.service import own_numbers

    own, sound = own_numbers(facts.config, facts.state / stick.BROUGHT)
    if not sound:
        yield Line(
            "numbers",
            FAIL,
            "a file of your own numbers has faults and is left out",
            "thoth catalog --check FILE names them all",
        )
    for name, game in games().items():
        numbers = own.get(name) or shipped(name)
        doubtful = len(numbers.unverified)
        if numbers.house:
            yield Line(
                "numbers",
                WARN,
                f"{game.name}: some of what is printed is invented (house numbers)",
                f"give those of your own copy: thoth catalog {name}",
            )
        elif any(number.value is None for number in numbers.numbers.values()):
            yield Line(
                "numbers",
                WARN,
                f"{game.name}: some printed numbers are missing; where they are needed invented ones (house numbers) are used",
                f"give those of your own copy: thoth catalog {name}",
            )
        elif doubtful:
            yield Line(
                "numbers",
                WARN,
                f"{game.name}: {doubtful} printed numbers nobody has verified",
                f"compare them with your own components: thoth catalog {name}",
            )
        else:
            yield Line("numbers", OK, f"{game.name}: all verified")
