// A question before something that cannot be taken back.

import { h } from "./dom.js";

/** Whether the reader is sure. The keyboard stays inside, Escape says no, and the focus goes back to where it was. */
export function certain(question, consequence, yes) {
  const answer = (value) =>
    h("button", { type: "submit", value, class: value ? "danger" : "", autofocus: !value }, value ? yes : "Keep it");
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
