// The ways to reach a contact, and the links that open them.

export const WAYS = ["telegram", "whatsapp", "viber", "signal", "threema", "phone", "email"];

const digits = text => text.replace(/[^0-9]/g, "");
const isNumber = text => /^\+?[0-9 ().-]{6,}$/.test(text);
const part = encodeURIComponent;

const LINKS = {
  telegram: (handle, number) => isNumber(number) ? `https://t.me/+${digits(number)}` : `https://t.me/${part(handle.replace(/^@/, ""))}`,
  whatsapp: (handle, number) => `https://wa.me/${isNumber(number) ? digits(number) : part(handle)}`,
  viber: (handle, number) => `viber://chat?number=${isNumber(number) ? `%2B${digits(number)}` : part(handle)}`,
  signal: (handle, number) => isNumber(number) ? `https://signal.me/#p/+${digits(number)}` : `https://signal.me/#eu/${part(handle)}`,
  threema: handle => `https://threema.id/${part(handle)}`,
  phone: number => `tel:${number.replace(/[^0-9+*#,;]/g, "")}`,
  email: address => `mailto:${part(address).replaceAll("%40", "@")}`,
};

// The ways that exist, in the order of WAYS: {name, value, link}. A book that only states that there is a messenger leaves
// the handle empty: then the phone number stands in.
export function ways({ messengers = {}, phones = [], emails = [] }) {
  const phone = phones[0]?.value ?? "", email = emails[0]?.value ?? "";
  const values = { ...messengers, phone: phone || undefined, email: email || undefined };
  return WAYS.filter(name => values[name] !== undefined).map(name => {
    const value = values[name];
    return { name, value, link: LINKS[name](value, value || phone) };
  });
}

// A link from the data of a book opens only what these schemes open; no script, no file.
export const isSafeLink = link => /^(https?|tel|mailto|viber|sms|xmpp|geo):/i.test(link ?? "");
