// API keys: created and shown once, listed without their secret, revoked.

import { all, key, Problem, send } from "./api.js";
import { fill, h, number, quiet } from "./dom.js";
import { certain } from "./lib-ask.js";
import { ago, figure, section, table } from "./ops-parts.js";
import { trouble } from "./shell.js";

const MAY = { read: "Read", write: "Read and write", admin: "Admin" };
const strongest = (scopes) => scopes.at(-1);

export function keys(open) {
  const said = h("div", { "aria-live": "polite" });
  const fresh = h("div", { "aria-live": "polite" });
  const list = h("div", {});

  async function look() {
    const items = await all("/keys");
    const order = (one) => (one.revoked ? 1 : 0);
    const sorted = items.toReversed().sort((a, b) => order(a) - order(b));
    fill(
      list,
      sorted.length
        ? table("List of keys", ["Key", "Status", "Access", "#Requests today", "Last used"], sorted.map(row))
        : h("p", { class: "soft" }, "No keys yet."),
    );
  }

  const row = (one) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        one.name,
        h("span", { class: "soft" }, one.yours ? " (this browser)" : "", h("br"), h("code", {}, one.id)),
      ),
      h(
        "td",
        { class: "small" },
        h("span", { class: `chip ${one.revoked ? "failed" : "works"}` }, one.revoked ? "Revoked" : "Active"),
        !one.revoked && quiet("Revoke", () => revoke(one), `Revoke the key ${one.name}`),
      ),
      h(
        "td",
        { class: "words" },
        MAY[strongest(one.scopes)],
        h(
          "span",
          { class: "soft small" },
          h("br"),
          `${number(one.rate_per_minute)} per minute, ${number(one.quota_per_day)} per day`,
        ),
      ),
      figure(number(one.used_today)),
      h(
        "td",
        { class: "small" },
        one.last_used ? ago(one.last_used) : "Never",
        h(
          "span",
          { class: "soft" },
          h("br"),
          "created ",
          ago(one.created),
          one.revoked && [", revoked ", ago(one.revoked)],
        ),
      ),
    );

  async function revoke(one) {
    if (
      !(await certain(
        `Revoke the key “${one.name}”?`,
        "Anyone who uses this key loses access. This cannot be undone.",
        "Revoke",
      ))
    )
      return;
    try {
      await gone(one).catch(async (error) => {
        if (!(error instanceof Problem && error.code === "key_needed")) throw error;
        const then = one.yours
          ? "You will have to sign in with another key."
          : "After that, keys can be created only on the command line.";
        if (await certain(`Revoke “${one.name}” anyway?`, `${error.message} ${then}`, "Revoke anyway"))
          await gone(one, { anyway: true });
      });
    } catch (error) {
      fill(said, trouble(error));
    }
  }

  async function gone(one, params = {}) {
    await send("DELETE", `/keys/${one.id}`, undefined, params);
    if (one.yours) {
      key.set(null);
      location.reload();
      return;
    }
    fill(said, h("p", {}, `“${one.name}” was revoked.`));
    await look();
  }

  /** Shown in its own place, where no other message replaces it, because the secret cannot be shown again. */
  function shown(made, kept) {
    const field = h("input", {
      class: "secret",
      readonly: true,
      value: made.secret,
      "aria-label": `The key ${made.key.name}`,
      onfocus: () => field.select(),
    });
    const copied = h("span", { class: "small", role: "status" });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(made.secret);
        copied.textContent = "Copied.";
      } catch {
        field.focus();
        copied.textContent = "Could not copy. Copy the key from the field.";
      }
    };
    const box = h(
      "div",
      { class: "warning" },
      h(
        "p",
        {},
        h("strong", {}, `This is your new key “${made.key.name}”. Copy it now: it will not be shown again.`),
        kept && " This browser stores it, so you stay signed in.",
      ),
      h(
        "p",
        { class: "row" },
        field,
        quiet("Copy", copy),
        quiet("Done", () => box.remove()),
        copied,
      ),
    );
    fresh.append(box);
    field.focus();
  }

  function form() {
    const name = h("input", {
      id: "key-name",
      required: true,
      maxlength: 100,
      autocomplete: "off",
      placeholder: "laptop",
    });
    const scope = h(
      "select",
      { id: "key-scope" },
      Object.entries(MAY)
        .filter(([value]) => !open || value === "admin")
        .map(([value, words]) => h("option", { value }, words)),
    );
    const [rate, quota] = ["key-rate", "key-quota"].map((id) =>
      h("input", { id, type: "number", min: 1, step: 1, placeholder: "default", class: "short" }),
    );
    const make = async (event) => {
      event.preventDefault();
      const given = {
        name: name.value,
        scopes: [scope.value],
        rate_per_minute: rate.value ? Number(rate.value) : null,
        quota_per_day: quota.value ? Number(quota.value) : null,
      };
      try {
        const made = await send("POST", "/keys", given);
        shown(made, open);
        fill(said);
        if (open) {
          key.set(made.secret);
          open = false;
          fill(about);
        }
        fill(asked, form());
        await look();
      } catch (error) {
        fill(said, trouble(error));
      }
    };
    const field = (label, input) => h("span", { class: "field" }, h("label", { for: input.id }, label), input);
    return h(
      "form",
      { class: "row", onsubmit: make },
      field("Name", name),
      field("Access", scope),
      field("Requests per minute", rate),
      field("Requests per day", quota),
      h("button", {}, open ? "Create the first key" : "Create a key"),
    );
  }

  const about = h(
    "div",
    {},
    open &&
      h(
        "p",
        { class: "warning" },
        h("strong", {}, "No API key has been created, so anyone on this machine can use the service."),
        " Once you create a key, every page and program needs one. The first key has admin access, and this browser stores it so that you are not locked out.",
      ),
  );
  const asked = h("div", {}, form());
  return section(
    "keys",
    "API keys",
    "For programs and people that use this library. A key is shown only once, when it is created.",
    async () => {
      await look();
      return [about, asked, said, fresh, list];
    },
  );
}
