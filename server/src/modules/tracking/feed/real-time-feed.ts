import type { Answer, Query, tracking as contract } from '#contract';
import { feedSize, feedTypes } from '#contract/tracking/feed-rules';
import { matchKinds } from '#contract/tracking/match-rules';
import { formLimits } from '#contract/tracking/form-rules';
import type { TxCtx } from '../../../platform/context.ts';
import { readForm } from '../forms/read-form.ts';
import { itemOfForm, itemOfMatch, itemsOfVisit, type FeedItem } from './feed-rows.ts';
import { formsOfVisits, latestMatches, latestVisits, type VisitRow } from './store.ts';

const isMatch = (type: contract.FeedType): boolean => matchKinds.some((kind) => kind === type);

/**
 * The last rows of the feed, the newest first. A person who is limited to some numbers gets what
 * happened on those; of visits that saw no number, nothing.
 */
export async function realTimeFeed(
  { tx, companyId, numbers, now }: TxCtx,
  { types, ...filters }: Query<typeof contract.realTimeFeed>,
): Promise<Answer<typeof contract.realTimeFeed>> {
  const isWanted = (one: contract.FeedType) => !types?.length || types.includes(one);
  const kinds = matchKinds.filter(isWanted);
  const ofVisits = feedTypes.some((one) => isWanted(one) && !isMatch(one))
    ? await latestVisits(tx, companyId, filters, numbers, now)
    : [];
  const ofMatches =
    kinds.length > 0 ? await latestMatches(tx, companyId, { ...filters, kinds }, numbers) : [];
  const forms = isWanted('form') ? await formItems(tx, companyId, ofVisits) : [];
  const items = [
    ...forms,
    ...ofVisits.flatMap((visit) => itemsOfVisit(visit, now)),
    ...ofMatches.map(itemOfMatch),
  ];
  const data = items
    .map(({ row }) => row)
    .filter((row) => isWanted(row.type))
    // Of one moment, what came later is the row with the higher ID.
    .sort((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id, 'en', { numeric: true }))
    .slice(0, feedSize);
  return { data };
}

/** The forms of visits that became leads: of each visit the first few. */
async function formItems(
  tx: TxCtx['tx'],
  companyId: number,
  visits: readonly VisitRow[],
): Promise<FeedItem[]> {
  const byId = new Map(visits.flatMap((one) => (one.form_count > 0 ? [[one.id, one]] : [])));
  if (byId.size === 0) return [];
  const left = new Map<number, number>();
  // The oldest first, because later ones of a visit with too many became none.
  return (await formsOfVisits(tx, companyId, [...byId.keys()])).toReversed().flatMap((form) => {
    const visit = byId.get(form.visit_id);
    const taken = left.get(form.visit_id) ?? 0;
    left.set(form.visit_id, taken + 1);
    return visit && taken < Math.min(visit.form_count, formLimits.perVisit)
      ? [itemOfForm(visit, form, readForm(form.data).party)]
      : [];
  });
}
