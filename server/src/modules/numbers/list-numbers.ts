import { formatPhone, isTollFree, numbers as contract, type Answer, type PageAnswer, type Query } from '#contract';
import { areaCodes } from '#contract/area-codes';
import type { TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/refuse.ts';
import { presentRow, presentView } from './present.ts';
import { countByAreaCode, countNumbers, isSort, numberPage, slimNumbers, type NumberView } from './store.ts';

type Asked = Query<typeof contract.listNumbers>;

async function page(ctx: TxCtx, query: Asked): Promise<{ rows: NumberView[]; total: number; meta: Record<string, unknown> }> {
  const sort = query.sort ?? 'created_at';
  if (!isSort(sort)) invalid({ sort: `Sort by one of ${contract.numberSorts.join(', ')}.` });
  const dir = query.dir ?? (query.sort ? 'asc' : 'desc');
  const { rows, total } = await numberPage(ctx.tx, ctx.companyId, query, { sort, dir, perPage: query.perPage, page: query.page, after: query.cursor ? readCursor(query.cursor) : null }, ctx.numbers, ctx.now);
  const last = rows.at(-1);
  return { rows, total, meta: { next_cursor: last && rows.length === query.perPage ? writeCursor(last.sort_value, last.id) : null } };
}

const writeCursor = (value: string, id: number) => Buffer.from(JSON.stringify([value, id])).toString('base64url');
function readCursor(cursor: string): { value: string; id: number } {
  try {
    const [value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown];
    if (typeof value === 'string' && Number.isSafeInteger(id)) return { value, id: id as number };
  } catch { /* not one of ours */ }
  return invalid({ cursor: 'This place in the list is not known. Start again.' });
}

export async function listNumbers(ctx: TxCtx, query: Asked): Promise<PageAnswer<contract.NumberDetail>> {
  const { rows, total, meta } = await page(ctx, query);
  return { rows: rows.map((row) => presentView(row, ctx.now)), total, meta };
}
export async function listNumbersDatatable(ctx: TxCtx, query: Asked): Promise<PageAnswer<contract.NumberRow>> {
  const { rows, total, meta } = await page(ctx, query);
  return { rows: rows.map(presentRow), total, meta };
}
export async function listNumbersOfCompany(ctx: TxCtx): Promise<Answer<typeof contract.listNumbersOfCompany>> {
  const rows = await slimNumbers(ctx.tx, ctx.companyId, ctx.numbers);
  return { data: rows.map((n) => ({ ...n, formatted: formatPhone(n.number), category: n.category as 1, status: n.status as 'active' })) };
}
export async function numberStats(ctx: TxCtx): Promise<Answer<typeof contract.numberStats>> {
  return { data: await countNumbers(ctx.tx, ctx.companyId, ctx.numbers, ctx.now) };
}
export async function companyAreaCodes(ctx: TxCtx): Promise<Answer<typeof contract.companyAreaCodes>> {
  const rows = await countByAreaCode(ctx.tx, ctx.companyId, ctx.numbers);
  return {
    data: rows.map(({ area_code, n }) => {
      const place = areaCodes().get(area_code);
      const tollFree = isTollFree(`+1${area_code}5550100`);
      return { area_code, state: place?.state ?? null, region: tollFree ? 'Toll-free' : (place?.stateName ?? ''), timezone: place?.timezone ?? null, is_toll_free: tollFree, count: n };
    }),
  };
}
