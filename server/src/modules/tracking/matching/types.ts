import type { MatchLabel } from '#contract/tracking/match-rules';
import type { Evidence, MatchCandidate } from '#contract/tracking/match-schemas';
import type { attributionModels } from '#contract/tracking/pool-rules';

/** Where a call or text came from, and why we say so. */
export interface Match {
  poolId: number | null;
  /** The pool wants the source spoken to who answers. */
  isWhispered: boolean;
  label: MatchLabel;
  confidence: number;
  model: (typeof attributionModels)[number];
  visitorId: string | null;
  visitId: number | null;
  leaseId: number | null;
  source: { id: number; key: string; label: string };
  medium: string | null;
  campaign: string | null;
  term: string | null;
  content: string | null;
  landingUrl: string | null;
  referrer: string | null;
  clickIds: Record<string, string>;
  device: 'desktop' | 'mobile' | 'tablet' | null;
  /** Of its visit. */
  region: string | null;
  /** The number that was called or texted. */
  number: string;
  ruleId: string | null;
  evidence: Evidence[];
  candidates: MatchCandidate[];
}
