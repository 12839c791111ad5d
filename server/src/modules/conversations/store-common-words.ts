/** Words that thousands of texts have: looking them up in their index costs more than meeting them. */
import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** A list with more matches says "1,000+". */
const COUNTED = 1000;
const LOOKED_THROUGH = 20_000;
/** Of so many newest texts, so many with a word make it common: its index would list thousands. */
const SAMPLE = 800;
const COMMON_IN_SAMPLE = 48;
/** Whether the newest texts are full of the words, so that a walk meets matches sooner. */
export const isCommon = (tx: Tx, companyId: number, pattern: string): Promise<boolean> =>
  hasNewest(tx, companyId, pattern, { among: SAMPLE, most: COMMON_IN_SAMPLE });

async function hasNewest(
  tx: Tx,
  companyId: number,
  pattern: string,
  { among, most }: { among: number; most: number },
): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`select count(*)::int n from (select from
      (select text from conversation_item where company_id = ${companyId} and kind = 'message'
        and deleted_at is null order by created_at desc, id desc limit ${among}) t
      where text ilike ${pattern} limit ${most}) x`.execute(tx);
  return (rows[0]?.n ?? 0) >= most;
}
/** More than a list counts are among the newest texts: they needn't be found in the index first. */
export const isVeryCommon = async (tx: Tx, companyId: number, pattern: string): Promise<boolean> =>
  (await isCommon(tx, companyId, pattern)) &&
  hasNewest(tx, companyId, pattern, { among: LOOKED_THROUGH, most: COUNTED });
