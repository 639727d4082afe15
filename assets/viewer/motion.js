// The decisions of bound scrollers, without DOM and clock. One state: the side that leads, whether anything moves, and
// whether a finger or a pressed button holds it.

export class Motion {
  // sides: {unit, count, tolerance, drives}. `drives`: the other sides follow this one.
  constructor(sides) {
    Object.assign(this, { sides, leader: null, moving: false, touching: false, direction: 0, index: 0, exact: 0 });
  }

  // An input device acts on a side: from now on it leads, whatever momentum the other side still has.
  // Returns the side that led before, if it is another one.
  input(side) {
    const before = this.leader;
    this.leader = side;
    return before !== null && before !== side ? before : null;
  }

  touch(side, isTouching) {
    this.touching = isTouching;
    return isTouching ? this.input(side) : null;
  }

  // A side is at `position`. Returns the positions that other sides, or this one, must take.
  scrolled(side, position, isEcho) {
    // The side that leads a movement is followed also through the place where it was last written.
    if (isEcho && !(this.moving && side === this.leader)) return [];
    this.leader ??= side;
    // Momentum of a side that no longer leads.
    if (side !== this.leader) return [{ side, position: this.exact * this.sides[side].unit }];
    return this.lead(position / this.sides[side].unit);
  }

  // The leader is at `exact` units. Returns the positions of its followers.
  lead(exact) {
    const { count, drives } = this.sides[this.leader];
    exact = Math.min(Math.max(0, exact), Math.max(0, count - 1));
    if (exact !== this.exact) this.direction = Math.sign(exact - this.exact);
    this.moving = true;
    this.exact = exact;
    this.index = Math.round(exact);
    if (!drives) return [];
    return this.sides.flatMap(({ unit }, side) => side === this.leader ? [] : [{ side, position: exact * unit }]);
  }

  // The unit on which the leader comes to rest. It goes on in its direction once more than `tolerance` of a unit is
  // behind it.
  get target() {
    const { tolerance = 0.5, count } = this.sides[this.leader ?? 0];
    const lower = Math.floor(this.exact), part = this.exact - lower;
    let target = Math.round(this.exact);
    if (this.direction > 0) target = part > tolerance ? lower + 1 : lower;
    if (this.direction < 0) target = part > 0 && 1 - part >= tolerance ? lower : Math.ceil(this.exact);
    return Math.min(Math.max(0, target), Math.max(0, count - 1));
  }

  rest() {
    Object.assign(this, { leader: null, moving: false, direction: 0, exact: this.index });
  }
}
