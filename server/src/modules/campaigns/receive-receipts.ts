import { campaignTextsFiled } from '#contract/campaigns';
import {
  standingBack,
  systemCtx,
  type House,
  type Said,
  type TxCtx,
} from '../../platform/context.ts';
import type { DeliveryReport } from '../../ports/messaging.ts';
import { optOut } from '../compliance/index.ts';
import { moveFiledTexts, receiveReceipts as receiveOthers } from '../conversations/index.ts';
import { moveOf } from './file-campaign.ts';
import { errorText, keyOf, readKey } from './rules.ts';
import { campaignsByIds } from './store.ts';
import { fileOnceMore, lastClaims } from './store-batches.ts';
import { linesByIds, moveLines, type Line, type Result } from './store-ledger.ts';

interface Waiting {
  id: number;
  report: DeliveryReport;
  done: () => void;
  failed: (why: unknown) => void;
}
const together = 500;
/** Receipts gather for so long: each transaction costs the same, whether it is of one text or of many, and people wait for the same processors. */
const gatherMs = 40;
const queues = new WeakMap<House, Map<string, { waiting: Waiting[]; running: boolean }>>();

/** What carriers report: of campaigns' texts, which their keys name, here, many in one transaction, acknowledged after its commit; of all others in conversations. */
export async function receiveReceipts(
  house: House,
  said: Said,
  carrier: string,
  reports: readonly DeliveryReport[],
): Promise<void> {
  const others = reports.filter((r) => !readKey(r.key));
  await Promise.all([
    ...(others.length ? [receiveOthers(house, said, carrier, others)] : []),
    ...reports.flatMap((report) => {
      const line = readKey(report.key);
      return line ? [storeTogether(house, said, carrier, line.companyId, line.id, report)] : [];
    }),
  ]);
}

function storeTogether(
  house: House,
  said: Said,
  carrier: string,
  companyId: number,
  id: number,
  report: DeliveryReport,
): Promise<void> {
  const byCompany =
    queues.get(house) ?? new Map<string, { waiting: Waiting[]; running: boolean }>();
  queues.set(house, byCompany);
  const key = `${carrier}:${companyId}`;
  const queue = byCompany.get(key) ?? { waiting: [], running: false };
  byCompany.set(key, queue);
  const promise = new Promise<void>((done, failed) =>
    queue.waiting.push({ id, report, done, failed }),
  );
  if (!queue.running) {
    queue.running = true;
    void (async () => {
      while (queue.waiting.length) {
        if (queue.waiting.length < together)
          await new Promise((resolve) => setTimeout(resolve, gatherMs));
        await commit(house, said, carrier, companyId, queue.waiting.splice(0, together));
      }
      byCompany.delete(key);
    })();
  }
  return promise;
}

async function commit(
  house: House,
  said: Said,
  carrier: string,
  companyId: number,
  batch: Waiting[],
): Promise<void> {
  try {
    await systemCtx(standingBack(house), companyId, said, 'carrier-receipt').transaction((t) =>
      storeReceipts(t, carrier, batch),
    );
    for (const w of batch) w.done();
  } catch (error) {
    if (batch.length === 1) {
      batch[0]!.failed(error);
      return;
    }
    // One bad receipt costs nobody else theirs.
    for (const one of batch) await commit(house, said, carrier, companyId, [one]);
  }
}

const rank = { sent: 1, delivered: 2, undelivered: 2, failed: 2 } as const;
async function storeReceipts(
  t: TxCtx,
  carrier: string,
  batch: readonly { id: number; report: DeliveryReport }[],
): Promise<void> {
  // Several of one line: the furthest counts, the first of equals.
  const furthest = new Map<number, DeliveryReport>();
  for (const { id, report } of batch) {
    const had = furthest.get(id);
    if (!had || rank[report.state] > rank[had.state]) furthest.set(id, report);
  }
  const lines = await claimedLines(t, [...furthest.keys()]);
  // A receipt of another round or version of the line says nothing about this one.
  const fitting = lines.filter(
    (l) => l.carrier === carrier && keysOf(l).includes(furthest.get(l.id)!.key),
  );
  if (!fitting.length) return;
  for (const l of fitting) {
    const r = furthest.get(l.id)!;
    if (r.code === 'opted_out')
      await optOut(t, {
        number: l.to_number,
        source: 'carrier_error',
        numberId: null,
        proof: r.reason,
      });
  }
  const moved = await moveLines(
    t.tx,
    t.companyId,
    fitting.map((l): Result => {
      const r = furthest.get(l.id)!;
      return {
        id: l.id,
        state: r.state,
        providerId: r.providerId,
        code: r.code,
        text: errorText(r.code, r.reason),
        passing: false,
        batchId: l.batch_id,
        credits: l.credits,
      };
    }),
    t.now,
    true,
  );
  // Its batch may have its places in the inbox already.
  await fileOnceMore(
    t.tx,
    t.companyId,
    fitting.flatMap((l) => (l.state === 'pending' ? (l.batch_id ?? []) : [])),
  );
  const filed = moved.filter((l) => l.item_id !== null);
  if (!(await moveFiledTexts(t, filed.map(moveOf)))) return;
  for (const c of await campaignsByIds(
    t.tx,
    t.companyId,
    filed.map((l) => l.campaign_id),
  )) {
    const count = filed.filter((l) => l.campaign_id === c.id).length;
    if (count && c.number_id)
      await t.say(
        campaignTextsFiled,
        { campaignId: c.id, numberId: c.number_id, count },
        { numberId: c.number_id },
      );
  }
}

/** Reported recipients as they were last claimed, even if the answer to that is still on its way. */
async function claimedLines(
  t: TxCtx,
  ids: readonly number[],
): Promise<(Line & { credits: number | null })[]> {
  const lines = await linesByIds(t.tx, t.companyId, ids);
  const pending = lines.filter((l) => l.state === 'pending');
  const last = pending.length
    ? await lastClaims(
        t.tx,
        t.companyId,
        [...new Set(pending.map((l) => l.campaign_id))],
        pending.map((l) => l.id),
        pending.flatMap((l) => l.batch_id ?? []),
      )
    : null;
  return lines.map((l) => ({
    ...l,
    credits: null,
    ...(l.state === 'pending' ? last?.get(l.id) : undefined),
  }));
}

/** Under which keys the carrier may have its text. One that waits for another round was handed over in the one before. */
function keysOf(l: Line): (string | null)[] {
  if (l.text_version === null) return [];
  return [
    keyOf(l, l.text_version),
    ...(l.state === 'pending' && l.round > 0
      ? [keyOf({ ...l, round: l.round - 1 }, l.text_version)]
      : []),
  ];
}
