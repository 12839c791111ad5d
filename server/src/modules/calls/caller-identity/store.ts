/** Cached caller identities and provider lookups. */
import type { Tx } from '../../../platform/db.ts';
import type { CallerIdentity } from '../../../gateways/caller-identity.ts';

/** A cached lookup; `identity` null = the provider does not know the number. */
export interface CachedIdentity {
  number: string;
  identity: CallerIdentity | null;
  source: string;
  checked_at: Date;
}

/** Cached identities by number; numbers that are not E.164 are ignored. */
export async function identitiesOf(
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<Map<string, CachedIdentity>> {
  const e164 = numbers.filter((number) => number.startsWith('+'));
  if (!e164.length) return new Map();
  const rows = await tx
    .selectFrom('caller_identity')
    .select(['number', 'identity', 'source', 'checked_at'])
    .where('company_id', '=', companyId)
    .where('number', 'in', e164)
    .execute();
  return new Map(
    // jsonb reads as unknown; saveIdentity writes a CallerIdentity.
    rows.map((row) => [row.number, { ...row, identity: row.identity as CallerIdentity | null }]),
  );
}
/** Inserts or replaces the cached identity of a number. */
export const saveIdentity = (tx: Tx, companyId: number, cached: CachedIdentity) => {
  const values = {
    identity: cached.identity && JSON.stringify(cached.identity),
    source: cached.source,
    checked_at: cached.checked_at,
  };
  return tx
    .insertInto('caller_identity')
    .values({ company_id: companyId, number: cached.number, ...values })
    .onConflict((c) => c.columns(['company_id', 'number']).doUpdateSet(values))
    .execute();
};
/** Records a provider lookup. */
export const insertLookup = (
  tx: Tx,
  row: {
    company_id: number;
    number: string;
    source: string;
    found: boolean;
    billable: boolean;
    user_id: number | null;
    at: Date;
  },
) => tx.insertInto('caller_lookup').values(row).execute();
