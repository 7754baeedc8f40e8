"""SQLite's write-ahead log, read without SQLite: what can be saved from one in which bits have changed.

SQLite believes a log up to the first frame whose checksum fails and drops the rest without a word, for that is what a power cut leaves
behind. A bit that changed in the middle of a log looks the same to it, and costs every entry after it. The checksums are chained, so
with the chain made anew over the frames as they are, SQLite reads them all; whether a row is sound is then for the journal's own checksums
to say. A single bit is put right: the checksum is a linear sum, and by how much it is off says which bit it was. File format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
"""

from __future__ import annotations

import struct
from collections import Counter

HEADER, FRAME = 32, 24  # bytes
_MASK = 0xFFFFFFFF
_MAGIC = 0x377F0682  # the lowest bit says in which order the words of the checksums are


def rechained(log: bytes) -> bytes | None:
    """The log with its chain of checksums made anew, up to its last whole frame of the generation that is in force; None when it holds none."""
    if len(log) < HEADER + FRAME:
        return None
    page = _page_size(log)
    if page is None:
        return None
    step = FRAME + page
    frames = [log[at : at + step] for at in range(HEADER, len(log) - step + 1, step)]
    salts = Counter(frame[8:16] for frame in frames)
    if not salts:
        return None
    # Frames of an earlier generation lie behind those in force; a bit may have changed in any one's salt, the header's too.
    salt = log[16:24] if salts[log[16:24]] else salts.most_common(1)[0][0]
    last = max(number for number, frame in enumerate(frames) if frame[8:16] == salt)
    order = ">" if _big(log) else "<"
    head = struct.pack(">IIII", _MAGIC | int(order == ">"), 3007000, page, struct.unpack(">I", log[12:16])[0])
    head += salt
    one, two = _sum(head, order, 0, 0)
    made = [head + struct.pack(">II", one, two)]
    before: tuple[int, ...] = struct.unpack(">II", log[24:32])
    if not _follows(frames[0], order, before):
        before = (one, two)  # the header's own checksum may be what has changed
    for frame, then in zip(frames[: last + 1], [*frames[1 : last + 1], None], strict=True):
        frame, before = _mended(frame, order, before, then)
        one, two = _sum(frame[:8] + frame[FRAME:], order, one, two)
        made.append(frame[:8] + salt + struct.pack(">II", one, two) + frame[FRAME:])
    return b"".join(made)


def _follows(frame: bytes, order: str, before: tuple[int, ...]) -> bool:
    return _sum(frame[:8] + frame[FRAME:], order, *before) == struct.unpack(">II", frame[16:24])


def _mended(
    frame: bytes, order: str, before: tuple[int, ...], then: bytes | None
) -> tuple[bytes, tuple[int, ...]]:
    """The frame, with the one bit put right that its checksum says has changed, if it was one; and the checksum that the next one builds on."""
    said = struct.unpack(">II", frame[16:24])
    data = frame[:8] + frame[FRAME:]
    found = _sum(data, order, *before)
    if found == said:
        return frame, said
    if then is not None and _follows(then, order, found):
        return frame, found  # the checksum itself has changed
    off = (said[0] - found[0]) & _MASK, (said[1] - found[1]) & _MASK
    pairs = len(data) // 8
    # What a change of 1 in a pair's first or second word does to the two sums at the end, the last pair first: each pair behind it
    # takes (a, b) to (a + b, a + 2b).
    effects = [(1, 1), (0, 1)]
    for pair in range(pairs - 1, -1, -1):
        for word, (a, b) in enumerate(effects):
            for bit in range(32):
                for change in (1 << bit, -(1 << bit)):
                    if (a * change) & _MASK == off[0] and (b * change) & _MASK == off[1]:
                        at = 8 * pair + 4 * word
                        (value,) = struct.unpack_from(f"{order}I", data, at)
                        if 0 <= value + change <= _MASK and (value ^ (value + change)) == 1 << bit:
                            data = data[:at] + struct.pack(f"{order}I", value + change) + data[at + 4 :]
                            return data[:8] + frame[8:FRAME] + data[8:], said
        effects = [((a + b) & _MASK, (a + 2 * b) & _MASK) for a, b in effects]
    return frame, said


def _big(log: bytes) -> bool:
    return bool(struct.unpack(">I", log[:4])[0] & 1)


def _page_size(log: bytes) -> int | None:
    """As the header says, or, when that has been changed, the one by which the frames lie one behind the other."""
    said = struct.unpack(">I", log[8:12])[0]
    sizes = [1 << power for power in range(9, 17)]
    if said in sizes:
        return int(said)
    for size in sizes:
        step = FRAME + size
        salts = {log[at + 8 : at + 16] for at in range(HEADER, len(log) - step + 1, step)}
        if 0 < len(salts) <= 2 and len(log) >= HEADER + 2 * step:
            return size
    return None


def _sum(data: bytes, order: str, one: int, two: int) -> tuple[int, int]:
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for at in range(0, len(words), 2):
        one = (one + words[at] + two) & _MASK
        two = (two + words[at + 1] + one) & _MASK
    return one, two
