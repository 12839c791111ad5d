import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { ChargeOrder, ChargeOutcome, PaymentProvider } from '../../gateways/payments.ts';
import type { Db } from '../../platform/db.ts';
import { seal, unseal, type KeyRing } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';
import { testCardOf, type CardBehaviour } from './test-cards.ts';

// The system role: the simulated provider’s own tables have no company.

/** How long a card field can be used, and a token after it. */
const tokenMinutes = 15;

const behaviours = ['pays', 'declines', 'refused', 'confirms', 'expires'] as const;
const fieldToken = z.object({ companyId: z.number(), until: z.number() });
const cardToken = fieldToken.extend({
  behaviour: z.enum(behaviours),
  brand: z.string(),
  last4: z.string(),
  expMonth: z.number(),
  expYear: z.number(),
});
type CardToken = z.infer<typeof cardToken>;

/** What a token of ours says; null: it is none, or its time is over. */
function read<T extends { until: number }>(
  secrets: KeyRing,
  schema: z.ZodType<T>,
  token: string,
  now: Date,
): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(unseal(secrets, token)));
    return parsed.success && parsed.data.until > now.getTime() ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The company whose card field this token opened; null: it is none of ours, or too old. */
export const companyOfField = (secrets: KeyRing, token: string, now: Date): number | null =>
  read(secrets, fieldToken, token, now)?.companyId ?? null;

/** A token for a test card; null: the card is no test card. Holds no number. */
export function tokenOfCard(
  secrets: KeyRing,
  companyId: number,
  entered: { number: string; expMonth: number; expYear: number },
  now: Date,
): string | null {
  const card = testCardOf(entered.number);
  if (!card) return null;
  const expires = card.behaviour === 'expires';
  const token: CardToken = {
    companyId,
    until: now.getTime() + tokenMinutes * 60_000,
    behaviour: card.behaviour,
    brand: card.brand,
    last4: card.last4,
    // This card ends with the month, whatever was entered.
    expMonth: expires ? now.getUTCMonth() + 1 : entered.expMonth,
    expYear: expires ? now.getUTCFullYear() : entered.expYear,
  };
  return seal(secrets, JSON.stringify(token));
}

interface PaymentRow {
  key: string;
  reference: string;
  state: 'paid' | 'declined' | 'confirm' | 'refunded';
  reason: string | null;
}

const outcomeOf = (row: PaymentRow): ChargeOutcome => {
  if (row.state === 'declined') return { state: 'declined', reason: row.reason ?? 'Declined.' };
  if (row.state === 'confirm')
    return {
      state: 'confirm',
      reference: row.reference,
      url: `/sandbox/payments/${row.reference}/confirm`,
    };
  return { state: 'paid', reference: row.reference };
};

const findCharge = (db: Db, key: string): Promise<PaymentRow | undefined> =>
  db.systemTransaction(async (tx) => {
    const { rows } = await sql<PaymentRow>`select key, reference, state, reason
      from sandbox.payment where key = ${key}`.execute(tx);
    return rows[0];
  });

const insertCharge = (db: Db, order: ChargeOrder, now: Date): Promise<unknown> => {
  const behaviour = order.cardReference.split('.')[1] as CardBehaviour | undefined;
  const state =
    behaviour === 'confirms'
      ? 'confirm'
      : behaviour === 'pays' || behaviour === 'expires'
        ? 'paid'
        : 'declined';
  const reason = state === 'declined' ? 'The card has insufficient funds.' : null;
  return db.systemTransaction((tx) =>
    sql`insert into sandbox.payment
        (key, reference, card, amount_cents, currency, state, reason, at)
      values (${order.key}, ${`pay-${randomUUID()}`}, ${order.cardReference}, ${order.amountCents},
        ${order.currency}, ${state}, ${reason}, ${now})
      on conflict (key) do nothing`.execute(tx),
  );
};

/** Pays back at most what was charged, once for each key. */
const refundCharge = (
  db: Db,
  { key, chargeKey, amountCents }: { key: string; chargeKey: string; amountCents: number },
  now: Date,
): Promise<{ state: 'refunded' } | { state: 'refused'; reason: string }> =>
  db.systemTransaction(async (tx) => {
    const { rows } = await sql<{ left: number; known: boolean }>`
      select p.amount_cents - coalesce((select sum(r.amount_cents) from sandbox.refund r
          where r.charge_key = p.key and r.key <> ${key}), 0)::bigint as left,
        exists (select from sandbox.refund r where r.key = ${key}) as known
      from sandbox.payment p where p.key = ${chargeKey} and p.state = 'paid'
      for update`.execute(tx);
    const [charge] = rows;
    if (!charge || charge.left < amountCents)
      return { state: 'refused', reason: 'The charge was smaller than the refund.' };
    await sql`insert into sandbox.refund (key, charge_key, amount_cents, at)
      values (${key}, ${chargeKey}, ${amountCents}, ${now}) on conflict (key) do nothing`.execute(
      tx,
    );
    return { state: 'refunded' };
  });

/** The sandbox's payment provider: what a card does is written on the card. `charge` throws without a database. */
export function sandboxPaymentProvider({
  db,
  settings,
  now,
}: {
  db: Db;
  settings: Pick<Settings, 'appSecrets'>;
  now: () => Date;
}): PaymentProvider {
  const { appSecrets } = settings;
  return {
    name: 'sandbox',
    leastCents: 1,
    openCardEntry: async (companyId, { now: at }) => {
      const expiresAt = new Date(at.getTime() + tokenMinutes * 60_000);
      return {
        token: seal(appSecrets, JSON.stringify({ companyId, until: expiresAt.getTime() })),
        tokensUrl: '/sandbox/payments/tokens',
        expiresAt,
      };
    },
    saveCard: async (companyId, token, at) => {
      const found = read(appSecrets, cardToken, token, at);
      if (found?.companyId !== companyId) return 'unknown';
      const { behaviour, brand, last4, expMonth, expYear } = found;
      if (behaviour === 'refused') return { refused: 'The card was declined.' };
      return {
        reference: `card.${behaviour}.${randomUUID()}`,
        card: { brand, last4, expMonth, expYear },
      };
    },
    tokenOfTestCard: (companyId, card, at) => tokenOfCard(appSecrets, companyId, card, at),
    charge: async (order) => {
      await insertCharge(db, order, now());
      const row = await findCharge(db, order.key);
      if (!row) throw new Error('The sandbox lost a charge.');
      return outcomeOf(row);
    },
    cancelCharge: async ({ key }) => {
      await db.systemTransaction((tx) =>
        sql`update sandbox.payment set state = 'declined', reason = 'The payment was given up.'
          where key = ${key} and state = 'confirm'`.execute(tx),
      );
      const row = await findCharge(db, key);
      return row ? outcomeOf(row) : null;
    },
    refund: ({ key, charge, amountCents }) =>
      refundCharge(db, { key, chargeKey: charge.key, amountCents }, now()),
    getCharge: async ({ key }) => {
      const row = await findCharge(db, key);
      return row ? outcomeOf(row) : null;
    },
    webhook: null,
  };
}
