import { z } from 'zod';
import { importing as contract, type Answer, type Body } from '#contract';
import type { ContactFilters } from '#contract/contacts/schemas';
import { entityOf } from '#contract/fields/rules';
import { exportTargets, fieldPrefix } from '#contract/contacts/importing/rules';
import { companySettingsOf } from '#contract/settings/rules';
import { asAsked, batchKind } from '../../../platform/batch-kind.ts';
import { readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { createExport, exportInput, runExport } from '../../../platform/export-rows.ts';
import { invalid } from '../../../platform/errors.ts';
import { companyRow } from '../../companies/index.ts';
import { findField, fieldsFor, valuesOf } from '../../fields/index.ts';
import { areDetailsMasked, noJoins, presentContact } from '../present.ts';
import { resolveFilter } from '../resolve-filter.ts';
import { contactCondition } from '../store-filter.ts';
import { countExactly, contactIdsAfter, livingContactIdsAmong } from '../store-lists.ts';
import { mergedNumbers } from '../store-numbers.ts';
import { contactsByIds, type ContactRow } from '../store.ts';
import { columnsOf, titles, type ContactExportRow } from './export-columns.ts';
import { listNamesOfContacts } from './import-lists.ts';
import { exportJob } from './job-kinds.ts';

const PAGE = 1_000;
/**
 * `contacts`: the IDs selected; null: all that match the filters. `hidden`: the user can't see contact
 * details, so the file has them masked. `until`: contacts created later are left out (ISO).
 */
const contactExport = z.object({
  ...exportInput,
  contacts: z.array(z.number()).readonly().nullable(),
  filters: asAsked<ContactFilters>(),
  hidden: z.boolean(),
  until: z.string(),
});
type ContactExportInput = z.output<typeof contactExport>;
export const EXPORT_KIND = batchKind('export-contacts', contactExport);

/**
 * Starts an export. Fails with 422 for an unknown time zone or column, and when nothing is
 * selected.
 */
export async function exportContacts(
  t: TxCtx,
  body: Body<typeof contract.exportContacts>,
): Promise<Answer<typeof contract.exportContacts>> {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: body.tz });
  } catch {
    invalid({ tz: 'Choose a time zone from the list.' });
  }
  if (!body.all && !body.contacts?.length)
    invalid({ contacts: 'Choose contacts, or choose all of them.' });
  const fields = await fieldsFor(t, entityOf.contact);
  const columns = body.columns ?? [
    ...exportTargets.map((c) => c.key),
    ...fields.map((f) => fieldPrefix + f.key),
  ];
  columns.forEach((key, i) => {
    if (
      !titles.has(key) &&
      !(key.startsWith(fieldPrefix) && findField(fields, key.slice(fieldPrefix.length)))
    )
      invalid({ [`columns.${i}`]: 'This column doesn’t exist.' });
  });
  const filters = body.filters ?? {};
  const facts = await resolveFilter(t, filters);
  const selected = body.all ? null : (body.contacts ?? []);
  const total = selected
    ? (await livingContactIdsAmong(t.tx, t.companyId, selected)).length
    : (await countExactly(t.tx, contactCondition(filters, facts), t.companyId)).total;
  const input: ContactExportInput = {
    columns: [...new Set(columns)],
    format: body.format,
    tz: body.tz,
    contacts: selected,
    filters,
    hidden: areDetailsMasked(t),
    until: t.now.toISOString(),
  };
  return {
    data: await createExport(t, {
      kind: EXPORT_KIND,
      job: exportJob,
      permission: 'contacts.bulk',
      input,
      total,
    }),
  };
}

/**
 * Job: writes the file of an export, page by page. `attempt.last`: an error now fails the export.
 */
export async function runContactExport(
  ctx: Ctx,
  batchId: string,
  attempt: { last: boolean },
): Promise<void> {
  const loaded = await ctx.transaction(async (t) => ({
    batch: await readBatch(t.tx, t.companyId, batchId, EXPORT_KIND),
    hours: await linkHours(t),
    fields: await fieldsFor(t, entityOf.contact),
  }));
  if (!loaded.batch) return;
  const { input } = loaded.batch;
  await runExport<ContactExportRow, number>(
    ctx,
    batchId,
    {
      kind: EXPORT_KIND,
      name: `contacts-${input.until.slice(0, 10)}`,
      format: input.format,
      tz: input.tz,
      columns: columnsOf(input, loaded.fields),
      linkHours: loaded.hours,
      page: (t, after) => exportPage(t, input, after ?? 0),
    },
    attempt,
  );
}

/** A page of rows. `after`: how many selected contacts were written, or the last ID; null: done. */
async function exportPage(
  t: TxCtx,
  input: ContactExportInput,
  after: number,
): Promise<{ rows: ContactExportRow[]; after: number | null }> {
  const ids = input.contacts
    ? input.contacts.slice(after, after + PAGE)
    : await matchingIds(t, input, after);
  const last = input.contacts ? after + PAGE : ids.at(-1);
  const isLast = ids.length < PAGE || last === undefined;
  return { rows: await rowsOf(t, ids, input), after: isLast ? null : last };
}
async function matchingIds(t: TxCtx, input: ContactExportInput, after: number): Promise<number[]> {
  const until = new Date(input.until);
  // As the user who started the export sees contacts, not as this job does.
  const may: TxCtx['may'] = (key) => (input.hidden && key === 'contacts.viewPii' ? 'none' : 'all');
  const facts = { ...(await resolveFilter({ ...t, may }, input.filters)), now: until };
  return contactIdsAfter(t.tx, input.filters, facts, {
    after,
    createdBefore: until,
    limit: PAGE,
  });
}

async function rowsOf(
  t: TxCtx,
  ids: readonly number[],
  input: ContactExportInput,
): Promise<ContactExportRow[]> {
  const found = new Map(
    (await contactsByIds(t.tx, t.companyId, ids)).map((row): [number, ContactRow] => [row.id, row]),
  );
  const contacts = ids.flatMap((id) => found.get(id) ?? []);
  const existingIds = contacts.map(({ id }) => id);
  const numbers = input.columns.includes('otherNumbers')
    ? await mergedNumbers(t.tx, t.companyId, existingIds)
    : [];
  const listNames = await listNamesOfContacts(t, existingIds);
  const custom = input.columns.some((column) => column.startsWith(fieldPrefix))
    ? await valuesOf(t, entityOf.contact, existingIds)
    : new Map<number, []>();
  return contacts.map((contact) => ({
    c: presentContact(contact, input.hidden, {
      ...noJoins,
      numbers: numbers.filter((one) => one.contact_id === contact.id).map((one) => one.number),
    }),
    groups: listNames.groups.get(contact.id) ?? [],
    labels: listNames.labels.get(contact.id) ?? [],
    custom: new Map(
      (custom.get(contact.id) ?? []).map((value) => [
        value.key,
        value.source === 'default' ? '' : value.label,
      ]),
    ),
  }));
}

/** Hours that the link works: setting `export_link_hours`, 1 to 168, 24 by default (A20). */
const linkHours = async (t: TxCtx): Promise<number> =>
  companySettingsOf((await companyRow(t.tx, t.companyId))?.settings).export_link_hours;
