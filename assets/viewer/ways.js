// The ways to reach a contact, and the links that open them.

export const WAYS = ["telegram", "whatsapp", "viber", "signal", "threema", "phone", "email"];

const digits = text => text.replace(/[^0-9]/g, "");
const part = encodeURIComponent;

// "+" and the digits of a number that begins with the code of a country: a national number would reach another person.
const international = text => /^\+[0-9 ().\/-]{5,}$/.test(text.trim()) ? `+${digits(text)}` : null;

// (handle, international number) to a link; null if there is none.
const LINKS = {
  telegram: (handle, number) => {
    const name = handle.trim().replace(/^@/, ""), id = /^[a-z]\w{0,31}$/i.test(name) ? name : number;
    return id && `https://t.me/${id}`;
  },
  whatsapp: (_, number) => number && `https://wa.me/${digits(number)}`,
  viber: (_, number) => number && `viber://chat?number=${part(number)}`,
  signal: (_, number) => number && `https://signal.me/#p/${number}`,
  threema: handle => /^[a-z0-9]{8}$/i.test(handle.trim()) ? `https://threema.id/${handle.trim().toUpperCase()}` : null,
  phone: (value, number) => /[0-9]/.test(value) ? `tel:${number ?? value.replace(/[^0-9+*#,;]/g, "")}` : null,
  email: address => /^[^\s@]+@[^\s@]+$/.test(address.trim()) ? `mailto:${part(address.trim()).replace("%40", "@")}` : null,
};

// The ways that exist and have a link, in the order of WAYS: {name, value, link}. A book that only states that there is a
// messenger leaves the handle empty: then the phone number stands in. Russian mobile numbers have their code when formatted.
export function ways({ messengers = {}, phones = [], emails = [] }) {
  const [phone] = phones, values = { ...messengers, phone: phone?.value || undefined, email: emails[0]?.value || undefined };
  const own = international(phone?.formatted ?? phone?.value ?? "");
  return WAYS.filter(name => values[name] !== undefined)
    .map(name => ({ name, value: values[name], link: LINKS[name](values[name], international(values[name]) ?? own) }))
    .filter(({ link }) => link);
}

// A link from the data of a book opens only what these schemes open; no script, no file.
export const isSafeLink = link => /^(https?|tel|mailto|viber|sms|xmpp|geo):/i.test(link ?? "");
