// One person: what is written of them, where they are, whom they belong to.

import { get } from "./api.js";
import { fill, h, plural } from "./dom.js";
import { gated, gateForm } from "./gate.js";
import { crumbs, links, place, show, titleOf, trouble } from "./shell.js";
import { strip } from "./strip.js";
import { how, Writing } from "./writing.js";

const { book, person } = place();
const at = `/books/${book}/characters/${encodeURIComponent(person)}`;
const writing = new Writing(book);
const BEARINGS = {
  love: "loves", fondness: "is fond of", devotion: "is devoted to", admiration: "admires", trust: "trusts", gratitude: "is grateful to",
  pity: "pities", jealousy: "is jealous of", fear: "fears", dislike: "dislikes", hatred: "hates", contempt: "despises", proposal: "proposes to",
  refusal: "refuses", engagement: "becomes engaged to", elopement: "elopes with", marriage: "marries", killing: "kills", saving: "saves",
  betrayal: "betrays", forgiveness: "forgives",
};

function options() {
  const form = h("form", { class: "row ask", onsubmit: (event) => { event.preventDefault(); ask(form); } },
    h("label", { for: "task" }, "Write"), h("select", { id: "task", name: "task" }, h("option", { value: "description" }, "a short description"), h("option", { value: "analysis" }, "an analysis in depth")),
    how(), h("button", {}, "Write"));
  return form;
}

function ask(form) {
  const { task, ...params } = Object.fromEntries(new FormData(form));
  return writing.ask(`${at}/${task}`, { ...params, ...gated(book) });
}

function known(dossier, names) {
  const person = (id) => (names.has(id) ? h("a", { href: links.person(book, id) }, names.get(id)) : id);
  const source = (citations) => citations.slice(0, 3).map((c) => h("a", { class: "cite", href: links.reader(book, c.span), title: c.quote }, `ch. ${c.chapter}`));
  const group = (title, rows) => rows.length ? h("div", {}, h("h3", {}, title), h("ul", {}, rows)) : "";
  const spoken = dossier.speech;
  return h("section", { class: "dossier", "aria-labelledby": "known" }, h("h2", { id: "known" }, "What the book says"),
    group("Relations", dossier.ties.slice(0, 8).map((t) => h("li", {}, `${t.qualifier ? `${t.qualifier} ` : ""}${t.term} of `, t.other ? person(t.other) : t.other_name, " ", source(t.citations)))),
    group("Roles", dossier.roles.slice(0, 5).map((r) => h("li", {}, r.phrase, " ", source(r.citations)))),
    group("Looks and nature", dossier.portrait.slice(0, 6).map((p) => h("li", {}, p.text, " ", source(p.citations)))),
    group("Feelings and turning points", dossier.attitudes.slice(0, 10).map((a) => h("li", {}, person(a.holder), ` ${BEARINGS[a.bearing] ?? a.bearing} `, person(a.other), " ", source(a.citations)))),
    group("Qualities", dossier.qualities.slice(0, 8).map((q) => h("li", {}, q.text, q.speaker ? h("span", { class: "soft" }, " (", names.get(q.speaker) ?? "somebody", " says so)") : "", " ", source(q.citations)))),
    group("Most often with", dossier.company.slice(0, 6).map((c) => h("li", {}, person(c.other), h("span", { class: "soft" }, ` ${plural(c.together, "paragraph")}`)))),
    spoken?.quotes ? group("How they speak", [h("li", {}, `${plural(spoken.quotes, "speech", "speeches")}, ${Math.round(100 * spoken.share)} % of all that is spoken`),
      spoken.words_of_theirs.length ? h("li", {}, "says more than others: ", spoken.words_of_theirs.slice(0, 8).join(", ")) : ""]) : "");
}

show(async () => {
  const [about, { chapters }, who] = await Promise.all([get(`/books/${book}`), get(`/books/${book}/chapters`), get(at, gated(book))]);
  document.title = `${who.name} · ${titleOf(about)} · Bookworm`;
  const form = options();
  const drawer = h("div", {});
  Promise.all([get(`${at}/dossier`, gated(book)), get(`/books/${book}/characters`, gated(book))])
    .then(([dossier, cast]) => fill(drawer, known(dossier, new Map(cast.items.map((c) => [c.id, c.name])))), (error) => fill(drawer, trouble(error)));
  setTimeout(() => ask(form));
  return [
    crumbs(about),
    h("h1", {}, who.name),
    h("p", { class: "lead" }, [who.pronouns, plural(who.mention_count, "mention"), `first in chapter ${who.first_chapter}`].filter(Boolean).join(" · ")),
    h("p", { class: "soft" }, "Called: ", who.aliases.map((a) => `${a.text} (${a.count})`).slice(0, 12).join(", ")),
    strip(book, who.mentions_by_chapter, chapters),
    gateForm(book, chapters),
    h("div", { class: "columns" }, h("div", {}, form, writing.out), drawer),
  ];
});
