import {
  formatPhone,
  isTollFree,
  numbers as contract,
  type Answer,
  type PageAnswer,
  type Query,
} from '#contract';
import { areaCodes } from '#contract/area-codes';
import { entityOf } from '#contract/fields/rules';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, fail } from '../../platform/errors.ts';
import { fieldFilter, valuesOf } from '../fields/index.ts';
import { presentRow, presentView } from './present.ts';
import { triggersByNumber } from './triggers/present.ts';
import {
  countByAreaCode,
  countNumbers,
  numberPage,
  numberRowPage,
  numberSummaries,
  type Page,
} from './store-lists.ts';
import { numberColumn } from './store-filter.ts';

type ListQuery = Query<typeof contract.listNumbers>;

async function readPage<V extends { id: number }>(
  ctx: TxCtx,
  query: ListQuery,
  read: (...asked: Parameters<typeof numberPage>) => Promise<Page<V>>,
): Promise<{ rows: V[]; total: number; meta: Record<string, unknown> }> {
  const sort = query.sort ?? 'created_at';
  if (query.withTrashed && ctx.may('company.edit') === 'none') fail('role.forbidden');
  const dir = query.dir ?? (query.sort ? 'asc' : 'desc');
  const { rows, total, capped } = await read(
    ctx.tx,
    ctx.companyId,
    await withFieldConditions(ctx, query),
    {
      sort,
      dir,
      perPage: query.perPage,
      page: query.page,
      after: query.cursor ? readCursor(query.cursor) : null,
    },
    ctx.numbers,
    ctx.now,
  );
  const last = rows.at(-1);
  return {
    rows,
    total,
    meta: {
      next_cursor:
        last && rows.length === query.perPage ? writeCursor(last.sort_value, last.id) : null,
      ...(capped ? { total_is_capped: true } : {}),
    },
  };
}

/** Adds the conditions on custom fields to the list's filters. */
export const withFieldConditions = async <F extends { eav?: Record<string, unknown> | undefined }>(
  ctx: TxCtx,
  filters: F,
) => ({
  ...filters,
  extraConditions: await fieldFilter(ctx, entityOf.number, filters.eav, numberColumn),
});

const writeCursor = (value: string, id: number) =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url');
function readCursor(cursor: string): { value: string; id: number } {
  try {
    const [value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [
      unknown,
      unknown,
    ];
    if (typeof value === 'string' && Number.isSafeInteger(id)) return { value, id: id as number };
  } catch {
    /* a malformed cursor */
  }
  return invalid({ cursor: 'This cursor isn’t valid. Start again from the first page.' });
}

/**
 * A page of numbers with all settings. Fails with `role.forbidden` for `withTrashed`, or 422 for a
 * bad cursor.
 */
export async function listNumbers(
  ctx: TxCtx,
  query: ListQuery,
): Promise<PageAnswer<contract.NumberDetail>> {
  const { rows, total, meta } = await readPage(ctx, query, numberPage);
  const triggers = await triggersByNumber(
    ctx,
    rows.map((row) => row.id),
  );
  const values = await valuesOf(
    ctx,
    entityOf.number,
    rows.map((row) => row.id),
  );
  return {
    rows: rows.map((row) => presentView(row, ctx.now, triggers.get(row.id), values.get(row.id))),
    total,
    meta,
  };
}
/** A page of numbers with the columns of the table only. Fails like `listNumbers`. */
export async function listNumbersDatatable(
  ctx: TxCtx,
  query: ListQuery,
): Promise<PageAnswer<contract.NumberRow>> {
  const { rows, total, meta } = await readPage(ctx, query, numberRowPage);
  const values = await valuesOf(
    ctx,
    entityOf.number,
    rows.map((row) => row.id),
  );
  return { rows: rows.map((row) => presentRow(row, values.get(row.id) ?? [])), total, meta };
}
/** Every number in use that the caller may see, in short, for pickers. */
export async function listNumbersOfCompany(
  ctx: TxCtx,
): Promise<Answer<typeof contract.listNumbersOfCompany>> {
  const rows = await numberSummaries(ctx.tx, ctx.companyId, ctx.numbers);
  return {
    data: rows.map((n) => ({
      ...n,
      formatted: formatPhone(n.number),
      category: n.category as 1,
      status: n.status as 'active',
    })),
  };
}
/** How many of the numbers the user may see have each kind, feature and state. */
export async function numberStats(ctx: TxCtx): Promise<Answer<typeof contract.numberStats>> {
  return { data: await countNumbers(ctx.tx, ctx.companyId, ctx.numbers, ctx.now) };
}
/** Area codes of the company's numbers with place and count, most first. */
export async function companyAreaCodes(
  ctx: TxCtx,
): Promise<Answer<typeof contract.companyAreaCodes>> {
  const rows = await countByAreaCode(ctx.tx, ctx.companyId, ctx.numbers);
  return {
    data: rows.map(({ area_code, n }) => {
      const place = areaCodes().get(area_code);
      const tollFree = isTollFree(`+1${area_code}5550100`);
      return {
        area_code,
        state: place?.state ?? null,
        region: tollFree ? 'Toll-free' : (place?.stateName ?? ''),
        timezone: place?.timezone ?? null,
        is_toll_free: tollFree,
        count: n,
      };
    }),
  };
}
