"use strict";
/*
 * A move that arrives while the board is open: the board shows it, the title of the window says whose move it is, and two
 * notes are played, which a click turns off permanently.
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

  /** Start; the box beside the players' names turns the sound off and on. */
  function start() {
    byId("tones").hidden = transport.inBrowser; // in the browser edition, only the player brings in a move
    byId("sound").checked = !isSilent();
    byId("sound").onchange = () => preferences.keep(SILENT, String(!byId("sound").checked));
    for (const kind of ["pointerdown", "keydown"])
      addEventListener(kind, () => (document.title = title), { capture: true });
  }

  /** Whether the player has turned the sound off, on this board or another. */
  const isSilent = () => preferences.recall(SILENT) === "true";

  /** Announce that it is the player's move. */
  function announce() {
    document.title = `● ${tr("Your move")} · ${title}`;
    if (byId("sound").checked) play();
  }

  /** Play the notes; a browser without any click yet stays silent. */
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
