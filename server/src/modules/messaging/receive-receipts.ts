import {
  inBackground,
  systemCtx,
  type OutboxNotifier,
  type Services,
  type TxCtx,
} from '../../platform/context.ts';
import type { DeliveryReport } from '../../gateways/messaging.ts';
import { createBatchQueue, storeWithFallback, type BatchQueue } from './batch-queue.ts';
import { recordCarrierOptOuts, type CarrierOptOut } from './carrier-opt-outs.ts';

/** A row of a table of texts. */
interface TextRef {
  companyId: number;
  id: number;
}
/** Reports by the row they are about, the furthest of each. */
export type ReportsById = ReadonlyMap<number, DeliveryReport>;

/** A table of texts of ours on which carriers report. */
export interface ReceiptTable {
  /** The row that one of its idempotency keys names; null: another table's key, or none. */
  parseKey(key: string | null): TextRef | null;
  /** The row of a report without a key; null: none. Left out: its texts always have a key. */
  findByProviderId?(
    services: Services,
    carrier: string,
    providerId: string,
  ): Promise<TextRef | null>;
  /** Who opted out by these reports; texts that aren't the carrier's are left out. */
  optOutsOf(t: TxCtx, carrier: string, reports: ReportsById): Promise<CarrierOptOut[]>;
  /** Stores reports: forward only, so one that is late or repeated changes nothing. */
  apply(t: TxCtx, carrier: string, reports: ReportsById): Promise<void>;
  /** Its transactions run at low priority (`inBackground`). */
  lowPriority: boolean;
  /** How many reports share a transaction, and how long they wait for more (`createBatchQueue`). */
  batch: { maxBatch: number; gatherMs?: number };
}

interface QueuedReport {
  id: number;
  report: DeliveryReport;
}
const queues = new WeakMap<ReceiptTable, BatchQueue<QueuedReport, void>>();
const queueOf = (table: ReceiptTable): BatchQueue<QueuedReport, void> => {
  const queue = queues.get(table) ?? createBatchQueue<QueuedReport, void>(table.batch);
  queues.set(table, queue);
  return queue;
};

/**
 * Stores what a carrier reports of texts of ours, in whichever table they are, many in one
 * transaction. Resolves after the commit of all. A report on an unknown text changes nothing; one
 * that can't be stored fails alone.
 */
export async function receiveReceipts(
  services: Services,
  notifier: OutboxNotifier,
  tables: readonly ReceiptTable[],
  carrier: string,
  reports: readonly DeliveryReport[],
): Promise<void> {
  await Promise.all(
    reports.map(async (report) => {
      const found = await locate(services, tables, carrier, report);
      if (found) await enqueue(services, notifier, carrier, found, report);
    }),
  );
}

interface LocatedText {
  table: ReceiptTable;
  ref: TextRef;
}
function locate(
  services: Services,
  tables: readonly ReceiptTable[],
  carrier: string,
  report: DeliveryReport,
): LocatedText | Promise<LocatedText | null> {
  for (const table of tables) {
    const ref = table.parseKey(report.key);
    if (ref) return { table, ref };
  }
  return locateByProviderId(services, tables, carrier, report.providerId);
}
async function locateByProviderId(
  services: Services,
  tables: readonly ReceiptTable[],
  carrier: string,
  providerId: string,
): Promise<LocatedText | null> {
  for (const table of tables) {
    const ref = await table.findByProviderId?.(services, carrier, providerId);
    if (ref) return { table, ref };
  }
  return null;
}

const enqueue = (
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  { table, ref: { companyId, id } }: LocatedText,
  report: DeliveryReport,
): Promise<void> =>
  queueOf(table).add(services, `${carrier}:${companyId}`, { id, report }, (batch) => {
    const pool = table.lowPriority ? inBackground(services) : services;
    const ctx = systemCtx(pool, companyId, notifier, 'carrier-receipt');
    return storeWithFallback(batch, (reports) =>
      ctx.transaction(async (t) => {
        await store(t, table, carrier, reports);
        return reports.map(() => undefined);
      }),
    );
  });

async function store(
  t: TxCtx,
  table: ReceiptTable,
  carrier: string,
  reports: readonly QueuedReport[],
): Promise<void> {
  const furthest = furthestOf(reports);
  const optedOut = new Map([...furthest].filter(([, report]) => report.code === 'opted_out'));
  // The opt-out ledger is locked before any text or conversation.
  if (optedOut.size) await recordCarrierOptOuts(t, await table.optOutsOf(t, carrier, optedOut));
  await table.apply(t, carrier, furthest);
}

/** `sent` may still become any of the others, which are final. */
const isFinal = (report: DeliveryReport): boolean => report.state !== 'sent';
/** Of several reports on one text the furthest counts, and the first of equals. */
function furthestOf(reports: readonly QueuedReport[]): ReportsById {
  const furthest = new Map<number, DeliveryReport>();
  for (const { id, report } of reports) {
    const previous = furthest.get(id);
    if (!previous || (isFinal(report) && !isFinal(previous))) furthest.set(id, report);
  }
  return furthest;
}
