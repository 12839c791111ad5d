import { importing as contract, type Answer, type Body } from '#contract';
import type { ContactFilters } from '#contract/contacts';
import { optinNames, optinTypes } from '#contract/contacts';
import { entityOf } from '#contract/field-rules';
import {
  exportTargets,
  fieldHeads,
  fieldPrefix,
  listCell,
  moreExportColumns,
} from '#contract/importing-rules';
import { companySettingsOf } from '#contract/setting-rules';
import { readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import type { Cell, ExportColumn } from '../../../platform/export-files.ts';
import { beginExport, exportRows, type ExportInput } from '../../../platform/export-rows.ts';
import { invalid } from '../../../platform/refuse.ts';
import { companyRow } from '../../companies/index.ts';
import { fieldMeant, fieldsFor, valuesOf, type FieldRow } from '../../fields/index.ts';
import { masked, presentContact } from '../present.ts';
import { resolveFilter } from '../resolve-filter.ts';
import { contactCondition } from '../store-filter.ts';
import { countExactly, idsAfter, livingAmong } from '../store-lists.ts';
import { contactsById, type ContactRow } from '../store.ts';
import { guardedOnce } from './csv-cells.ts';
import { placesOfContacts } from './store-people.ts';

export const EXPORT_KIND = 'export-contacts';
export const EXPORT_JOB = 'contacts.export';
const PAGE = 1_000;
type Plain = (typeof exportTargets)[number]['key'] | (typeof moreExportColumns)[number]['key'];
const titles = new Map<string, string>(
  [...exportTargets, ...moreExportColumns].map((c) => [c.key, c.title]),
);
/** Contacts as they were picked; `hidden`: whoever asked may not see personal details, so the file has dots. */
interface Wanted extends ExportInput {
  contacts: readonly number[] | null;
  filters: ContactFilters;
  hidden: boolean;
  until: string;
}

export async function exportContacts(
  t: TxCtx,
  body: Body<typeof contract.exportContacts>,
): Promise<Answer<typeof contract.exportContacts>> {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: body.tz });
  } catch {
    invalid({ tz: 'This time zone is not known.' });
  }
  if (!body.all && !body.contacts?.length)
    invalid({ contacts: 'Choose contacts, or all of them.' });
  const fields = await fieldsFor(t, entityOf.contact);
  const columns = body.columns ?? [
    ...exportTargets.map((c) => c.key),
    ...fields.map((f) => fieldPrefix + f.key),
  ];
  columns.forEach((key, i) => {
    if (
      !titles.has(key) &&
      !(key.startsWith(fieldPrefix) && fieldMeant(fields, key.slice(fieldPrefix.length)))
    )
      invalid({ [`columns.${i}`]: 'This column is not known.' });
  });
  const filters = body.filters ?? {};
  const facts = await resolveFilter(t, filters);
  const total = body.all
    ? (await countExactly(t.tx, contactCondition(filters, facts), t.companyId)).total
    : (await livingAmong(t.tx, t.companyId, body.contacts!)).length;
  const input: Wanted = {
    columns: [...new Set(columns)],
    format: body.format,
    tz: body.tz,
    contacts: body.all ? null : body.contacts!,
    filters,
    hidden: masked(t),
    until: t.now.toISOString(),
  };
  return {
    data: await beginExport(t, { kind: EXPORT_KIND, job: EXPORT_JOB, input: { ...input }, total }),
  };
}

interface Row {
  c: ReturnType<typeof presentContact>;
  groups: string[];
  labels: string[];
  custom: Map<string, string>;
}
export async function runContactExport(
  ctx: Ctx,
  batchId: string,
  attempt: { last: boolean },
): Promise<void> {
  const asked = await ctx.transaction(async (t) => ({
    batch: await readBatch(t.tx, t.companyId, batchId, EXPORT_KIND),
    hours: await linkHours(t),
    fields: await fieldsFor(t, entityOf.contact),
  }));
  if (!asked.batch) return;
  const wanted = asked.batch.input as Wanted;
  const until = new Date(wanted.until);
  await exportRows<Row, number>(
    ctx,
    batchId,
    {
      kind: EXPORT_KIND,
      name: `contacts-${wanted.until.slice(0, 10)}`,
      format: wanted.format,
      tz: wanted.tz,
      columns: columnsOf(wanted, asked.fields),
      linkHours: asked.hours,
      page: async (t, after) => {
        const ids = wanted.contacts
          ? wanted.contacts.slice(after ?? 0, (after ?? 0) + PAGE)
          : await idsAfter(
              t.tx,
              wanted.filters,
              {
                ...(await resolveFilter(
                  {
                    ...t,
                    may: (key) => (wanted.hidden && key === 'contacts.viewPii' ? 'none' : 'all'),
                  },
                  wanted.filters,
                )),
                now: until,
              },
              { after: after ?? 0, madeBefore: until, limit: PAGE },
            );
        const rows = await rowsOf(t, ids, wanted);
        return {
          rows,
          after: ids.length < PAGE ? null : wanted.contacts ? (after ?? 0) + PAGE : ids.at(-1)!,
        };
      },
    },
    attempt,
  );
}

