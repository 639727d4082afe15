// Where an entry comes from. The moment of its last change is written in the language.
import { localeOf } from "./card-birthday.js";

export const sourceCard = (card, { app, rows }) => rows((card.rows ?? []).map(row =>
  row.label === "revision" ? { ...row, value: momentText(row.value, localeOf(app.text.language)) } : row), card);

// Of ISO 8601, with or without its separators (RFC 6350 4.3.5); other text as the book has it.
export function momentText(value, locale) {
  const [, year, month, day, hour, minute, zone] = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(value) ?? [];
  if (!day) return value;
  const date = new Date(`${year}-${month}-${day}T${hour ?? "00"}:${minute ?? "00"}${zone ? zone.replace(/^(...)(\d\d)$/, "$1:$2") : hour ? "" : "Z"}`);
  if (Number.isNaN(date.getTime())) return value;
  return new Intl.DateTimeFormat(locale, hour ? { dateStyle: "long", timeStyle: "short" } : { dateStyle: "long", timeZone: "UTC" }).format(date);
}
