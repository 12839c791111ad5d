import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

export interface ScheduleRow {
  id: number;
  user_id: number | null;
  timezone: string;
  preset: number;
  blocks: unknown;
  custom_blocks: unknown;
  exceptions: unknown;
  hours: unknown;
  voicemail: boolean;
  updated_at: Date;
}

/** The company's schedule (userId null) or a user's. */
export const scheduleOf = (
  tx: Tx,
  companyId: number,
  userId: number | null,
): Promise<ScheduleRow | undefined> =>
  tx
    .selectFrom('schedule')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .executeTakeFirst();

/** The schedules of a company and of its users. */
export const schedulesOf = (tx: Tx, companyId: number): Promise<ScheduleRow[]> =>
  tx.selectFrom('schedule').selectAll().where('company_id', '=', companyId).orderBy('id').execute();

/**
 * Serializes changes of a schedule until the transaction ends: each depends on the state before.
 */
export const lockSchedule = (tx: Tx, companyId: number, userId: number | null) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`schedule:${companyId}`},
        ${userId ?? 0}))`.execute(tx);

type ScheduleValues = {
  timezone: string;
  preset: number;
  blocks: string;
  custom_blocks: string | null;
  exceptions: string;
  hours: string;
  voicemail: boolean;
  updated_at: Date;
};

/** Stores the schedule of a user or of the company (null) over the earlier one. */
export const writeSchedule = (
  tx: Tx,
  companyId: number,
  userId: number | null,
  values: ScheduleValues,
) =>
  tx
    .insertInto('schedule')
    .values({ company_id: companyId, user_id: userId, ...values })
    .onConflict((c) => c.columns(['company_id', 'user_id']).doUpdateSet(values))
    .execute();

/** How many numbers follow it. */
export const countNumbersUsing = async (
  tx: Tx,
  companyId: number,
  scheduleId: number,
): Promise<number> =>
  Number(
    (
      await tx
        .selectFrom('number')
        .select(({ fn }) => fn.countAll().as('n'))
        .where('company_id', '=', companyId)
        .where('schedule_id', '=', scheduleId)
        .where('status', '<>', 'released')
        .executeTakeFirstOrThrow()
    ).n,
  );

/** Whether the user is a member of the company, deactivated ones included. */
export const memberExists = async (tx: Tx, companyId: number, userId: number): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('membership')
      .select('user_id')
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
  );
