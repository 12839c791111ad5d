import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

export interface TriggerRow {
  company_id: number;
  id: number;
  number_id: number;
  keyword: string;
  match_mode: string;
  active: boolean;
  reply_text: string | null;
  reply_media: unknown;
  group_ids: number[];
  label_ids: number[];
  set_optin: boolean;
  notify_user_ids: number[];
  notify_emails: string[];
  marketing: boolean;
  start_at: Date | null;
  end_at: Date | null;
  cooldown_minutes: number;
  created_at: Date;
  updated_at: Date;
}
/** Rules of these numbers, with how often each replied. */
export const triggersOf = async (
  tx: Tx,
  companyId: number,
  numberIds: readonly number[],
): Promise<(TriggerRow & { answered: number })[]> =>
  numberIds.length === 0
    ? []
    : (
        await sql<
          TriggerRow & { answered: number }
        >`select t.*, coalesce((select sum(a.times)::int from number_trigger_reply a
              where a.company_id = t.company_id and a.trigger_id = t.id), 0) answered
    from number_trigger t
      where t.company_id = ${companyId} and t.number_id = any (${[...numberIds]}::bigint[])
      order by t.number_id, t.keyword_key`.execute(tx)
      ).rows;
/** Undefined: the company has no such rule. */
export const triggerRow = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('number_trigger')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
/** Rules of these numbers that are active now. Read for every inbound text. */
export const activeTriggers = async (
  tx: Tx,
  companyId: number,
  numberIds: readonly number[],
  now: Date,
) =>
  tx
    .selectFrom('number_trigger')
    .select(['id', 'number_id', 'keyword', 'match_mode'])
    .where('company_id', '=', companyId)
    .where('number_id', 'in', [...numberIds])
    .where('active', '=', true)
    .where((w) => w.or([w('start_at', 'is', null), w('start_at', '<=', now)]))
    .where((w) => w.or([w('end_at', 'is', null), w('end_at', '>', now)]))
    .execute();

export type TriggerColumns = Partial<
  Omit<TriggerRow, 'company_id' | 'id' | 'number_id' | 'reply_media' | 'created_at'>
> & { reply_media?: string };
/** Stores a keyword trigger of a number and returns its ID. */
export const insertTrigger = async (
  tx: Tx,
  companyId: number,
  numberId: number,
  row: TriggerColumns & { keyword: string },
  by: number | null,
  now: Date,
): Promise<number> =>
  (
    await tx
      .insertInto('number_trigger')
      .values({
        ...row,
        company_id: companyId,
        number_id: numberId,
        created_by: by,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
/** Changes columns of a trigger. */
export const updateTrigger = (tx: Tx, companyId: number, id: number, set: TriggerColumns) =>
  tx
    .updateTable('number_trigger')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
/** Deletes triggers of a number. */
export const removeTriggers = (
  tx: Tx,
  companyId: number,
  numberId: number,
  ids: readonly number[],
) =>
  tx
    .deleteFrom('number_trigger')
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId)
    .where('id', 'in', [...ids])
    .execute();

/**
 * Starts a rule's cooldown for this party. False: the last reply is younger than the cooldown. Of
 * two concurrent calls one gets true.
 */
export async function claimTriggerCooldown(
  tx: Tx,
  companyId: number,
  trigger: { id: number; cooldown_minutes: number },
  party: string,
  now: Date,
): Promise<boolean> {
  const cooldownOver = new Date(now.getTime() - trigger.cooldown_minutes * 60_000);
  const { rows } =
    await sql`insert into number_trigger_reply as a (company_id, trigger_id, party, answered_at)
      values (${companyId}, ${trigger.id}, ${party}, ${now})
    on conflict (company_id, trigger_id, party) do update set answered_at = excluded.answered_at,
      times = a.times + 1 where a.answered_at <= ${cooldownOver} returning 1`.execute(tx);
  return rows.length > 0;
}
/** Keeps the text with which a party (E.164) opted in, as evidence. */
export const insertOptInProof = (
  tx: Tx,
  companyId: number,
  proof: {
    party: string;
    number_id: number;
    trigger_id: number;
    keyword: string;
    text: string;
    at: Date;
  },
) =>
  tx
    .insertInto('optin_proof')
    .values({ company_id: companyId, ...proof })
    .execute();
/** Which of these files the company has; deleted ones are missing. */
export const existingFiles = async (tx: Tx, companyId: number, ids: readonly number[]) =>
  ids.length === 0
    ? []
    : tx
        .selectFrom('file')
        .select(['id', 'name', 'content_type', 'bytes'])
        .where('company_id', '=', companyId)
        .where('deleted_at', 'is', null)
        .where('id', 'in', [...ids])
        .execute();
