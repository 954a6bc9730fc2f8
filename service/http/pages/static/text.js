// The book counts characters, not the halves of which some consist here: offsets are turned before they cut.

export const points = (text) => (/[\ud800-\udfff]/.test(text) ? Array.from(text) : text);
export const cut = (found, start, end) => (typeof found === "string" ? found.slice(start, end) : found.slice(start, end).join(""));

/** A hue of one's own for each of the cast, far from its neighbours'. */
export const hue = (rank) => Math.round((rank * 137.508) % 360);
