/** The simulated provider’s card field and its bank’s confirmation page. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { parseExpiry } from '#contract/billing/rules';
import type { Services } from '../../platform/context.ts';
import { escapeHtml } from '../../platform/html.ts';
import { companyOfField, tokenOfCard } from './payments.ts';

// The system role: the simulated provider’s own tables have no company.

const enteredCard = z.object({
  security_token: z.string().max(2000),
  number: z.string().max(40),
  exp: z.string().max(10),
  cvc: z.string().regex(/^\d{3,4}$/),
});

/** The routes of the sandbox's payment provider. */
export const sandboxPaymentRoutes = (services: Services) => async (app: FastifyInstance) => {
  // A form of the confirmation page; its answer is in the address.
  app.addContentTypeParser('application/x-www-form-urlencoded', (_, payload, done) => {
    payload.resume();
    payload.once('end', () => done(null, null));
  });
  app.post('/sandbox/payments/tokens', (request, reply) =>
    enterCard(services, request.body, reply),
  );
  app.get<{ Params: { reference: string } }>('/sandbox/payments/:reference/confirm', (r, reply) =>
    confirmationPage(services, r.params.reference, reply),
  );
  app.post<{ Params: { reference: string }; Querystring: { approve?: string } }>(
    '/sandbox/payments/:reference/confirm',
    async (request, reply) => {
      await answerBank(services, request.params.reference, request.query.approve === '1');
      return reply.redirect('/settings/billing?paid=1', 303);
    },
  );
};

/** What the provider's card field does: a card for a token. The card is not kept. */
async function enterCard(services: Services, body: unknown, reply: FastifyReply) {
  const wrong = (field: string, sentence: string) =>
    reply.code(422).send({ message: sentence, errors: { [field]: [sentence] } });
  const parsed = enteredCard.safeParse(body);
  if (!parsed.success) return wrong('number', 'Enter number, expiry date and security code.');
  const now = services.now();
  const { security_token: securityToken, number, exp } = parsed.data;
  const companyId = companyOfField(services.settings.appSecrets, securityToken, now);
  if (companyId === null) return wrong('security_token', 'The card field is too old. Reload it.');
  const expiry = parseExpiry(exp, now);
  if (!expiry) return wrong('exp', 'Enter the month and year the card ends, such as 09/29.');
  const token = tokenOfCard(
    services.settings.appSecrets,
    companyId,
    { number, expMonth: expiry.month, expYear: expiry.year },
    now,
  );
  if (token === null)
    return wrong('number', 'Only test cards work here. Don’t enter a card of your own.');
  return reply.code(201).send({ data: { token } });
}

interface Waiting {
  amount_cents: number;
  currency: string;
  state: string;
}

const waitingPayment = (services: Services, reference: string): Promise<Waiting | undefined> =>
  services.db.systemTransaction(async (tx) => {
    const { rows } = await sql<Waiting>`select amount_cents, currency, state
      from sandbox.payment where reference = ${reference}`.execute(tx);
    return rows[0];
  });

/** The simulated bank asks whether the payment is the person's. */
async function confirmationPage(services: Services, reference: string, reply: FastifyReply) {
  const payment = await waitingPayment(services, reference);
  if (!payment) return reply.callNotFound();
  const amount = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: payment.currency,
  }).format(payment.amount_cents / 100);
  const action = `/sandbox/payments/${encodeURIComponent(reference)}/confirm`;
  const question =
    payment.state === 'confirm'
      ? `<p>Do you want to pay <b>${escapeHtml(amount)}</b> to Trunkline?</p>
<form method="post" action="${escapeHtml(action)}?approve=1"><button>Approve</button></form>
<form method="post" action="${escapeHtml(action)}?approve=0"><button class="no">Decline</button></form>`
      : '<p>You answered already. <a href="/settings/billing">Back to billing</a></p>';
  return reply.type('text/html')
    .send(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Confirm payment</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:420px;margin:12vh auto;padding:0 16px}main{border:1px solid color-mix(in srgb,currentColor 18%,transparent);border-radius:12px;padding:24px}h1{font-size:20px;margin:0 0 8px}form{display:inline-block;margin:8px 8px 0 0}button{font:inherit;padding:8px 20px;border-radius:8px;border:1px solid #2563eb;background:#2563eb;color:#fff;cursor:pointer}.no{background:transparent;color:inherit;border-color:currentColor}small{opacity:.7}</style>
<main><h1>Test Bank</h1>${question}<p><small>A simulated bank: no money moves.</small></p></main></html>`);
}

const answerBank = (services: Services, reference: string, approves: boolean) =>
  services.db.systemTransaction((tx) =>
    sql`update sandbox.payment set state = ${approves ? 'paid' : 'declined'},
        reason = ${approves ? null : 'You declined the payment at your bank.'}
      where reference = ${reference} and state = 'confirm'`.execute(tx),
  );
