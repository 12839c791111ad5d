import { integrationsChanged } from '#contract/integrations/events';
import type { TxCtx } from '../../../platform/context.ts';
import { nextTry, waitedUntil } from '../rules.ts';
import {
  claimable,
  insertAttempts,
  lockDeliveries,
  postpone,
  storeOutcomes,
  type StoredOutcome,
} from '../store-due.ts';
import { queuePeople } from '../crm/read-crm.ts';
import { noteHealth } from './note-health.ts';
import type { Sent } from './outcome.ts';

/** How long a delivery that can't be prepared is put off: what is wrong with it may pass. */
const PUT_OFF_MS = 5 * 60_000;

/** Stores what became of a destination's batch, and when what failed is tried again. */
export async function settle(t: TxCtx, sent: readonly Sent[]): Promise<void> {
  const { tx, companyId } = t;
  const now = t.clock();
  const ids = sent.map(({ taken }) => taken.row.id);
  const open = new Map((await lockDeliveries(tx, companyId, ids)).map((row) => [row.id, row]));
  const outcomes: StoredOutcome[] = [];
  for (const { taken, outcome } of sent) {
    const current = open.get(taken.row.id);
    // Deleted with its destination, or settled by another worker.
    if (!current) continue;
    const verdict = outcome?.verdict;
    const until = verdict?.state === 'wait' ? waitedUntil(now, current, verdict.seconds) : null;
    if (!outcome || !verdict || until) {
      await postpone(tx, companyId, current.id, until ?? current.next_try_at);
      continue;
    }
    const attempts = current.attempts + 1;
    const isLater = verdict.state === 'retry' || verdict.state === 'wait';
    const next = isLater ? nextTry(now, attempts, outcome.waitSeconds) : null;
    const isOver = verdict.state === 'sent' || verdict.state === 'skipped';
    outcomes.push({
      id: current.id,
      state: isOver ? verdict.state : next ? 'failed' : 'dead',
      attempts,
      request_redacted: outcome.request,
      response_code: outcome.code,
      response_excerpt: outcome.excerpt,
      error: verdict.state === 'sent' ? (verdict.warning ?? null) : verdict.error,
      external_ref: (verdict.state === 'sent' ? verdict.externalRef : null) ?? null,
      sent_at: verdict.state === 'sent' ? now : null,
      next_try_at: next,
      duration_ms: outcome.durationMs,
    });
  }
  await storeOutcomes(tx, companyId, outcomes);
  await insertAttempts(tx, companyId, now, outcomes);
  const [first] = sent;
  if (!first) return;
  const verdicts = sent.flatMap(({ taken, outcome }) =>
    outcome && outcomes.some(({ id }) => id === taken.row.id) ? [outcome.verdict] : [],
  );
  await noteHealth(t, first.taken, verdicts);
  await queuePeople(t, sent);
  await t.publish(integrationsChanged, {
    companyId,
    provider: first.taken.destination.provider,
  });
}

/** Puts off the delivery that is next to a destination, because it can't be prepared. */
export async function putOff(t: TxCtx, destinationId: number): Promise<void> {
  const { tx, companyId } = t;
  const now = t.clock();
  const [row] = await claimable(tx, { companyId, destinationId }, now, 1);
  if (row) await postpone(tx, companyId, row.id, new Date(now.getTime() + PUT_OFF_MS));
}
