import { sql, type Selectable } from 'kysely';
import type { PlanId, SubscriptionState } from '#contract/billing/rules';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

// The system role: operators see the accounts of all companies.

interface AccountRow {
  id: number;
  name: string;
  plan: PlanId | null;
  state: SubscriptionState;
  balance: number;
  past_due_since: Date | null;
  period_end: Date | null;
  suspended: boolean;
  total: number;
}

/** Accounts of all companies, those that owe most first. */
export const accountPage = async (
  db: Tx,
  filter: { search: string; state: SubscriptionState | null; page: number; perPage: number },
): Promise<AccountRow[]> =>
  (
    await sql<AccountRow>`
      select c.id, c.name, s.plan, coalesce(s.state, 'not_subscribed') as state,
        coalesce(b.balance, 0)::bigint as balance, s.past_due_since, s.period_end,
        c.suspended_at is not null as suspended, count(*) over ()::int as total
      from company c left join subscription s on s.company_id = c.id
        left join (select company_id, sum(amount_cents) as balance from ledger_entry
          group by company_id) b on b.company_id = c.id
      where (${filter.search} = '' or strpos(lower(c.name), lower(${filter.search})) > 0)
        and (${filter.state}::text is null
          or coalesce(s.state, 'not_subscribed') = ${filter.state})
      order by coalesce(b.balance, 0) desc, c.name, c.id
      limit ${filter.perPage} offset ${(filter.page - 1) * filter.perPage}`.execute(db)
  ).rows;

/** The newest entries of a company's books. */
export const newestEntries = (
  tx: Tx,
  companyId: number,
  most: number,
): Promise<Selectable<Tables['ledger_entry']>[]> =>
  tx
    .selectFrom('ledger_entry')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();

/** Moves all dates of a subscription back by a day, as if one had passed. */
export const passDay = (tx: Tx, companyId: number) =>
  sql`update subscription set clock_moved_days = clock_moved_days + 1,
      anchor_at = anchor_at - d, period_start = period_start - d, period_end = period_end - d,
      usage_from = usage_from - d, usage_until = usage_until - d,
      trial_ends_at = trial_ends_at - d, cancel_at = cancel_at - d, pending_at = pending_at - d,
      past_due_since = past_due_since - d, dunning_since = dunning_since - d,
      dunning_next_at = dunning_next_at - d, subscribed_at = subscribed_at - d
    from (values (interval '24 hours')) as one (d)
    where company_id = ${companyId}`.execute(tx);
