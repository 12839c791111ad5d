import { sql } from 'kysely';
import { companies, identity, type DescribedEndpoint } from '#contract';
import { audit } from '../audit.ts';
import { publishIn, type Actor, type AdminEntry, type Ctx } from '../context.ts';
import type { Tx } from '../db.ts';
import { fail } from '../errors.ts';
import { isWrite } from './request-lane.ts';

/** A person's own sign-in, session and admin mode: no company is concerned. */
const isOwnBusiness = ({ permission, company, path }: DescribedEndpoint): boolean =>
  permission === 'public' ||
  (permission === 'session' && company === 'none') ||
  /^\/admin\/(mode|remote-logins)/.test(path);

/**
 * Admin mode reads until its second step, and who acts as another person never touches how that
 * person signs in.
 * @throws ApiError `admin.read_only`, `remote_login.own`
 */
export function requireAdminWrites(e: DescribedEndpoint, { admin }: Actor): void {
  if (!admin || !isWrite(e)) return;
  if (isOwnBusiness(e)) {
    if (admin.isRemote && e.path !== '/sanctum/logout') fail('remote_login.own');
  } else if (!admin.mayWrite) fail('admin.read_only');
}

/**
 * Leaves the trace of a request in admin mode, before it runs: a row in the log of each company that
 * is opened for the first time, whose owner's screens follow, and one for each change.
 */
export async function traceAdmin(e: DescribedEndpoint, ctx: Ctx): Promise<void> {
  const { admin } = ctx.actor;
  if (!admin || isOwnBusiness(e)) return;
  const companyIds = ctx.companyId
    ? [ctx.companyId]
    : ctx.organizationId
      ? await companiesOf(ctx.db.unscoped, ctx.organizationId)
      : [];
  const opened = companyIds.filter((id) => !admin.openedCompanyIds.includes(id));
  const isChange = isWrite(e);
  if (!opened.length && !isChange) return;
  await ctx.db.systemTransaction(async (tx) => {
    if (opened.length) await open(ctx, tx, admin, opened);
    for (const companyId of isChange ? companyIds : [])
      await audit({ ...ctx, tx, companyId }, 'admin.acted', `request:${e.name}`);
  });
}

async function open(ctx: Ctx, tx: Tx, admin: AdminEntry, companyIds: number[]): Promise<void> {
  // Requests of one page come at once; the first writes the row.
  await sql`select from admin_entry where id = ${admin.id} for update`.execute(tx);
  const subject = `admin_entry:${admin.id}`;
  const { rows } = await sql<{ company_id: number }>`select company_id from audit_log
    where action = 'admin.opened' and subject = ${subject}`.execute(tx);
  const known = new Set(rows.map((row) => Number(row.company_id)));
  for (const companyId of companyIds.filter((id) => !known.has(id))) {
    await audit({ ...ctx, tx, companyId }, 'admin.opened', subject, {
      after: { until: admin.endsAt.toISOString() },
    });
    await publishIn(tx, companies.companyChanged, { companyId }, { companyId });
  }
  // Channels of a company are joined once it was opened.
  const { staffId: userId } = admin;
  await publishIn(tx, identity.permissionsChanged, { userId }, { userId });
}

const companiesOf = async (db: Tx, organizationId: number): Promise<number[]> =>
  (
    await sql<{ id: number }>`select id from company
      where organization_id = ${organizationId} order by id`.execute(db)
  ).rows.map((row) => Number(row.id));
