// A day in the order of the language; other text, such as "circa 1800", as the book has it.
export const birthdayCard = (card, { app, rows }) => rows(
  (card.rows ?? []).map(row => ({ ...row, value: dayText(row.value, app.text.language) })));

export function dayText(value, language) {
  const [, year, month, day] = /^(\d{4}|-)-(\d\d)-(\d\d)$/.exec(value) ?? [];
  if (!day) return value;
  // A leap year, so that the 29th of February without a year is a day.
  const date = new Date(`${year === "-" ? "2000" : year}-${month}-${day}T00:00Z`);
  // The 31st of April would be shown as another day.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return value;
  return new Intl.DateTimeFormat(language, {
    ...year === "-" ? {} : { year: "numeric" }, month: "long", day: "numeric", timeZone: "UTC" }).format(date);
}
