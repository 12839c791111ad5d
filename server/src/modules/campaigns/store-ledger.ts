import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { RecipientRow } from './store-events.ts';

/** Of a line only what is needed: reading all of its columns costs as much as sending. */
export interface Waiting extends Pick<RecipientRow, 'company_id' | 'id' | 'campaign_id' | 'to_number' | 'round'> { name: string | null; email: string | null; gone: boolean }
/**
 * Lines that may be claimed now: of zones whose hours are open, none that another worker is looking at. Each zone is a walk of
 * its own along the index of the waiting, so sleeping zones cost nothing.
 */
export const claimable = async (tx: Tx, companyId: number, campaignId: number, zones: readonly string[], limit: number): Promise<Waiting[]> =>
  (await sql<Waiting>`select r.company_id, r.id, r.campaign_id, r.to_number, r.round, c.name, c.email, (c.id is null or c.deleted_at is not null) gone from unnest(${[...zones]}::text[]) z(zone)
      cross join lateral (select r.company_id, r.id, r.campaign_id, r.contact_id, r.to_number, r.round from campaign_recipient r where r.company_id = ${companyId} and r.campaign_id = ${campaignId} and r.state = 'pending' and r.zone = z.zone order by r.id limit ${limit} for update skip locked) r
      left join contact c on c.company_id = r.company_id and c.id = r.contact_id limit ${limit}`.execute(tx)).rows;

export interface Claimed { id: number; text: string; segments: number; credits: number; key: string }
/** Claim lines, each with the text it gets, frozen. The time is the database's: it is compared with its own clock. */
export const writeClaims = (tx: Tx, companyId: number, by: string, version: number, carrier: string, claims: readonly Claimed[]) =>
  sql`update campaign_recipient r set state = 'claimed', claimed_by = ${by}, claimed_at = clock_timestamp(), text_version = ${version}, carrier = ${carrier}, text = g.text, segments = g.segments, credits = g.credits, idempotency_key = g.key, tries = r.tries + 1,
      error_code = null, error_text = null, passing = false
    from unnest(${claims.map((c) => c.id)}::bigint[], ${claims.map((c) => c.text)}::text[], ${claims.map((c) => c.segments)}::int[], ${claims.map((c) => c.credits)}::int[], ${claims.map((c) => c.key)}::text[]) g(id, text, segments, credits, key)
    where r.company_id = ${companyId} and r.id = g.id`.execute(tx);

/** Right before lines leave: does their campaign still go, and which of them are still this worker's? */
export const stillClaimed = async (db: Tx, companyId: number, campaignId: number, by: string, ids: readonly number[]): Promise<{ going: boolean; mine: Set<number> }> => {
  const { rows: [at] } = await sql<{ going: boolean; mine: number[] }>`select c.state = 'sending' going, array(select r.id from campaign_recipient r where r.company_id = ${companyId} and r.id = any(${[...ids]}::bigint[]) and r.state = 'claimed' and r.claimed_by = ${by}) mine
    from campaign c where c.company_id = ${companyId} and c.id = ${campaignId} and c.deleted_at is null`.execute(db);
  return { going: at?.going ?? false, mine: new Set(at?.mine) };
};

export const skipLines = async (tx: Tx, companyId: number, skips: readonly { id: number; reason: string }[], from: 'pending' | 'claimed' = 'pending'): Promise<void> => {
  if (skips.length) await sql`update campaign_recipient r set state = 'skipped', skip_reason = g.reason, claimed_by = null from unnest(${skips.map((s) => s.id)}::bigint[], ${skips.map((s) => s.reason)}::text[]) g(id, reason) where r.company_id = ${companyId} and r.id = g.id and r.state = ${from}`.execute(tx);
};
/** All who still wait, when a campaign ends. Lines that a worker has claimed come to their own end. */
export const skipWaiting = (tx: Tx, companyId: number, campaignId: number) =>
  sql`update campaign_recipient set state = 'skipped', skip_reason = 'canceled' where company_id = ${companyId} and campaign_id = ${campaignId} and state = 'pending'`.execute(tx);
