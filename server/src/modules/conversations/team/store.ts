import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { ConversationRow } from '../store.ts';

export const owns = [
  'conversation_presence',
  'canned_reply',
  'inbox_view',
  'number_auto_text',
  'auto_reply_sent',
] as const;

// ---- people (global: the directory reads them) ---------------------------------------------------------------------

export interface Teammate {
  id: number;
  name: string;
  role: string;
  number_ids: number[];
  switches: Record<string, unknown>;
}
/** Users of a company, with their role and the numbers they are limited to. */
export const teammatesOf = async (directory: Tx, companyId: number): Promise<Teammate[]> =>
  (
    await sql<Teammate>`select p.id, coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email) as name, m.role, m.number_ids, c.settings switches
    from (select company_id, user_id, role, number_ids from membership where company_id = ${companyId} and role <> 'deactivated'
      union all select k.id, a.user_id, 'org-administrator', '{}'::bigint[] from organization_admin a join company k on k.organization_id = a.organization_id
        where k.id = ${companyId} and not exists (select from membership m2 where m2.company_id = k.id and m2.user_id = a.user_id)) m
    join company c on c.id = m.company_id join person p on p.id = m.user_id and p.disabled_at is null order by 2, 1`.execute(
      directory,
    )
  ).rows;

// ---- assigning and snoozing ----------------------------------------------------------------------------------------

export const setAssignee = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  assignee: { id: number; name: string } | null,
  at: Date,
): Promise<ConversationRow[]> =>
  tx
    .updateTable('conversation')
    .set({
      assigned_to: assignee?.id ?? null,
      assigned_name: assignee?.name ?? null,
      assigned_at: assignee ? at : null,
    })
    .where('company_id', '=', companyId)
    .where('id', 'in', [...ids])
    .returningAll()
    .execute();
export const setSnoozed = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  until: Date,
  by: number | null,
  at: Date,
): Promise<ConversationRow[]> =>
  tx
    .updateTable('conversation')
    .set({ snoozed_until: until, snoozed_by: by, archived_at: at })
    .where('company_id', '=', companyId)
    .where('id', 'in', [...ids])
    .returningAll()
    .execute();
/** Unsnoozed, at the top of the inbox: its return is its latest activity. */
export const clearSnooze = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  at: Date,
): Promise<ConversationRow[]> =>
  tx
    .updateTable('conversation')
    .set({
      archived_at: null,
      snoozed_until: null,
      snoozed_by: null,
      last_activity_at: sql<Date>`greatest(last_activity_at, ${at})`,
    })
    .where('company_id', '=', companyId)
    .where('id', 'in', [...ids])
    .returningAll()
    .execute();

// ---- presence ------------------------------------------------------------------------------------------------------

export type PresenceRow = Selectable<Tables['conversation_presence']>;
export const presenceOf = (
  tx: Tx,
  companyId: number,
  conversationId: number,
): Promise<PresenceRow[]> =>
  tx
    .selectFrom('conversation_presence')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('conversation_id', '=', conversationId)
    .orderBy('user_id')
    .limit(50)
    .execute();
export const upsertPresence = (
  tx: Tx,
  row: {
    company_id: number;
    conversation_id: number;
    user_id: number;
    name: string;
    state: string;
    at: Date;
  },
) =>
  tx
    .insertInto('conversation_presence')
    .values(row)
    .onConflict((c) =>
      c
        .columns(['company_id', 'conversation_id', 'user_id'])
        .doUpdateSet({ state: row.state, name: row.name, at: row.at }),
    )
    .execute();
