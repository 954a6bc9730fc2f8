// The passages in which two people appear together, a few at a time.

import { get } from "./api.js";
import { h, plural } from "./dom.js";
import { links, nextPage } from "./shell.js";
import { set } from "./text.js";

const PASSAGES = 5;

/** How often two people appear together and speak to each other. */
export const extent = ({ together, spoken }) =>
  [together && `${plural(together, "paragraph")} together`, spoken && `${plural(spoken, "exchange")}`].filter(Boolean);

/** `start` loads the first passages; `params` carries the gate. */
export function meetings(book, one, other, params) {
  const list = h("ul", { class: "passages" });
  const more = nextPage("More passages", null, async (cursor) => {
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
    return { rows, next: page.next };
  });
  return { parts: [list, more.parts], start: () => list.children.length || more.next() };
}
