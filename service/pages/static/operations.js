// The operations page, for whoever runs the service: health, jobs, language model, engines, self-check, requests, storage, API keys.

import { get, Problem } from "./api.js";
import { h } from "./dom.js";
import { precision } from "./ops-charts.js";
import { engines, health } from "./ops-health.js";
import { jobs } from "./ops-jobs.js";
import { keys } from "./ops-keys.js";
import { model } from "./ops-model.js";
import { requests } from "./ops-requests.js";
import { storage } from "./ops-storage.js";
import { show } from "./shell.js";

/** Whether the service is open, and whether our key may manage it; throws when a key is needed and we have none. */
async function standing() {
  try {
    return { open: !(await get("/keys", { limit: 1 })).guarded, manages: true };
  } catch (error) {
    if (error instanceof Problem && error.code === "scope_missing") return { open: false, manages: false };
    throw error;
  }
}

async function page() {
  const { open, manages } = await standing();
  const parts = [health(), jobs(), ...(manages ? [model(), engines(), precision(), requests(), storage(), keys(open)] : [])];
  const titles = parts.map((part) => part.querySelector("h2"));
  return [
    h("h1", {}, "Operations"),
    h(
      "nav",
      { "aria-label": "On this page" },
      h(
        "ul",
        { class: "onpage" },
        titles.map((title) => h("li", {}, h("a", { href: `#${title.id}` }, title.textContent))),
      ),
    ),
    !manages && h("p", { class: "warning" }, "The rest of this page needs an API key with admin access."),
    parts,
  ];
}

document.title = "Operations · Bookworm";
show(page);
