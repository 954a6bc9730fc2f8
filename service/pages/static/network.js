// Relationships: people on a circle, close pairs side by side; the thicker a line, the more two people appear together.

import { get } from "./api.js";
import { button, fill, h, showFirst, svg, titled } from "./dom.js";
import { gated, read } from "./gate.js";
import { extent, meetings } from "./meetings.js";
import { links, trouble } from "./shell.js";
import { hue } from "./text.js";

const WIDE = { across: 640, down: 640, longest: 24 }; // the circle, and the characters of a name
const NARROW = { across: 240, down: 680, longest: 16 }; // so that names can be read where all is in one column
const FONT = "22px"; // of names, in the style sheet too
const MOST = 14;
const EDGES = 40;
const PAIRS = 10;
const WAIT_MS = 150;

/** The whole section; it loads its own data, and again for each chapter that is chosen. */
export function networkSection(book, chapters) {
  const drawn = h("div", { class: "network", "aria-busy": "true" });
  const known = read(book, chapters);
  const last = known.length;
  const words = h("output", { for: "far" });
  const tell = (number) => {
    words.textContent = `chapter ${number} of ${last}`;
  };
  let asked = 0;
  const draw = async (number) => {
    const mine = ++asked;
    tell(number);
    const params = number === last ? gated(book) : { upto: `ch:${number}` };
    const found = await get(`/books/${book}/network`, params).catch((error) => error);
    if (mine === asked)
      fill(drawn, found instanceof Error ? trouble(found) : network(book, found, params)).removeAttribute("aria-busy");
  };
  let waiting;
  const far = h("input", {
    type: "range",
    id: "far",
    min: 1,
    max: last,
    value: last,
    oninput: () => {
      tell(Number(far.value));
      clearTimeout(waiting);
      waiting = setTimeout(() => draw(Number(far.value)), WAIT_MS);
    },
  });
  draw(last);
  return titled(
    "network",
    "Relationships",
    last > 1 && h("p", { class: "row" }, h("label", { for: "far" }, "Up to"), far, words),
    drawn,
  );
}

