import { dashboard as contract, type Answer, type Body } from '#contract';
import {
  dashboardCacheSeconds,
  groupOfType,
  itemTypes,
  type DashboardType,
  type ItemType,
} from '#contract/analytics/dashboard/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { companiesAsked } from '../query/companies-asked.ts';
import {
  comparedRange,
  localTime,
  metaOf,
  readQuestion,
  type Question,
} from '../query/question.ts';
import { callFigures, heatmapFigures } from './call-figures.ts';
import type { Figures, Values } from './figures.ts';
import { itemFigures } from './item-figures.ts';
import { namedCompanies } from '../query/placed-companies.ts';

type Asked = Body<typeof contract.getDashboard>;
const isOfItems = (type: DashboardType): type is ItemType =>
  (itemTypes as readonly DashboardType[]).includes(type);
/** The filters that texts, voicemails and faxes know. */
const itemFilters = new Set([
  'direction',
  'number_ids',
  'company_ids',
  'business_unit_ids',
  'user_ids',
]);

/**
 * POST /dashboard: a question of the engine for each type. Fails with a field error for a group or
 * filter that the type doesn't know, and as `readQuestion` and `companiesAsked` do.
 */
export async function getDashboard(
  ctx: TxCtx,
  body: Asked,
): Promise<Answer<typeof contract.getDashboard>> {
  const question = questionOf(body, ctx.now);
  const companies = companiesAsked(ctx, question, 'analytics.view');
  const ask = (asked: Question): Promise<Figures> => {
    if (isOfItems(body.type)) return itemFigures(ctx, body.type, asked, companies);
    return body.type === 'heatmap'
      ? heatmapFigures(ctx, asked, companies)
      : callFigures(ctx, asked, companies);
  };
  const { data, totals, rowCount, checksum, companies: counted } = await ask(question);
  const before = body.compare && comparedRange(question.range, body.compare);
  const { day, time } = localTime(ctx.now, question.tz);
  const until = body.sameTime && question.range.end === day ? time : undefined;
  const previous = before && (await ask({ ...question, range: { ...before, until } }));
  const cachedUntil = ctx.now.getTime() + dashboardCacheSeconds * 1000;
  return {
    data,
    totals,
    previous:
      before && previous
        ? {
            start: before.start,
            end: before.end,
            data: previous.data,
            totals: previous.totals,
            change: changesOf(totals, previous.totals),
          }
        : null,
    meta: {
      ...metaOf(question, ctx.now),
      cached_until: new Date(cachedUntil).toISOString(),
      row_count: rowCount,
      checksum,
      companies: namedCompanies(question, counted),
    },
  };
}

/** The question that a dashboard asks. Fails with a field error. */
function questionOf(
  { type, groupBy, start, end, tz, filters: given, unique }: Asked,
  now: Date,
): Question {
  const { from_campaign: fromCampaign, ...filters } = given;
  if (fromCampaign !== undefined && type !== 'messages')
    invalid({ 'filters.from_campaign': 'Only texts have this filter.' });
  const own = type in groupOfType ? groupOfType[type as keyof typeof groupOfType] : null;
  if (own && groupBy && groupBy !== own)
    invalid({ groupBy: `This dashboard is grouped by ${own}. Leave out groupBy.` });
  const group = own ?? groupBy ?? 'day';
  const unknown = Object.keys(filters).find((name) => !itemFilters.has(name));
  if (isOfItems(type) && unknown)
    invalid({ [`filters.${unknown}`]: 'Only calls have this filter.' });
  const question = readQuestion(
    {
      ...filters,
      direction: filters.direction ?? (isOfItems(type) ? 'all' : 'inbound'),
      start,
      end,
      tz,
      group,
      target: 'calls',
      unique,
      ...(type === 'heatmap' && { series: 'hour' as const }),
    },
    now,
  );
  return { ...question, fromCampaign };
}

/** Each figure’s change; a figure that one of the periods doesn’t have counts as 0. */
function changesOf(now: Values, before: Values) {
  return Object.fromEntries(
    Object.entries(now).map(([name, value]) => {
      const was = before[name] ?? 0;
      const abs = Math.round(((value ?? 0) - was) * 10) / 10;
      return [name, { abs, pct: was === 0 ? null : Math.round((1000 * abs) / was) / 10 }];
    }),
  );
}
