// Changing the photos of contacts: what the service is asked, and what its answers mean.
import { isUnanswered, Problem, sending } from "./api.js";

// Bytes that the service reads.
export const LARGEST = 20 << 20;
// Pixels of a picture that only the service can draw, and of the one in which it looks for faces.
const DRAWN = 1024, LOOKED = 640;
// Milliseconds that the photo of now may take after a refusal.
const PATIENCE = 5_000;
// The key of a change that may be done or not.
export const UNKNOWN = "photo.unanswered";

export class PhotoChangeManager {
  // avatars: its managers; the first has those of the lists.
  constructor(api, store, avatars) { Object.assign(this, { api, store, avatars, sending, isReadOnly: false }); }

  // The key of the reason why this page may change no photo, as far as it is known; null if it may try.
  get refusal() {
    if (!this.api.token) return "refusal.401";
    return this.isReadOnly ? "refusal.readOnly" : null;
  }

  path({ id }) { return `/v1/contacts/${encodeURIComponent(id)}`; }

  // What `If-Match` needs: the avatar that is seen. isFresh: that of now. Fails if it is not known.
  async tag(contact, isFresh = false, signal = undefined) {
    const [avatars] = this.avatars, key = isFresh ? undefined : avatars.keyOf(contact);
    if (key) return `"${key}"`;
    const query = new URLSearchParams({ size: 96, scale: avatars.scale, state: "normal" });
    const response = await this.api.send(`${this.path(contact)}/avatar?${query}`, { isNeeded: false, accept: "image/png", signal });
    await response.arrayBuffer();
    const tag = response.headers.get("ETag");
    if (!tag) throw new Problem(response.status, "no-tag");
    return tag;
  }

  // The same after the photo may have changed; the page shows that of now from then on.
  async refreshed(contact) {
    const tag = await this.tag(contact, true, AbortSignal.timeout(PATIENCE)), [avatars] = this.avatars;
    for (const each of this.avatars) each.invalidate(contact.id);
    avatars.learn(contact.id, tag.replaceAll('"', ""));
    this.store.changed(contact.id);
    this.store.report();
    return tag;
  }

  // The whole photo of a file that this browser cannot draw, as a picture.
  async draw(file, signal) {
    const query = new URLSearchParams({ whole: 1, size: DRAWN, "max-side": DRAWN, "max-bytes": 32 << 20 });
    return (await this.preview(file, query, signal)).blob();
  }

  // Where the face is in a picture, and why: {x, y, side} as parts of its width, and `by` as in the answer of `crop`. Null if none was looked for.
  async find(picture, signal) {
    const scale = Math.min(1, LOOKED / Math.max(picture.width, picture.height)), [width, height] = [picture.width, picture.height].map(length => Math.max(1, Math.round(length * scale)));
    const small = new OffscreenCanvas(width, height);
    small.getContext("2d").drawImage(picture, 0, 0, width, height);
    const body = await small.convertToBlob({ type: "image/jpeg", quality: 0.9 });
    const answer = await this.preview(body, new URLSearchParams({ size: 96, "max-bytes": 32 << 20 }), signal);
    return PhotoChangeManager.square(new Uint8Array(await answer.arrayBuffer()));
  }

  preview(body, query, signal) {
    return this.api.send(`/v1/photos/preview?${query}`, { method: "POST", body, signal, isRepeated: true, accept: "image/png" });
  }

  // What the text `tondo-crop` of an avatar says: "REASON X,Y,SIDE,WIDTH,HEIGHT ...".
  static square(png) {
    const view = new DataView(png.buffer, png.byteOffset, png.byteLength), latin = bytes => String.fromCharCode(...bytes);
    for (let at = 8; at + 12 <= png.length;) {
      const end = at + 8 + view.getUint32(at), type = latin(png.subarray(at + 4, at + 8));
      if (type === "IDAT" || end > png.length) return null;
      const [name, text] = type === "tEXt" ? latin(png.subarray(at + 8, end)).split("\0") : [];
      if (name === "tondo-crop") {
        const [by, numbers] = text.split(" "), [x, y, side, width] = numbers.split(",").map(Number);
        return { by, x: x / width, y: y / width, side: side / width };
      }
      at = end + 4;
    }
    return null;
  }

