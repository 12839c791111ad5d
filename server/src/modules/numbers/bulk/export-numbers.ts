import { numbers as contract, type Answer, type Query } from '#contract';
import { exportsChanged } from '#contract/archive/events';
import { entityOf } from '#contract/fields/rules';
import { moneyToDecimal } from '#contract/money';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { invalid } from '../../../platform/errors.ts';
import { guardedUrl, guardFor } from '../../../platform/guarded-files.ts';
import { findField, fieldsFor, valuesOf } from '../../fields/index.ts';
import { withFieldConditions } from '../list-numbers.ts';
import { presentVerification } from '../present.ts';
import { numberPage } from '../store-lists.ts';
import { type NumberView } from '../store.ts';
import { toCsv } from './csv.ts';

/** How long the file of a list can be fetched. */
const KEPT_HOURS = 1;

type Column = (typeof contract.exportColumns)[number];
const titles: Record<Column, string> = {
  number: 'Number',
  label: 'Label',
  status: 'Status',
  category: 'Type',
  kind: 'Kind',
  place: 'Place',
  routingType: 'Calls',
  forwardNumber: 'Forwards to',
  texts: 'Texts',
  verification: 'Texting registration',
  tags: 'Tags',
  record: 'Recorded',
  unread: 'Unread',
  last_call_at: 'Last call',
  last_message_at: 'Last text',
  last_used: 'Last used',
  purchased_at: 'Bought',
  monthly_price: 'A month (USD)',
  id: 'Id',
};
const defaultColumns: readonly Column[] = [
  'number',
  'label',
  'status',
  'category',
  'place',
  'routingType',
  'forwardNumber',
  'texts',
  'tags',
  'last_used',
  'purchased_at',
];
const maxRows = 200_000;

/**
 * Saves the filtered and sorted list as a CSV file of at most 200,000 rows, and returns its URL.
 * Fails with 422 for an unknown time zone.
 */
export async function exportNumbers(
  ctx: TxCtx,
  query: Query<typeof contract.exportNumbers>,
): Promise<Answer<typeof contract.exportNumbers>> {
  const sort = query.sort ?? 'created_at';
  const when = dateFormatter(query.tz ?? 'UTC');
  const columns = query.columns ?? defaultColumns;
  const fields = await fieldsFor(ctx, entityOf.number);
  const fieldOf = (column: string) =>
    column.startsWith('eav:') ? findField(fields, column.slice(4)) : undefined;
  const { rows } = await numberPage(
    ctx.tx,
    ctx.companyId,
    await withFieldConditions(ctx, query),
    {
      sort,
      dir: query.dir ?? (query.sort ? 'asc' : 'desc'),
      perPage: maxRows,
      page: 1,
      after: null,
    },
    ctx.numbers,
    ctx.now,
  );
  const values = columns.some((c) => c.startsWith('eav:'))
    ? await valuesOf(
        ctx,
        entityOf.number,
        rows.map((row) => row.id),
      )
    : null;
  const title = (c: (typeof columns)[number]): string =>
    titles[c as Column] ?? fieldOf(c)?.name ?? c.slice(4);
  const cellText = (row: NumberView, c: (typeof columns)[number]): string =>
    c.startsWith('eav:')
      ? (values?.get(row.id)?.find((v) => v.attribute_id === fieldOf(c)?.id)?.label ?? '')
      : cell(row, c as Column, when);
  const name = `numbers-${ctx.now.toISOString().slice(0, 10)}.csv`;
  const file = await ctx.files.save(
    ctx.tx,
    ctx.companyId,
    {
      name,
      contentType: 'text/csv; charset=utf-8',
      bytes: toCsv(
        columns.map(title),
        rows.map((row) => columns.map((c) => cellText(row, c))),
      ),
      purpose: 'export',
      deleteAfter: new Date(ctx.now.getTime() + KEPT_HOURS * 3_600_000),
      guard: guardFor(ctx, 'exports.make'),
    },
    ctx.now,
  );
  await ctx.publish(exportsChanged, { companyId: ctx.companyId });
  await audit(ctx, 'numbers.exported', `company:${ctx.companyId}`, {
    after: { rows: rows.length },
  });
  return {
    data: { url: guardedUrl(ctx.companyId, file.id), name, rows: rows.length },
  };
}

function dateFormatter(timezone: string): (at: Date | null) => string {
  try {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'short',
    });
    return (at) => (at === null ? '' : format.format(new Date(at)));
  } catch {
    return invalid({ tz: 'Choose a time zone from the list.' });
  }
}

function cell(n: NumberView, column: Column, when: (at: Date | null) => string): string {
  switch (column) {
    case 'number':
      return n.number;
    case 'label':
      return n.label;
    case 'status':
      return n.status;
    case 'category':
      return contract.numberCategories[n.category as 1];
    case 'kind':
      return contract.numberKinds[n.kind as 1];
    case 'place':
      return [n.city, n.region].filter(Boolean).join(', ');
    case 'routingType':
      return n.routing_type;
    case 'forwardNumber':
      return n.forward_number ?? '';
    case 'texts':
      return n.sms_enabled ? 'on' : 'off';
    case 'verification':
      return presentVerification(n).status ?? '';
    case 'tags':
      return n.tags.map((tag) => tag.name).join('; ');
    case 'record':
      return n.record ? 'yes' : 'no';
    case 'unread':
      return String(n.unread);
    case 'last_call_at':
      return when(n.last_call_at);
    case 'last_message_at':
      return when(n.last_message_at);
    case 'last_used':
      return when(
        [n.last_call_at, n.last_message_at]
          .filter((at) => at !== null)
          .map((at) => new Date(at))
          .sort((a, b) => a.getTime() - b.getTime())
          .at(-1) ?? null,
      );
    case 'purchased_at':
      return when(n.purchased_at);
    case 'monthly_price':
      return moneyToDecimal(n.monthly_price_cents);
    case 'id':
      return String(n.id);
  }
}
