import type { triggers as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { triggersOf, type TriggerRow } from './store.ts';

/** A file of a reply; the size is in bytes. */
export interface ReplyFile {
  file_id: number;
  name: string;
  type: string;
  bytes: number;
}
const instant = <At extends Date | null>(at: At) =>
  (at === null ? null : new Date(at).toISOString()) as At extends null ? null : string;

/** A keyword rule as the API shows it, with signed URLs of its files. */
export function presentTrigger(
  ctx: Pick<TxCtx, 'files' | 'now'>,
  row: TriggerRow & { answered: number },
): contract.NumberTrigger {
  return {
    id: row.id,
    keyword: row.keyword,
    match_mode: row.match_mode as contract.NumberTrigger['match_mode'],
    active: row.active,
    reply_text: row.reply_text,
    reply_media: (row.reply_media as ReplyFile[]).map((file) => ({
      file_id: file.file_id,
      url: ctx.files.signUrl(row.company_id, file.file_id, ctx.now),
      name: file.name,
      type: file.type,
    })),
    group_ids: row.group_ids,
    label_ids: row.label_ids,
    set_optin: row.set_optin,
    notify_user_ids: row.notify_user_ids,
    notify_email: row.notify_emails,
    marketing: row.marketing,
    start_at: instant(row.start_at),
    end_at: instant(row.end_at),
    cooldown_minutes: row.cooldown_minutes,
    answered_count: row.answered,
    created_at: instant(row.created_at),
  };
}
/** Keyword rules by number ID; numbers without rules are missing. */
export async function triggersByNumber(
  ctx: TxCtx,
  numberIds: readonly number[],
): Promise<Map<number, contract.NumberTrigger[]>> {
  const found = new Map<number, contract.NumberTrigger[]>();
  for (const row of await triggersOf(ctx.tx, ctx.companyId, numberIds))
    found.set(row.number_id, [...(found.get(row.number_id) ?? []), presentTrigger(ctx, row)]);
  return found;
}
