"use strict";
/*
 * Mail through the player's own account: its servers are found from the address, tried, and saved. Problems are shown
 * beside their field. For Microsoft, the player gives pbem access on a Microsoft page, while this one waits.
 */

/**
 * @typedef {"password" | "token" | "microsoft"} MailLogin
 * @typedef {{told: string[], imap: string, smtp: string, user: string, login: MailLogin, advice: string}} ServersFound
 * @typedef {{page: string, code: string, minutes: number}} DeviceCode
 * @typedef {{is_possible: boolean, is_installed: boolean, told: string[], lines: string[]}} Watching
 */

const mailForm = (() => {
  const { byId, setContent, paragraph, listItem } = dom;
  const { tr } = texts;
  const { act, ask, onSubmit } = lobbyDialogs;

  /** Milliseconds before the page asks again whether the player has agreed. */
  const PAUSE = 3000;

  /** How the servers found let the player log in. @type {MailLogin} */
  let login = "password";
  /** The address whose servers are shown. */
  let address = "";
  let hasAccount = false;

  /** Show the present account. @param {LobbyState} state */
  function show(state) {
    byId("mail").hidden = transport.inBrowser;
    byId("mail-account").textContent = state.mail
      ? tr("Mail goes through your account {address}. The servers you save here replace the present ones.", {
          address: state.mail,
        })
      : tr("pbem can send and fetch your games by itself. You can also send every game by hand.");
    if (state.mail && !byId("mail-address").value) byId("mail-address").value = state.mail;
    hasAccount = Boolean(state.mail);
  }

  /** pbem's answer; a problem is shown beside its field.
   *  @param {string} what @param {object} request
   *  @returns {Promise<any>} nothing where there is a problem */
  async function askForm(what, request) {
    clearProblems();
    const answer = await ask(`mail/${what}`, request);
    if (!answer.field) return answer;
    showProblem(answer.field, answer.problem);
    return undefined;
  }

  function clearProblems() {
    for (const field of byId("mail").querySelectorAll("[aria-invalid]")) {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    }
    document.getElementById("mail-problem-here")?.remove();
  }

  /** @param {string} field @param {string} words */
  function showProblem(field, words) {
    const input = byId(`mail-${field}`);
    const said = paragraph(words);
    said.id = "mail-problem-here";
    said.className = "problem";
    said.setAttribute("role", "alert");
    input.closest("p").after(said);
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", said.id);
    input.focus();
  }

  onSubmit("mail-find", async () => {
    address = byId("mail-address").value.trim();
    byId("mail-save").hidden = true;
    setContent(byId("mail-done"), []);
    /** @type {ServersFound | undefined} */
    const found = await askForm("find", { address });
    if (!found) return;
    login = found.login;
    setContent(byId("mail-found"), found.told.map(listItem));
    for (const part of /** @type {const} */ (["imap", "smtp", "user"]))
      byId(`mail-${part}`).value = found[part];
    byId("mail-advice").textContent = found.advice;
    byId("mail-secret").hidden = login !== "password";
    byId("mail-code").hidden = true;
    byId("mail-save").hidden = false;
    byId(found.imap ? (login === "password" ? "mail-password" : "mail-user") : "mail-imap").focus();
  });

  onSubmit("mail-save", async () => {
    if (login === "microsoft" && !(await letIn())) return;
    const values = ["imap", "smtp", "user", "password"].map((part) => byId(`mail-${part}`).value);
    const [imap, smtp, user, password] = values;
    const saved = await askForm("save", { address, login, imap, smtp, user, password });
    if (!saved) return;
    byId("mail-password").value = "";
    byId("mail-save").hidden = true;
    setContent(byId("mail-done"), saved.told.map(paragraph));
    if (saved.problem) {
      const problem = paragraph(saved.problem);
      problem.className = "problem";
      byId("mail-done").append(problem);
    }
    lobby.show(await ask("state"));
    await watch("look");
  });

  /** Show the code, and wait until the player has agreed at Microsoft. Returns whether they have. */
  async function letIn() {
    const user = byId("mail-user").value;
    /** @type {DeviceCode | undefined} */
    const code = await askForm("microsoft", { user });
    if (!code) return false;
    byId("mail-page").textContent = byId("mail-page").href = code.page;
    byId("mail-word").textContent = code.code;
    byId("mail-minutes").textContent = tr(
      "pbem is waiting for you to let it in, for {number} minutes at most.",
      {
        number: code.minutes,
      },
    );
    byId("mail-code").hidden = false;
    const end = Date.now() + code.minutes * 60_000;
    while (byId("settings").open && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      const answer = await askForm("agreed", { user });
      if (!answer || answer.agreed) {
        byId("mail-code").hidden = true;
        return Boolean(answer);
      }
    }
    return false;
  }

  /** Show, install or remove the automatic check of the mail. @param {"look" | "install" | "remove"} deed */
  async function watch(deed) {
    /** @type {Watching} */
    const now = await ask("mail/watch", { act: deed });
    setContent(byId("mail-watch-told"), now.told.map(listItem));
    byId("mail-watch-lines").textContent = now.lines.join("\n");
    byId("mail-watch-lines").hidden = !now.lines.length || now.is_installed;
    byId("mail-install").hidden = !now.is_possible || now.is_installed;
    byId("mail-remove").hidden = !now.is_installed;
    byId("mail-watch").hidden = false;
  }

  byId("mail-install").onclick = () => act(() => watch("install"));
  byId("mail-remove").onclick = () => act(() => watch("remove"));
  byId("mail").ontoggle = () => {
    if (byId("mail").open && hasAccount) act(() => watch("look"));
  };

  return { show };
})();
