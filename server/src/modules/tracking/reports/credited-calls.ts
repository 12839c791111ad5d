import type { AttributionModel } from '#contract/tracking/pool-rules';
import type { Tx } from '../../../platform/db.ts';
import { allowedModel } from '../models/store.ts';
import { creditsOf } from '../models/credits.ts';
import { firstContacts, visitsOfMatches, type MatchedCall, type ReportVisit } from './store.ts';

/** What a report groups by, of the touch that gets credit; without a visit, of the match. */
export interface CreditedTouch {
  basisPoints: number;
  source: { key: string; label: string };
  medium: string | null;
  campaign: string | null;
  keyword: string | null;
  /** Without its query. */
  landing: string | null;
  device: string | null;
  region: string | null;
}
interface CreditedCall {
  call: MatchedCall;
  touches: CreditedTouch[];
  /** Keys of the sources on the way to the call, in their order. */
  way: string[];
}

const needsLead = new Set<AttributionModel>(['lead_creation', 'first_and_lead', 'w_shaped']);

/**
 * What each touch gets for these calls; all of a call sum to 10,000.
 * @param model null: for each call that of its pool
 * @param qualifiedAt by call: when its person's first qualified call came
 */
export async function creditCalls(
  tx: Tx,
  companyId: number,
  calls: readonly MatchedCall[],
  model: AttributionModel | null,
  qualifiedAt: ReadonlyMap<number, Date>,
): Promise<CreditedCall[]> {
  const allowed = await allowedModel(tx, companyId);
  const modelOf = (call: MatchedCall) => allowed(model ?? call.model);
  const visits = new Map<number, ReportVisit[]>(calls.map(({ id }) => [id, []]));
  for (const visit of await visitsOfMatches(tx, companyId, calls))
    visits.get(visit.match_id)?.push(visit);
  const withLead = calls.filter((call) => needsLead.has(modelOf(call)));
  const leads = new Map(
    (withLead.length ? await firstContacts(tx, companyId, withLead) : []).map((one) => [
      one.match_id,
      { at: one.at, visitId: one.visit_id },
    ]),
  );
  return calls.map((call) => {
    const own = visits.get(call.id) ?? [];
    const { credits } = creditsOf(
      modelOf(call),
      own.map((visit) => ({
        id: visit.id,
        at: visit.started_at,
        source: String(visit.source_id),
        isDirect: visit.source_key === 'direct',
      })),
      call.at,
      { lead: leads.get(call.id) ?? null, qualifiedAt: qualifiedAt.get(call.call_id) ?? null },
    );
    const byId = new Map(own.map((visit) => [visit.id, visit]));
    const touches = credits.map(({ visitId, basisPoints }) =>
      touchOf(byId.get(visitId) ?? call, basisPoints),
    );
    const inOrder = own.toSorted((a, b) => a.started_at.getTime() - b.started_at.getTime());
    return touches.length
      ? { call, touches, way: inOrder.map((visit) => visit.source_key) }
      : { call, touches: [touchOf(call, 10_000)], way: [call.source_key] };
  });
}

const touchOf = (of: MatchedCall | ReportVisit, basisPoints: number): CreditedTouch => ({
  basisPoints,
  source: { key: of.source_key, label: of.source_label },
  medium: of.medium,
  campaign: of.campaign,
  keyword: of.term,
  landing: of.url?.split('#')[0]?.split('?')[0] ?? null,
  device: of.device,
  region: of.region,
});
