import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export interface DeviceRow extends Selectable<Tables['push_device']> {
  kind: 'apns_voip' | 'web';
  environment: 'production' | 'sandbox' | null;
}
/** `at`: when it is registered. */
type NewDevice = Omit<DeviceRow, 'id' | 'created_at' | 'seen_at' | 'expired_at'> & {
  at: Date;
};
/**
 * Registers a device. A token belongs to the last person who registered it; an iOS device has one
 * token.
 */
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
/** The devices of these kinds that can still be reached. */
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
/** A device. Undefined: none, or its push service reported it gone. */
export const deviceById = (tx: Tx, id: number): Promise<DeviceRow | undefined> =>
  tx
    .selectFrom('push_device')
    .selectAll()
    .where('id', '=', id)
    .where('expired_at', 'is', null)
    .executeTakeFirst() as Promise<DeviceRow | undefined>;
/** Marks a device as expired: it gets no more pushes until it is registered again. */
export const markDeviceGone = (tx: Tx, id: number, at: Date) =>
  tx.updateTable('push_device').set({ expired_at: at }).where('id', '=', id).execute();
/** Deletes a person's browser by its push address. */
export const removeWebDevice = (tx: Tx, personId: number, endpoint: string) =>
  tx
    .deleteFrom('push_device')
    .where('kind', '=', 'web')
    .where('person_id', '=', personId)
    .where('token', '=', endpoint)
    .execute();
/** Deletes the devices that were registered in these sessions. */
export const removeDevicesBySession = (tx: Tx, sessions: readonly number[]) =>
  tx
    .deleteFrom('push_device')
    .where('session_id', 'in', [...sessions])
    .execute();
/** Companies in which someone has a device or wants emails. */
export const companiesWithDevices = async (tx: Tx): Promise<number[]> =>
  (
    await sql<{
      company_id: number;
    }>`select distinct m.company_id from push_device d
      join (select company_id, user_id from membership where role <> 'deactivated'
      union all select c.id, a.user_id from organization_admin a
        join company c on c.organization_id = a.organization_id) m on m.user_id = d.person_id
        where d.expired_at is null
    union select company_id from notification_setting where kinds::text ~ '"(email|both)"'`.execute(
      tx,
    )
  ).rows.map((r) => r.company_id);

/** Whether a company is closed to the session that a device was registered in. */
export const isKeptOut = async (
  db: Tx,
  device: Pick<DeviceRow, 'person_id' | 'session_id'>,
  companyId: number,
): Promise<boolean> =>
  (
    await sql<{ out: boolean }>`select sso_keeps_out(${device.person_id}::bigint,
      ${device.session_id}::bigint, ${companyId}::bigint) out`.execute(db)
  ).rows[0]?.out ?? false;
