// Processing a book again, as after an upgrade.

import { send } from "./api.js";
import { h, titled } from "./dom.js";
import { renumbered } from "./gate.js";
import { finished } from "./lib-progress.js";
import { trouble } from "./shell.js";

/**
 * `hold` is told when the section begins and ends to wait. `done` is called with a report once the book has been
 * processed.
 */
export function again(book, { hold, done }) {
  const state = h("div", { "aria-live": "polite" });
  const submit = h("button", { type: "button", onclick: order }, "Process again");
  function busy(is) {
    submit.disabled = is;
    hold(state.closest("section"), is);
  }
  async function order() {
    busy(true);
    try {
      const place = await renumbered(
        book.id,
        () => send("POST", `/books/${book.id}/reprocess`),
        (job) => finished(book, job, state, "Press the button again."),
      );
      await done(`The book was processed again. ${place}`);
    } catch (error) {
      busy(false);
      state.replaceChildren(trouble(error));
      if (document.activeElement === document.body) submit.focus(); // it lost the focus when it was disabled
    }
  }
  return titled(
    "again",
    "After an upgrade",
    h(
      "p",
      { class: "soft" },
      "A new version of Bookworm may know the people of this book better once it has processed it again. Your corrections stay.",
    ),
    h("div", { class: "correct" }, submit, state),
  );
}
