// The decisions of bound scrollers, without DOM and clock. One state: the side that leads, whether anything moves, and
// whether a finger or a pressed button holds it.

export class Motion {
  // sides: {unit, count, span, tolerance, drives}. `span`: the units that share a row of `unit` pixels, 1 by default; `drives`:
  // the other sides follow this one.
  constructor(sides) {
    Object.assign(this, { sides, leader: null, column: 0, moving: false, touching: false, direction: 0, index: 0, exact: 0 });
  }

  // An input device acts on a side: from now on it leads, whatever momentum the other side still has.
  // Returns the side that led before, if it is another one.
  input(side) {
    const before = this.leader;
    this.lend(side);
    return before !== null && before !== side ? before : null;
  }

  // A side with rows keeps the column in which its movement begins.
  lend(side) {
    if (this.leader !== side) this.column = this.index % (this.sides[side].span ?? 1);
    this.leader = side;
  }

  touch(side, isTouching) {
    this.touching = isTouching;
    return isTouching ? this.input(side) : null;
  }

  // Where a side is while `exact` units are behind. The leader moves evenly; a follower with rows goes to the next one while
  // the last of the row is left behind, so that it always rests on a whole row.
  placeOf(side, exact) {
    const { unit, span = 1 } = this.sides[side];
    if (side === this.leader) return (exact - this.column) / span * unit;
    const row = Math.floor(exact / span), part = exact - row * span;
    return (row + Math.max(0, part - (span - 1))) * unit;
  }

  exactAt(side, position) {
    const { unit, span = 1 } = this.sides[side];
    return position / unit * span + (side === this.leader ? this.column : 0);
  }

  // A side is at `position`. Returns the positions that other sides, or this one, must take.
  scrolled(side, position, isEcho) {
    // The side that leads a movement is followed also through the place where it was last written.
    if (isEcho && !(this.moving && side === this.leader)) return [];
    if (this.leader === null) this.lend(side);
    // Momentum of a side that no longer leads.
    if (side !== this.leader) return [{ side, position: this.placeOf(side, this.exact) }];
    return this.lead(this.exactAt(side, position));
  }

  // The units of the leader: those of its last row are as many as those of the others, also where the row is not full.
  get furthest() {
    const { count, span = 1 } = this.sides[this.leader ?? 0];
    return Math.max(0, Math.floor((count - 1) / span) * span + (span > 1 ? this.column : 0));
  }

  // The leader is at `exact` units. Returns the positions of its followers.
  lead(exact) {
    const { count, drives } = this.sides[this.leader];
    exact = Math.min(Math.max(0, exact), this.furthest);
    if (exact !== this.exact) this.direction = Math.sign(exact - this.exact);
    this.moving = true;
    this.exact = exact;
    this.index = Math.min(Math.round(exact), Math.max(0, count - 1));
    if (!drives) return [];
    return this.sides.flatMap((_, side) => side === this.leader ? [] : [{ side, position: this.placeOf(side, exact) }]);
  }

  // The unit on which the leader comes to rest. It goes on in its direction once more than `tolerance` of a row is behind it.
  get target() {
    const { tolerance = 0.5, span = 1 } = this.sides[this.leader ?? 0];
    const exact = (this.exact - this.column) / span, lower = Math.floor(exact), part = exact - lower;
    let target = Math.round(exact);
    if (this.direction > 0) target = part > tolerance ? lower + 1 : lower;
    if (this.direction < 0) target = part > 0 && 1 - part >= tolerance ? lower : Math.ceil(exact);
    return Math.min(Math.max(0, target * span + this.column), this.furthest);
  }

  rest() {
    Object.assign(this, { leader: null, column: 0, moving: false, direction: 0, exact: this.index });
  }
}
