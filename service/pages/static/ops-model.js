// The language model that writes answers: which one it is, what else is there, a trial, and the choice.

import { get, send } from "./api.js";
import { coded, fill, h, number, quiet } from "./dom.js";
import { section, table } from "./ops-parts.js";
import { trouble } from "./shell.js";

const WHY = {
  settings: "It is set in the settings of the service.",
  chosen: "It was chosen here or with `bookworm models use`.",
  found: "It was found on this machine.",
  nothing: "No language model was found, so answers quote the book.",
};

const FIXED =
  "It is set with `BOOKWORM_GENERATOR`. To choose one here, remove this setting and restart the service.";

const SERVERS = { ollama: "Ollama", lmstudio: "LM Studio", vllm: "vLLM", configured: "server in the settings" };

const tokens = (count) => `${number(count)} tokens`;

const room = ({ context }) => (context === null ? "context unknown" : `context of ${tokens(context)}`);

/** The name of a model, which may be the path of its file. */
const file = (name) => name.split("/").at(-1);

/** A button that asks the model for one sentence and shows it. */
function trial(model) {
  const said = h("p", { class: "remedy", "aria-live": "polite" });
  const ask = async () => {
    fill(said, "Waiting for an answer …");
    try {
      const { text, seconds } = await send("POST", "/operations/model/try", { name: model.name });
      fill(said, text ? `“${text}” ` : "It answered without a word. ", `(${seconds.toFixed(1)} s)`);
    } catch (error) {
      fill(said, trouble(error));
    }
  };
  return [quiet("Test", ask, `Test ${model.name}`), said];
}

/** A button that uses a variant of the model with a longer context. */
function longer({ name, longer_context: context }, choose) {
  const words = `with ${tokens(context)}`;
  return quiet(`Use ${words}`, () => choose(name, context), `Use ${name} ${words}`);
}

function row(model, choose) {
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row", class: "words", title: model.name },
      file(model.model),
      h("span", { class: "soft" }, ` ${SERVERS[model.server] ?? model.server}, ${room(model)}`),
      model.remedy && h("p", { class: "remedy soft" }, coded(model.remedy)),
    ),
    h("td", { class: "words" }, trial(model)),
    h(
      "td",
      {},
      model.in_use
        ? h("span", { class: "chip works" }, "In use")
        : choose && quiet("Use", () => choose(model.name), `Use ${model.name}`),
      choose && model.longer_context && longer(model, choose),
    ),
  );
}

export const model = () =>
  section("model", "Language model", "", async (again) => {
    const found = await get("/operations/models");
    const told = h("div", { "aria-live": "polite" });
    const choose = async (name, context) => {
      fill(told, context && "Ollama is making a variant of the model with this context …");
      try {
        await send("PUT", "/operations/model", { name, context });
        await again();
      } catch (error) {
        fill(told, trouble(error));
      }
    };
    const others = found.others.filter((name) => !found.fixed && name !== found.generator);
    const rows = found.items.map((one) => row(one, !found.fixed && choose));
    return [
      h(
        "p",
        {},
        "Answers are written by ",
        h("strong", {}, file(found.model ?? found.generator)),
        ". ",
        coded(found.fixed ? FIXED : WHY[found.reason]),
      ),
      found.items.length
        ? table("List of language models", ["Model", "Test", "Use"], rows)
        : h(
            "p",
            { class: "soft small" },
            "No server of language models answers on this machine. Start Ollama, LM Studio, llama.cpp or vLLM.",
          ),
      h(
        "div",
        { class: "row" },
        others.map((name) => quiet(`Use ${name}`, () => choose(name))),
        found.reason === "chosen" && quiet("Choose automatically", () => choose(null)),
        quiet("Look again", again),
      ),
      told,
    ];
  });
