import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** An array, since a contact that is gone has no numbers, and `in ()` is no SQL. */
const numberIsOneOf = (numbers: readonly string[]) =>
  sql<boolean>`number = any(${[...numbers]}::text[])`;

/** Holds these numbers. */
export const insertHolds = (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
  hold: { reason: string; userId: number | null; name: string; at: Date },
) =>
  sql`insert into legal_hold (company_id, number, reason, held_by, held_by_name, held_at)
    select ${companyId}, n, ${hold.reason}, ${hold.userId}, ${hold.name}, ${hold.at}
    from unnest(${[...numbers]}::text[]) n
    on conflict (company_id, number) do update set reason = excluded.reason,
      held_by = excluded.held_by, held_by_name = excluded.held_by_name,
      held_at = excluded.held_at`.execute(tx);

/** Ends holds; returns the reason of one. Null: none was held. */
export const deleteHolds = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<string | null> =>
  (
    await tx
      .deleteFrom('legal_hold')
      .where('company_id', '=', companyId)
      .where(numberIsOneOf(numbers))
      .returning('reason')
      .execute()
  )[0]?.reason ?? null;

/** The newest hold on one of these numbers. Undefined: none. */
export const holdOn = (tx: Tx, companyId: number, numbers: readonly string[]) =>
  tx
    .selectFrom('legal_hold')
    .selectAll()
    .where('company_id', '=', companyId)
    .where(numberIsOneOf(numbers))
    .orderBy('held_at', 'desc')
    .limit(1)
    .executeTakeFirst();
