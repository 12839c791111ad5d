/** Kept caller identities and the count of questions. Speaks SQL for store.ts. */
import type { Tx } from '../../../platform/db.ts';
import type { CallerIdentity } from '../../../gateways/caller-identity.ts';

export interface CachedIdentity {
  number: string;
  identity: CallerIdentity | null;
  source: string;
  checked_at: Date;
}

export async function identitiesOf(
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<Map<string, CachedIdentity>> {
  const asked = numbers.filter((n) => n.startsWith('+'));
  if (!asked.length) return new Map();
  const rows = await tx
    .selectFrom('caller_identity')
    .select(['number', 'identity', 'source', 'checked_at'])
    .where('company_id', '=', companyId)
    .where('number', 'in', asked)
    .execute();
  return new Map(rows.map((r) => [r.number, r as unknown as CachedIdentity]));
}
export const saveIdentity = (tx: Tx, companyId: number, k: CachedIdentity) => {
  const kept = {
    identity: k.identity && JSON.stringify(k.identity),
    source: k.source,
    checked_at: k.checked_at,
  };
  return tx
    .insertInto('caller_identity')
    .values({ company_id: companyId, number: k.number, ...kept })
    .onConflict((c) => c.columns(['company_id', 'number']).doUpdateSet(kept))
    .execute();
};
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
