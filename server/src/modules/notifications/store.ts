import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

export const owns = ['notification_block', 'push_device', 'online_person'] as const;

// ---- blocks --------------------------------------------------------------------------------------------------------

export interface BlockRow {
  number_id: number;
  channel: string;
  event: string;
}
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
export const insertBlocks = (
  tx: Tx,
  rows: readonly (BlockRow & { company_id: number; user_id: number; created_at: Date })[],
) =>
  tx
    .insertInto('notification_block')
    .values([...rows])
    .onConflict((c) => c.doNothing())
    .execute();
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
/** Who muted this number on this channel for this event. */
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

// ---- counts --------------------------------------------------------------------------------------------------------

export interface UnreadRow {
  number_id: number;
  messages: number;
  calls: number;
  voicemails: number;
  faxes: number;
}
/** Only conversations with something unread are looked at. */
export const unreadByNumber = async (
  tx: Tx,
  companyId: number,
  visibleNumbers: readonly number[] | null,
): Promise<UnreadRow[]> =>
  (
    await sql<UnreadRow>`select number_id, sum(unread_messages)::int messages, sum(unread_calls)::int calls, sum(unread_voicemails)::int voicemails, sum(unread_faxes)::int faxes
    from conversation where company_id = ${companyId} and unread > 0 and deleted_at is null ${visibleNumbers ? sql`and number_id = any(${[...visibleNumbers]}::bigint[])` : sql``} group by number_id`.execute(
      tx,
    )
  ).rows;

// ---- devices (the system role: they belong to persons, not companies) ----------------------------------------------

export interface DeviceRow {
  id: number;
  person_id: number;
  kind: 'apns_voip' | 'web';
  device_id: string;
  token: string;
  bundle_id: string | null;
  environment: 'production' | 'sandbox' | null;
  keys_secret: string | null;
  created_at: Date;
}
export interface NewDevice {
  person_id: number;
  session_id: number | null;
  kind: 'apns_voip' | 'web';
  device_id: string;
  token: string;
  bundle_id: string | null;
  environment: string | null;
  keys_secret: string | null;
  user_agent: string | null;
  at: Date;
}
/** A token belongs to whoever brought it last; a device has one token. */
export async function upsertDevice(tx: Tx, d: NewDevice): Promise<DeviceRow> {
  await tx
    .deleteFrom('push_device')
    .where('person_id', '=', d.person_id)
    .where('kind', '=', d.kind)
    .where('device_id', '=', d.device_id)
    .where('token', '<>', d.token)
    .where('kind', '=', 'apns_voip')
    .execute();
  const { at, ...row } = d;
  return (await tx
    .insertInto('push_device')
    .values({ ...row, created_at: at, seen_at: at })
    .onConflict((c) =>
      c.columns(['kind', 'token']).doUpdateSet({
        person_id: d.person_id,
        session_id: d.session_id,
        device_id: d.device_id,
        bundle_id: d.bundle_id,
        environment: d.environment,
        keys_secret: d.keys_secret,
        user_agent: d.user_agent,
        seen_at: at,
        expired_at: null,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()) as DeviceRow;
}
export const devicesOf = (
  tx: Tx,
  persons: readonly number[],
  kinds: readonly string[],
): Promise<DeviceRow[]> =>
  persons.length
    ? (tx
        .selectFrom('push_device')
        .selectAll()
        .where('person_id', 'in', [...persons])
        .where('kind', 'in', [...kinds])
        .where('expired_at', 'is', null)
        .execute() as Promise<DeviceRow[]>)
    : Promise.resolve([]);
export const deviceById = (tx: Tx, id: number): Promise<DeviceRow | undefined> =>
  tx
    .selectFrom('push_device')
    .selectAll()
    .where('id', '=', id)
    .where('expired_at', 'is', null)
    .executeTakeFirst() as Promise<DeviceRow | undefined>;
export const markDeviceGone = (tx: Tx, id: number, at: Date) =>
  tx.updateTable('push_device').set({ expired_at: at }).where('id', '=', id).execute();
export const removeWebDevice = (tx: Tx, personId: number, endpoint: string) =>
  tx
    .deleteFrom('push_device')
    .where('kind', '=', 'web')
    .where('person_id', '=', personId)
    .where('token', '=', endpoint)
    .execute();
export const removeDevicesBySession = (tx: Tx, sessions: readonly number[]) =>
  tx
    .deleteFrom('push_device')
    .where('session_id', 'in', [...sessions])
    .execute();
/** Companies in which somebody can be woken, or asked for mail. */
export const companiesWithDevices = async (tx: Tx): Promise<number[]> =>
  (
    await sql<{
      company_id: number;
    }>`select distinct m.company_id from push_device d join (select company_id, user_id from membership where role <> 'deactivated'
      union all select c.id, a.user_id from organization_admin a join company c on c.organization_id = a.organization_id) m on m.user_id = d.person_id where d.expired_at is null
    union select company_id from notification_setting where kinds::text ~ '"(email|both)"'`.execute(
      tx,
    )
  ).rows.map((r) => r.company_id);

// ---- who is there --------------------------------------------------------------------------------------------------

/** A page that is open is told of every 15 seconds. */
const connectedSeconds = 40;
export const markConnected = (tx: Tx, persons: readonly number[], at: Date) =>
  sql`insert into online_person (person_id, seen_at) select p.id, ${at} from person p where p.id = any(${[...persons]}::bigint[]) on conflict (person_id) do update set seen_at = excluded.seen_at`.execute(
    tx,
  );
export const markDisconnected = (tx: Tx, persons: readonly number[]) =>
  tx
    .deleteFrom('online_person')
    .where('person_id', 'in', [...persons])
    .execute();
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

/** People at work in a company who have a device: their role and the numbers they are limited to. */
export interface Colleague {
  user_id: number;
  role: string;
  number_ids: number[];
  switches: Record<string, unknown>;
}
export const colleaguesWithDevices = async (tx: Tx, companyId: number): Promise<Colleague[]> =>
  (
    await sql<Colleague>`select m.user_id, m.role, m.number_ids, c.settings switches from (select company_id, user_id, role, number_ids from membership where company_id = ${companyId} and role <> 'deactivated'
      union all select c.id, a.user_id, 'org-administrator', '{}'::bigint[] from organization_admin a join company c on c.organization_id = a.organization_id where c.id = ${companyId}) m
    join company c on c.id = m.company_id join person p on p.id = m.user_id and p.disabled_at is null
    where exists (select from push_device d where d.person_id = m.user_id and d.expired_at is null)`.execute(
      tx,
    )
  ).rows;
/** Whose line in the app a leg is. */
export const userOfLeg = async (tx: Tx, companyId: number, leg: string): Promise<number | null> =>
  (
    await tx
      .selectFrom('call_leg')
      .select('user_id')
      .where('company_id', '=', companyId)
      .where('leg', '=', leg)
      .executeTakeFirst()
  )?.user_id ?? null;
