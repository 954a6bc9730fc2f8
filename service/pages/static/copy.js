// A button that copies a text or a link. Where the browser has no clipboard for the page, it shows what to copy.

import { fill, h, quiet } from "./dom.js";

/** `make` makes the text when the button is pressed; `field` is where it is shown if it cannot be copied. */
function copying(words, make, field) {
  const told = h("span", { class: "small", role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(make());
      fill(told, "Copied.");
    } catch {
      field.value = make();
      fill(told, field);
      field.select();
    }
  };
  return [quiet(words, copy), told];
}

export const copyLink = (words, link) =>
  copying(words, link, h("input", { readonly: true, "aria-label": "The link to copy" }));

export const copyText = (words, text) =>
  copying(words, text, h("textarea", { readonly: true, rows: 6, "aria-label": "The text to copy" }));
