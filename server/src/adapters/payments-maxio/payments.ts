import type { PaymentProvider } from '../../gateways/payments.ts';
import { maxioApi, RefusedError } from './api.ts';
import type { GatewayServices } from '../adapter.ts';
import { paymentNames } from '../shared/payment-names.ts';
import type { MaxioAccount } from './account.ts';
import { formToken, saveCard } from './cards.ts';
import { cardPagePath } from './card-page.ts';
import { charge, giveUp, outcomeOf, readInvoice, refund } from './charges.ts';
import { oneAtATime } from './store-lock.ts';
import { readReport } from './webhook.ts';

/** What gateways behind Maxio charge at least, as Stripe does. */
const leastCents = 50;
/** Tokens of its fields are good for so long. */
const entryMs = 20 * 60_000;

/** Payments through a site at Maxio Advanced Billing. What its API throws, they throw. */
export function maxioPayments(
  account: MaxioAccount,
  { settings, db }: Pick<GatewayServices, 'settings' | 'db'>,
): PaymentProvider {
  const api = maxioApi(account);
  const names = paymentNames(settings.publicUrl);
  return {
    name: 'maxio',
    leastCents,
    openCardEntry: async (companyId, { now, returnUrl }) => ({
      pageUrl: `${settings.publicUrl}${cardPagePath}?to=${encodeURIComponent(returnUrl)}#${
        formToken(account, names.ofCompany(companyId)) ?? ''
      }`,
      expiresAt: new Date(now.getTime() + entryMs),
    }),
    saveCard: (companyId, token) => saveCard(api, account, names.ofCompany(companyId), token),
    tokenOfTestCard: () => null,
    charge: (order) => {
      const name = names.of(order.key);
      return oneAtATime(db, name, () => charge(api, name, order));
    },
    // None of its charges waits for the person, so those without a reference were never asked for.
    cancelCharge: async ({ reference }) => {
      const found = reference === null ? undefined : await readInvoice(api, reference);
      if (found?.status !== 'open') return found ? outcomeOf(found) : null;
      await giveUp(api, found.uid).catch((error: unknown) => {
        if (!(error instanceof RefusedError)) throw error;
      });
      const now = await readInvoice(api, found.uid);
      return now ? outcomeOf(now) : null;
    },
    getCharge: async ({ reference }) => {
      const found = reference === null ? undefined : await readInvoice(api, reference);
      return found ? outcomeOf(found) : null;
    },
    refund: ({ key, charge: { reference }, amountCents }) =>
      oneAtATime(db, names.of(key), async () =>
        reference === null
          ? { state: 'refused', reason: 'Maxio doesn’t know this charge.' }
          : refund(api, names.of(key), { uid: reference, amountCents }),
      ),
    webhook:
      account.sharedKey === null
        ? null
        : {
            path: '/webhooks/maxio',
            read: (body, headers) =>
              readReport(account.sharedKey ?? '', body, headers, names.keyOf),
          },
  };
}