/** Claimed but never handed over: back to the waiting. */
export const giveBack = (tx: Tx, companyId: number, ids: readonly number[]) =>
  sql`update campaign_recipient set state = 'pending', claimed_by = null where company_id = ${companyId} and id = any(${[...ids]}::bigint[]) and state = 'claimed'`.execute(tx);

/** What others want to know of a line that moved. */
export type Moved = Pick<RecipientRow, 'id' | 'campaign_id' | 'item_id' | 'state' | 'error_code' | 'error_text'>;
export interface Result { id: number; state: string; providerId: string | null; code: string | null; text: string | null; passing: boolean; deliveredAt?: Date | null }
/** Rows are locked in one order by everybody who writes many. */
const lockLines = (tx: Tx, companyId: number, ids: readonly number[]) =>
  sql`select count(*)::int from (select id from campaign_recipient where company_id = ${companyId} and id = any(${[...ids]}::bigint[]) order by id for update) held`.execute(tx);

const rank = (state: ReturnType<typeof sql>) => sql`case ${state} when 'pending' then 0 when 'claimed' then 1 when 'unknown' then 2 when 'handed' then 3 when 'sent' then 4 when 'delivered' then 5 when 'undelivered' then 5 when 'failed' then 5 else 9 end`;
/**
 * Write what became of lines, forward only: an answer that comes after the receipt changes nothing but the carrier's id. Answers
 * the lines that moved. A line that waits is moved by the carrier's own report only (`reported`): it has the text after all.
 */
export async function moveLines(tx: Tx, companyId: number, results: readonly Result[], at: Date, carrier: string | null, reported = false): Promise<Moved[]> {
  if (!results.length) return [];
  await lockLines(tx, companyId, results.map((r) => r.id));
  const { rows } = await sql<Moved & { moved: boolean }>`update campaign_recipient r set provider_message_id = coalesce(r.provider_message_id, g.provider),
      state = case when g.ahead then g.state else r.state end, error_code = case when g.ahead then g.code else r.error_code end, error_text = case when g.ahead then g.text else r.error_text end, passing = case when g.ahead then g.passing else r.passing end,
      handed_at = case when g.state = 'failed' and r.handed_at is null then null else coalesce(r.handed_at, ${at}::timestamptz) end, delivered_at = case when g.ahead and g.state = 'delivered' then ${at}::timestamptz else r.delivered_at end, claimed_by = case when g.ahead then null else r.claimed_by end
    from (select n.*, ${rank(sql`n.state`)} > ${rank(sql`o.state`)} ahead, o.state was from unnest(${results.map((r) => r.id)}::bigint[], ${results.map((r) => r.state)}::text[], ${results.map((r) => r.providerId)}::text[], ${results.map((r) => r.code)}::text[], ${results.map((r) => r.text)}::text[], ${results.map((r) => r.passing)}::boolean[])
      n(id, state, provider, code, text, passing) join campaign_recipient o on o.company_id = ${companyId} and o.id = n.id) g
    where r.company_id = ${companyId} and r.id = g.id and r.state ${reported ? sql`<> 'skipped'` : sql`not in ('pending', 'skipped')`} ${carrier === null ? sql`` : sql`and r.carrier = ${carrier}`} and (g.ahead or r.provider_message_id is null) returning r.id, r.campaign_id, r.item_id, r.state, r.error_code, r.error_text, g.ahead moved`.execute(tx);
  return rows.filter((r) => r.moved);
}
/** Who got any campaign's text since then, another's than this. */
export const textedSince = async (tx: Tx, companyId: number, campaignId: number, numbers: readonly string[], since: Date): Promise<Set<string>> =>
  new Set((await sql<{ to_number: string }>`select distinct to_number from campaign_recipient where company_id = ${companyId} and to_number = any(${[...numbers]}::text[]) and handed_at > ${since} and campaign_id <> ${campaignId}`.execute(tx)).rows.map((r) => r.to_number));
