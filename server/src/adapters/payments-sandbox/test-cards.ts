/** How a card of the sandbox behaves. */
export type CardBehaviour = 'pays' | 'declines' | 'refused' | 'confirms' | 'expires';

interface TestCard {
  brand: string;
  behaviour: CardBehaviour;
}

/**
 * The cards of the sandbox: numbers that card networks keep for tests, and no others. `refused` is
 * refused when it is entered, `declines` when it is charged.
 */
const testCards: ReadonlyMap<string, TestCard> = new Map([
  ['4242424242424242', { brand: 'Visa', behaviour: 'pays' }],
  ['5555555555554444', { brand: 'Mastercard', behaviour: 'pays' }],
  ['4000000000000002', { brand: 'Visa', behaviour: 'refused' }],
  ['4000000000000341', { brand: 'Visa', behaviour: 'declines' }],
  ['4000002500003155', { brand: 'Visa', behaviour: 'confirms' }],
  ['4000000000000069', { brand: 'Visa', behaviour: 'expires' }],
]);

/** The test card with these digits, spaces or not; null: it is none. */
export const testCardOf = (number: string): (TestCard & { last4: string }) | null => {
  const digits = number.replace(/[\s-]/g, '');
  const card = testCards.get(digits);
  return card ? { ...card, last4: digits.slice(-4) } : null;
};
