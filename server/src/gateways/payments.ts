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
  /** When this charge was first asked for. */
  firstAskedAt: Date;
  cardReference: string;
  amountCents: number;
  currency: string;
}

/** A charge as we know it. `reference`: the provider's name for it; null: its answer was lost. */
export interface KnownCharge {
  key: string;
  reference: string | null;
}

/** Where a card is entered: a field of ours that sends it to `tokensUrl`, or a page of the provider. */
type CardEntry = { expiresAt: Date } & ({ token: string; tokensUrl: string } | { pageUrl: string });

/** Who takes the money. Cards are entered at the provider; we only ever get its tokens. */
export interface PaymentProvider {
  readonly name: 'sandbox' | 'stripe' | 'maxio';
  /** The smallest amount it charges. Less waits for the next invoice. */
  readonly leastCents: number;
  /**
   * Begins to enter a card. A page of the provider leads back to `returnUrl`, with the token of the
   * card as `?card=`. `known`: the card on file. Throws when the provider is unreachable.
   */
  openCardEntry(
    companyId: number,
    options: { now: Date; returnUrl: string; known: string | null },
  ): Promise<CardEntry>;
  /**
   * Keeps the card behind a token of the card field or page. `refused`: the card is not accepted.
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
  cancelCharge(charge: KnownCharge): Promise<ChargeOutcome | null>;
  /**
   * Pays a charge back, or a part of it. The same key pays once. `refused`: a sentence for the
   * operator. Throws when there was no response: ask again with the same key.
   */
  refund(order: {
    key: string;
    charge: KnownCharge;
    amountCents: number;
  }): Promise<{ state: 'refunded' } | { state: 'refused'; reason: string }>;
  /** What became of a charge; null: there is none. */
  getCharge(charge: KnownCharge): Promise<ChargeOutcome | null>;
  /** Its reports of what became of charges; null: it sends none. */
  readonly webhook: PaymentWebhook | null;
}

interface PaymentWebhook {
  path: string;
  /**
   * The key of the charge that a report is about; null: it is about something else. `forged`: the
   * provider didn't sign it, or too long ago.
   */
  read(
    body: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): { key: string | null } | 'forged';
}
