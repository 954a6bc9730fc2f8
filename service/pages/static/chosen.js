// Turns the text that a reader has selected into a passage with its own link.

import { h } from "./dom.js";

/** A text node that knows its offset in the book. */
export function placed(words, start) {
  const node = document.createTextNode(words);
  node.start = start;
  return node;
}

/** The book counts code points; the browser counts UTF-16 code units. */
const after = (node, offset) => node.start + Array.from(node.data.slice(0, offset)).length;

/** The selected passage inside an element, or null. */
export function chosen(within) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const texts = document.createTreeWalker(within, NodeFilter.SHOW_TEXT, (node) =>
    node.start !== undefined && range.intersectsNode(node) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
  );
  const first = texts.nextNode();
  if (!first) return null;
  let last = first;
  for (let next = texts.nextNode(); next; next = texts.nextNode()) last = next;
  const start = after(first, first === range.startContainer ? range.startOffset : 0);
  const end = after(last, last === range.endContainer ? range.endOffset : last.data.length);
  return start < end ? { start, end } : null;
}

/** A button that shows while text is selected and opens a link to it; `address` makes the link of a passage. */
export function linking(within, address) {
  const go = () => {
    const passage = chosen(within);
    if (!passage) return;
    const link = new URL(address(passage), location.href);
    navigator.clipboard?.writeText(link.href).catch(() => {}); // the address bar shows the link anyway
    getSelection().removeAllRanges();
    location.href = link.href;
  };
  const button = h(
    "button",
    { class: "quiet", type: "button", hidden: true, onmousedown: (event) => event.preventDefault(), onclick: go },
    "Link to selection",
  );
  document.addEventListener("selectionchange", () => {
    button.hidden = !chosen(within);
  });
  return button;
}
