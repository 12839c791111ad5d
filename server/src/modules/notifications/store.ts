import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

/** Muted: this event (`*`: all) of this number on this channel. */
type BlockRow = Pick<Selectable<Tables['notification_block']>, 'number_id' | 'channel' | 'event'>;
/** What a user has muted, per number, channel and event (`*`: all). */
export const blocksOf = (tx: Tx, companyId: number, userId: number): Promise<BlockRow[]> =>
  tx
    .selectFrom('notification_block')
    .select(['number_id', 'channel', 'event'])
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .orderBy('number_id')
    .orderBy('channel')
    .orderBy('event')
    .execute();
/** Mutes; what is muted already stays. */
export const insertBlocks = (
  tx: Tx,
  rows: readonly (BlockRow & { company_id: number; user_id: number; created_at: Date })[],
) =>
  tx
    .insertInto('notification_block')
    .values([...rows])
    .onConflict((c) => c.doNothing())
    .execute();
/** Unmutes these numbers on these channels. `events`: null for all. */
export const deleteBlocks = (
  tx: Tx,
  companyId: number,
  userId: number,
  filter: {
    numbers: readonly number[];
    channels: readonly string[];
    events: readonly string[] | null;
  },
) => {
  let q = tx
    .deleteFrom('notification_block')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .where('number_id', 'in', [...filter.numbers])
    .where('channel', 'in', [...filter.channels]);
  if (filter.events) q = q.where('event', 'in', [...filter.events]);
  return q.execute();
};
/** Which of these numbers the company has, without released ones. */
export const existingNumbers = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Set<number>> =>
  new Set(
    (
      await tx
        .selectFrom('number')
        .select('id')
        .where('company_id', '=', companyId)
        .where('id', 'in', [...ids])
        .where('status', '<>', 'released')
        .execute()
    ).map((r) => r.id),
  );
/** Users who muted this event of the number on this channel. */
export const mutedBy = async (
  tx: Tx,
  companyId: number,
  numberId: number,
  channel: string,
  event: string,
): Promise<Set<number>> =>
  new Set(
    (
      await tx
        .selectFrom('notification_block')
        .select('user_id')
        .where('company_id', '=', companyId)
        .where('number_id', '=', numberId)
        .where('channel', '=', channel)
        .where('event', 'in', ['*', event])
        .execute()
    ).map((r) => r.user_id),
  );

/** Seconds since a page's last report until its user counts as gone; open pages report every 15. */
const connectedSeconds = 40;
/** Notes that these persons have the app open. */
export const markConnected = (tx: Tx, persons: readonly number[], at: Date) =>
  sql`insert into online_person (person_id, seen_at) select p.id, ${at}
    from person p where p.id = any(${[...persons]}::bigint[])
    on conflict (person_id) do update set seen_at = excluded.seen_at`.execute(tx);
/** Notes that these persons closed the app. */
export const markDisconnected = (tx: Tx, persons: readonly number[]) =>
  tx
    .deleteFrom('online_person')
    .where('person_id', 'in', [...persons])
    .execute();
/** Those of the persons who have the app open now. */
export const connectedPersons = async (
  tx: Tx,
  persons: readonly number[],
  now: Date,
): Promise<Set<number>> =>
  new Set(
    persons.length
      ? (
          await tx
            .selectFrom('online_person')
            .select('person_id')
            .where('person_id', 'in', [...persons])
            .where('seen_at', '>', new Date(now.getTime() - connectedSeconds * 1000))
            .execute()
        ).map((r) => r.person_id)
      : [],
  );

/** An active user: role, and the numbers they are limited to. */
interface Colleague {
  user_id: number;
  role: string;
  number_ids: number[];
  switches: Record<string, unknown>;
}
/**
 * The company's users who get into it and have a device to notify, with what their role lets them
 * see: nobody of a deactivated company, and nobody who must set up a second factor first.
 */
export const colleaguesWithDevices = async (tx: Tx, companyId: number): Promise<Colleague[]> =>
  (
    await sql<Colleague>`select m.user_id, m.role, m.number_ids, c.settings switches
      from (select company_id, user_id, role, number_ids
        from membership where company_id = ${companyId} and role <> 'deactivated'
      union all select c.id, a.user_id, 'org-administrator', '{}'::bigint[]
        from organization_admin a
        join company c on c.organization_id = a.organization_id where c.id = ${companyId}) m
    join company c on c.id = m.company_id
      join person p on p.id = m.user_id and p.disabled_at is null
    where (c.status <> 2 or m.role = 'org-administrator')
      and (p.mfa_enabled_at is not null or case c.settings ->> 'require_mfa'
        when 'all' then false
        when 'admins' then m.role not in ('owner', 'administrator', 'org-administrator')
        else true end)
      and exists (select
        from push_device d where d.person_id = m.user_id and d.expired_at is null)`.execute(tx)
  ).rows;
/** The user whose app a call leg rings; null: none. */
export const userOfLeg = async (tx: Tx, companyId: number, leg: string): Promise<number | null> =>
  (
    await tx
      .selectFrom('call_leg')
      .select('user_id')
      .where('company_id', '=', companyId)
      .where('leg', '=', leg)
      .executeTakeFirst()
  )?.user_id ?? null;