  // file: null removes the photo. crop: of `Crop.text`. callback("changed", {contact, entry, isLater}, true), with an entry of the trash if it can
  // be undone; callback("refused", {contact, reason, tag}, true) with the key of the reason, and the tag of now if the photo may be another one.
  async change(contact, { file, crop, tag, signal, progress = () => {} }, callback) {
    const query = file ? `?${new URLSearchParams({ crop })}` : "";
    // What is sent of the photo. Without one, a request may have come whole.
    let sent = file ? 0 : 1;
    try {
      const answer = await this.api.json(`${this.path(contact)}/photo${query}`, {
        method: file ? "PUT" : "DELETE", body: file ?? undefined, headers: { "If-Match": tag }, signal, isRepeated: true,
        fetch: file ? this.sending(part => { sent = part; progress(part); }) : undefined,
      });
      const isLater = answer.event !== undefined;
      if (!isLater) this.apply(answer);
      callback("changed", { contact, entry: answer.entry, isLater }, true);
    } catch (problem) {
      if (signal?.aborted) return;
      if (problem.code === "read-only") this.isReadOnly = true;
      const reason = await this.reasonOf(problem, { contact, tag, sent }), isOther = reason === UNKNOWN || reason === "photo.412";
      callback("refused", { contact, reason, tag: isOther ? await this.refreshed(contact).catch(() => undefined) : undefined }, true);
    }
  }

  // A service that refuses a photo before it has come may close the connection, so the reason does not arrive. It is asked for, unless the
  // change may be done: then the tag is that of the photo before.
  async reasonOf(problem, { contact, tag, sent }) {
    if (!isUnanswered(problem)) return PhotoChangeManager.reason(problem);
    if (sent === 1 || problem instanceof Problem) return UNKNOWN;
    // Without a photo nothing is changed.
    const answer = await this.api.send(`${this.path(contact)}/photo`, { method: "PUT", body: new Blob(), headers: { "If-Match": tag } }).catch(refusal => refusal);
    return PhotoChangeManager.reason(answer.code === "other-photo" ? answer : problem);
  }

  // The new avatar everywhere, also while no events come.
  apply({ entry, ...contact }) {
    for (const avatars of this.avatars) {
      avatars.invalidate(contact.id);
      const key = contact.avatars?.[avatars.scale];
      if (key) avatars.learn(contact.id, key);
    }
    if (contact.displayName !== undefined && this.store.get(contact.id)) this.store.put([contact]);
    this.store.changed(contact.id);
    this.store.report();
  }

  // callback as for `change`: "undone"; "notUndone". isUnknown: no answer came before, so it may be done.
  async undo({ contact, entry, isUnknown }, callback) {
    const problem = await this.restore(contact, entry);
    // The trash no longer has what is undone.
    if (!problem || isUnknown && problem.code === "not-in-trash") {
      this.apply({ id: contact.id });
      return callback("undone", { contact }, true);
    }
    if (isUnanswered(problem)) {
      await this.refreshed(contact).catch(() => {});
      return callback("notUndone", { contact, entry, isUnknown: true, reason: UNKNOWN }, true);
    }
    const isOld = problem.status === 404 || problem.status === 409, reason = isOld ? "photo.undo.409" : PhotoChangeManager.reason(problem);
    callback("notUndone", { contact, entry: isOld ? undefined : entry, isUnknown, reason }, true);
  }

  // What kept it from being done; null if it is.
  async restore(contact, entry) {
    const query = new URLSearchParams({ entry });
    return this.api.json(`${this.path(contact)}/restore?${query}`, { method: "POST", isRepeated: true }).then(() => null, problem => problem);
  }

  static reason(problem) {
    const { status, code } = problem;
    if (isUnanswered(problem)) return "unreachable";
    const codes = { "read-only": "refusal.readOnly", "change-refused": "photo.book", "body-too-large": "photo.tooLarge" };
    const known = {
      401: "refusal.401", 403: "refusal.401", 404: "gone", 409: "photo.409", 412: "photo.412", 413: "photo.413", 415: "photo.415", 422: "photo.422",
      503: "photo.503", 507: "refusal.507",
    };
    return codes[code] ?? known[status] ?? "refusal.other";
  }
}
