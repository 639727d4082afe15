// What a list of contacts asks the service, and the letters of its answer.

// {search, filter: ["phone", ...], sort, group, duplicates} as the query of a request, always in the same order.
export function queryText({ search = "", filter = [], sort = "", group = "", duplicates = "" }, locale, more = {}) {
  const order = sort === "book" ? "" : sort;
  const values = { search, filter: [...filter].sort().join(","), sort: order, group, duplicates, locale, ...more };
  const given = Object.entries(values).filter(([, value]) => value !== "" && value !== undefined);
  // %20: a plus sign is a blank in forms alone.
  return given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

// Letters that come more than once show a list in another order than that of names: these have no sections.
export function readSections({ sections, total }) {
  // Names that begin with no letter come first, contacts without the name last: both are "#".
  const letters = sections.map(({ title }) => title).filter(title => title !== "#");
  const isSorted = new Set(letters).size === letters.length;
  return isSorted && sections.length > 0 ? sections : [{ title: "", offset: 0, count: total }];
}

// Whether nothing but the order is chosen.
export const isWhole = ({ search, filter, group, duplicates }) => queryText({ search, filter, group, duplicates: duplicates === "joined" ? "" : duplicates }) === "";
