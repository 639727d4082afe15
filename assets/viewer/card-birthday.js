// Days: a birthday and anniversaries, with the age and the days until they come again. Days of the calendar alone are
// counted: a moment in some time zone would be another day elsewhere.
export const birthdayCard = (card, { app, rows }) => rows(
  (card.rows ?? []).map(row => ({ ...row, ...described(row.value, card.type, app.text) })), card);

const described = (value, type, text) => {
  const until = remaining(value, todayHere());
  return { value: dayText(value, localeOf(text.language)), about: until ? aboutText(until, type, text) : "", isToday: until?.days === 0 };
};

// The browser's variety of the page's language: the order of day and month differs between those of English.
export const localeOf = (language, preferred = navigator.languages) =>
  preferred.find(tag => tag.toLowerCase().split("-")[0] === language) ?? language;

// {year, month, day}; year: null if it is not known. Some address books write 1604 for that. A time of day does not count.
export function readDay(value) {
  const [, year, month, day] = /^(\d{4}|-)-?(\d\d)-?(\d\d)(?:T.*)?$/.exec(value ?? "") ?? [];
  if (!day) return null;
  const known = year === "-" || year === "1604" || year === "0000" ? null : Number(year);
  // A leap year, so that the 29th of February without a year is a day. The 31st of April would become another day.
  const date = utc(known ?? 2000, Number(month), Number(day));
  return date.getUTCDate() === Number(day) && date.getUTCMonth() === month - 1 ? { year: known, month: Number(month), day: Number(day) } : null;
}

// Not Date.UTC, for which the year 44 is 1944.
function utc(year, month, day) {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

const todayHere = (now = new Date()) => ({ year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() });

// A day in the order of the language; other text, such as "circa 1800", as the book has it.
export function dayText(value, locale) {
  const found = readDay(value);
  if (!found) return value;
  const { year, month, day } = found;
  return new Intl.DateTimeFormat(locale, {
    ...year === null ? {} : { year: "numeric" }, month: "long", day: "numeric", timeZone: "UTC" }).format(utc(year ?? 2000, month, day));
}

// {days, years}: the days until the day of the year comes again, 0 for today, and the years that have passed, if the year is
// known. null: the value is no day, or one that has not come yet. In common years the 29th of February is kept on the 28th.
export function remaining(value, today) {
  const found = readDay(value);
  if (!found) return null;
  const { year, month, day } = found;
  const kept = inYear => month === 2 && day === 29 && utc(inYear, 2, 29).getUTCDate() !== 29 ? utc(inYear, 2, 28) : utc(inYear, month, day);
  const now = utc(today.year, today.month, today.day);
  if (year !== null && utc(year, month, day) > now) return null;
  const isOver = kept(today.year) < now, next = kept(today.year + (isOver ? 1 : 0));
  const days = Math.round((next - now) / 86_400_000);
  return { days, years: year === null ? null : today.year - year - (isOver || days === 0 ? 0 : 1) };
}

// Days after which months are counted, and how many these have.
const DAYS = 60, MONTH = 30.44;

export function whenText(days, language) {
  const far = days > DAYS;
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(far ? Math.round(days / MONTH) : days, far ? "month" : "day");
}

// No one is older: the year is one of a program.
const OLDEST = 130;

export function aboutText({ days, years }, type, text) {
  const when = whenText(days, text.language);
  if (type === "anniversary") return [years > 0 ? text.get("years", { count: years }) : "", text.get("anniversary.in", { when })].filter(Boolean).join(" · ");
  return [years > 0 && years <= OLDEST ? text.get("age", { count: years }) : "", text.get("birthday.in", { when })].filter(Boolean).join(" · ");
}
