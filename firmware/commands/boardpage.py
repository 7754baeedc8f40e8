"""A page to click the squares of an own board on, in any browser, without a network: it writes out what ``thoth board learn`` reads."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from html import escape

CORNERS = ("top left", "top right", "bottom right", "bottom left")
"""In the order in which they are told, as one reads the board."""


def page(
    jpeg: bytes,
    size: tuple[int, int],
    shown: float,
    squares: Sequence[str],
    figures: Sequence[str],
    name: str,
) -> str:
    """The page as HTML. ``jpeg`` is the photo at ``shown`` of its ``size`` (px), kept within the page; ``squares`` and ``figures`` are to be
    clicked after the corners, ``name`` is the photo's."""
    wanted = [{"line": "corner", "say": f"the board's {corner} corner"} for corner in CORNERS]
    wanted += [{"line": f"square {one}", "say": f"the middle of {one}"} for one in squares]
    wanted += [{"line": f"figure {one}", "say": f"{one}, on its body"} for one in figures]
    file = file_of(figures)
    script = (
        _SCRIPT.replace("WANTED", json.dumps(wanted))
        .replace("FILE", file)
        .replace("SHOWN", repr(shown))
        .replace("PHOTO", f"{size[0]} {size[1]}")
    )
    picture = base64.b64encode(jpeg).decode()
    # Of the board whose figures are shown the size is known already.
    filled = _HTML.replace("SIZE", "" if figures else _SIZE).replace("FILE", file)
    return filled.replace("TITLE", escape(name)).replace("PICTURE", picture).replace("SCRIPT", script)


def file_of(figures: Sequence[str]) -> str:
    """What the page saves, as the browser names it."""
    return "figures.txt" if figures else "board.txt"


_HTML = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Thoth: the squares of TITLE</title>
<style>
body { margin: 0; font: 16px/1.4 system-ui, sans-serif; color: #2a1f14; background: #f6eedd; display: flex; height: 100vh }
#stage { flex: 1; overflow: auto; position: relative; cursor: crosshair }
#board { position: relative; display: inline-block }
#board img { display: block; user-select: none; -webkit-user-drag: none }
.dot { position: absolute; width: 12px; height: 12px; margin: -7px; border: 2px solid #fff; border-radius: 50%; background: #a3282c;
  box-shadow: 0 0 3px #000; pointer-events: none }
.dot span { position: absolute; left: 14px; top: -5px; background: #fffae8e0; padding: 0 4px; border-radius: 3px; white-space: nowrap;
  font-size: 13px; color: #2a1f14 }
aside { width: 19rem; padding: 1rem; box-sizing: border-box; overflow: auto; border-left: 1px solid #cbb892 }
h1 { font-size: 1.1rem; margin: 0 0 .6rem } #now { font-weight: 600; font-size: 1.15rem; min-height: 3.2rem }
button, input { font: inherit; padding: .35rem .6rem; margin: .15rem 0 } input { width: 3.5rem } label { white-space: nowrap }
#save { font-weight: 600 } #missing { color: #a3282c; margin: 0 } textarea { width: 100%; height: 9rem; font: 12px monospace; box-sizing: border-box }
</style>
<div id="stage"><div id="board"><img alt="the board" src="data:image/jpeg;base64,PICTURE"></div></div>
<aside><h1>TITLE</h1>
SIZE<p>Now click</p><p id="now"></p>
<p><button id="undo">Back</button> <button id="skip">Not on my board</button><br><button id="out">&minus;</button> <button id="in">+</button> larger or smaller</p>
<p><button id="save">Save FILE</button></p><p id="missing" role="status"></p>
<p>Then: <code>thoth board learn PHOTO --clicks FILE --gallery FOLDER</code></p>
<textarea id="text" readonly aria-label="what was clicked"></textarea>
</aside><script>SCRIPT</script></html>
"""

_SIZE = """<p>How large is the board, in mm?<br><label>wide <input id="wide" inputmode="decimal"></label>
<label>high <input id="high" inputmode="decimal"></label></p>
"""

_SCRIPT = """
const wanted = WANTED, done = [], $ = id => document.getElementById(id);
const image = document.querySelector("#board img"), stage = $("stage");
let zoom = 1, least = 0.1;
// Some keyboards write a comma in a number.
const mm = id => { const said = Number($(id).value.trim().replace(",", ".")); return said > 0 ? said : null; };
const sized = () => !$("wide") || (mm("wide") !== null && mm("high") !== null);
function text() {
  const lines = ["photo PHOTO"];
  if ($("wide") && sized()) lines.push("size " + mm("wide") + " " + mm("high"));
  for (const one of done) if (one.x !== null) lines.push(one.line + " " + one.x + " " + one.y);
  return lines.join("\\n") + "\\n";
}
function draw() {
  document.querySelectorAll(".dot").forEach(dot => dot.remove());
  done.forEach((one, at) => {
    if (one.x === null) return;
    const dot = document.createElement("div"), name = document.createElement("span");
    dot.className = "dot"; dot.style.left = one.x * SHOWN * zoom + "px"; dot.style.top = one.y * SHOWN * zoom + "px";
    name.textContent = one.line.split(" ")[1] || wanted[at].say.split(" ").slice(2, 4).join(" ");
    dot.append(name); $("board").append(dot);
  });
  const next = wanted[done.length];
  $("now").textContent = next ? next.say + " (" + (done.length + 1) + " of " + wanted.length + ")" : "That is all: save it.";
  $("text").value = text(); $("missing").textContent = "";
}
$("board").onclick = event => {
  if (done.length >= wanted.length) return;
  const edge = image.getBoundingClientRect();
  done.push({ line: wanted[done.length].line, x: Math.round((event.clientX - edge.left) / zoom / SHOWN * 10) / 10,
    y: Math.round((event.clientY - edge.top) / zoom / SHOWN * 10) / 10 });
  draw();
};
$("undo").onclick = () => { done.pop(); draw(); };
$("skip").onclick = () => {
  const next = wanted[done.length];
  if (next && next.line !== "corner") { done.push({ line: next.line, x: null, y: null }); draw(); }
};
// What stands in the middle stays there.
function scale(by) {
  const before = zoom, x = stage.scrollLeft + stage.clientWidth / 2, y = stage.scrollTop + stage.clientHeight / 2;
  zoom = Math.min(4, Math.max(least, zoom * by));
  image.style.width = image.naturalWidth * zoom + "px";
  draw();
  stage.scrollLeft = x * zoom / before - stage.clientWidth / 2; stage.scrollTop = y * zoom / before - stage.clientHeight / 2;
}
function fit() {
  least = Math.min(1, stage.clientWidth / image.naturalWidth, stage.clientHeight / image.naturalHeight);
  scale(least / zoom);
}
$("in").onclick = () => scale(1.25); $("out").onclick = () => scale(0.8);
if ($("wide")) $("wide").oninput = $("high").oninput = draw;
$("save").onclick = () => {
  const corners = done.filter(one => one.line === "corner").length;
  if (corners < 4 || !sized()) {
    $("missing").textContent = corners < 4 ? "First click the board's four corners." : "First say how large the board is: two numbers, in mm.";
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text()], { type: "text/plain" })); link.download = "FILE"; link.click();
};
draw();
if (image.complete) fit(); else image.onload = fit;
"""
