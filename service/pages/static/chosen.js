// The words that a reader has marked in a book's text, as a passage with an address of its own.

import { h } from "./dom.js";

/** Words that remember where in the book they stand. */
export function placed(words, start) {
  const node = document.createTextNode(words);
  node.start = start;
  return node;
}

/** The book counts characters, the browser the halves of some. */
const after = (node, offset) => node.start + Array.from(node.data.slice(0, offset)).length;

/** The passage that is marked inside an element; null if there is none. */
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

/** A button that is there while words are marked, and goes to their address; `address` makes one of a passage. */
export function linking(within, address) {
  const go = () => {
    const passage = chosen(within);
    if (!passage) return;
    const link = new URL(address(passage), location.href);
    navigator.clipboard?.writeText(link.href).catch(() => {}); // the address bar has it in any case
    getSelection().removeAllRanges();
    location.href = link.href;
  };
  const button = h(
    "button",
    { class: "quiet", type: "button", hidden: true, onmousedown: (event) => event.preventDefault(), onclick: go },
    "Link to these words",
  );
  document.addEventListener("selectionchange", () => {
    button.hidden = !chosen(within);
  });
  return button;
}
