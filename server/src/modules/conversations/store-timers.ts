import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** Texts that wait for their time. */
export const scheduledTexts = async (
  tx: Tx,
  companyId: number,
): Promise<{ id: number; sendAt: Date }[]> =>
  (
    await sql<{ id: number; sendAt: Date }>`
      select id, (details ->> 'sendAt')::timestamptz as "sendAt" from conversation_item
      where company_id = ${companyId} and kind = 'scheduledmessage'
        and details ->> 'state' = 'pending' and deleted_at is null order by id`.execute(tx)
  ).rows;

/** Conversations that come back at a time. */
export const snoozedConversations = async (
  tx: Tx,
  companyId: number,
): Promise<{ id: number; until: Date }[]> =>
  (
    await sql<{ id: number; until: Date }>`select id, snoozed_until as until from conversation
      where company_id = ${companyId} and snoozed_until is not null and deleted_at is null
      order by id`.execute(tx)
  ).rows;
