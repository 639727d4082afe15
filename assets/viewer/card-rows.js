// Rows of a label and a value: phone numbers, addresses, messengers.
export const rowsCard = (card, { rows }) => rows(card.rows ?? []);
