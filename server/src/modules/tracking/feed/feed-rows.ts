import type { FeedRow } from '#contract/tracking/feed-schemas';
import type { FeedType } from '#contract/tracking/feed-rules';
import { pageOf } from '../hits/page-of.ts';
import type { NewVisit } from '../visits/store.ts';
import type { Shown } from '../visits/present-visit.ts';
import type { MatchFacts, VisitFacts, VisitRow } from './store.ts';

/** A row with the number it is about; null: only people who see all numbers get it. */
export interface FeedItem {
  row: FeedRow;
  numberId: number | null;
}
/** No number has it, so nobody who is limited to some receives an event about it. */
const NO_NUMBER = 0;

/** A row as it is published. */
export const asEvent = ({ row, numberId }: FeedItem) => ({
  data: row,
  about: { numberId: numberId ?? NO_NUMBER },
});

/** A row about a visit. */
export const itemOfVisit = (type: FeedType, visit: VisitFacts, at: Date): FeedItem => ({
  numberId: visit.number_id,
  row: {
    // Of each kind a visit has one row: of heartbeats the last.
    id: `${type}-${visit.id}`,
    at: at.toISOString(),
    type,
    poolId: visit.pool_id,
    number: visit.number,
    source: { key: visit.source_key, label: visit.source_label },
    campaign: visit.campaign,
    page: pageOf(visit.url),
    region: visit.region,
    device: visit.device,
    sessionId: visit.id,
    caller: null,
    subjectId: null,
  },
});

/** The rows of a visit that has just begun; none: nothing is stored of it. */
export function rowsOfNewVisit(visit: NewVisit, shown: Shown): FeedItem[] {
  if (shown.visitId === null) return [];
  const { source, campaign } = visit.classification;
  const facts = {
    ...{ id: shown.visitId, pool_id: visit.poolId, url: visit.url, region: visit.region },
    ...{ source_key: source.key, source_label: source.label, campaign, device: visit.device },
    ...{ number_id: shown.numberId, number: shown.numberId === null ? null : shown.number },
    swapped_at: null,
  };
  const begun = itemOfVisit('session_started', facts, visit.now);
  return shown.isExhausted ? [begun, itemOfVisit('exhausted', facts, visit.now)] : [begun];
}

/** Whatever happened in a visit so far. */
export function itemsOfVisit(visit: VisitRow, now: Date): FeedItem[] {
  const endsAt = new Date(visit.last_seen_at.getTime() + visit.timeout_minutes * 60_000);
  const item = (type: FeedType, at: Date) => itemOfVisit(type, visit, at);
  return [
    item('session_started', visit.started_at),
    ...(visit.outcome === 'exhausted' ? [item('exhausted', visit.started_at)] : []),
    ...(visit.swapped_at ? [item('swap', visit.swapped_at)] : []),
    ...(visit.last_seen_at > visit.started_at ? [item('heartbeat', visit.last_seen_at)] : []),
    ...(endsAt <= now ? [item('session_ended', endsAt)] : []),
  ];
}

/** A row about a call or text. */
export const itemOfMatch = (match: MatchFacts): FeedItem => ({
  numberId: match.number_id,
  row: {
    id: `${match.kind}-${match.subject_id}`,
    at: match.at.toISOString(),
    type: match.kind,
    poolId: match.pool_id,
    number: match.number,
    source: { key: match.source_key, label: match.source_label },
    campaign: match.campaign,
    page: pageOf(match.landing_url),
    region: match.region,
    device: match.device as FeedRow['device'],
    sessionId: match.visit_id,
    caller: match.party.startsWith('+') ? match.party : null,
    subjectId: match.subject_id,
  },
});

/** A row about a form; the same for the moment it arrives as for the stored event. */
export const itemOfForm = (
  visit: VisitFacts,
  { at, url }: { at: Date; url: string | null },
  party: string | null,
): FeedItem => {
  const item = itemOfVisit('form', visit, at);
  const { row } = item;
  return {
    ...item,
    row: {
      ...row,
      id: `${row.id}-${at.getTime().toString(36)}`,
      page: pageOf(url) ?? row.page,
      caller: party,
    },
  };
};
