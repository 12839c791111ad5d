import { createHmac, randomUUID } from 'node:crypto';
import type { SavedCard } from '../../gateways/payments.ts';
import type { MaxioAccount } from './account.ts';
import { RefusedError, type MaxioApi } from './api.ts';
import { profileAnswer } from './answers.ts';
import { shelfOf } from './shelf.ts';

const brands: Readonly<Record<string, string>> = {
  ...{ american_express: 'American Express', diners_club: 'Diners Club', discover: 'Discover' },
  ...{ jcb: 'JCB', master: 'Mastercard', visa: 'Visa' },
};

/** A subscription of Maxio and one of its customer's cards, as one name. */
const cardReference = (subscription: number, profile: number): string =>
  `${subscription}/${profile}`;
/** The subscription and the card of a `cardReference`. */
export const partsOf = (reference: string): { subscription: string; profile: number } => {
  const [subscription = '', profile = ''] = reference.split('/');
  return { subscription, profile: Number(profile) };
};

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** What Chargify.js shows Maxio of a card form: that it is ours, and which company's. Null: nothing. */
export function formToken({ publicKey, privateKey }: MaxioAccount, company: string): string | null {
  if (privateKey === null) return null;
  const claims = { iss: publicKey, jti: randomUUID(), sub: company };
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', privateKey).update(signed).digest('base64url')}`;
}

/**
 * Keeps the card behind a token of Chargify.js. `unknown`: there is no such token, or it was used or
 * is older than 20 minutes. Throws what the API throws.
 */
export async function saveCard(
  api: MaxioApi,
  account: MaxioAccount,
  company: string,
  token: string,
): Promise<SavedCard | { refused: string } | 'unknown'> {
  if (!/^tok_\w+$/.test(token)) return 'unknown';
  // First, because the token can be used once.
  const { customer, subscription } = await shelfOf(api, account, company);
  try {
    const profile = profileAnswer.parse(
      await api.post('/payment_profiles.json', {
        payment_profile: { chargify_token: token, customer_id: customer },
      }),
    );
    const [digits = ''] = /\d{1,4}$/.exec(profile.masked_card_number ?? '') ?? [];
    return {
      reference: cardReference(subscription, profile.id),
      card: {
        brand: brands[profile.card_type ?? ''] ?? 'Card',
        last4: digits.padStart(4, '0'),
        expMonth: profile.expiration_month,
        expYear: profile.expiration_year,
      },
    };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return /token not found/i.test(error.message) ? 'unknown' : { refused: error.message };
  }
}
