import { sql, type Selectable } from 'kysely';
import { oneRow, type Tx } from '../../platform/db.ts';
import { companySettingsOf } from '#contract/settings/rules';
import {
  deliveryOfCompany,
  type DeliveryChannel,
  type NotificationKind,
} from '#contract/notifications/rules';
import { mustBe } from '../../platform/must-be.ts';
import { companyRow } from '../companies/index.ts';
import { deliveryByKind } from './preferences.ts';
import type { Tables } from '../../platform/tables.ts';

type SettingRow = Selectable<Tables['notification_setting']>;

/** How people of a company who haven't chosen are told. */
const usualDelivery = async (tx: Tx, companyId: number) =>
  deliveryOfCompany(
    companySettingsOf((await companyRow(tx, companyId))?.settings).notification_defaults,
  );

/** A person's settings, or those of somebody who has none. */
export type Settings = Omit<SettingRow, 'company_id' | 'user_id' | 'kinds' | 'updated_at'> & {
  kinds: Record<NotificationKind, DeliveryChannel>;
};
const settingsIn = (
  row: SettingRow | undefined,
  usual: Record<NotificationKind, DeliveryChannel>,
): Settings => ({
  number_ids: row?.number_ids ?? [],
  quiet: row?.quiet ?? false,
  quiet_from: row?.quiet_from ?? '20:00',
  quiet_to: row?.quiet_to ?? '08:00',
  timezone: row?.timezone ?? null,
  kinds: deliveryByKind(row?.kinds, usual),
});

/** A user's notification settings, with the company's defaults for what they haven't set. */
export const settingsOfUser = async (
  tx: Tx,
  companyId: number,
  userId: number,
): Promise<Settings> =>
  mustBe((await settingsOfUsers(tx, companyId, [userId])).get(userId), 'settings of each user');

/** The notification settings of each of these users. */
export async function settingsOfUsers(
  tx: Tx,
  companyId: number,
  userIds: readonly number[],
): Promise<Map<number, Settings>> {
  if (!userIds.length) return new Map();
  const usual = await usualDelivery(tx, companyId);
  const rows = await tx
    .selectFrom('notification_setting')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('user_id', 'in', [...userIds])
    .execute();
  const stored = new Map(rows.map((row) => [row.user_id, row]));
  return new Map(userIds.map((id) => [id, settingsIn(stored.get(id), usual)]));
}
type SettingValues = {
  kinds: string;
  number_ids: number[];
  quiet: boolean;
  quiet_from: string;
  quiet_to: string;
  timezone: string | null;
  updated_at: Date;
};
/** Stores a user's notification settings. */
export const upsertSettings = (tx: Tx, companyId: number, userId: number, values: SettingValues) =>
  tx
    .insertInto('notification_setting')
    .values({ company_id: companyId, user_id: userId, ...values })
    .onConflict((c) => c.columns(['company_id', 'user_id']).doUpdateSet(values))
    .execute();

export interface Reader {
  user_id: number;
  email: string;
  name: string;
  timezone: string | null;
  company: string;
  company_timezone: string;
  role: string;
  number_ids: number[];
  switches: Record<string, unknown>;
}
/** People at work in a company; `only`: these. */
export const readersOf = async (
  directory: Tx,
  companyId: number,
  only: readonly number[] | null = null,
): Promise<Reader[]> =>
  (
    await sql<Reader>`select m.user_id, p.email, trim(p.first_name || ' ' || p.last_name) as name,
      p.timezone, c.name company, c.timezone company_timezone, m.role, m.number_ids,
      c.settings switches
    from (select company_id, user_id, role, number_ids
        from membership where company_id = ${companyId} and role <> 'deactivated'
      union all select k.id, a.user_id, 'org-administrator', '{}'::bigint[]
        from organization_admin a join company k on k.organization_id = a.organization_id
        where k.id = ${companyId} and not exists (select
            from membership o where o.company_id = k.id and o.user_id = a.user_id)) m
    join company c on c.id = m.company_id
      join person p on p.id = m.user_id and p.disabled_at is null
      ${only ? sql`where m.user_id = any(${[...only]}::bigint[])` : sql``}`.execute(directory)
  ).rows;
/** How many of a person's devices can be reached. */
export const countDevices = async (directory: Tx, personId: number): Promise<number> =>
  Number(
    (
      await directory
        .selectFrom('push_device')
        .select((e) => e.fn.countAll().as('n'))
        .where('person_id', '=', personId)
        .where('expired_at', 'is', null)
        .executeTakeFirstOrThrow()
    ).n,
  );
