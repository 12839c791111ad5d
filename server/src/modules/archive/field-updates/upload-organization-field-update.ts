import type { Answer, Body, fieldUpdates as contract } from '#contract';
import { keptErrors } from '#contract/archive/field-updates/rules';
import type { Ctx } from '../../../platform/context.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import type { Upload } from '../../../platform/routes.ts';
import { organizationFieldRows } from '../../fields/index.ts';
import { BYTE_ORDER_MARK, csvLine, type FileRow } from '../../contacts/index.ts';
import type { RowProblem } from './apply-rows.ts';
import { companiesOfActor, type OwnCompany } from './companies-of-actor.ts';
import { findObjects, nameOf } from './store-objects.ts';
import { entityTypeIdOf } from './kinds.ts';
import { presentOrganizationUpdates } from './organization-field-updates.ts';
import { notThere, unreadable } from './plan-rows.ts';
import { readColumns } from './read-headers.ts';
import { readUpload, type UploadedRows } from './read-upload.ts';
import { startRun } from './start-field-update.ts';
import { insertOrganizationUpdate } from './store-organization.ts';

// The system role: organizations are above companies; dispatch has checked that the actor
// administers it, and only companies that they administer themselves are looked at.

/**
 * Takes a file for the companies of an organization, and queues in each company that has objects of
 * it a run of its part. Rows of no company that the actor administers are errors. Fails with 422 at
 * `file`, or `role.forbidden`.
 */
export async function uploadOrganizationFieldUpdate(
  ctx: Ctx,
  { entityType }: Body<typeof contract.uploadOrganizationFieldUpdate>,
  files: readonly Upload[],
): Promise<Answer<typeof contract.uploadOrganizationFieldUpdate>> {
  const upload = await readUpload(files, entityType);
  const companies = await companiesOfActor(ctx, upload.type);
  if (!companies.length) return fail('role.forbidden');
  const typeId = entityTypeIdOf(upload.type);
  const fields = await organizationFieldRows(ctx.db.unscoped, ctx.organizationId, typeId);
  const columns = readColumns(upload.headers, upload, fields);
  if (typeof columns === 'string')
    return invalid({ file: `${columns} Only fields of the organization are in all companies.` });
  const { parts, problems } = await divide(ctx, upload, companies);
  const row = await insertOrganizationUpdate(ctx.db.unscoped, {
    organization_id: ctx.organizationId,
    file_name: upload.name,
    entity_type_id: typeId,
    row_count: upload.rows.length,
    failed: problems.length,
    errors: problems.slice(0, keptErrors),
    created_by: ctx.actor.userId || null,
    created_by_name: ctx.actor.name,
    created_at: ctx.now,
  });
  for (const [{ id, access }, rows] of parts)
    await ctx.actingIn(id, access.roles).transaction((t) =>
      startRun(t, {
        ...upload,
        name: `${upload.name.replace(/\.(csv|xlsx)$/i, '')}.csv`,
        contentType: 'text/csv; charset=utf-8',
        bytes: partOf(upload.headers, rows),
        rows,
        organizationUpdateId: row.id,
      }),
    );
  const [data] = await presentOrganizationUpdates(ctx, [row]);
  return { data: data ?? fail('not_found') };
}

/** The rows of each company, and those of none. */
async function divide(ctx: Ctx, upload: UploadedRows, companies: readonly OwnCompany[]) {
  const { type, idColumn, idAt } = upload;
  const names = upload.rows.map(({ cells }) => nameOf(idColumn, cells[idAt]));
  const found = await findObjects(
    ctx.db.unscoped,
    companies.map(({ id }) => id),
    { type, idColumn },
    [...new Set(names.filter((name) => name !== null))],
  );
  const companyIdsOf = new Map<string, number[]>();
  for (const { name, company_id } of found) addTo(companyIdsOf, name, company_id);
  const rowsOf = new Map<number, FileRow[]>();
  const problems: RowProblem[] = [];
  for (const [at, row] of upload.rows.entries()) {
    const name = names[at] ?? null;
    const where = name === null ? [] : (companyIdsOf.get(name) ?? []);
    const message = row.problem ?? (name === null ? unreadable[idColumn] : notThere(type));
    if (row.problem || !where.length) problems.push({ row: row.row, field: idColumn, message });
    else for (const id of where) addTo(rowsOf, id, row);
  }
  const parts = companies.flatMap((company): [OwnCompany, FileRow[]][] => {
    const rows = rowsOf.get(company.id);
    return rows ? [[company, rows]] : [];
  });
  return { parts, problems };
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** A company's part of a file, as CSV. */
const partOf = (headers: readonly string[], rows: readonly FileRow[]): Buffer =>
  Buffer.from(BYTE_ORDER_MARK + [headers, ...rows.map(({ cells }) => cells)].map(csvLine).join(''));