export const deletePresence = async (
  tx: Tx,
  companyId: number,
  conversationId: number,
  userId: number,
): Promise<boolean> =>
  Number(
    (
      await tx
        .deleteFrom('conversation_presence')
        .where('company_id', '=', companyId)
        .where('conversation_id', '=', conversationId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
    ).numDeletedRows,
  ) > 0;
/** Expired presence of every company (read with the system role). */

// ---- canned replies ------------------------------------------------------------------------------------------------

export type CannedReplyRow = Selectable<Tables['canned_reply']>;
export const cannedRepliesOf = (
  tx: Tx,
  companyId: number,
  userId: number,
  search: string | undefined,
): Promise<CannedReplyRow[]> => {
  let q = tx
    .selectFrom('canned_reply')
    .selectAll()
    .where('company_id', '=', companyId)
    .where((e) => e.or([e('shared', '=', true), e('owner_id', '=', userId)]));
  const like = search ? `%${search.replace(/[%_\\]/g, '\\$&')}%` : null;
  if (like)
    q = q.where((e) =>
      e.or([e('shortcut', 'ilike', like), e('title', 'ilike', like), e('body', 'ilike', like)]),
    );
  return q.orderBy('shortcut').orderBy('id').limit(1000).execute();
};
export const cannedReplyById = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('canned_reply')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
export const countCannedReplies = async (
  tx: Tx,
  companyId: number,
  userId: number,
): Promise<number> =>
  Number(
    (
      await tx
        .selectFrom('canned_reply')
        .select((e) => e.fn.countAll().as('n'))
        .where('company_id', '=', companyId)
        .where('owner_id', '=', userId)
        .executeTakeFirstOrThrow()
    ).n,
  );
/** `undefined`: the shortcut is taken. */
export const insertCannedReply = (
  tx: Tx,
  row: {
    company_id: number;
    owner_id: number;
    owner_name: string;
    shared: boolean;
    shortcut: string;
    title: string;
    body: string;
    created_at: Date;
    updated_at: Date;
  },
): Promise<CannedReplyRow | undefined> =>
  tx
    .insertInto('canned_reply')
    .values(row)
    .onConflict((c) => c.doNothing())
    .returningAll()
    .executeTakeFirst();
export const updateCannedReplyRow = (
  tx: Tx,
  companyId: number,
  id: number,
  set: Partial<{
    shared: boolean;
    shortcut: string;
    title: string;
    body: string;
    updated_at: Date;
  }>,
): Promise<CannedReplyRow> =>
  tx
    .updateTable('canned_reply')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
export const deleteCannedReply = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('canned_reply').where('company_id', '=', companyId).where('id', '=', id).execute();
/** Whether another reply that the same people see has this shortcut. */
export const isShortcutTaken = async (
  tx: Tx,
  companyId: number,
  by: { shortcut: string; shared: boolean; ownerId: number; but: number },
): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('canned_reply')
      .select('id')
      .where('company_id', '=', companyId)
      .where('id', '<>', by.but)
      .where('shortcut', '=', by.shortcut)
      .where('shared', '=', by.shared)
      .where((e) => (by.shared ? e.lit(true) : e('owner_id', '=', by.ownerId)))
      .executeTakeFirst(),
  );

// ---- views ---------------------------------------------------------------------------------------------------------

export type ViewRow = Selectable<Tables['inbox_view']>;
export const viewsOf = (tx: Tx, companyId: number, userId: number): Promise<ViewRow[]> =>
  tx
    .selectFrom('inbox_view')
    .selectAll()
    .where('company_id', '=', companyId)
    .where((e) => e.or([e('shared', '=', true), e('owner_id', '=', userId)]))
    .orderBy('shared')
    .orderBy('name')
    .limit(100)
    .execute();
export const viewById = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('inbox_view')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
export const insertView = (
  tx: Tx,
  row: {
    company_id: number;
    owner_id: number;
    owner_name: string;
    shared: boolean;
    name: string;
    filters: string;
    created_at: Date;
    updated_at: Date;
  },
): Promise<ViewRow | undefined> =>
  tx
    .insertInto('inbox_view')
    .values(row)
    .onConflict((c) => c.doNothing())
    .returningAll()
    .executeTakeFirst();
export const updateView = (
  tx: Tx,
  companyId: number,
  id: number,
  set: Partial<{ shared: boolean; name: string; filters: string; updated_at: Date }>,
): Promise<ViewRow> =>
  tx
    .updateTable('inbox_view')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
