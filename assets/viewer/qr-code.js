// Draws a QR code.

// Modules of white around it (ISO/IEC 18004, 9.1), and the pixels of a module.
const MARGIN = 4, MODULE = 8;

// rows: strings of 0 and 1. Black on white in every theme: cameras read nothing else well.
export function drawCode(canvas, rows) {
  const side = (rows.length + 2 * MARGIN) * MODULE, context = canvas.getContext("2d");
  Object.assign(canvas, { width: side, height: side });
  context.fillStyle = "white";
  context.fillRect(0, 0, side, side);
  context.fillStyle = "black";
  rows.forEach((row, y) => [...row].forEach((bit, x) => {
    if (bit === "1") context.fillRect((x + MARGIN) * MODULE, (y + MARGIN) * MODULE, MODULE, MODULE);
  }));
}
