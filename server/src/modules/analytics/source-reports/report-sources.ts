import type { Answer, Body, sourceReports as contract } from '#contract';
import { reportLimits, type ReportGroup } from '#contract/analytics/source-reports/rules';
import type { ReportParams } from '#contract/analytics/source-reports/schemas';
import { reportParams } from '#contract/analytics/source-reports/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { wallClock } from '../../../platform/export-formats.ts';
import { invalid } from '../../../platform/errors.ts';
import { callFacts, firstQualifiedOf } from '../../calls/index.ts';
import { isKnownZone } from '../../companies/index.ts';
import {
  countSessions,
  creditCalls,
  foreignIds,
  matchedCalls,
  type CreditedTouch,
  type MatchedCall,
  type ReportScope,
} from '../../tracking/index.ts';
import { checksumOf, reportCsv } from './csv.ts';
import { journeyShares, type Way } from './journey-shares.ts';
import { spanOf } from './store.ts';
import { Tally, type RowName } from './tally.ts';

const DAY_MS = 86_400_000;
const PAGE = 1_000;

/**
 * Calls to tracking numbers of a period by what made them ring. Fails with a field error for a
 * period that is too long or has too many calls, an unknown zone, and pools or numbers that aren't
 * this company's.
 */
export async function reportSources(
  ctx: TxCtx,
  { journeys, ...body }: Body<typeof contract.reportSources>,
): Promise<Answer<typeof contract.reportSources>> {
  const params = reportParams.parse(body);
  await refuse(ctx, params);
  const { filters } = params;
  const scope: ReportScope = {
    ...(await spanOf(ctx.tx, params)),
    poolIds: filters.poolIds ?? null,
    numberIds: filters.numberIds ?? null,
    only: ctx.numbers,
  };
  const tally = new Tally();
  const ways = await addCalls(ctx, tally, scope, params);
  const { tz, groupBy: group } = params;
  for (const { key, label, ...counts } of await countSessions(ctx.tx, ctx.companyId, scope, {
    group,
    tz,
    filters,
  }))
    tally.addSessions({ key, label: group === 'hour' ? hourLabel(key) : label }, counts);
  const rows = tally.rowsBy(group === 'day' || group === 'hour' ? 'key' : 'calls');
  const totals = tally.totals();
  const csv = reportCsv(rows, totals);
  const checksum = checksumOf(csv);
  const shares = journeys ? await journeyShares(ctx, scope, ways) : null;
  return {
    data: { rows, totals, journeys: shares },
    meta: { ...params, as_of: ctx.now.toISOString(), checksum, csv },
  };
}

async function refuse(ctx: TxCtx, { startDate, endDate, tz, filters }: ReportParams) {
  // Names only: the database reads the sign of an offset the other way round.
  if (!isKnownZone(tz)) invalid({ tz: 'Choose a time zone from the list.' });
  if (Date.parse(endDate) - Date.parse(startDate) >= reportLimits.days * DAY_MS)
    invalid({ endDate: `Choose at most ${reportLimits.days} days.` });
  const foreign = await foreignIds(ctx, filters);
  if (foreign.poolIds) invalid({ 'filters.poolIds': 'Choose pools from the list.' });
  if (foreign.numberIds) invalid({ 'filters.numberIds': 'Choose numbers from the list.' });
}

/** Adds the calls of the period, page by page, and returns the ways of sources that led to them. */
async function addCalls(
  { tx, companyId }: TxCtx,
  tally: Tally,
  scope: ReportScope,
  { groupBy, tz, attributionModel, filters }: ReportParams,
): Promise<Way[]> {
  const nameOf = rowNames(groupBy, tz);
  const ways: Way[] = [];
  let after: { at: Date; id: number } | null = null;
  for (let read = 0; ; read += PAGE) {
    const page: MatchedCall[] = await matchedCalls(tx, companyId, scope, after, PAGE);
    if (read + page.length > reportLimits.calls)
      invalid({ startDate: 'These are too many calls. Choose fewer days.' });
    const facts = await callFacts(
      tx,
      companyId,
      page.map(({ call_id }) => call_id),
    );
    const qualified = await firstQualifiedOf(
      tx,
      companyId,
      page
        .filter(({ model }) => (attributionModel ?? model) === 'w_shaped')
        .flatMap(({ call_id }) => facts.get(call_id) ?? []),
    );
    for (const one of await creditCalls(tx, companyId, page, attributionModel, qualified)) {
      const call = facts.get(one.call.call_id);
      if (!call || call.outbound) continue;
      ways.push({ sources: one.way, times: 1, calls: 1 });
      for (const touch of one.touches.filter((some) => fits(some, filters)))
        tally.addCredit(nameOf(one.call, touch), touch.basisPoints, call);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return ways;
    after = { at: last.at, id: last.id };
  }
}

const among = (value: string | null, wanted: readonly string[] | undefined) =>
  !wanted?.length || (value !== null && wanted.includes(value));

const fits = (
  { source, medium, campaign, device }: CreditedTouch,
  { sources, mediums, campaigns, devices }: ReportParams['filters'],
) =>
  among(source.key, sources) &&
  among(medium, mediums) &&
  among(campaign, campaigns) &&
  among(device, devices);

const hourLabel = (key: string | null) => (key === null ? null : `${key}:00`);
const same = (key: string | null): RowName => ({ key, label: key });

/** Which row of a report a touch belongs to. */
function rowNames(group: ReportGroup, tz: string) {
  const { local } = wallClock(tz);
  const names: Record<ReportGroup, (call: MatchedCall, touch: CreditedTouch) => RowName> = {
    source: (_, { source }) => source,
    medium: (_, { medium }) => same(medium),
    campaign: (_, { campaign }) => same(campaign),
    keyword: (_, { keyword }) => same(keyword),
    landing: (_, { landing }) => same(landing),
    pool: ({ pool_id: id, pool_name: label }) => ({ key: id === null ? null : String(id), label }),
    number: ({ number_id: id, number: label }) => ({ key: String(id), label }),
    device: (_, { device }) => same(device),
    region: (_, { region }) => same(region),
    day: ({ at }) => same(local(at).toISOString().slice(0, 10)),
    hour: ({ at }) => {
      const key = local(at).toISOString().slice(11, 13);
      return { key, label: hourLabel(key) };
    },
  };
  return names[group];
}
