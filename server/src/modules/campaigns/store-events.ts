import { sql } from 'kysely';
import type { EventFlag } from '#contract/campaigns/rules';
import type { Tx } from '../../platform/db.ts';
import type { CampaignRow, RecipientRow } from './store.ts';
import { lastClaims, textsOfRecipients } from './store-batches.ts';
import { waitingIdRange } from './store-claimable.ts';
import { foldedPattern } from '../../platform/folded.ts';

/** A recipient as people see it; in state `claimed` its text is in flight. */
export type EventRow = RecipientRow & {
  name: string | null;
  text: string | null;
  segments: number | null;
  text_version: number | null;
};

/**
 * Each flag's rows. Rare results have an index; all others are found by walking the campaign's
 * recipients in order.
 */
const conditionByFlag: Record<EventFlag, ReturnType<typeof sql>> = {
  all: sql`true`,
  pending: sql`r.state = 'pending'`,
  sent: sql`r.state in ('handed', 'sent', 'delivered', 'undelivered')`,
  delivered: sql`r.state = 'delivered'`,
  undelivered: sql`r.exception_state = 'undelivered'`,
  failed: sql`r.exception_state = 'failed'`,
  skipped: sql`r.exception_state = 'skipped'`,
  unknown: sql`r.exception_state = 'unknown'`,
  responded: sql`r.responded_at is not null`,
  unsubscribed: sql`r.unsubscribed_at is not null`,
};
/** The campaign's counter of each flag, so that totals need no query. */
const countOf: Record<EventFlag, keyof Counts> = {
  all: 'total_count',
  pending: 'pending_count',
  sent: 'sent_count',
  delivered: 'delivered_count',
  undelivered: 'undelivered_count',
  failed: 'failed_count',
  responded: 'responded_count',
  unsubscribed: 'unsubscriber_count',
  skipped: 'skipped_count',
  unknown: 'unknown_count',
};
type Counts = Pick<
  CampaignRow,
  | 'total_count'
  | 'pending_count'
  | 'sent_count'
  | 'delivered_count'
  | 'undelivered_count'
  | 'failed_count'
  | 'responded_count'
  | 'unsubscriber_count'
  | 'skipped_count'
  | 'unknown_count'
>;
interface EventPageOptions {
  flag: EventFlag;
  search: string | undefined;
  desc: boolean;
  limit: number;
  offset: number;
}

/** A page of a campaign's recipients, and how many there are in all. */
export async function eventPage(
  tx: Tx,
  c: CampaignRow,
  f: EventPageOptions,
): Promise<{ rows: EventRow[]; total: number }> {
  if (c[countOf[f.flag]] === 0) return { rows: [], total: 0 };
  const dir = sql.raw(f.desc ? 'desc' : 'asc');
  const matching = sql`r.company_id = ${c.company_id}
    and ${conditionByFlag[f.flag]} and ${await idRangeCondition(tx, c, f.flag)}`;
  const words = f.search?.trim();
  const contact = sql`left join contact c on c.company_id = r.company_id and c.id = r.contact_id`;
  if (!words) {
    const { rows } = await sql<
      RecipientRow & { name: string | null }
    >`select r.*, c.name from (select * from campaign_recipient r where ${matching}
        order by r.campaign_id ${dir}, r.id ${dir} limit ${f.limit} offset ${f.offset}) r ${contact}
      order by r.id ${dir}`.execute(tx);
    return { rows: await withBatches(tx, c, rows), total: c[countOf[f.flag]] };
  }
  const digits = words.replace(/\D/g, '');
  const like = foldedPattern(words);
  const { rows } = await sql<
    RecipientRow & { name: string | null; total: number }
  >`select r.*, c.name, (count(*) over ())::int total from campaign_recipient r ${contact}
    where ${matching} and (folded(c.name) like ${like}
        ${digits.length > 2 ? sql`or r.to_number like ${`%${digits}%`}` : sql``})
      order by r.id ${dir} limit ${f.limit} offset ${f.offset}`.execute(tx);
  return { rows: await withBatches(tx, c, rows), total: rows[0]?.total ?? 0 };
}

/**
 * Limits the walk to IDs where such rows may be: in each zone, claimed recipients come before the
 * others. Compared as pairs, because IDs alone would lead the planner to walk all of the company's
 * recipients.
 */
async function idRangeCondition(
  tx: Tx,
  c: CampaignRow,
  flag: EventFlag,
): Promise<ReturnType<typeof sql>> {
  const between = (first: number, last: number) =>
    sql`(r.campaign_id, r.id) >= (${c.id}::bigint, ${first}::bigint)
      and (r.campaign_id, r.id) <= (${c.id}::bigint, ${last}::bigint)`;
  if (flag === 'all') return between(0, Number.MAX_SAFE_INTEGER);
  if (flag === 'sent' || flag === 'delivered') return between(0, Math.max(0, ...c.reached));
  if (flag !== 'pending') return sql`r.campaign_id = ${c.id}`;
  const ends = await waitingIdRange(
    tx,
    c.company_id,
    c.id,
    c.zones,
    c.zones.map((_, i) => c.reached[i] ?? 0),
  );
  return between(ends.first, ends.last);
}

/** Adds what their batches have: texts, and whether they are in flight. */
async function withBatches<T extends RecipientRow>(
  tx: Tx,
  c: CampaignRow,
  rows: readonly T[],
): Promise<(T & EventRow)[]> {
  const pending = rows.filter((r) => r.state === 'pending');
  const last = pending.length
    ? await lastClaims(
        tx,
        c.company_id,
        [c.id],
        pending.map((r) => r.id),
        pending.flatMap((r) => r.batch_id ?? []),
      )
    : null;
  const claimed = rows.map((r) => {
    const batch = last?.get(r.id)?.batch_id ?? r.batch_id;
    return { ...r, state: batch === r.batch_id ? r.state : 'claimed', batch_id: batch };
  });
  const texts = await textsOfRecipients(tx, c.company_id, claimed);
  return claimed.map(
    (r, i) =>
      ({
        ...rows[i]!, // mapped from it one to one
        ...r,
        text: null,
        segments: null,
        text_version: null,
        ...texts.get(r.id),
      }) as T & EventRow,
  );
}
