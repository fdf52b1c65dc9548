"""A game in a browser: one HTML file that tells and proves it, and a checker for such files.

A page is put together by `document.document` from HTML, styles and scripts; nothing in it is loaded from
anywhere, and a Content-Security-Policy of hashes lets nothing else run. The scripts are those of this folder,
byte for byte and in the order named, each a plain script: what it offers to those after it is one constant, named
as the file (`formulas`, `proof`, `recipes`). There is no build step.

What a page of a game holds, for whoever adds to it:

* `<script type="application/json" id="…">`: data, read with `JSON.parse` of its text. `log` is the log as it
  stands in the game file; `draws` what each draw was drawn among (`data.py`). More data has more such scripts.
* `<section id="board">` is empty, for the map; `<ol id="story">` holds an `<li id="entry-57" value="57">` for each
  entry; `<section id="luck">` is empty; `<section id="proof">` is filled by `proved.js`.
* In an address `#57` means entry 57 on the map, `#entry-57` its place in the story, `#beat-12` the recipe of that
  beat's draws.
* The root element carries `data-proof` (`holds`, `fails`, `unchecked`) and, where an entry fails, `data-failed`.
  The event `proof` on `document` says that it is done; its `detail` is what `proof.check` has found.

Whatever comes from a file is text: escaped here, `textContent` in the scripts, and never markup.
"""
