/** Presence of users and devices for calls in the app. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db.ts';

/** A device without a heartbeat for this long is offline. Heartbeats come every 15 seconds. */
const DEVICE_TTL_SECONDS = 45;

export interface PresenceRow {
  user_id: number;
  name: string;
  role: string;
  wish: 'active' | 'away';
  do_not_disturb: boolean;
  do_not_disturb_until: Date | null;
  set_up: boolean;
  on_call: boolean;
  /** Has a device that a push can wake. */
  can_be_woken: boolean;
  devices: { id: string; seen_at: string }[];
}
/**
 * Users of a company who may call, with what determines their presence. Persons are global, so this
 * reads outside of row-level security.
 */
export async function presenceOf(
  db: Db,
  companyId: number,
  now: Date,
  userId: number | null = null,
): Promise<PresenceRow[]> {
  const since = new Date(now.getTime() - DEVICE_TTL_SECONDS * 1000);
  const { rows } = await sql<PresenceRow>`
    select p.id user_id, trim(p.first_name || ' ' || p.last_name) as name, m.role,
      coalesce(w.status, 'active') wish, coalesce(w.do_not_disturb, false) do_not_disturb,
      w.do_not_disturb_until,
      (p.sip_user is not null
          and p.sip_address is not null and p.sip_password_secret is not null) set_up,
      exists (select from call_leg l
          join live_call v on v.company_id = l.company_id and v.call_id = l.call_id and not v.ended
        where l.company_id = m.company_id and l.user_id = p.id
          and l.ended_at is null and l.state <> 'leaving' and l.answered_at is not null) on_call,
      exists (select from push_device w
          where w.person_id = p.id and w.expired_at is null) can_be_woken,
      coalesce((select json_agg(json_build_object('id', d.device, 'seen_at',
                to_char(d.seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
              order by d.device)
        from calling_device d where d.company_id = m.company_id
          and d.user_id = p.id and d.seen_at > ${since}), '[]') devices
    from (select company_id, user_id, role from membership
        where company_id = ${companyId} and role not in ('deactivated', 'billing', 'reporting')
        union all select c.id, a.user_id, 'administrator'
          from organization_admin a join company c on c.organization_id = a.organization_id
          where c.id = ${companyId} and not exists (select
              from membership x where x.company_id = c.id and x.user_id = a.user_id)) m
      join person p on p.id = m.user_id
        left join calling_person w on w.company_id = m.company_id and w.user_id = m.user_id
    where p.disabled_at is null ${userId ? sql`and p.id = ${userId}` : sql``}
    order by name, p.id`.execute(db.unscoped);
  return rows;
}

/**
 * Stores whether the user wants calls; wanting them ends do not disturb. The status shown also
 * depends on devices and running calls.
 */
export const setWish = (
  tx: Tx,
  companyId: number,
  userId: number,
  status: 'active' | 'away',
  now: Date,
) =>
  tx
    .insertInto('calling_person')
    .values({ company_id: companyId, user_id: userId, status, updated_at: now })
    .onConflict((c) =>
      c.columns(['company_id', 'user_id']).doUpdateSet({
        status,
        updated_at: now,
        ...(status === 'active' && { do_not_disturb: false, do_not_disturb_until: null }),
      }),
    )
    .execute();
/** Turns do not disturb on, until a time or (null) until it is turned off, or off. */
export const storeDoNotDisturb = (
  tx: Tx,
  companyId: number,
  userId: number,
  values: { do_not_disturb: boolean; do_not_disturb_until: Date | null; updated_at: Date },
) =>
  tx
    .insertInto('calling_person')
    .values({ company_id: companyId, user_id: userId, status: 'active', ...values })
    .onConflict((c) => c.columns(['company_id', 'user_id']).doUpdateSet(values))
    .execute();

