"use strict";
/*
 * The player's settings: name, language, where to get pbem, the passphrase of the key, backup and restore.
 */

const lobbySettings = (() => {
  const { byId, setContent, paragraph } = dom;
  const { tr } = texts;
  const { ask, onSubmit, open } = lobbyDialogs;

  /** @type {LobbyState} */
  let state;

  /** @param {LobbyState} given */
  function show(given) {
    state = given;
    byId("unlock").hidden = !state.locked;
    byId("who").textContent = state.name;
    byId("folder").textContent = transport.inBrowser
      ? tr("This browser keeps your key and your games.")
      : tr("Your files: {folder}", { folder: state.folder });
  }

  /** @param {string[]} told */
  function tell(told) {
    setContent(byId("settings-done"), told.map(paragraph));
  }

  byId("open-settings").onclick = () => {
    byId("settings-name").value = state.name;
    byId("settings-lang").value = state.lang;
    byId("settings-get").value = state.get_it;
    tell(state.fingerprint ? [tr("Your key: {fingerprint}", { fingerprint: state.fingerprint })] : []);
    open("settings");
  };
  onSubmit("settings-form", async () => {
    const [name, lang, get_it] = ["name", "lang", "get"].map((part) => byId(`settings-${part}`).value);
    const before = state.lang;
    lobby.show(await ask("settings", { name, lang, get_it }));
    if (lang !== before) transport.reload();
    tell([tr("Saved.")]);
  });
  onSubmit("unlock", async () => {
    const passphrase = byId("unlock-word").value;
    byId("unlock-word").value = "";
    lobby.show(await ask("unlock", { passphrase }));
  });
  onSubmit("protect", async () => {
    const passphrase = byId("protect-word").value;
    if (passphrase !== byId("protect-again").value) throw new Error(tr("The two are not the same."));
    byId("protect-word").value = byId("protect-again").value = "";
    tell((await ask("protect", { passphrase })).told);
  });
  onSubmit("backup", async () => {
    const made = await ask("backup", { passphrase: byId("backup-word").value });
    transport.save(made.file);
    const word = paragraph(made.passphrase);
    word.className = "word";
    tell([
      tr("{file} is with your browser's downloads. You cannot open it without its passphrase:", {
        file: made.file.name,
      }),
    ]);
    byId("settings-done").append(word);
  });
  onSubmit("restore", async () => {
    const [file] = byId("restore-file").files;
    const [data, passphrase] = [await dom.toBase64(file), byId("restore-word").value];
    tell((await ask("restore", { data, passphrase })).told);
    lobby.show(await ask("state"));
  });

  return { show };
})();
