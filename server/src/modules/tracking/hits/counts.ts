import type { DropReason, HitKind, HitStep } from '#contract/tracking/hit-rules';
import { groupBy } from './batching.ts';
import { droppedHits, keptHits } from './metrics.ts';
import type { CountRow } from './store.ts';

const HOUR_MS = 3_600_000;

/** Counts what became of hits, for the metrics and, by pool and hour, for the pools' screens. */
export class HitCounts {
  private rows = new Map<string, CountRow & { companyId: number }>();

  /** @param poolId null: no pool is known, so only the metrics count it */
  kept(companyId: number, poolId: number | null, kind: HitKind, at: Date): void {
    keptHits.inc({ kind });
    this.add(companyId, poolId, kind, '', at);
  }

  dropped(
    companyId: number,
    poolId: number | null,
    kind: HitKind,
    { step, reason }: { step: HitStep | 'buffer'; reason: DropReason },
    at: Date,
  ): void {
    droppedHits.inc({ kind, step, reason });
    this.add(companyId, poolId, kind, reason, at);
  }

  /** True when something was counted since. */
  get any(): boolean {
    return this.rows.size > 0;
  }

  /** Takes what was counted since, by company. */
  take(): Map<number, CountRow[]> {
    const taken = groupBy(this.rows.values(), ({ companyId }) => companyId);
    this.rows = new Map();
    return taken;
  }

  /** Gives back what couldn't be stored. */
  giveBack(companyId: number, rows: readonly CountRow[]): void {
    for (const row of rows) this.add(companyId, row.poolId, row.kind, row.reason, row.hour, row.n);
  }

  private add(
    companyId: number,
    poolId: number | null,
    kind: HitKind,
    reason: DropReason | '',
    at: Date,
    n = 1,
  ): void {
    if (poolId === null) return;
    const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
    const key = `${poolId} ${hour.getTime()} ${kind} ${reason} ${companyId}`;
    const row = this.rows.get(key);
    if (row) row.n += n;
    else this.rows.set(key, { companyId, poolId, hour, kind, reason, n });
  }
}
