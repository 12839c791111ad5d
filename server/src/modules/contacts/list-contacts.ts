import type { PageAnswer, Query } from '#contract';
import type { Contact, ContactFilters } from '#contract/contacts/schemas';
import type { listContacts as said } from '#contract/contacts/endpoints';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, fail } from '../../platform/errors.ts';
import { storedCountsOf } from './groups/count-groups.ts';
import { presentContacts } from './present.ts';
import { resolveFilter } from './resolve-filter.ts';
import { readCursor, writeCursor } from './rules.ts';
import { contactPage, trashPage } from './store-lists.ts';

type ListQuery = Query<typeof said>;
/** Filters can be given as flat keys or in `filters`; flat keys win. */
function filtersOf(query: ListQuery): ContactFilters {
  const { search, groupId, labelId, state, source, type, addedAfter, addedBefore, rule, eav } =
    query;
  const flat = Object.fromEntries(
    Object.entries({
      search,
      groupId,
      labelId,
      state,
      source,
      type,
      addedAfter,
      addedBefore,
      rule,
      eav,
    }).filter(([, value]) => value !== undefined && value !== ''),
  );
  return { ...query.filters, ...flat };
}

/**
 * A page of contacts by filter, by page or by cursor. Deleted ones (`withTrashed`) need
 * `contacts.bulk`, else `role.forbidden`.
 */
export async function listContacts(ctx: TxCtx, query: ListQuery): Promise<PageAnswer<Contact>> {
  const sort = query.sort ?? 'addedAt';
  const offset = (query.page - 1) * query.perPage;
  if (query.withTrashed) {
    if (ctx.may('contacts.bulk') === 'none') fail('role.forbidden');
    const { rows, total } = await trashPage(ctx.tx, ctx.companyId, query.perPage, offset);
    return { rows: await presentContacts(ctx, rows), total };
  }
  const filters = filtersOf(query);
  const after = query.cursor
    ? (readCursor(query.cursor) ??
      invalid({ cursor: 'This cursor isn’t valid. Start again from the first page.' }))
    : null;
  const page = await contactPage(ctx.tx, filters, await resolveFilter(ctx, filters), {
    sort,
    dir: query.dir ?? (query.sort === 'name' ? 'asc' : 'desc'),
    limit: query.perPage,
    offset,
    after,
  });
  const last = page.rows.at(-1);
  // Without filters: all contacts, whose count is stored.
  const total =
    page.capped && !Object.keys(filters).length ? (await storedCountsOf(ctx, 0)).total : null;
  return {
    rows: await presentContacts(ctx, page.rows),
    total: total ?? page.total,
    meta: {
      next_cursor:
        last && page.rows.length === query.perPage ? writeCursor(last.sort_value, last.id) : null,
      ...(page.capped && total === null ? { total_is_capped: true } : {}),
    },
  };
}
