import { integrationsChanged } from '#contract/integrations/events';
import type { DeliveryEvent } from '#contract/integrations/rules';
import type { Destination, Outgoing, Verdict } from '../../../gateways/destination.ts';
import { UndeliverableError } from '../../../gateways/mail.ts';
import type { OutboundAnswer, OutboundRequest } from '../../../gateways/outbound.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { sendWithAccount } from '../accounts/send-with-account.ts';
import { deliverJob } from '../job-kinds.ts';
import { CLAIM_SECONDS, nextTry, verdictOf, withoutDetails } from '../rules.ts';
import { destinationRow, type DestinationRow } from '../store.ts';
import { lockDelivery, patchDelivery, type DeliveryRow } from '../store-deliveries.ts';
import { insertAttempt, lockOrder, nextInOrder } from '../store-order.ts';
import { loadFacts } from './load-facts.ts';
import { noteHealth } from './note-health.ts';
import { redactFacts } from './redact-facts.ts';
import { shownAs, speechOf } from './speech.ts';
import { withoutCredentials } from './without-credentials.ts';

/** A delivery that this worker has taken, and what it says. */
interface Taken {
  row: DeliveryRow;
  destination: DestinationRow;
  kind: Destination;
  outgoing: Outgoing;
  shown: string;
}

/**
 * Job: sends a delivery that is due, then stores what became of it. A worker that ends meanwhile is
 * followed by another once its claim is over: at least once, with the same key.
 */
export async function deliver(ctx: Ctx, deliveryId: number): Promise<void> {
  const taken = await ctx.transaction((t) => take(t, deliveryId));
  if (!taken) return;
  const began = performance.now();
  const { answer, verdict } = await send(ctx, taken);
  const durationMs = Math.round(performance.now() - began);
  await ctx.transaction((t) => settle(t, taken, { answer, verdict, durationMs }));
}

/** Claims a due delivery; null: it is not due, is being sent, or can't be sent any more. */
async function take(t: TxCtx, id: number): Promise<Taken | null> {
  const { tx, companyId } = t;
  const now = t.clock();
  const row = await lockDelivery(tx, companyId, id);
  const isOpen = row?.state === 'queued' || row?.state === 'failed';
  if (!row || !isOpen || row.next_try_at > now) return null;
  if (row.claimed_until && row.claimed_until > now) return null;
  if (row.order_key !== null) {
    await lockOrder(tx, row);
    // One before it is still to be sent, and starts this one.
    if ((await nextInOrder(tx, row))?.id !== id) return null;
  }
  const destination = await destinationRow(tx, companyId, row.destination_id);
  const kind = destination && t.gateways.destinations.get(destination.provider);
  if (!destination || !kind || destination.status !== 'active') {
    await giveUp(t, row, 'The integration is turned off.');
    return null;
  }
  const { subject_type: type, subject_id: subjectId } = row;
  const subject = { type: type as 'call' | 'item', id: subjectId };
  const facts = await loadFacts(t, row.event as DeliveryEvent, subject);
  if (!facts) {
    await giveUp(t, row, 'It was deleted meanwhile.');
    return null;
  }
  const later = kind.notBefore?.(
    kind.config.parse(destination.config),
    now,
    facts.company.timezone,
  );
  if (later) {
    await postpone(t, row, later);
    return null;
  }
  const speech = await speechOf(t, { destination, kind, rule: row.rule, thread: row, facts, id });
  await patchDelivery(tx, companyId, id, {
    claimed_until: new Date(now.getTime() + CLAIM_SECONDS * 1000),
  });
  return {
    ...{ row, destination, kind },
    outgoing: kind.say(speech),
    shown: shownAs(kind.say({ ...speech, secret: null, facts: redactFacts(facts) })),
  };
}

/** Gives up what can't be sent any more; what follows it goes on. */
async function giveUp(t: TxCtx, row: DeliveryRow, error: string): Promise<void> {
  await patchDelivery(t.tx, t.companyId, row.id, { state: 'dead', error });
  await startNext(t, row);
}

/** Starts the delivery about the same object that waited for this one. */
async function startNext(t: TxCtx, row: DeliveryRow): Promise<void> {
  if (row.order_key === null) return;
  await lockOrder(t.tx, row);
  const next = await nextInOrder(t.tx, row);
  if (!next) return;
  await t.enqueue(
    deliverJob,
    { deliveryId: next.id, destinationId: next.destination_id },
    {
      key: `delivery-${next.id}`,
      ...(next.next_try_at > t.clock() && { runAt: next.next_try_at }),
    },
  );
}

