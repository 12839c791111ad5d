import type { Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type PresenceRow = Selectable<Tables['conversation_presence']>;
/** Who has a conversation open, as last reported; at most 50. The caller leaves out old reports. */
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
/** Notes that a user has a conversation open, and whether they write. */
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
/** Notes that a user left a conversation. False: they were not in it. */
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
