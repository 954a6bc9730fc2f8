// A confirmation dialog for actions that cannot be undone.

import { h } from "./dom.js";

/** Resolves to true on confirmation. Focus stays in the dialog and returns afterwards; Escape cancels. */
export function certain(question, consequence, yes) {
  const answer = (value) =>
    h("button", { type: "submit", value, class: value ? "danger" : "", autofocus: !value }, value ? yes : "Cancel");
  const dialog = h(
    "dialog",
    { class: "ask", "aria-labelledby": "ask-question", "aria-describedby": "ask-consequence" },
    h(
      "form",
      { method: "dialog" },
      h("h2", { id: "ask-question" }, question),
      h("p", { id: "ask-consequence" }, consequence),
      h("div", { class: "row" }, answer("yes"), answer("")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((tell) =>
    dialog.addEventListener("close", () => {
      dialog.remove();
      tell(dialog.returnValue === "yes");
    }),
  );
}
