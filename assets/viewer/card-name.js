// The parts of a name.
export const nameCard = (card, { rows }) => rows(card.rows ?? []);
