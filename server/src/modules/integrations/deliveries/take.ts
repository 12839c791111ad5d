import type { DeliveryEvent } from '#contract/integrations/rules';
import type { Destination } from '../../../gateways/destination.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { CLAIM_SECONDS } from '../rules.ts';
import { destinationRow, type DestinationRow } from '../store.ts';
import type { DeliveryRow } from '../store-deliveries.ts';
import { claim, claimable, giveUp, postpone } from '../store-due.ts';
import { recordKeys } from '../store-records.ts';
import { companyFacts, loadFacts, readAhead, type CompanyFacts } from './load-facts.ts';
import type { Taken } from './outcome.ts';
import { redactFacts } from './redact-facts.ts';
import { speechOf } from './speech.ts';

/** What was claimed of the deliveries that were looked at. */
export interface Batch {
  looked: number;
  taken: readonly Taken[];
}

interface Place {
  destination: DestinationRow;
  kind: Destination;
  company: CompanyFacts;
}

/** Claims what is due to a destination, and says what is to be sent; what can't be is given up. */
export async function take(t: TxCtx, destinationId: number, most: number): Promise<Batch> {
  const { tx, companyId } = t;
  const now = t.clock();
  const rows = await claimable(tx, { companyId, destinationId }, now, most);
  const looked = rows.length;
  if (looked === 0) return { looked, taken: [] };
  const destination = await destinationRow(tx, companyId, destinationId);
  const kind = destination && t.gateways.destinations.get(destination.provider);
  const company = await companyFacts(t);
  if (!destination || !kind || !company || destination.status !== 'active') {
    const ids = rows.map(({ id }) => id);
    await giveUp(tx, companyId, ids, 'The integration is turned off.');
    return { looked, taken: [] };
  }
  await readAhead(
    t,
    rows.filter((row) => row.subject_type === 'item').map((row) => row.subject_id),
  );
  const taken: Taken[] = [];
  const threads = new Set<string>();
  for (const row of rows) {
    // What the first of a thread is called there is known when it is sent.
    if (row.thread_key !== null && threads.has(row.thread_key)) continue;
    if (row.thread_key !== null) threads.add(row.thread_key);
    const one = await prepare(t, { destination, kind, company }, row, now);
    if (one) taken.push(one);
  }
  const until = new Date(now.getTime() + CLAIM_SECONDS * 1000);
  const ids = taken.map(({ row }) => row.id);
  await claim(tx, companyId, ids, until);
  return { looked, taken };
}

/** What is sent of a delivery; null: nothing, or not now. */
async function prepare(
  t: TxCtx,
  { destination, kind, company }: Place,
  row: DeliveryRow,
  now: Date,
): Promise<Taken | null> {
  const { id, subject_id: subjectId } = row;
  const subject = { type: row.subject_type as 'call' | 'item', id: subjectId };
  const facts = await loadFacts(t, row.event as DeliveryEvent, subject, company);
  if (!facts) {
    await giveUp(t.tx, t.companyId, [id], 'It was deleted meanwhile.');
    return null;
  }
  const config = kind.config.parse(destination.config);
  const later = kind.notBefore?.(config, now, facts.company.timezone);
  if (later) {
    await postpone(t.tx, t.companyId, id, later);
    return null;
  }
  const speech = {
    ...(await speechOf(t, { destination, kind, rule: row.rule, thread: row, facts, id })),
    // A claim that is over is one of a worker that ended; what was sent once leaves its request.
    isRetry: row.attempts > 0 || row.claimed_until !== null || row.request_redacted !== null,
  };
  return {
    ...{ row, destination, kind, contactId: facts.contact?.id ?? null },
    recordKeys: recordKeys(t, { destination, kind }, facts),
    outgoing: kind.say(speech),
    redacted: kind.say({ ...speech, secret: null, facts: redactFacts(facts) }),
  };
}
