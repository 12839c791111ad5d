import type { devices } from '#contract/tracking/match-rules';
import type { Classification } from '#contract/tracking/schemas';
import type { KnownSource } from '../src/modules/tracking/classification/types.ts';
import type { SeedNumber } from './demo-rows.ts';

export const site = 'https://www.harbordental.test';

/** A pool with its numbers. */
export interface SeededPool {
  id: number;
  sourceIds: readonly number[];
  numbers: readonly SeedNumber[];
}
/** What tells the demo's visitors apart: numbers of their own, numbers of sources, own sources. */
export interface DemoSite {
  visitors: SeededPool;
  fixed: SeededPool;
  sources: readonly KnownSource[];
}

export interface Visit {
  id: number;
  visitorId: string;
  at: number;
  /** When its page was last open. */
  seen: number;
  /** When its number was taken from it. */
  over: number;
  url: string;
  referrer: string | null;
  found: Classification;
  device: (typeof devices)[number];
  region: string;
  pages: number;
  pool: SeededPool;
  /** Null: of its source's number, or none was free. */
  leaseId: number | null;
  /** Null: none was free. */
  number: SeedNumber | null;
  /** How likely it leads to a call or text, 0 to 1. */
  contacts: number;
}

/** What a visit and its match say alike. */
export const factsOf = ({ found, device }: Visit) => ({
  source_id: found.source.id,
  source_key: found.source.key,
  source_label: found.source.label,
  medium: found.medium,
  campaign: found.campaign,
  term: found.term,
  content: found.content,
  click_ids: found.clickIds,
  rule_id: found.ruleId,
  device,
});
