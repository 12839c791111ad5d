import type { DropReason } from '#contract/tracking/hit-rules';
import type { Tx } from '../../../platform/db.ts';
import type { FeedItem } from '../feed/feed-rows.ts';
import type { Hit } from './hit.ts';
import type { HitVisit } from './store.ts';

/** Hits of one company that go through the steps together, in one transaction. */
export interface Batch {
  readonly tx: Tx;
  readonly companyId: number;
  readonly now: Date;
  /** Those that no step dropped yet. */
  readonly hits: ReadonlySet<Hit>;
  readonly visits: Map<number, HitVisit>;
  /** Until when the numbers of visits stay, once `lease` has run. */
  readonly leasedUntil: Map<number, Date | null>;
  drop(hit: Hit, reason: DropReason): void;
  /** Tells the live feed, once it is stored. */
  tell(row: FeedItem): void;
}
