import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type TenantRow = Selectable<Tables['tenant']>;
export type DomainRow = Selectable<Tables['tenant_domain']>;

/** The tenant of an organization; undefined: nothing was set yet. */
export const tenantOf = (db: Tx, organizationId: number): Promise<TenantRow | undefined> =>
  db
    .selectFrom('tenant')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

export const tenantById = (db: Tx, id: number): Promise<TenantRow | undefined> =>
  db.selectFrom('tenant').selectAll().where('id', '=', id).executeTakeFirst();

/** Changes an organization's tenant, and creates it when there is none. */
export const upsertTenant = (
  tx: Tx,
  organizationId: number,
  values: Updateable<Tables['tenant']>,
  now: Date,
): Promise<TenantRow> =>
  tx
    .insertInto('tenant')
    .values({ ...values, organization_id: organizationId, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ ...values, updated_at: now }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

export const patchTenant = (tx: Tx, id: number, values: Updateable<Tables['tenant']>) =>
  tx.updateTable('tenant').set(values).where('id', '=', id).execute();

export const domainOf = (db: Tx, tenantId: number): Promise<DomainRow | undefined> =>
  db.selectFrom('tenant_domain').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst();

/** Stores a tenant's custom domain in place of the one before. */
export const replaceDomain = (tx: Tx, row: Insertable<Tables['tenant_domain']>) => {
  const { tenant_id: _, ...values } = row;
  return tx
    .insertInto('tenant_domain')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
};

export const patchDomain = (
  tx: Tx,
  tenantId: number,
  values: Updateable<Tables['tenant_domain']>,
) => tx.updateTable('tenant_domain').set(values).where('tenant_id', '=', tenantId).execute();

/** Which of these hosts another tenant has proven to be its own. */
export async function takenHosts(
  db: Tx,
  hosts: readonly string[],
  exceptTenantId: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('tenant_domain')
    .select(['api_host', 'app_host'])
    .where('status', 'in', ['issuing_certificate', 'active'])
    .where('tenant_id', '<>', exceptTenantId)
    .where((where) =>
      where.or([where('api_host', 'in', [...hosts]), where('app_host', 'in', [...hosts])]),
    )
    .execute();
  const taken = new Set(rows.flatMap((row) => [row.api_host, row.app_host]));
  return hosts.filter((host) => taken.has(host));
}

/** The tenant at this host, by its active domain. Undefined: none. */
export const tenantAt = (db: Tx, host: string): Promise<TenantRow | undefined> =>
  db
    .selectFrom('tenant')
    .innerJoin('tenant_domain', 'tenant_domain.tenant_id', 'tenant.id')
    .selectAll('tenant')
    .where('tenant_domain.status', '=', 'active')
    .where((where) =>
      where.or([where('tenant_domain.app_host', '=', host), where('api_host', '=', host)]),
    )
    .executeTakeFirst();

/** Whether a certificate may be ordered for this host: its DNS was seen to point here. */
export async function isProvenHost(db: Tx, host: string): Promise<boolean> {
  const row = await db
    .selectFrom('tenant_domain')
    .select('tenant_id')
    .where('status', 'in', ['issuing_certificate', 'active'])
    .where((where) => where.or([where('app_host', '=', host), where('api_host', '=', host)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Tenants and domains whose DNS is due: pending ones every few minutes, proven ones daily. */
export async function dueChecks(
  db: Tx,
  { pendingBefore, provenBefore }: { pendingBefore: Date; provenBefore: Date },
): Promise<{ senders: number[]; domains: number[] }> {
  const senders = await db
    .selectFrom('tenant')
    .select('id')
    .where((where) =>
      where.or([
        where.and([
          where('sender_state', '=', 'pending'),
          where('sender_checked_at', '<=', pendingBefore),
        ]),
        where.and([
          where('sender_state', '=', 'verified'),
          where('sender_checked_at', '<=', provenBefore),
        ]),
      ]),
    )
    .execute();
  const domains = await db
    .selectFrom('tenant_domain')
    .select('tenant_id')
    .where((where) =>
      where.or([
        where.and([
          where('status', 'in', ['pending_dns', 'issuing_certificate']),
          where('checked_at', '<=', pendingBefore),
        ]),
        where.and([where('status', '=', 'active'), where('checked_at', '<=', provenBefore)]),
      ]),
    )
    .execute();
  return { senders: senders.map(({ id }) => id), domains: domains.map((row) => row.tenant_id) };
}
