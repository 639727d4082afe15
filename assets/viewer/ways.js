// The ways to reach a contact, and the links that open them.

export const WAYS = ["telegram", "whatsapp", "viber", "signal", "threema", "phone", "email"];

const digits = text => text.replace(/[^0-9]/g, "");
const part = encodeURIComponent;

// "+" and the digits of a number that begins with the code of a country: a national number would reach another person.
const international = text => /^\+[0-9 ().\/-]{5,}$/.test(text.trim()) ? `+${digits(text.replace("(0)", ""))}` : null;

// An extension is dialled once the other side has answered (RFC 3966 5.3), whatever word, sign or pause stands before it.
const EXTENSION = /^(.*?[0-9].*?)\s*[(,;]?\s*(?:extension|durchwahl|nebenstelle|poste|interno|ramal|anexo|extn|ext|dw|доб|вн|[xpw#,;])[\s.:=,;]*([0-9]{1,15})[)#\s]*$/i;

function dial(text) {
  const [, number = text, extension] = EXTENSION.exec(text) ?? [], country = /^\s*\+/.test(number);
  const keyed = keys(number);
  // Other words are no part of a number: "ask at 5" is none.
  if (/\p{L}/u.test(keyed)) return null;
  const kept = (country ? keyed.replace("(0)", "") : keyed).replace(/[^0-9+*#]/g, "");
  return kept.length < 2 ? null : `tel:${kept}${extension ? `;ext=${extension}` : ""}`;
}

// "1-800-FLOWERS": the keys of a telephone with these letters (ITU-T E.161), behind at least three digits.
function keys(number) {
  const at = number.search(/[A-Z]/);
  if (at < 0 || number.slice(0, at).replace(/[^0-9]/g, "").length < 3 || number.replace(/[^A-Z]/g, "").length < 3) return number;
  return number.replace(/[A-Z]/g, letter => "22233344455566677778889999"[letter.charCodeAt(0) - 65]);
}

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
  phone: (value, number) => /[0-9]/.test(value) ? number ? `tel:${number}` : dial(value) : null,
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
