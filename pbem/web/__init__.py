"""A game in a browser: one HTML file that replays, describes and proves it, and a checker for such files.

`html_file.py` puts a file together from HTML, styles and scripts. The file loads nothing, and its
Content-Security-Policy of hashes allows nothing else to run. The scripts are those of this folder, byte for
byte, in the order of `PAGE_SCRIPTS` in `game_page.py`, after one line with translations into the reader's
language. Each is a plain script, without a build step; what it offers to those after it is one constant,
named after the file: `formulas`, `proof`, `mapCheck` (`map-check.js`).

What the page of a game contains, for those who change it:

* `<script type="application/json" id="…">` is data, read with `JSON.parse` from its text. `log` is the log
  as it is in the game file, `draws` the possible outcomes of each draw. Other data has its own.
* `<section id="board">` has the map and its buttons; `board.js` draws on it what `replay.js` asks for, from
  the data `scene` (`scene.py`). `<ol id="story">` has an `<li id="entry-57">` for each entry, in which each
  event is a `<p class="told">`. `<section id="luck">` is text, and `page-proof.js` fills
  `<section id="proof">`. `<section id="chances">` is there if a report was requested; its chart is SVG and
  links, without a script.
* In an address `#57` is entry 57 on the map, `#entry-57` its place in the story, `#beat-12` the computation
  of that beat's draws.
* The root element has `data-proof` (`holds`, `fails`, `unchecked`) and, if an entry fails, `data-failed`.
  Then the event `proof` is dispatched on `document`; its `detail` is the result of `proof.check`.

The board (`pbem play`) is a page too, with the map and the same `board.js`: `board_page.py`. So is the lobby
before it, `lobby_page.py`. `pages.py` lists the functions they can call, `board_session.py` and
`lobby_session.py` implement them, and `board_server.py` serves them (docs/decisions/0021-play.md). Both send
games through `departure.py`; the plan on the board is `plan_panel.py`.

All content of a game file is text, escaped here and set as `textContent` in the scripts, never markup.
"""
