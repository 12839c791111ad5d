import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { ConversationRow } from '../store.ts';

/**
 * Assigns conversations to a user, or to nobody (null), and returns them. `teamId`: the team they are
 * assigned to then; absent: theirs stays where the user is in it.
 */
export const setAssignee = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  assignee: { id: number; name: string } | null,
  at: Date,
  teamId?: number | null,
): Promise<ConversationRow[]> =>
  tx
    .updateTable('conversation')
    .set({
      assigned_to: assignee?.id ?? null,
      assigned_name: assignee?.name ?? null,
      assigned_at: assignee || teamId ? at : null,
      team_id:
        teamId === undefined
          ? sql<number | null>`case when exists (select from team_member m
              where m.company_id = conversation.company_id and m.team_id = conversation.team_id
                and m.user_id = ${assignee?.id ?? 0}) then team_id end`
          : teamId,
    })
    .where('company_id', '=', companyId)
    .where('id', 'in', [...ids])
    .returningAll()
    .execute();
/** Open conversations of these contacts that no one was ever assigned to, locked, by ID. */
export const lockNeverAssigned = (
  tx: Tx,
  companyId: number,
  contactIds: readonly number[],
): Promise<ConversationRow[]> =>
  tx
    .selectFrom('conversation')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('contact_id', 'in', [...contactIds])
    .where('assigned_to', 'is', null)
    .where('assigned_from', 'is', null)
    .where('team_id', 'is', null)
    .where('archived_at', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
/** Archives conversations until a time. `by`: the user, null for an API key. */
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
