"""A game in a browser: one HTML file that replays, tells and proves it, and a checker for such files.

`document.py` puts a file together from HTML, styles and scripts; it loads nothing, and its
Content-Security-Policy of hashes lets nothing else run. The scripts are those of this folder, byte for byte,
in the order of `SCRIPTS` in `page.py`, after one line with what they say in the reader's language. Each is a
plain script, without a build step; what it offers to those after it is one constant, named as the file:
`formulas`, `proof`, `mapCheck` (`map-check.js`).

What a page of a game holds, for whoever adds to it:

* `<script type="application/json" id="…">` is data, read with `JSON.parse` of its text. `log` is the log as
  it stands in the game file, `draws` what each draw was drawn among (`data.py`). Other data has its own.
* `<section id="board">` has the map and the buttons of `board.py`; `board.js` draws on it what `replay.js`
  tells it to, out of the data `scene` (`scene.py`). `<ol id="story">` has an `<li id="entry-57">` for each
  entry, in which each event is a `<p class="told">`. `<section id="luck">` is text, and `page-proof.js` fills
  `<section id="proof">`. `<section id="chances">` is there where a report was wanted; its chart is SVG and
  links, without a script.
* In an address `#57` is entry 57 on the map, `#entry-57` its place in the story, `#beat-12` how the draws of
  that beat came about.
* The root element has `data-proof` (`holds`, `fails`, `unchecked`) and, where an entry fails, `data-failed`.
  Then comes the event `proof` on `document`; its `detail` is what `proof.check` has found.

The board to play at (`pbem play`) is a page too, of the map and the same `board.js`; `server.py` serves it,
and it asks the desk through `board_session.py` (docs/decisions/0021-play.md).

Whatever comes from a file is text, escaped here and `textContent` in the scripts, and never markup.
"""