/** Users of the company with do not disturb, and until when; null = until they turn it off. */
export const usersNotDisturbed = async (
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<Map<number, Date | null>> =>
  new Map(
    (
      await tx
        .selectFrom('calling_person')
        .select(['user_id', 'do_not_disturb_until'])
        .where('company_id', '=', companyId)
        .where('do_not_disturb', '=', true)
        .where((e) =>
          e.or([e('do_not_disturb_until', 'is', null), e('do_not_disturb_until', '>', now)]),
        )
        .execute()
    ).map((row) => [row.user_id, row.do_not_disturb_until]),
  );

/** Records a heartbeat. True when the device was offline. */
export async function seeDevice(
  tx: Tx,
  companyId: number,
  userId: number,
  device: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ was: Date | null }>`
    with was as (select seen_at from calling_device
        where company_id = ${companyId} and user_id = ${userId} and device = ${device})
    insert into calling_device (company_id, user_id, device, seen_at)
      values (${companyId}, ${userId}, ${device}, ${now})
    on conflict (company_id, user_id, device) do update set seen_at = excluded.seen_at
      returning (select seen_at from was) was`.execute(tx);
  const seenBefore = rows[0]?.was ?? null;
  return (
    seenBefore === null ||
    new Date(seenBefore).getTime() <= now.getTime() - DEVICE_TTL_SECONDS * 1000
  );
}
/** Removes a device. True when it was known. */
export const deleteDevice = async (
  tx: Tx,
  companyId: number,
  userId: number,
  device: string,
): Promise<boolean> =>
  (
    await tx
      .deleteFrom('calling_device')
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .where('device', '=', device)
      .executeTakeFirst()
  ).numDeletedRows > 0n;

/** Removes all devices of a user in the company, unless their access was restored. True: some. */
export const deleteDevicesOfUser = async (
  tx: Tx,
  companyId: number,
  userId: number,
): Promise<boolean> =>
  (
    await tx
      .deleteFrom('calling_device')
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom('membership')
              .select('user_id')
              .where('company_id', '=', companyId)
              .where('user_id', '=', userId)
              .where('role', '<>', 'deactivated'),
          ),
        ),
      )
      .executeTakeFirst()
  ).numDeletedRows > 0n;

interface PersonCallRow {
  call_id: number;
  leg: string;
  role: string;
  answered_at: Date | null;
  outbound: boolean;
  from_number: string;
  to_number: string;
  number_id: number;
  number: string;
  number_label: string;
  contact_id: number | null;
  contact_name: string | null;
  on_hold: boolean;
  started_at: Date;
}
/** Calls that ring this user or that they are on. */
export async function callsOfPerson(
  tx: Tx,
  companyId: number,
  userId: number,
): Promise<PersonCallRow[]> {
  const { rows } = await sql<PersonCallRow>`
    select l.call_id, l.leg, l.role, l.answered_at, (c.outbound and l.role = 'agent') outbound,
      case when c.outbound and l.role <> 'agent' then c.party else c.from_number end from_number,
      c.to_number, n.id number_id, n.number, n.label number_label, c.contact_id,
      ct.name contact_name,
      coalesce((v.state #>> '{facts,onHold}')::boolean, false) on_hold, c.started_at
    from call_leg l join live_call v on v.company_id = l.company_id
      and v.call_id = l.call_id and not v.ended
      join call c on c.company_id = l.company_id and c.id = l.call_id
        join number n on n.company_id = c.company_id and n.id = c.number_id
      left join contact ct on ct.company_id = c.company_id and ct.id = c.contact_id
    where l.company_id = ${companyId} and l.user_id = ${userId}
      and l.ended_at is null and l.state <> 'leaving' order by l.started_at`.execute(tx);
  return rows;
}
/** The user's newest leg in a call. Undefined: they have none. */
export const legOfPerson = (tx: Tx, companyId: number, callId: number, userId: number) =>
  tx
    .selectFrom('call_leg')
    .select(['leg', 'state', 'cause', 'answered_at', 'ended_at'])
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .where('user_id', '=', userId)
    .orderBy('n', 'desc')
    .executeTakeFirst();
