import { normalizePhone, numbers as contract, type Answer, type Query } from '#contract';
import { entityOf } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { valuesOfOne } from '../../fields/index.ts';
import { countPoolEvents, poolEventPage, poolOfNumber } from './from-pools.ts';
import {
  countEvents,
  eventPage,
  latestNumberOf,
  type EventRow,
  type TimelinePage,
} from './store.ts';

const instant = (at: Date): string => new Date(at).toISOString();
const customValuesOf = (ctx: TxCtx, id: number) => valuesOfOne(ctx, entityOf.number, id);

async function findVisibleNumber(ctx: TxCtx, input: string) {
  const number = normalizePhone(input) ?? notFound();
  return (await latestNumberOf(ctx.tx, ctx.companyId, number, ctx.numbers)) ?? notFound();
}

/** What a number's timeline is about, and its last activity (A6.5). Fails with 404. */
export async function timelineMetaData(
  ctx: TxCtx,
  input: string,
): Promise<Answer<typeof contract.numberTimelineMetaData>> {
  const n = await findVisibleNumber(ctx, input);
  const [last] = await entryPage(ctx, n.id, { types: null, before: null, limit: 1 });
  return {
    data: {
      number: n.number,
      number_id: n.id,
      label: n.label,
      pool: await poolOfNumber(ctx, n.dni_pool_id),
      first_seen: instant(n.purchased_at),
      event_count:
        (await countEvents(ctx.tx, ctx.companyId, n.id)) + (await countPoolEvents(ctx, n.id)),
    },
    meta: {
      lastActivity: last
        ? {
            type: last.type as contract.TimelineType,
            at: instant(last.at),
            eav_attribute_values: await customValuesOf(ctx, n.id),
          }
        : null,
    },
  };
}

/**
 * A page of a number's timeline, newest first, keyed by the number (A6.5). Fails with 404, or 422
 * for a bad cursor.
 */
export async function timelineEvents(
  ctx: TxCtx,
  input: string,
  query: Query<typeof contract.numberTimelineEvents>,
): Promise<Answer<typeof contract.numberTimelineEvents>> {
  const n = await findVisibleNumber(ctx, input);
  const before = query.cursor ? readCursor(query.cursor) : null;
  const rows = await entryPage(ctx, n.id, {
    types: query.types?.length ? query.types : null,
    before,
    limit: query.limit,
  });
  const last = rows.at(-1);
  const values = await customValuesOf(ctx, n.id);
  return {
    data: { [n.number]: rows.map((row) => presentEvent(row, values)) },
    meta: {
      next_cursor:
        last && rows.length === query.limit
          ? Buffer.from(JSON.stringify([instant(last.at), last.id])).toString('base64url')
          : null,
    },
  };
}

/** A page of all entries: the number's own, and what visitors of websites saw. */
async function entryPage(ctx: TxCtx, numberId: number, page: TimelinePage): Promise<EventRow[]> {
  const own = await eventPage(ctx.tx, ctx.companyId, numberId, page);
  const seen = await poolEventPage(ctx, numberId, page);
  return [...own, ...seen]
    .sort((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id)
    .slice(0, page.limit);
}

function readCursor(cursor: string): { at: Date; id: number } {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown];
    if (typeof at === 'string' && Number.isSafeInteger(id) && !Number.isNaN(Date.parse(at)))
      return { at: new Date(at), id: id as number };
  } catch {
    /* a malformed cursor */
  }
  return invalid({ cursor: 'This cursor isn’t valid. Start again from the first page.' });
}

const presentEvent = (
  row: EventRow,
  values: contract.TimelineEvent['eav_attribute_values'],
): contract.TimelineEvent => ({
  id: row.id,
  at: instant(row.at),
  type: row.type as contract.TimelineType,
  actor: {
    type: row.actor_type as 'user',
    id: row.actor_id,
    name: row.actor_name || (row.actor_type === 'system' ? 'Trunkline' : ''),
  },
  summary: row.summary,
  before: row.before ?? null,
  after: row.after ?? null,
  eav_attribute_values: row.type === 'custom_field_changed' ? values : [],
});
