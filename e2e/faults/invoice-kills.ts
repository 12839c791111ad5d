import { setTimeout as pause } from 'node:timers/promises';
import {
  createRandom,
  killProcess,
  processesOf,
  RetryingDatabase,
  withProduct,
} from '../product.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/**
 * The worker is killed and connections are cut while many companies are invoiced and charged: each
 * has one invoice, one charge at the provider and one payment, and no invoice number is missing.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const companies = size === 'full' ? 5000 : 800;
  const random = createRandom(seed);
  const env = { LOG_LEVEL: 'fatal', DEMO: '0', BILLING: 'sandbox' };
  return withProduct(env, async ({ databaseUrl }, dataDir) => {
    const db = new RetryingDatabase(databaseUrl);
    await db.rows(
      `with c as (insert into company (name, slug, timezone)
          select 'Company ' || i, 'company-' || i, 'UTC' from generate_series(1, $1::int) i
          returning id)
        insert into subscription (company_id, state, plan, anchor_at, period_start, period_end,
          provider, had_trial, card_reference, card_brand, card_last4, card_exp_month,
          card_exp_year, created_at, updated_at)
        select id, 'active', 'unlimited_monthly', now() - interval '40 days',
          now() - interval '40 days', now() - interval '1 day', 'sandbox', true,
          'card.pays.' || id, 'Visa', '4242', 9, 2039, now(), now() from c`,
      [companies],
    );
    const counts = () =>
      db.queryOne<{ invoices: number; paid: number }>(
        `select (select count(*)::int from invoice) invoices,
          (select count(*)::int from ledger_entry where kind = 'payment') paid`,
      );
    const until = Date.now() + (companies / 500 + 12) * 60_000;
    let kills = 0;
    let now = await counts();
    while (now.paid < companies && Date.now() < until) {
      await pause(1500 + random() * 2500);
      const busy = now.paid > 0 || now.invoices > 0;
      if (busy && now.paid < companies * 0.95) {
        kills += 1;
        if (random() < 0.3) await db.dropConnections(null);
        else
          processesOf(dataDir)
            .filter(({ role }) => role === 'worker')
            .forEach(({ pid }) => killProcess(pid));
        await pause(4000);
      }
      now = await counts();
    }
    const found = await db.queryOne<Record<string, number>>(
      `select (select count(*)::int from invoice) invoices,
        (select count(distinct company_id)::int from invoice) invoiced,
        (select max(number) - min(number) + 1 from invoice)::int numbers,
        (select count(*)::int from sandbox.payment) charges,
        (select count(distinct card)::int from sandbox.payment) cards,
        (select count(*)::int from ledger_entry where kind = 'payment') payments,
        (select count(*)::int from payment_attempt where state = 'paid') attempts,
        (select count(*)::int from (select company_id from ledger_entry group by company_id
          having sum(amount_cents) = 0) settled) settled`,
    );
    await db.close();
    return [
      printMetric(
        'invoice-kills.once',
        `${JSON.stringify(found)} after ${kills} kills, seed ${seed}`,
        `${companies} of each`,
        kills > 0 && Object.values(found).every((n) => n === companies),
      ),
    ];
  });
}
