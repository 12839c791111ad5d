/**
 * Stores accepted texts in batches: those that arrive during a transaction share the next one, and
 * one job reports on all of them.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { OutgoingText } from '../../gateways/messaging.ts';
import { queueReports } from './text-job-kinds.ts';

// The system role: the simulated carrier’s own tables have no company.

/** The id of a stored text, or the code its phone refuses it with. */
type AcceptResult = { id: number } | { refuses: string };
interface PendingText {
  text: OutgoingText;
  reportAfterMs: number;
  resolve: (taken: AcceptResult) => void;
  reject: (why: unknown) => void;
}
const batchSize = 100;

export type AcceptText = (text: OutgoingText, reportAfterMs: number) => Promise<AcceptResult>;
/** A repeated key returns the id of the first text. */
export function createTextAcceptor(db: Db): AcceptText {
  const waiting: PendingText[] = [];
  let running = false;
  const work = async () => {
    // Texts sent in one turn of the event loop share a transaction.
    await new Promise(setImmediate);
    while (waiting.length) await writeBatch(db, waiting.splice(0, batchSize));
    running = false;
  };
  return (text, reportAfterMs) =>
    new Promise<AcceptResult>((done, failed) => {
      waiting.push({ text, reportAfterMs, resolve: done, reject: failed });
      if (running) return;
      running = true;
      void work();
    });
}

async function writeBatch(db: Db, batch: readonly PendingText[]): Promise<void> {
  try {
    const taken = await db.background.systemTransaction((tx) => insertTexts(tx, batch));
    batch.forEach((w, i) => w.resolve(taken[i]!)); // One result for each, in order.
  } catch (error) {
    const [first, ...others] = batch;
    if (others.length === 0) return first?.reject(error);
    // One text that cannot be stored must not fail the others. What was stored after all is found
    // by its key.
    for (const one of batch) await writeBatch(db, [one]);
  }
}

async function insertTexts(tx: Tx, batch: readonly PendingText[]): Promise<AcceptResult[]> {
  const refuses = new Map(
    (
      await sql<{
        number: string;
        refuses: string;
      }>`select number, refuses
        from sandbox.phone where number = any(${batch.map((w) => w.text.to)}::text[])
        and refuses is not null`.execute(tx)
    ).rows.map((r) => [r.number, r.refuses]),
  );
  const accepted = batch.filter((w) => !refuses.has(w.text.to)).map((w) => w.text);
  const media = (t: OutgoingText) =>
    JSON.stringify(t.media.map((m) => ({ url: m.url, contentType: m.contentType })));
  const fresh = accepted.length
    ? (
        await sql<{
          id: number;
          key: string;
        }>`insert into sandbox.text (outgoing, key, from_number, to_number, body, media, at)
    select true, t.key, t.sender, t.recipient, t.body, t.media::jsonb, clock_timestamp()
    from unnest(${accepted.map((t) => t.key)}::text[], ${accepted.map((t) => t.from)}::text[],
        ${accepted.map((t) => t.to)}::text[], ${accepted.map((t) => t.text)}::text[],
        ${accepted.map(media)}::text[]) with ordinality t(key, sender, recipient, body, media, n)
    order by t.n on conflict (key) do nothing returning id, key`.execute(tx)
      ).rows
    : [];
  const ids = new Map(fresh.map((r) => [r.key, r.id]));
  const known = accepted.filter((t) => !ids.has(t.key)).map((t) => t.key);
  if (known.length)
    for (const r of (
      await sql<{
        id: number;
        key: string;
      }>`select id, key from sandbox.text where key = any(${known}::text[])`.execute(tx)
    ).rows)
      ids.set(r.key, r.id);
  // Every accepted text was either inserted or there already.
  const idOf = (text: OutgoingText): number => ids.get(text.key)!;
  // Only for new texts: a repeated one gets the first one's receipts.
  const reports = new Map<number, number[]>();
  const unqueued = new Set(fresh.map((r) => r.key));
  for (const w of batch)
    if (unqueued.delete(w.text.key))
      reports.set(w.reportAfterMs, [...(reports.get(w.reportAfterMs) ?? []), idOf(w.text)]);
  for (const [afterMs, textIds] of reports) await queueReports(tx, textIds, afterMs);
  return batch.map((w) => {
    const why = refuses.get(w.text.to);
    return why === undefined ? { id: idOf(w.text) } : { refuses: why };
  });
}
