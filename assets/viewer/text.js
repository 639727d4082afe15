// The texts of the page in its languages, with plural rules.

// In their own language, so that their readers recognise them.
export const LANGUAGES = { en: "English", ru: "Русский", zh: "中文" };
// A name in the other direction, or with characters that change it, stays a piece of its own in a sentence.
export const isolated = value => /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/.test(value) ? `\u2068${value}\u2069` : value;

const MIRRORED = new Set(["ar", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"]);

// The first language of the browser that the page has, else English.
export function chooseLanguage(chosen, preferred) {
  return [chosen, ...preferred].map(name => name?.toLowerCase().split("-")[0]).find(name => name in LANGUAGES) ?? "en";
}

export function chooseDirection(chosen, preferred) {
  if (chosen === "ltr" || chosen === "rtl") return chosen;
  return MIRRORED.has(preferred[0]?.toLowerCase().split("-")[0]) ? "rtl" : "ltr";
}

// What is said in two parts: in a few words what happened, and below it what was kept and what to do. The files of the languages write
// the second one behind a line break; nothing but this reads that. key: which text it is, for those that act on it.
export class Message {
  constructor(key, [first, ...others], fill = text => text) {
    Object.assign(this, { key, sentence: fill(first), headline: fill(first.replace(/[.。]$/, "")), detail: fill(others.join(" ")), sentences: fill([first, ...others].join(" ")) });
  }

  get length() { return this.sentences.length; }

  toString() { return this.sentences; }
}

export class Text {
  constructor(language, words) {
    Object.assign(this, { language, words, rules: new Intl.PluralRules(language), numbers: new Intl.NumberFormat(language) });
  }

  static async load(language) {
    const { words } = await import(`./lang-${language}.js`);
    return new Text(language, words);
  }

  has(key) { return key in this.words; }

  // The text of a key, or a `Message` where it has two parts; {name} is replaced by the value. A text with several forms takes that of
  // `values.count`.
  get(key, values = {}) {
    let text = this.words[key] ?? key;
    if (typeof text === "object") text = text[this.rules.select(values.count)] ?? text.other;
    const filled = part => part.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name];
      return typeof value === "number" ? this.numbers.format(value) : isolated(value ?? "");
    });
    const parts = text.split("\n");
    return parts.length > 1 ? new Message(key, parts, filled) : filled(text);
  }

  // What is chosen in a filter, as a part of a sentence.
  filters(names) { return new Intl.ListFormat(this.language).format(names.map(name => this.get(`filter.${name}`))); }

  // What a book is called: its own name, or words around its number.
  bookName(book) { return /^\d+$/.test(book) ? this.get("book.name", { book: String(book) }) : String(book); }

  // What to do about a book. code: why it cannot be read.
  bookCure(code) {
    const cure = `book.cure.${code}`;
    return this.get(this.has(cure) ? cure : "book.cure");
  }

  // A key that the service has given, or its own text.
  title(key) { return this.words[`card.${key}`] ?? key; }
}
