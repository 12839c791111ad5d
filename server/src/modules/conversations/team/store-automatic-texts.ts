import { sql } from 'kysely';
import { companySettingsOf } from '#contract/settings/rules';
import type { Tx } from '../../../platform/db.ts';
import { companyRow } from '../../companies/index.ts';

/** The automatic texts of these numbers; numbers without any are left out. */
export const autoTextsOf = (tx: Tx, companyId: number, numberIds: readonly number[]) =>
  numberIds.length
    ? tx
        .selectFrom('number_auto_text')
        .selectAll()
        .where('company_id', '=', companyId)
        .where('number_id', 'in', [...numberIds])
        .execute()
    : Promise.resolve([]);
/** What is sent from a number: its text, else the company's; null: neither is on. */
export async function sentAutoText(
  tx: Tx,
  companyId: number,
  numberId: number,
  kind: AutoKind,
): Promise<string | null> {
  const [row] = await autoTextsOf(tx, companyId, [numberId]);
  return row?.[kind] ?? (await companyAutoTexts(tx, companyId))[kind];
}
/** The company's automatic texts, for numbers without one; null: off. */
export async function companyAutoTexts(
  tx: Tx,
  companyId: number,
): Promise<Record<AutoKind, string | null>> {
  const settings = companySettingsOf((await companyRow(tx, companyId))?.settings);
  const sentOf = ({ enabled, text }: { enabled: boolean; text: string }) => (enabled ? text : null);
  return {
    after_hours: sentOf(settings.auto_reply_after_hours),
    text_back: sentOf(settings.missed_call_text_back),
  };
}
/** Stores both automatic texts of a number; null turns one off. */
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
type AutoKind = 'after_hours' | 'text_back';
/**
 * When this party last got one, locked, so that of two concurrent calls the second sees the first.
 * Null: never.
 */
export async function lockLastAutoText(
  tx: Tx,
  companyId: number,
  numberId: number,
  party: string,
  kind: AutoKind,
): Promise<Date | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`auto-text:${companyId}:${numberId}:${party}:${kind}`},
        0))`.execute(tx);
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
/** Notes when a party last got an automatic text of this kind. */
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
      await sql`select 1 from conversation_item where company_id = ${companyId}
        and conversation_id = ${conversationId} and kind = 'message' and not is_inbound
        and delivery_state = 'failed' and details ->> 'errorCode' = 'landline' limit 1`.execute(tx)
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
      await sql`select 1 from conversation_item where company_id = ${companyId}
        and conversation_id = ${conversationId} and created_at >= ${since} and not is_inbound
        and kind = 'message' and details ->> 'automatic' is not null limit 1`.execute(tx)
    ).rows.length,
  );
