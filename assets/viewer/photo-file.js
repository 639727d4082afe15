// A file as a picture to choose a part of.
import { LARGEST } from "./photo-change.js";

// What is offered; the service reads these and no others.
export const TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "image/heif", "image/avif"];
export const ACCEPT = [...TYPES, ".jpg", ".jpeg", ".png", ".webp", ".gif", ".heic", ".heif", ".avif"].join(",");
// Pixels of the longer side of what is drawn: more is not seen.
const LONGEST = 1600;

// The key of the reason why a file is not even sent. A type that the browser does not know says nothing: the service reads the bytes.
export function refusalOf({ size, type }) {
  if (size > LARGEST) return "photo.tooLarge";
  return size === 0 || type !== "" && !type.startsWith("image/") ? "photo.415" : null;
}

// {file, width, height, picture}: what to send, its size in pixels, and what to draw. A photo that only the service can draw, such as HEIC in
// most browsers, is sent as the service drew it.
export async function readPhoto(file, manager, signal) {
  const drawn = await createImageBitmap(file).catch(() => null);
  if (drawn) return { file, ...reduced(drawn) };
  const whole = await createImageBitmap(await manager.draw(file, signal)), picture = trimmed(whole);
  whole.close();
  return { file: await picture.convertToBlob({ type: "image/png" }), width: picture.width, height: picture.height, picture };
}

function reduced(bitmap) {
  const { width, height } = bitmap, scale = Math.min(1, LONGEST / Math.max(width, height));
  const picture = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))), context = picture.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, picture.width, picture.height);
  bitmap.close();
  return { width, height, picture };
}

// A whole photo is in the middle of a transparent square: without the empty sides.
function trimmed(bitmap) {
  const side = bitmap.width, canvas = new OffscreenCanvas(side, side), context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, side, side), middle = side >> 1;
  const isEmpty = (x, y) => data[4 * (y * side + x) + 3] < 128;
  const edge = at => { let from = 0; while (from < middle && at(from)) from += 1; return from; };
  const left = edge(x => isEmpty(x, middle)), top = edge(y => isEmpty(middle, y));
  const made = new OffscreenCanvas(side - 2 * left, side - 2 * top);
  made.getContext("2d").drawImage(canvas, -left, -top);
  return made;
}
