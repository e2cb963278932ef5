// The words of the panel: names of states and verdicts with what they mean, numbers, times, and foreign text.

export const STATES = {
  ready: { label: "Ready", tone: "good", what: "Agents can use it." },
  ineligible: { label: "Ineligible", tone: "warn", what: "Something that it needs is missing." },
  disabled: { label: "Disabled", tone: "mute", what: "It was switched off." },
  archived: { label: "Archived", tone: "mute", what: "It was put aside and can be restored." },
  withheld: { label: "Withheld", tone: "bad", what: "The guard keeps it from agents." },
  shadowed: { label: "Shadowed", tone: "mute", what: "Another skill of the same name has precedence." },
  broken: { label: "Broken", tone: "bad", what: "It cannot be read as a skill." },
};

export const VERDICTS = {
  safe: { label: "Safe", tone: "good", what: "Nothing to worry about was found." },
  caution: { label: "Caution", tone: "warn", what: "Something in it needs a look." },
  dangerous: { label: "Dangerous", tone: "bad", what: "It looks like an attack." },
  unknown: { label: "Not scanned", tone: "mute", what: "The guard has not looked at it." },
};

export const SEVERITIES = {
  error: { label: "Error", tone: "bad" },
  warning: { label: "Warning", tone: "warn" },
  info: { label: "Note", tone: "info" },
  critical: { label: "Critical", tone: "bad" },
  high: { label: "High", tone: "bad" },
  medium: { label: "Medium", tone: "warn" },
  low: { label: "Low", tone: "info" },
};

export const SOURCES = { bundled: "Bundled", global: "Global", plugin: "Plugin", workspace: "Project" };

const INVISIBLE =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Foreign text with everything named that a reader would not see, or that would make it read in another order. */
export function seen(text) {
  const name = (it) => `[U+${it.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
  return String(text ?? "").replace(INVISIBLE, name);
}

const numbers = new Intl.NumberFormat("en");
export const number = (value) => numbers.format(value ?? 0);

/** `3 skills`, `1 skill`. */
export const count = (value, one, many = `${one}s`) => `${number(value)} ${value === 1 ? one : many}`;

export function size(bytes) {
  if (bytes < 1024) return `${number(bytes)} B`;
  const units = ["KiB", "MiB", "GiB"];
  let value = bytes;
  let unit = "B";
  while (value >= 1024 && units.length > 0) {
    value /= 1024;
    unit = units.shift();
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

const moments = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const days = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

export function moment(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? seen(text) : moments.format(date);
}

export const dayName = (text) => days.format(new Date(`${text}T00:00:00Z`));
export const timeOf = (date) => clock.format(date);

/** A path that begins with the home of the machine is no shorter here: the server does not tell which one that is. */
export const fileName = (path) => String(path ?? "").split(/[\\/]/).pop();

/** A first letter in capitals, where the text begins with a word and not with a name or an address. */
export const sentence = (text) => (/^\p{Ll}[\p{L}'’]*(\s|$|,|:\s)/u.test(text) ? text[0].toUpperCase() + text.slice(1) : text);
