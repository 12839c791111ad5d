import type { MatchKind } from '#contract/tracking/match-rules';
import type { Tx } from '../../../platform/db.ts';
import type { Contact } from './store.ts';
import type { Match } from './types.ts';

/** A match with what it is of: a call, or the item of a text. */
export interface MatchOf extends Contact {
  subjectId: number;
  match: Match;
}

/** The row of a match, its lists and objects as they are. */
export const matchRow = (
  companyId: number,
  kind: MatchKind,
  { subjectId, numberId, party, match: m }: MatchOf,
  at: Date,
) => ({
  company_id: companyId,
  kind,
  subject_id: subjectId,
  number_id: numberId,
  party,
  at,
  pool_id: m.poolId,
  label: m.label,
  confidence: m.confidence,
  model: m.model,
  visitor_id: m.visitorId,
  visit_id: m.visitId,
  lease_id: m.leaseId,
  source_id: m.source.id,
  source_key: m.source.key,
  source_label: m.source.label,
  medium: m.medium,
  campaign: m.campaign,
  term: m.term,
  content: m.content,
  landing_url: m.landingUrl,
  referrer: m.referrer,
  click_ids: m.clickIds,
  device: m.device,
  rule_id: m.ruleId,
  evidence: m.evidence,
  candidates: m.candidates,
});

/** Stores matches, each subject's once. */
export async function insertMatches(
  tx: Tx,
  companyId: number,
  kind: MatchKind,
  many: readonly MatchOf[],
  at: Date,
): Promise<void> {
  const rows = many.map((one) => matchRow(companyId, kind, one, at));
  await tx
    .insertInto('tracking_match')
    .values(
      rows.map((row) => ({
        ...row,
        click_ids: JSON.stringify(row.click_ids),
        evidence: JSON.stringify(row.evidence),
        candidates: JSON.stringify(row.candidates),
      })),
    )
    .onConflict((on) => on.columns(['company_id', 'kind', 'subject_id']).doNothing())
    .execute();
}
