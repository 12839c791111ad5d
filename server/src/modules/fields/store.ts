import type { Tx } from '../../platform/db.ts';

export const owns = ['tag'] as const;

export interface TagRow { id: number; name: string; color: string }

export const tagsByKeys = (tx: Tx, companyId: number, keys: readonly string[]): Promise<TagRow[]> =>
  tx.selectFrom('tag').select(['id', 'name', 'color']).where('company_id', '=', companyId).where('name_key', 'in', [...keys]).execute();

/** Somebody may create the same name at the same moment: theirs is as good as ours. */
export async function insertTags(tx: Tx, companyId: number, tags: readonly { name: string; color: string }[], by: number | null, now: Date): Promise<void> {
  await tx.insertInto('tag').values(tags.map((t) => ({ company_id: companyId, ...t, created_by: by, created_at: now }))).onConflict((c) => c.columns(['company_id', 'name_key']).doNothing()).execute();
}