/** The newest outcomes since the campaign last went on, and how many of them failed. */
export const lastOutcomes = async (tx: Tx, companyId: number, campaignId: number, last: number, since: Date | null): Promise<{ n: number; failed: number }> =>
  (await sql<{ n: number; failed: number }>`select count(*)::int n, (count(*) filter (where state in ('failed', 'undelivered')))::int failed from (
    (select state, handed_at at from campaign_recipient where company_id = ${companyId} and campaign_id = ${campaignId} and handed_at is not null ${since ? sql`and handed_at > ${since}` : sql``} order by handed_at desc limit ${last})
    union all (select state, claimed_at from campaign_recipient where company_id = ${companyId} and campaign_id = ${campaignId} and state = 'failed' and handed_at is null ${since ? sql`and claimed_at > ${since}` : sql``} order by id desc limit ${last})
    order by at desc limit ${last}) o`.execute(tx)).rows[0]!;
/** Zones in which somebody still waits, and whether anybody is claimed. */
export const stillWaiting = async (tx: Tx, companyId: number, campaignId: number, zones: readonly string[]): Promise<string[]> =>
  (await sql<{ zone: string }>`select z.zone from unnest(${[...zones]}::text[]) z(zone) where exists (select from campaign_recipient r where r.company_id = ${companyId} and r.campaign_id = ${campaignId} and r.state = 'pending' and r.zone = z.zone)`.execute(tx)).rows.map((r) => r.zone);
/** Refused for a passing reason, tried again because somebody asked: another round, so the carrier takes it for another text. */
export const reopenFailed = (tx: Tx, companyId: number, campaignId: number) =>
  sql`update campaign_recipient set state = 'pending', round = round + 1, handed_at = null, error_code = null, error_text = null, provider_message_id = null where company_id = ${companyId} and campaign_id = ${campaignId} and state = 'failed' and passing and handed_at is null`.execute(tx);

export const linesByIds = async (tx: Tx, companyId: number, ids: readonly number[]): Promise<(Moved & Pick<RecipientRow, 'to_number' | 'idempotency_key'>)[]> =>
  ids.length ? tx.selectFrom('campaign_recipient').select(['id', 'campaign_id', 'item_id', 'state', 'error_code', 'error_text', 'to_number', 'idempotency_key']).where('company_id', '=', companyId).where('id', 'in', [...ids]).execute() : [];
/** Whose texts a carrier's own ids name. The system role asks, because no company is known yet. */
export const linesByProvider = async (db: Tx, carrier: string, ids: readonly string[]): Promise<{ company_id: number; id: number; provider: string }[]> =>
  (await sql<{ company_id: number; id: number; provider: string }>`select company_id, id, provider_message_id provider from campaign_recipient where provider_message_id = any(${[...ids]}::text[]) and carrier = ${carrier}`.execute(db)).rows;

// ---- after a crash -------------------------------------------------------------------------------------------------

export const pulse = (db: Tx, id: string, life: number | null) => sql`insert into campaign_dispatcher (id, at, life) values (${id}, clock_timestamp(), ${life}) on conflict (id) do update set at = clock_timestamp(), life = excluded.life`.execute(db);
export const endPulse = (db: Tx, id: string) => sql`delete from campaign_dispatcher where id = ${id}`.execute(db);
/** Claims whose worker died or has no pulse any more, or that are older than any hand-over takes. */
export const orphans = async (db: Tx, limits: { pulseSeconds: number; seconds: number }): Promise<RecipientRow[]> =>
  (await sql<RecipientRow>`select r.* from campaign_recipient r where r.state = 'claimed' and (r.claimed_at < clock_timestamp() - make_interval(secs => ${limits.seconds})
      or r.claimed_by = any(array(select d.id from campaign_dispatcher d where d.at > clock_timestamp() - interval '5 minutes' and life_is_over(d.life, d.at)))
      or (r.claimed_at < clock_timestamp() - make_interval(secs => ${limits.pulseSeconds}) and not exists (select from campaign_dispatcher d where d.id = r.claimed_by and d.at > clock_timestamp() - make_interval(secs => ${limits.pulseSeconds}))))
    order by r.claimed_at limit 200`.execute(db)).rows;
