import type { Answer, Body, sourceReports as contract } from '#contract';
import { reportLimits, type ReportGroup } from '#contract/analytics/source-reports/rules';
import type { ReportParams } from '#contract/analytics/source-reports/schemas';
import { reportParams } from '#contract/analytics/source-reports/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { wallClock } from '../../../platform/export-formats.ts';
import { invalid } from '../../../platform/errors.ts';
import { callFacts, firstQualifiedOf } from '../../calls/index.ts';
import { companyRow, isKnownZone } from '../../companies/index.ts';
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
import { eachCompany } from '../query/each-company.ts';
import { companiesInReport } from './companies-in-report.ts';
import { JourneyTally, type Way } from './journey-shares.ts';
import { spanOf } from '../query/store-figures-of-calls.ts';
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
  const { filters, groupBy: group } = params;
  const span = spanOf({ start: params.startDate, end: params.endDate }, params.tz);
  const tally = new Tally();
  const journey = new JourneyTally();
  const companies: Company[] = [];
  let read = 0;
  await eachCompany(ctx, await companiesInReport(ctx, params), async (there, { id, only }) => {
    const company = { id, name: (await companyRow(there.tx, id))?.name ?? '' };
    companies.push(company);
    const { poolIds = null, numberIds = null } = filters;
    const scope: ReportScope = { ...span, poolIds, numberIds, only };
    const ways: Way[] = [];
    const found = { tally, ways, company, params };
    read += await addCalls(there, found, scope, reportLimits.calls - read);
    await addSessions(there, found, scope);
    if (journeys) await journey.add(there, scope, ways);
  });
  const rows = tally.rowsBy(group === 'day' || group === 'hour' ? 'key' : 'calls');
  const totals = tally.totals();
  const csv = reportCsv(rows, totals);
  const checksum = checksumOf(csv);
  return {
    data: { rows, totals, companies, journeys: journeys ? journey.shares() : null },
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

interface Company {
  id: number;
  name: string;
}
/** What is added up, of which company. */
interface Found {
  tally: Tally;
  /** The ways of sources that led to calls. */
  ways: Way[];
  company: Company;
  params: ReportParams;
}

/** Adds a company's visits of the period. */
async function addSessions(
  { tx, companyId }: TxCtx,
  { tally, company, params: { groupBy, tz, filters } }: Found,
  scope: ReportScope,
): Promise<void> {
  const isByCompany = groupBy === 'company';
  // Counted by something short where all of them are in one row.
  const group = isByCompany ? 'device' : groupBy;
  for (const { key, label, ...counts } of await countSessions(tx, companyId, scope, {
    ...{ group, tz, filters },
  }))
    tally.addSessions(
      isByCompany ? ofCompany(company) : { key, label: group === 'hour' ? hourLabel(key) : label },
      counts,
    );
}

/** Adds a company's calls of the period, page by page: at most so many. Returns how many they were. */
async function addCalls(
  { tx, companyId }: TxCtx,
  { tally, ways, company, params: { groupBy, tz, attributionModel, filters } }: Found,
  scope: ReportScope,
  most: number,
): Promise<number> {
  const nameOf = rowNames(groupBy, tz, company);
  let after: { at: Date; id: number } | null = null;
  for (let read = 0; ; read += PAGE) {
    const page: MatchedCall[] = await matchedCalls(tx, companyId, scope, after, PAGE);
    if (read + page.length > most)
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
    if (!last || page.length < PAGE) return read + page.length;
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
const ofCompany = ({ id, name }: Company): RowName => ({ key: String(id), label: name });

/** Which row of a report a touch belongs to. */
function rowNames(group: ReportGroup, tz: string, company: Company) {
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
    company: () => ofCompany(company),
    day: ({ at }) => same(local(at).toISOString().slice(0, 10)),
    hour: ({ at }) => {
      const key = local(at).toISOString().slice(11, 13);
      return { key, label: hourLabel(key) };
    },
  };
  return names[group];
}