async function rowsOf(t: TxCtx, ids: readonly number[], wanted: Wanted): Promise<Row[]> {
  const found = new Map(
    (await contactsById(t.tx, t.companyId, ids)).map((c): [number, ContactRow] => [c.id, c]),
  );
  const living = ids.filter((id) => found.has(id));
  const places = await placesOfContacts(t.tx, t.companyId, living);
  const custom = wanted.columns.some((c) => c.startsWith(fieldPrefix))
    ? await valuesOf(t, entityOf.contact, living)
    : new Map<number, []>();
  return living.map((id) => ({
    c: presentContact(found.get(id)!, wanted.hidden),
    groups: places.groups.get(id) ?? [],
    labels: places.labels.get(id) ?? [],
    custom: new Map(
      (custom.get(id) ?? []).map((v) => [v.key, v.source === 'default' ? '' : v.label]),
    ),
  }));
}

const yes = (is: boolean) => (is ? 'yes' : 'no');
const cells: Record<Plain, (r: Row) => Cell> = {
  name: (r) => r.c.name,
  number: (r) => r.c.number,
  email: (r) => r.c.email,
  companyName: (r) => r.c.companyName,
  title: (r) => r.c.title,
  address1: (r) => r.c.address1,
  address2: (r) => r.c.address2,
  city: (r) => r.c.city,
  state: (r) => r.c.state,
  zip: (r) => r.c.zip,
  country: (r) => r.c.country,
  notes: (r) => r.c.notes,
  gender: (r) => r.c.gender,
  ageRange: (r) => r.c.ageRange,
  type: (r) => r.c.type,
  optinType: (r) => (optinTypes.includes(r.c.optinType!) ? optinNames[r.c.optinType!] : null),
  optinSource: (r) => r.c.optinSource,
  alternativeNames: (r) => listCell(r.c.alternativeNames),
  secondaryEmails: (r) => listCell(r.c.secondaryEmails),
  groups: (r) => listCell(r.groups),
  labels: (r) => listCell(r.labels),
  unsubscribed: (r) => yes(r.c.unsubscribed),
  source: (r) => r.c.source,
  carrier: (r) => r.c.carrier,
  invalid: (r) => yes(r.c.invalid),
  addedAt: (r) => new Date(r.c.addedAt),
  updatedAt: (r) => new Date(r.c.updatedAt),
  id: (r) => r.c.id,
};
function columnsOf(wanted: Wanted, fields: readonly FieldRow[]): ExportColumn<Row>[] {
  const heads = fieldHeads(fields);
  const once = (value: Cell): Cell =>
    wanted.format === 'csv' && typeof value === 'string' ? guardedOnce(value) : value;
  return wanted.columns.flatMap((key): ExportColumn<Row>[] => {
    if (!key.startsWith(fieldPrefix)) {
      const cell = cells[key as Plain];
      return [{ key, title: titles.get(key) ?? key, cell: (r) => once(cell(r)) }];
    }
    const field = key.slice(fieldPrefix.length);
    return fields.some((f) => f.key === field)
      ? [{ key, title: heads.get(field) ?? field, cell: (r) => once(r.custom.get(field) ?? '') }]
      : [];
  });
}

/** Setting `export_link_hours`: 1 to 168, 24 unless said (decisions A20). */
const linkHours = async (t: TxCtx): Promise<number> =>
  companySettingsOf((await companyRow(t.tx, t.companyId))?.settings).export_link_hours;
