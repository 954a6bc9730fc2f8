// What several people have in common: relationships, what the book says of both, shared passages and company.

import { get } from "./api.js";
import { h, listed, plural } from "./dom.js";
import { gated } from "./gate.js";
import { extent, meetings } from "./meetings.js";
import { cites, quotation } from "./profile.js";
import { links } from "./shell.js";

const PEOPLE = 50;
const PAIRS = 10;
const COMPANY = 8;
const PLACES = 2;
const QUOTATIONS = 6;

export async function shared(book, ids) {
  if (ids.length < 2) return h("p", { class: "soft" }, "Choose two or more people to compare them.");
  const at = (id) => `/books/${book}/characters/${encodeURIComponent(id)}`;
  const [net, ...told] = await Promise.all([
    get(`/books/${book}/network`, { k: PEOPLE, ...gated(book) }),
    ...ids.map((id) => get(`${at(id)}/profile`, gated(book))),
  ]);
  const names = new Map(
    [...net.people, ...told.flatMap((one) => [one.character, ...one.people])].map((person) => [person.id, person.name]),
  );
  const edges = met(net, told);
  const parts = [
    relationships(book, names, told),
    quotations(book, names, told),
    together(book, ids, edges, names),
    company(book, ids, edges, names),
  ].filter(Boolean);
  return h(
    "section",
    { class: "shared", "aria-labelledby": "shared" },
    h("h2", { id: "shared" }, "In common"),
    parts.length
      ? [all(book, told), h("div", { class: "parts" }, parts)]
      : h("p", {}, "They never appear in the same paragraph, and no relationship between them was found."),
  );
}

const named = (book, id, names) => h("a", { href: links.person(book, id) }, names.get(id) ?? "someone");

/** Each pair's relationships: of "her sister" and "his sister" the one with more certainty. */
function relationships(book, names, told) {
  const ids = new Set(told.map((one) => one.character.id));
  const best = new Map();
  for (const { character, ties } of told) {
    for (const tie of ties.filter((t) => ids.has(t.other))) {
      const pair = [character.id, tie.other].sort().join(" ");
      if (!best.has(pair) || best.get(pair).certainty < tie.certainty) best.set(pair, { ...tie, one: character.id });
    }
  }
  return listed(
    "Relationships",
    [...best.values()].map((tie) => [
      named(book, tie.one, names),
      ` is the ${tie.predicate} of `,
      named(book, tie.other, names),
      cites(book, tie.citations, tie.one, PLACES),
    ]),
  );
}

/** Quotations on the card of one of them that mention another, in story order. */
function quotations(book, names, told) {
  const ids = new Set(told.map((one) => one.character.id));
  const found = new Map();
  for (const one of told) {
    const card = [one.role, one.looks, one.nature, one.said_by_others, one.turning_points, one.own_words].flat();
    for (const q of card.filter((q) => q.mentions.some((id) => ids.has(id))))
      if (!found.has(q.citation.span.start)) found.set(q.citation.span.start, { q, who: one.character.id });
  }
  const lines = [...found.values()].sort((a, b) => a.q.citation.span.start - b.q.citation.span.start);
  return listed(
    "What the book says",
    lines.slice(0, QUOTATIONS).map(({ q, who }) => quotation(book, names, q, who)),
  );
}

/** Who appears with whom: from the network for the main people, from their own company for the others. */
function met(net, told) {
  const found = new Map();
  const add = (one, other, edge) => {
    if (!found.has(one)) found.set(one, new Map());
    if (!found.get(one).has(other)) found.get(one).set(other, edge);
  };
  const both = (one, other, edge) => [add(one, other, edge), add(other, one, edge)];
  net.edges.forEach((edge) => both(edge.one, edge.other, edge));
  told.forEach(({ character, company: own }) =>
    own.forEach((c) => both(character.id, c.other, { ...c, weight: c.together + c.spoken })),
  );
  return found;
}

/** Every pair that appears together, closest first, with passages on demand. */
function together(book, ids, edges, names) {
  const pairs = ids
    .flatMap((one, n) =>
      ids.slice(n + 1).map((other) => ({ one, other, ...edges.get(one)?.get(other), first: one, second: other })),
    )
    .filter((pair) => pair.weight)
    .sort((a, b) => b.weight - a.weight);
  const apart = ids.filter((id) => !pairs.some((p) => p.first === id || p.second === id)).map((id) => names.get(id));
  const rows = pairs.slice(0, PAIRS).map((pair) => {
    const known = extent(pair);
    const since = pair.chapters.length ? `, from chapter ${Math.min(...pair.chapters)}` : "";
    return [
      named(book, pair.first, names),
      " and ",
      named(book, pair.second, names),
      h("span", { class: "soft" }, `: ${known.join(", ")}${since}`),
      passages(book, pair),
    ];
  });
  if (rows.length && apart.length)
    rows.push(`${apart.join(" and ")} ${apart.length > 1 ? "do" : "does"} not appear with any of the others.`);
  return listed("Appear together", rows);
}

function passages(book, pair) {
  const found = meetings(book, pair.first, pair.second, gated(book));
  return h(
    "details",
    { ontoggle: (event) => event.target.open && found.start() },
    h("summary", {}, "Passages"),
    found.parts,
  );
}

/** People who appear with every one of them. */
function company(book, ids, edges, names) {
  const [first, ...rest] = ids.map((id) => edges.get(id) ?? new Map());
  const common = [...first]
    .filter(([id]) => !ids.includes(id) && rest.every((other) => other.has(id)))
    .map(([id, edge]) => [id, Math.min(edge.weight, ...rest.map((other) => other.get(id).weight))])
    .sort((a, b) => b[1] - a[1])
    .slice(0, COMPANY);
  if (!common.length) return null;
  const who = ids.length === 2 ? "Both" : "All of them";
  return h(
    "div",
    {},
    h("h3", {}, "People in common"),
    h(
      "p",
      {},
      `${who} appear with `,
      common.map(([id], at) => [at ? (at === common.length - 1 ? " and " : ", ") : "", named(book, id, names)]),
      ".",
    ),
  );
}

function all(book, told) {
  const [first, ...rest] = told.map((one) => one.presence.chapters);
  const common = first.filter((chapter) => rest.every((other) => other.includes(chapter)));
  const who = told.length === 2 ? "Both" : "All of them";
  return h(
    "p",
    { class: "soft" },
    common.length
      ? `${who} appear in ${plural(common.length, "chapter")}, first in chapter ${common[0]}.`
      : "They do not all appear in the same chapter.",
  );
}
