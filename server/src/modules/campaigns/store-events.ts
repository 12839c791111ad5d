import { sql, type Selectable } from 'kysely';
import type { EventFlag } from '#contract/campaign-rules';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export type RecipientRow = Selectable<Tables['campaign_recipient']>;
export type EventRow = RecipientRow & { name: string | null };

/** Each flag's lines, so that an index has them in order. */
const flags: Record<EventFlag, ReturnType<typeof sql>> = {
  all: sql`true`, pending: sql`r.state in ('pending', 'claimed')`, sent: sql`r.state in ('handed', 'sent', 'delivered', 'undelivered')`, delivered: sql`r.state = 'delivered'`, undelivered: sql`r.state = 'undelivered'`, failed: sql`r.state = 'failed'`,
  responded: sql`r.responded_at is not null`, unsubscribed: sql`r.unsubscribed_at is not null`, skipped: sql`r.state = 'skipped'`, unknown: sql`r.state = 'unknown'`,
};
/** Which count of the campaign tells how many a flag has: nothing is counted twice. */
const countOf: Record<EventFlag, string> = { all: 'total_count', pending: 'pending_count', sent: 'sent_count', delivered: 'delivered_count', undelivered: 'undelivered_count', failed: 'failed_count', responded: 'responded_count', unsubscribed: 'unsubscriber_count', skipped: 'skipped_count', unknown: 'unknown_count' };

export async function eventPage(tx: Tx, companyId: number, campaignId: number, f: { flag: EventFlag; search: string | undefined; desc: boolean; limit: number; offset: number }): Promise<{ rows: EventRow[]; total: number }> {
  const dir = sql.raw(f.desc ? 'desc' : 'asc');
  const mine = sql`r.company_id = ${companyId} and r.campaign_id = ${campaignId} and ${flags[f.flag]}`;
  const words = f.search?.trim();
  if (!words) {
    const { rows } = await sql<EventRow>`select r.*, c.name from (select * from campaign_recipient r where ${mine} order by r.id ${dir} limit ${f.limit} offset ${f.offset}) r left join contact c on c.company_id = r.company_id and c.id = r.contact_id order by r.id ${dir}`.execute(tx);
    const { rows: [sum] } = await sql<{ n: number }>`select ${sql.ref(countOf[f.flag])} n from campaign where company_id = ${companyId} and id = ${campaignId}`.execute(tx);
    return { rows, total: sum?.n ?? 0 };
  }
  const digits = words.replace(/\D/g, '');
  const like = `%${words.toLowerCase().replace(/[%_\\]/g, '\\$&')}%`;
  const { rows } = await sql<EventRow & { total: number }>`select r.*, c.name, (count(*) over ())::int total from campaign_recipient r left join contact c on c.company_id = r.company_id and c.id = r.contact_id
    where ${mine} and (lower(c.name) like ${like} ${digits.length > 2 ? sql`or r.to_number like ${`%${digits}%`}` : sql``}) order by r.id ${dir} limit ${f.limit} offset ${f.offset}`.execute(tx);
  return { rows, total: rows[0]?.total ?? 0 };
}
