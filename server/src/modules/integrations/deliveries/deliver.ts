import { integrationsChanged } from '#contract/integrations/events';
import type { DeliveryEvent } from '#contract/integrations/rules';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { deliverJob } from '../job-kinds.ts';
import { CLAIM_SECONDS, nextTry, waitedUntil } from '../rules.ts';
import { destinationRow } from '../store.ts';
import { lockDelivery, patchDelivery, type DeliveryRow } from '../store-deliveries.ts';
import { insertAttempt, lockOrder, nextInOrder } from '../store-order.ts';
import { recordKeys } from '../store-records.ts';
import { loadFacts } from './load-facts.ts';
import { noteHealth } from './note-health.ts';
import { redactFacts } from './redact-facts.ts';
import type { Outcome, Taken } from './outcome.ts';
import { send } from './send.ts';
import { speechOf } from './speech.ts';

/**
 * Job: sends a delivery that is due, then stores what became of it. A worker that ends meanwhile is
 * followed by another once its claim is over: at least once, with the same key.
 */
export async function deliver(ctx: Ctx, deliveryId: number): Promise<void> {
  const taken = await ctx.transaction((t) => take(t, deliveryId));
  if (!taken) return;
  const began = performance.now();
  const outcome = await send(ctx, taken);
  const durationMs = Math.round(performance.now() - began);
  await ctx.transaction((t) => settle(t, taken, { ...outcome, durationMs }));
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
  const speech = {
    ...(await speechOf(t, { destination, kind, rule: row.rule, thread: row, facts, id })),
    // A claim that is over is one of a worker that ended; what was sent once leaves its request.
    isRetry: row.attempts > 0 || row.claimed_until !== null || row.request_redacted !== null,
  };
  await patchDelivery(tx, companyId, id, {
    claimed_until: new Date(now.getTime() + CLAIM_SECONDS * 1000),
  });
  return {
    ...{ row, destination, kind },
    recordKeys: recordKeys(t, { destination, kind }, facts),
    outgoing: kind.say(speech),
    redacted: kind.say({ ...speech, secret: null, facts: redactFacts(facts) }),
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

/** Stores what became of a delivery, and when it is tried again. */
async function settle(
  t: TxCtx,
  { row, destination, kind }: Taken,
  outcome: Outcome & { durationMs: number },
): Promise<void> {
  const { tx, companyId } = t;
  const { verdict } = outcome;
  const now = t.clock();
  const current = await lockDelivery(tx, companyId, row.id);
  // Deleted with its destination, or settled by another worker.
  if (!current || (current.state !== 'queued' && current.state !== 'failed')) return;
  const until = verdict.state === 'wait' ? waitedUntil(now, current, verdict.seconds) : null;
  if (until) {
    await patchDelivery(tx, companyId, row.id, { claimed_until: null });
    await postpone(t, row, until);
    return;
  }
  const attempts = current.attempts + 1;
  const isLater = verdict.state === 'retry' || verdict.state === 'wait';
  const next = isLater ? nextTry(now, attempts, outcome.waitSeconds) : null;
  const said = {
    response_code: outcome.code,
    response_excerpt: outcome.excerpt,
    error: verdict.state === 'sent' ? (verdict.warning ?? null) : verdict.error,
  };
  const isOver = verdict.state === 'sent' || verdict.state === 'skipped';
  await patchDelivery(tx, companyId, row.id, {
    state: isOver ? verdict.state : next ? 'failed' : 'dead',
    attempts,
    claimed_until: null,
    request_redacted: outcome.request,
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
    duration_ms: outcome.durationMs,
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
