/** A card as we may know it: no number, only what the person recognizes it by. */
interface Card {
  brand: string;
  last4: string;
  /** From 1. */
  expMonth: number;
  expYear: number;
}

/** The provider's name for a card it keeps, and the card. */
export interface SavedCard {
  reference: string;
  card: Card;
}

/**
 * What became of a charge. `confirm`: the person's bank asks them to confirm it at `url`. `reason`
 * is a sentence for the person.
 */
export type ChargeOutcome =
  | { state: 'paid'; reference: string }
  | { state: 'declined'; reason: string }
  | { state: 'confirm'; reference: string; url: string };

export interface ChargeOrder {
  /** The same key is charged once, however often it is asked for. */
  key: string;
  cardReference: string;
  amountCents: number;
  currency: string;
}

/** Who takes the money. Cards are entered at the provider; we only ever get its tokens. */
export interface PaymentProvider {
  readonly name: 'sandbox';
  /** What the card field needs: a token for this company, and where the field sends the card. */
  securityToken(
    companyId: number,
    now: Date,
  ): { token: string; tokensUrl: string; expiresAt: Date };
  /**
   * Keeps the card behind a token of the card field. `refused`: the card is not accepted.
   * `unknown`: there is no such token of this company, or it was used or is old. Throws when the
   * provider is unreachable.
   */
  saveCard(
    companyId: number,
    token: string,
    now: Date,
  ): Promise<SavedCard | { refused: string } | 'unknown'>;
  /**
   * A token for a card of the provider's test list; null: it is not on the list, or the provider
   * takes no test cards.
   */
  tokenOfTestCard(
    companyId: number,
    card: { number: string; expMonth: number; expYear: number },
    now: Date,
  ): string | null;
  /** Charges a card. Throws when there was no response: ask again with the same key. */
  charge(order: ChargeOrder): Promise<ChargeOutcome>;
  /** Gives up a charge that waits to be confirmed; what became of it otherwise. Null: there is none. */
  cancelCharge(key: string): Promise<ChargeOutcome | null>;
  /**
   * Pays a charge back, or a part of it. The same key pays once. `refused`: a sentence for the
   * operator. Throws when there was no response: ask again with the same key.
   */
  refund(order: {
    key: string;
    chargeKey: string;
    amountCents: number;
  }): Promise<{ state: 'refunded' } | { state: 'refused'; reason: string }>;
  /** What became of the charge with this key; null: there is none. */
  getCharge(key: string): Promise<ChargeOutcome | null>;
}