/** Sends it another time; that is no failed try. */
async function postpone(t: TxCtx, row: DeliveryRow, until: Date): Promise<void> {
  await patchDelivery(t.tx, t.companyId, row.id, { next_try_at: until });
  await t.enqueue(
    deliverJob,
    { deliveryId: row.id, destinationId: row.destination_id },
    { runAt: until, key: `delivery-${row.id}` },
  );
}

interface Outcome {
  /** Null: there is none, as of mail. */
  answer: OutboundAnswer | null;
  verdict: Verdict;
}

async function send(ctx: Ctx, { outgoing, kind, row, destination }: Taken): Promise<Outcome> {
  if (outgoing.via === 'https') {
    const { connection_id: connectionId } = destination;
    if (connectionId !== null) return sendAs(ctx, connectionId, kind, outgoing.request);
    const sent = await ctx.gateways.outbound.send(outgoing.request);
    const answer = withoutCredentials(sent, outgoing.request);
    return { answer, verdict: (kind.read ?? verdictOf)(answer) };
  }
  if (!ctx.settings.canMail)
    return {
      answer: null,
      verdict: { state: 'retry', error: 'This server can’t send email yet.' },
    };
  try {
    await ctx.gateways.mail.send({
      to: outgoing.to.join(', '),
      cc: outgoing.cc,
      subject: outgoing.subject,
      text: outgoing.text,
      html: '',
      plain: true,
      key: `delivery-${row.id}`,
      attachments: outgoing.attachments.map(({ name, contentType, text }) => ({
        ...{ name, contentType },
        bytes: Buffer.from(text),
      })),
    });
    return { answer: null, verdict: { state: 'sent' } };
  } catch (error) {
    const isRefused = error instanceof UndeliverableError;
    const state = isRefused ? 'refused' : 'retry';
    ctx.log.warn({ err: error, delivery: row.id }, 'a delivery could not be mailed');
    return {
      answer: null,
      verdict: {
        state,
        error: isRefused
          ? 'The address doesn’t take email.'
          : 'The mail server didn’t take the email.',
      },
    };
  }
}

/** Sends it with a connected account. */
async function sendAs(
  ctx: Ctx,
  connectionId: number,
  kind: Destination,
  request: OutboundRequest,
): Promise<Outcome> {
  const sent = await sendWithAccount(ctx, connectionId, request, (answer) =>
    Boolean(kind.isUnauthorized?.(answer)),
  );
  if (!sent.unusable)
    return { answer: sent.answer, verdict: (kind.read ?? verdictOf)(sent.answer) };
  const unusable: Record<typeof sent.unusable, Verdict> = {
    // Whoever connects it again within a day misses nothing.
    needs_reconnect: { state: 'retry', error: 'Access has ended. Connect the account again.' },
    away: { state: 'retry', error: 'The provider didn’t renew access.' },
    disconnected: { state: 'refused', error: 'The account was disconnected.' },
  };
  return { answer: null, verdict: unusable[sent.unusable] };
}

/** Stores what became of a delivery, and when it is tried again. */
async function settle(
  t: TxCtx,
  { row, destination, kind, shown }: Taken,
  { answer, verdict, durationMs }: Outcome & { durationMs: number },
): Promise<void> {
  const { tx, companyId } = t;
  const now = t.clock();
  const current = await lockDelivery(tx, companyId, row.id);
  // Deleted with its destination, or settled by another worker.
  if (!current || (current.state !== 'queued' && current.state !== 'failed')) return;
  const attempts = current.attempts + 1;
  const isSent = verdict.state === 'sent';
  const asked = answer && answer.status !== null ? answer.retryAfterSeconds : null;
  const next = verdict.state === 'retry' ? nextTry(now, attempts, asked) : null;
  const said = {
    response_code: answer?.status ?? null,
    response_excerpt: answer && answer.status !== null ? withoutDetails(answer.body) : null,
    error: verdict.state === 'sent' ? null : verdict.error,
  };
  await patchDelivery(tx, companyId, row.id, {
    state: isSent ? 'sent' : next ? 'failed' : 'dead',
    attempts,
    claimed_until: null,
    request_redacted: shown,
    ...said,
    ...(verdict.state === 'sent'
      ? { sent_at: now, ...(verdict.externalRef && { external_ref: verdict.externalRef }) }
      : {}),
    ...(next && { next_try_at: next }),
  });
  await insertAttempt(tx, {
    company_id: companyId,
    delivery_id: row.id,
    at: now,
    duration_ms: durationMs,
    ...said,
  });
  await noteHealth(t, { destination, kind }, verdict);
  if (next)
    await t.enqueue(
      deliverJob,
      { deliveryId: row.id, destinationId: destination.id },
      { runAt: next, key: `delivery-${row.id}` },
    );
  else await startNext(t, row);
  await t.publish(integrationsChanged, { companyId, provider: destination.provider });
}
