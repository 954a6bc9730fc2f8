// The passages in which two people appear together, a few at a time.

import { get } from "./api.js";
import { fill, h, plural } from "./dom.js";
import { links, trouble } from "./shell.js";
import { set } from "./text.js";

const PASSAGES = 5;

/** How often two people appear together and speak to each other. */
export const extent = ({ together, spoken }) =>
  [together && `${plural(together, "paragraph")} together`, spoken && `${plural(spoken, "exchange")}`].filter(Boolean);

/** `start` loads the first passages; `params` carries the gate. */
export function meetings(book, one, other, params) {
  const list = h("ul", { class: "passages" });
  const more = h("button", { class: "quiet", type: "button", onclick: later, hidden: true }, "More passages");
  const failed = h("div");
  let cursor;
  async function next() {
    more.disabled = true;
    fill(failed);
    try {
      const page = await get(`/books/${book}/meetings`, { name: [one, other], limit: PASSAGES, cursor, ...params });
      const rows = page.items.map((m) =>
        h(
          "li",
          {},
          h("a", { href: links.reader(book, m.span) }, `ch. ${m.chapter}`),
          " ",
          h("span", { class: "clipped" }, set(m.text)),
        ),
      );
      list.append(...rows);
      cursor = page.next;
      more.hidden = !cursor;
      return rows;
    } catch (error) {
      fill(failed, trouble(error));
      more.hidden = false; // to try again
      return [];
    } finally {
      more.disabled = false;
    }
  }
  /** The focus goes to the first of them: the button cannot hold it while it waits. */
  async function later() {
    const [first] = await next();
    (first?.querySelector("a") ?? more).focus();
  }
  return { parts: [list, more, failed], start: () => list.children.length || next() };
}
