import type { Answer, Query, fieldUpdates as contract } from '#contract';
import { keptErrors, listedRuns } from '#contract/archive/field-updates/rules';
import type { FieldUpdate, OrganizationFieldUpdate } from '#contract/archive/field-updates/schemas';
import type { UpdatableType } from '#contract/archive/field-updates/rules';
import type { Ctx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { firstOf } from '../../../platform/must-be.ts';
import { organizationFieldRows } from '../../fields/index.ts';
import { companiesOfActor, type OwnCompany } from './companies-of-actor.ts';
import { entityTypeIdOf, typeOfId } from './kinds.ts';
import { sharedFields } from './plan-rows.ts';
import { presentUpdates } from './present.ts';
import { undoUntil } from './rules.ts';
import { lockUpdate } from './store.ts';
import { organizationUpdates, runsOf, type OrganizationUpdateRow } from './store-organization.ts';
import { asTemplate, keysOf, rowsOf } from './template.ts';
import { startUndo } from './undo-field-update.ts';

// The system role: organizations are above companies; dispatch has checked that the actor
// administers it, and only companies that they administer themselves are looked at.

/** The last files for the organization's companies, and a template if one is asked for. */
export async function listOrganizationFieldUpdates(
  ctx: Ctx,
  { template }: Query<typeof contract.listOrganizationFieldUpdates>,
): Promise<Answer<typeof contract.listOrganizationFieldUpdates>> {
  const rows = await organizationUpdates(ctx.db.unscoped, ctx.organizationId, {
    limit: listedRuns,
  });
  return {
    data: await presentOrganizationUpdates(ctx, rows),
    template: template ? await organizationTemplate(ctx, template) : null,
  };
}

async function organizationTemplate(ctx: Ctx, type: UpdatableType) {
  const companies = await companiesOfActor(ctx, type);
  if (!companies.length) return fail('role.forbidden');
  const typeId = entityTypeIdOf(type);
  const fields = await organizationFieldRows(ctx.db.unscoped, ctx.organizationId, typeId);
  const keys = keysOf(fields);
  const rows: string[][] = [];
  for (const { id, access } of companies)
    rows.push(
      ...(await ctx
        .actingIn(id, access.roles)
        .transaction(async (t) => rowsOf(t, type, keys, await sharedFields(t, typeId)))),
    );
  return asTemplate(type, keys, rows);
}

/** Files with their runs in the companies that the actor administers. */
export async function presentOrganizationUpdates(
  ctx: Ctx,
  rows: readonly OrganizationUpdateRow[],
): Promise<OrganizationFieldUpdate[]> {
  const companies = await companiesOfActor(ctx);
  const runs = await runsOf(
    ctx.db.unscoped,
    companies.map(({ id }) => id),
    rows.map(({ id }) => id),
  );
  const shown = new Map<number, FieldUpdate[]>();
  for (const { id, access } of companies) {
    const own = runs.filter((run) => run.company_id === id);
    if (own.length)
      shown.set(
        id,
        await ctx.actingIn(id, access.roles).transaction((t) => presentUpdates(t, own)),
      );
  }
  return rows.map((row) => {
    const ids = runs.filter((run) => run.organization_update_id === row.id).map(({ id }) => id);
    const parts = companies.flatMap(({ id, name }) =>
      (shown.get(id) ?? [])
        .filter((run) => ids.includes(run.id))
        .map((run) => ({ ...run, company: { id, name } })),
    );
    return sumOf(row, parts);
  });
}

type Part = OrganizationFieldUpdate['companies'][number];
const latest = (times: (string | null)[]): string | null =>
  times.reduce(
    (last, time) => (time !== null && (last === null || time > last) ? time : last),
    null,
  );
const sum = (parts: readonly Part[], of: (part: Part) => number): number =>
  parts.reduce((total, part) => total + of(part), 0);

/** The states that go for the whole while any company is in them, the first that is found. */
const first = ['running', 'undoing', 'failed', 'finished', 'undone'] as const;

function sumOf(row: OrganizationUpdateRow, companies: Part[]): OrganizationFieldUpdate {
  const status =
    first.find((state) => companies.some((part) => part.status === state)) ?? 'finished';
  const total = sum(companies, (part) => part.total);
  const failed = row.failed + sum(companies, (part) => part.failed);
  const errors = [...row.errors, ...companies.flatMap((part) => part.errors)]
    .sort((a, b) => a.row - b.row)
    .slice(0, keptErrors);
  const undone = companies.flatMap((part) => part.undone ?? []);
  return {
    id: row.id,
    file: { name: row.file_name, url: null },
    entityType: typeOfId(row.entity_type_id),
    status,
    progress: total
      ? Math.floor(sum(companies, (part) => part.progress * part.total) / total)
      : 100,
    total: row.row_count,
    processed: row.failed + sum(companies, (part) => part.processed),
    changed: sum(companies, (part) => part.changed),
    failed,
    errors,
    failure: companies.find((part) => part.failure !== null)?.failure ?? null,
    undone: undone.length
      ? {
          restored: undone.reduce((n, part) => n + part.restored, 0),
          kept: undone.reduce((n, part) => n + part.kept, 0),
        }
      : null,
    created_by: { id: row.created_by, name: row.created_by_name },
    created_at: row.created_at.toISOString(),
    finished_at:
      status === 'running'
        ? null
        : (latest(companies.map((part) => part.finished_at)) ?? row.created_at.toISOString()),
    canUndoUntil: status === 'running' ? null : latest(companies.map((part) => part.canUndoUntil)),
    companies,
  };
}

/**
 * Starts undoing a file in every company where it was applied and that the actor administers. Fails
 * with 404 or `field_update.cannot_undo`.
 */
export async function undoOrganizationFieldUpdate(
  ctx: Ctx,
  updateId: string,
): Promise<Answer<typeof contract.undoOrganizationFieldUpdate>> {
  const db = ctx.db.unscoped;
  const found = await organizationUpdates(db, ctx.organizationId, { id: updateId, limit: 1 });
  const row = found[0] ?? notFound();
  const companies = await companiesOfActor(ctx, typeOfId(row.entity_type_id));
  let begun = 0;
  for (const run of await runsOf(
    db,
    companies.map(({ id }) => id),
    [row.id],
  ))
    begun += await undoIn(ctx, companies, run);
  if (!begun) return fail('field_update.cannot_undo');
  return { data: firstOf(await presentOrganizationUpdates(ctx, [row])) };
}

async function undoIn(
  ctx: Ctx,
  companies: readonly OwnCompany[],
  { company_id, id }: { company_id: number; id: number },
): Promise<number> {
  const company = companies.find((one) => one.id === company_id);
  if (!company) return 0;
  return ctx.actingIn(company_id, company.access.roles).transaction(async (t) => {
    const run = await lockUpdate(t.tx, company_id, id);
    const until = run ? undoUntil(run) : null;
    if (!run || !until || until < t.now) return 0;
    await startUndo(t, run);
    return 1;
  });
}