/** Who muted a kind of event, by number ID and then channel, as `12:push`. */
export const mutedEvents = async (
  tx: Tx,
  companyId: number,
  event: string,
): Promise<Map<string, Set<number>>> => {
  const rows = await tx
    .selectFrom('notification_block')
    .select(['number_id', 'channel', 'user_id'])
    .where('company_id', '=', companyId)
    .where('event', 'in', ['*', event])
    .execute();
  const muted = new Map<string, Set<number>>();
  for (const { number_id, channel, user_id } of rows) {
    const key = `${number_id}:${channel}`;
    muted.set(key, (muted.get(key) ?? new Set()).add(user_id));
  }
  return muted;
};
/** Users who want emails about this kind: who chose it, and where it is usual, who didn't choose. */
export const usersWantingMail = async (
  tx: Tx,
  companyId: number,
  kind: NotificationKind,
): Promise<number[]> => {
  const usual = (await usualDelivery(tx, companyId))[kind];
  const isUsual = usual === 'email' || usual === 'both';
  const { rows } = await sql<{
    user_id: number;
  }>`select user_id from notification_setting
      where company_id = ${companyId} and kinds ->> ${kind} in ('email', 'both')
    ${
      isUsual
        ? sql`union all select m.user_id from membership m where m.company_id = ${companyId}
          and m.role <> 'deactivated' and not exists (select from notification_setting s
            where s.company_id = m.company_id and s.user_id = m.user_id and s.kinds ? ${kind})`
        : sql``
    }`.execute(tx);
  return rows.map((row) => row.user_id);
};

export interface DigestLine {
  kind: string;
  text: string;
  at: string;
  itemId: number | null;
  who: string;
}
/** Adds a line, up to 20. True: it is the first one, and the digest must be scheduled. */
export const addDigestLine = async (
  tx: Tx,
  d: {
    companyId: number;
    userId: number;
    conversationId: number;
    line: DigestLine;
    dueAt: Date;
    at: Date;
  },
): Promise<boolean> =>
  (
    await oneRow(
      tx,
      sql<{
        fresh: boolean;
      }>`insert into notification_digest as d (company_id, user_id, conversation_id, lines,
        due_at, created_at)
    values (${d.companyId}, ${d.userId}, ${d.conversationId}, ${JSON.stringify([d.line])}::jsonb,
        ${d.dueAt}, ${d.at})
    on conflict (company_id, user_id, conversation_id) do update set lines = case
        when jsonb_array_length(d.lines) < 20 then d.lines || excluded.lines else d.lines end
      returning (xmax = 0) fresh`,
    )
  ).fresh;
/** Takes the lines that wait to be mailed about a conversation. Undefined: none. */
export const deleteDigest = async (
  tx: Tx,
  companyId: number,
  userId: number,
  conversationId: number,
): Promise<{ lines: DigestLine[]; created_at: Date } | undefined> =>
  (
    await sql<{
      lines: DigestLine[];
      created_at: Date;
    }>`delete from notification_digest where company_id = ${companyId} and user_id = ${userId}
      and conversation_id = ${conversationId} returning lines, created_at`.execute(tx)
  ).rows[0];
/** Those of these items that are unread. */
export const unreadItems = async (
  tx: Tx,
  companyId: number,
  itemIds: readonly number[],
): Promise<Set<number>> =>
  new Set(
    itemIds.length
      ? (
          await tx
            .selectFrom('conversation_item')
            .select('id')
            .where('company_id', '=', companyId)
            .where('id', 'in', [...itemIds])
            .where('read_at', 'is', null)
            .where('deleted_at', 'is', null)
            .execute()
        ).map((row) => row.id)
      : [],
  );
/** A conversation as emails show it; undefined: deleted. */
export const conversationSummary = async (tx: Tx, companyId: number, id: number) =>
  (
    await sql<{
      party: string;
      contact: string | null;
      number: string;
      label: string;
      number_id: number;
    }>`select c.party, k.name contact, n.number, n.label, c.number_id
      from conversation c join number n on n.company_id = c.company_id and n.id = c.number_id
    left join contact k on k.company_id = c.company_id
      and k.id = c.contact_id and k.deleted_at is null
      where c.company_id = ${companyId} and c.id = ${id} and c.deleted_at is null`.execute(tx)
  ).rows[0];