/** Lost answers that are due to be asked about: after 4, 8, 16 … seconds. */
export const lostAnswers = async (db: Tx, most: number): Promise<RecipientRow[]> =>
  (await sql<RecipientRow>`select * from campaign_recipient where state = 'unknown' and asked_times < ${most} and claimed_at < clock_timestamp() - make_interval(secs => 4 * power(2, asked_times)) order by handed_at limit 100`.execute(db)).rows;
export const askedOnce = (tx: Tx, companyId: number, ids: readonly number[]) => sql`update campaign_recipient set asked_times = asked_times + 1 where company_id = ${companyId} and id = any(${[...ids]}::bigint[]) and state = 'unknown'`.execute(tx);

// ---- the inbox -----------------------------------------------------------------------------------------------------

const filable = sql`item_id is null and state in ('handed', 'sent', 'delivered', 'undelivered', 'unknown')`;
/** What has no place in the inbox yet. `before`: of what may still get a receipt only what was handed over by then. */
export const unfiled = async (tx: Tx, companyId: number, campaignId: number, limit: number, before: Date | null): Promise<RecipientRow[]> =>
  (await sql<RecipientRow>`select * from campaign_recipient where company_id = ${companyId} and campaign_id = ${campaignId} and ${filable} ${before ? sql`and (state in ('delivered', 'undelivered') or handed_at <= ${before} or handed_at is null)` : sql``} order by id limit ${limit} for update`.execute(tx)).rows;
/** Is there any beside these? */
export const anyUnfiled = async (tx: Tx, companyId: number, campaignId: number, beside: readonly number[]): Promise<boolean> =>
  (await sql`select from campaign_recipient where company_id = ${companyId} and campaign_id = ${campaignId} and ${filable} and id <> all(${[...beside]}::bigint[]) limit 1`.execute(tx)).rows.length > 0;
export const writeFiled = (tx: Tx, companyId: number, filed: readonly { id: number; itemId: number; conversationId: number }[]) =>
  sql`update campaign_recipient r set item_id = g.item, conversation_id = g.conversation from unnest(${filed.map((f) => f.id)}::bigint[], ${filed.map((f) => f.itemId)}::bigint[], ${filed.map((f) => f.conversationId)}::bigint[]) g(id, item, conversation) where r.company_id = ${companyId} and r.id = g.id`.execute(tx);

// ---- answers of people ---------------------------------------------------------------------------------------------

/** The newest campaign's line that reached this number within 72 hours, given that it was sent from that number of ours. */
export const newestLine = async (tx: Tx, companyId: number, party: string, at: Date, numberId: number | null): Promise<{ id: number; campaign_id: number } | undefined> =>
  (await sql<{ id: number; campaign_id: number }>`select r.id, r.campaign_id from campaign_recipient r join campaign c on c.company_id = r.company_id and c.id = r.campaign_id
    where r.company_id = ${companyId} and r.to_number = ${party} and r.handed_at is not null and r.handed_at <= ${at}::timestamptz + interval '5 seconds' and r.handed_at > ${at}::timestamptz - interval '72 hours' and r.state <> 'failed' ${numberId === null ? sql`` : sql`and c.number_id = ${numberId}`}
    order by r.handed_at desc limit 1`.execute(tx)).rows[0];
/** The first answer by when it came, in whatever order the answers are looked at: each has a job of its own. */
export const noteReply = (tx: Tx, companyId: number, id: number, text: string, at: Date) =>
  sql`update campaign_recipient set responded_at = ${at}, reply = ${text.slice(0, 500)} where company_id = ${companyId} and id = ${id} and (responded_at is null or responded_at > ${at})`.execute(tx);
export const noteLeft = (tx: Tx, companyId: number, id: number, at: Date) =>
  sql`update campaign_recipient set unsubscribed_at = ${at} where company_id = ${companyId} and id = ${id} and (unsubscribed_at is null or unsubscribed_at > ${at})`.execute(tx);