export const deleteView = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('inbox_view').where('company_id', '=', companyId).where('id', '=', id).execute();
export const isViewNameTaken = async (
  tx: Tx,
  companyId: number,
  by: { name: string; shared: boolean; ownerId: number; but: number },
): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('inbox_view')
      .select('id')
      .where('company_id', '=', companyId)
      .where('id', '<>', by.but)
      .where(sql<boolean>`lower(name) = lower(${by.name})`)
      .where('shared', '=', by.shared)
      .where((e) => (by.shared ? e.lit(true) : e('owner_id', '=', by.ownerId)))
      .executeTakeFirst(),
  );

// ---- automatic texts -----------------------------------------------------------------------------------------------

export const autoTextsOf = (tx: Tx, companyId: number, numberIds: readonly number[]) =>
  numberIds.length
    ? tx
        .selectFrom('number_auto_text')
        .selectAll()
        .where('company_id', '=', companyId)
        .where('number_id', 'in', [...numberIds])
        .execute()
    : Promise.resolve([]);
export const upsertAutoTexts = (
  tx: Tx,
  row: {
    company_id: number;
    number_id: number;
    after_hours: string | null;
    text_back: string | null;
    updated_at: Date;
  },
) =>
  tx
    .insertInto('number_auto_text')
    .values(row)
    .onConflict((c) =>
      c.columns(['company_id', 'number_id']).doUpdateSet({
        after_hours: row.after_hours,
        text_back: row.text_back,
        updated_at: row.updated_at,
      }),
    )
    .execute();
export type AutoKind = 'after_hours' | 'text_back';
/**
 * When this party last got one, locked, so that of two concurrent calls the second sees the first.
 */
export async function lockLastAutoText(
  tx: Tx,
  companyId: number,
  numberId: number,
  party: string,
  kind: AutoKind,
): Promise<Date | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`auto-text:${companyId}:${numberId}:${party}:${kind}`}, 0))`.execute(
    tx,
  );
  return (
    (
      await tx
        .selectFrom('auto_reply_sent')
        .select('at')
        .where('company_id', '=', companyId)
        .where('number_id', '=', numberId)
        .where('party', '=', party)
        .where('kind', '=', kind)
        .executeTakeFirst()
    )?.at ?? null
  );
}
export const upsertAutoTextSent = (
  tx: Tx,
  row: { company_id: number; number_id: number; party: string; kind: AutoKind; at: Date },
) =>
  tx
    .insertInto('auto_reply_sent')
    .values(row)
    .onConflict((c) =>
      c.columns(['company_id', 'number_id', 'party', 'kind']).doUpdateSet({ at: row.at }),
    )
    .execute();
/** Whether a carrier has reported this party's phone as a landline. */
export const isKnownLandline = async (
  tx: Tx,
  companyId: number,
  conversationId: number,
): Promise<boolean> =>
  Boolean(
    (
      await sql`select 1 from conversation_item where company_id = ${companyId} and conversation_id = ${conversationId} and kind = 'message' and not is_inbound and delivery_state = 'failed' and details ->> 'errorCode' = 'landline' limit 1`.execute(
        tx,
      )
    ).rows.length,
  );
/** Which of these numbers are ours, of any company: our own numbers never get automatic replies. */
export const ownNumbersAmong = async (
  directory: Tx,
  numbers: readonly string[],
): Promise<Set<string>> =>
  new Set(
    numbers.length
      ? (
          await directory
            .selectFrom('number_directory')
            .select('number')
            .where('number', 'in', [...numbers])
            .execute()
        ).map((r) => r.number)
      : [],
  );
/**
 * The carrier delivered an automatic text of ours there a moment ago, so theirs may be a machine's
 * reply.
 */
export const sentAutomaticSince = async (
  tx: Tx,
  companyId: number,
  conversationId: number,
  since: Date,
): Promise<boolean> =>
  Boolean(
    (
      await sql`select 1 from conversation_item where company_id = ${companyId} and conversation_id = ${conversationId} and created_at >= ${since} and not is_inbound and kind = 'message' and details ->> 'automatic' is not null limit 1`.execute(
        tx,
      )
    ).rows.length,
  );
