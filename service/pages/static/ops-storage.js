// Disk usage by book, largest first.

import { get } from "./api.js";
import { h, number, plural, quiet } from "./dom.js";
import { bytes, figure, section, table } from "./ops-parts.js";
import { links, nextPage, titleOf } from "./shell.js";

const PAGE = 20;

const row = (one, most) =>
  h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h("a", { href: links.book(one.book) }, titleOf(one)),
      h("span", { class: "share", "--share": `${(100 * one.bytes.total) / most}%`, "aria-hidden": "true" }),
    ),
    figure(h("strong", {}, bytes(one.bytes.total))),
    figure(bytes(one.bytes.source)),
    figure(bytes(one.bytes.reading)),
    figure(bytes(one.bytes.index)),
    figure(bytes(one.bytes.other)),
  );

function summary({ books, measured, bytes: whole, disk_free: free, disk_size: size }) {
  const sum = `${plural(measured, "book")} use${measured === 1 ? "s" : ""} ${bytes(whole.total)}`;
  return [
    h(
      "p",
      {},
      measured < books ? `${sum}; ${number(books - measured)} more are not measured yet. ` : `${sum}. `,
      `${bytes(free)} of ${bytes(size)} disk space is free.`,
    ),
    h("meter", {
      min: 0,
      max: size,
      low: 0.8 * size,
      high: 0.95 * size,
      optimum: 0,
      value: size - free,
      "aria-label": `The disk is ${Math.round((100 * (size - free)) / size)} % full`,
    }),
  ];
}

export const storage = () =>
  section("storage", "Storage", "", async (again) => {
    const first = await get("/operations/storage", { limit: PAGE });
    const most = Math.max(1, ...first.items.map((one) => one.bytes.total));
    const shown = table(
      "Storage by book",
      ["Book", "#Total", "#Source", "#Analysis", "#Index", "#Other"],
      first.items.map((one) => row(one, most)),
    );
    const more = nextPage("Show more books", first.next, async (cursor) => {
      const page = await get("/operations/storage", { limit: PAGE, cursor });
      const rows = page.items.map((one) => row(one, most));
      shown.querySelector("tbody").append(...rows);
      return { rows, next: page.next };
    });
    return [
      summary(first),
      first.items.length > 0 && [shown, more.parts],
      first.measured < first.books && quiet("Measure more", again),
    ];
  });