function network(book, found, params) {
  const rank = new Map(found.people.map((p, at) => [p.id, at]));
  const named = new Map(found.people.map((p) => [p.id, p.name]));
  const edges = found.edges.slice(0, EDGES);
  const inside = found.people.filter((p) => edges.some((e) => e.one === p.id || e.other === p.id)).slice(0, MOST);
  const ids = new Set(inside.map((p) => p.id));
  const shown = edges.filter((e) => ids.has(e.one) && ids.has(e.other));
  if (!shown.length) return h("p", { class: "soft" }, "No relationships found yet.");
  const shape = matchMedia("(max-width: 50rem)").matches ? NARROW : WIDE;
  const at = around(ordered(inside, shown), shape);
  const heaviest = shown[0].weight;
  const detail = h(
    "div",
    { class: "detail", "aria-live": "polite" },
    h("p", { class: "soft" }, "Choose a line or a pair from the list to see the passages."),
  );
  const lines = new Map();
  const choose = (edge) => {
    lines.forEach((line, its) => line.classList.toggle("chosen", its === edge));
    fill(detail, told(book, edge, named, params));
  };
  const light = (id, on) =>
    lines.forEach((line, edge) => line.classList.toggle("faint", on && edge.one !== id && edge.other !== id));
  const line = (edge) => {
    const title = `${named.get(edge.one)} and ${named.get(edge.other)}`;
    const drawn = curve(edge, at, { shape, heaviest, title, onclick: () => choose(edge) });
    lines.set(edge, drawn);
    return drawn;
  };
  const short = (name) => (name.length > shape.longest ? `${name.slice(0, shape.longest - 1)}…` : name);
  const radius = (person) => 5 + 9 * Math.sqrt(person.mention_count / found.people[0].mention_count);
  const right = (person) => at.get(person.id).x >= shape.across / 2;
  const dot = (person) => {
    const { x, y } = at.get(person.id);
    const size = radius(person);
    return svg(
      "a",
      {
        href: links.person(book, person.id),
        "--hue": hue(rank.get(person.id)),
        onmouseenter: () => light(person.id, true),
        onmouseleave: () => light(person.id, false),
        onfocus: () => light(person.id, true),
        onblur: () => light(person.id, false),
      },
      svg("circle", { cx: x, cy: y, r: size.toFixed(1) }),
      svg(
        "text",
        { x: x + (right(person) ? size + 6 : -size - 6), y: y + 6, "text-anchor": right(person) ? "start" : "end" },
        short(person.name),
      ),
      svg("title", {}, person.name),
    );
  };
  const pair = (edge) => {
    const words = `${named.get(edge.one)} – ${named.get(edge.other)}`;
    return h("li", {}, button(words, () => choose(edge), { class: "link" }));
  };
  const pairs = h("ol", { class: "pairs" });
  const rest = showFirst(PAIRS, pairs, shown, pair, `Show all ${shown.length} pairs`);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${FONT} ${getComputedStyle(document.body).fontFamily}`;
  const ends = inside.map((person) => {
    const reach = radius(person) + 10 + pen.measureText(short(person.name)).width;
    return at.get(person.id).x + (right(person) ? reach : -reach);
  });
  const from = Math.min(0, ...ends);
  const across = Math.max(shape.across, ...ends) - from;
  return [
    svg(
      "svg",
      { viewBox: `${from} -20 ${across} ${shape.down + 40}`, role: "group", "aria-label": "Network of the main people" },
      shown.map(line).reverse(),
      inside.map(dot),
    ),
    h("div", {}, pairs, rest, detail),
  ];
}

/** The passages behind a line. */
function told(book, edge, named, params) {
  const passages = meetings(book, edge.one, edge.other, params);
  passages.start();
  const known = extent(edge);
  return [
    h("h3", {}, `${named.get(edge.one)} and ${named.get(edge.other)}`),
    h("p", { class: "soft" }, `${known.join(" and ")}.`),
    passages.parts,
  ];
}

function curve(edge, at, { shape, heaviest, title, onclick }) {
  const [a, b] = [at.get(edge.one), at.get(edge.other)];
  const pull = 0.35; // towards the middle, so that lines separate
  const bend = (side, length) => ((a[side] + b[side]) / 2) * pull + (length / 2) * (1 - pull);
  return svg(
    "path",
    {
      class: "edge",
      d: `M${a.x} ${a.y}Q${bend("x", shape.across).toFixed(0)} ${bend("y", shape.down).toFixed(0)} ${b.x} ${b.y}`,
      "--weight": (0.18 + (0.82 * edge.weight) / heaviest).toFixed(3),
      "stroke-width": (1.5 + (10 * edge.weight) / heaviest).toFixed(1),
      onclick,
    },
    svg("title", {}, title),
  );
}

/** Orders people so that close pairs stand side by side where possible. */
function ordered(people, edges) {
  const left = new Map(people.map((p) => [p.id, p]));
  const found = [];
  let last = people[0]?.id;
  while (left.size) {
    if (!left.has(last)) last = left.keys().next().value;
    found.push(left.get(last));
    left.delete(last);
    const next = edges.find((e) => (e.one === last && left.has(e.other)) || (e.other === last && left.has(e.one)));
    last = next && (next.one === last ? next.other : next.one);
  }
  return found;
}

function around(people, { across, down }) {
  const turn = (2 * Math.PI) / people.length;
  const place = (n) => ({
    x: Math.round(across / 2 + (across / 2 - 20) * Math.sin(n * turn)),
    y: Math.round(down / 2 - (down / 2 - 20) * Math.cos(n * turn)),
  });
  return new Map(people.map((p, n) => [p.id, place(n)]));
}
