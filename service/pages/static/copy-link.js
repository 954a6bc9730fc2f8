// A button that copies a link. Where the browser has no clipboard for the page, it shows the link to copy.

import { fill, h } from "./dom.js";

/** `link` makes the link when the button is pressed. */
export function copyLink(words, link) {
  const told = h("span", { class: "small", role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link());
      fill(told, "Copied.");
    } catch {
      const field = h("input", { readonly: true, value: link(), "aria-label": "The link to copy" });
      fill(told, field);
      field.select();
    }
  };
  return [h("button", { class: "quiet", type: "button", onclick: copy }, words), told];
}
