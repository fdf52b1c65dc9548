"use strict";
/*
 * A move that comes in while the board is open: the board shows it, the title of the window says whose move it is, and two
 * notes are played, which a click turns off for good.
 */

const yourMove = (() => {
  const { byId } = board;
  const { tr } = texts;
  /** The notes: when each begins, in seconds, and its frequency. @type {[number, number][]} */
  const NOTES = [
    [0, 660],
    [0.18, 880],
  ];
  const SILENT = "pbem-silent";
  const title = document.title;

  /** Begin; the box beside the names of the players turns the sound off and on. */
  function start() {
    byId("tones").hidden = transport.inBrowser; // there a move comes in by the player's hand alone
    byId("sound").checked = !isSilent();
    byId("sound").onchange = () => preferences.keep(SILENT, String(!byId("sound").checked));
    for (const kind of ["pointerdown", "keydown"])
      addEventListener(kind, () => (document.title = title), { capture: true });
  }

  /** Whether the player has turned the sound off, at this board or at another. */
  const isSilent = () => preferences.recall(SILENT) === "true";

  /** Say that it is the player's move. */
  function announce() {
    document.title = `● ${tr("Your move")} · ${title}`;
    if (byId("sound").checked) play();
  }

  /** Play the notes; a browser in which nobody has clicked yet stays silent. */
  function play() {
    const sound = new AudioContext();
    for (const [begin, frequency] of NOTES) {
      const [note, volume] = [sound.createOscillator(), sound.createGain()];
      const at = sound.currentTime + begin;
      note.frequency.value = frequency;
      volume.gain.setValueAtTime(0.15, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + 0.3);
      note.connect(volume).connect(sound.destination);
      note.start(at);
      note.stop(at + 0.3);
      if (begin === NOTES.at(-1)?.[0]) note.onended = () => sound.close();
    }
  }

  return { start, announce };
})();
