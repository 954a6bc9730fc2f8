// Slow requests: one by one, and by route.

import { get } from "./api.js";
import { h, number, quiet } from "./dom.js";
import { ago, duration, figure, section, table } from "./ops-parts.js";

const [SINGLE, ROUTES] = [10, 12];
const what = (one) => h("th", { scope: "row" }, h("code", {}, `${one.method} ${one.route}`));

const single = (one) =>
  h(
    "tr",
    {},
    what(one),
    figure(duration(one.ms)),
    figure(one.status || "closed"),
    h("td", { class: "soft small" }, ago(one.at)),
    h("td", { class: "small" }, h("code", {}, one.request_id)),
  );
const route = (one) =>
  h("tr", {}, what(one), figure(duration(one.median_ms)), figure(duration(one.p95_ms)), figure(number(one.count)));

export const requests = () =>
  section(
    "requests",
    "Slowest requests",
    "Requests to this process. Use the ID to find a request in the log.",
    async (again) => {
      const { slowest, routes } = await get("/operations/requests", { limit: SINGLE });
      const slow = routes.toSorted((a, b) => b.p95_ms - a.p95_ms);
      return [
        h("h3", {}, "Last hour"),
        slowest.length
          ? table(
              "The slowest requests of the last hour",
              ["Request", "#Duration", "#Status", "When", "ID"],
              slowest.map(single),
            )
          : h("p", { class: "soft" }, "No requests yet."),
        h("h3", {}, "By route"),
        table("Routes", ["Request", "#Median", "#95th percentile", "#Count"], slow.slice(0, ROUTES).map(route)),
        slow.length > ROUTES &&
          h(
            "details",
            {},
            h("summary", {}, `${number(slow.length - ROUTES)} faster routes`),
            table("Faster routes", ["Request", "#Median", "#95th percentile", "#Count"], slow.slice(ROUTES).map(route)),
          ),
        h("p", {}, quiet("Refresh", again)),
      ];
    },
  );
