import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** What the plan of a company allows, locked. Undefined: there is no such company. */
export const lockPlan = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('company')
    .select(['plan_lacks', 'plan_seats'])
    .where('id', '=', companyId)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Stores what the plan of a company allows. */
export const setPlanOf = (
  tx: Tx,
  companyId: number,
  { lacks, seats }: { lacks: readonly string[]; seats: number | null },
) =>
  tx
    .updateTable('company')
    .set({ plan_lacks: [...lacks], plan_seats: seats })
    .where('id', '=', companyId)
    .execute();

/** How many people are invited to a company and can still accept. */
export const pendingInvitations = async (tx: Tx, companyId: number, now: Date): Promise<number> =>
  (
    await sql<{ n: number }>`select count(*)::int as n from invitation
      where company_ids @> array[${companyId}]::bigint[] and accepted_at is null
        and revoked_at is null and expires_at > ${now}`.execute(tx)
  ).rows[0]?.n ?? 0;

/** Counts a friend who came by an individual's invitation. Needs the system role. */
export const addReward = (tx: Tx, companyId: number) =>
  tx
    .updateTable('company')
    .set((e) => ({ invitation_rewards: e('invitation_rewards', '+', 1) }))
    .where('id', '=', companyId)
    .execute();
