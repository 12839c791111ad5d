import { setTimeout as pause } from 'node:timers/promises';
import {
  isReady,
  killProcess,
  RetryingDatabase,
  processesOf,
  createRandom,
  withProduct,
} from '../product.ts';
import { requestWithRetry, signInAsOwner } from '../traffic.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/**
 * F1 for campaigns: processes and database backends are killed at random while campaigns are sent
 * through a carrier with 5% of 500s, 5% of responses lost after the effect, 2% of requests that
 * hang, and duplicate receipts. Afterwards our records are compared with the carrier's.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  /** The registration's score sets the rate, so that the kills fall while texts are being sent. */
  const { kills, people, campaigns, score } =
    size === 'full'
      ? { kills: 60, people: 10_000, campaigns: 1, score: 90 }
      : { kills: 10, people: 500, campaigns: 3, score: 20 };
  const random = createRandom(seed);
  return withProduct({ LOG_LEVEL: 'fatal' }, async ({ url, databaseUrl }, dataDir) => {
    const db = new RetryingDatabase(databaseUrl);
    const each = Math.ceil(people / campaigns);

    // The setup: groups of new contacts, numbers with an approved registration, no quiet hours.
    const { id: company } = await db.queryOne<{ id: number }>(
      `select id::float8 id from company where name like 'Harbor%'`,
    );
    await db.rows(
      `update company set settings = settings
        || '{"quiet_hours": {"start": "00:00", "end": "00:00", "mode": "recipient"}, "max_campaign_size": 20000}'
        where id = $1`,
      [company],
    );
    const numbers = await db.rows<{ id: number; number: string }>(
      `select id::float8 id, number from number where company_id = $1 and category = 2
        and sms_verification_campaign_id is null and status = 'active' order by id limit $2`,
      [company, campaigns],
    );
    const brand = await db.queryOne<{ id: number }>(
      `insert into sms_brand (company_id, status, score, created_at, updated_at)
        values ($1, 'approved', $2, now(), now()) returning id::float8 id`,
      [company, score],
    );
    const registered = await db.queryOne<{ id: number }>(
      `insert into sms_campaign (company_id, brand_id, is_draft, details, created_at, updated_at)
        values ($1, $2, false, '{"monthly_volume": "10,001-25,000"}', now(), now())
        returning id::float8 id`,
      [company, brand.id],
    );
    await db.rows(
      `insert into registration_review (company_id, campaign_id, kind, carrier, status,
          submitted_at) values ($1, $2, 'local', 'sandbox', 'approved', now())`,
      [company, registered.id],
    );
    for (const { id, number } of numbers)
      await db.rows(
        `insert into sms_campaign_number (company_id, campaign_id, number_id, number, kind, state,
            added_at) values ($1, $2, $3, $4, 'local', 'approved', now())`,
        [company, registered.id, id, number],
      );
    await db.rows(
      `update number set sms_verification_campaign_id = $2, sms_verification_status = 'approved' where company_id = $1 and id = any($3)`,
      [company, registered.id, numbers.map(({ id }) => id)],
    );
    const token = await signInAsOwner(url);
    const faults = {
      errorRate: 0.05,
      dropAfterEffectRate: 0.05,
      hangRate: 0.02,
      duplicateRate: 0.05,
      reorderRate: 0.05,
    };
    await requestWithRetry(url, '/sandbox/faults', { method: 'PUT', body: faults });
    const plans: { id: number; number: string }[] = [];
    for (const [n, number] of numbers.entries()) {
      const group = await db.queryOne<{ id: number }>(
        `insert into contact_group (company_id, name) values ($1, $2) returning id::float8 id`,
        [company, `Everybody ${n}`],
      );
      await db.rows(
        `with made as (insert into contact (company_id, number, name) select $1, '+1929'
            || (${2_000_000 + n * 20_000} + i), 'Person ' || i from generate_series(1, $3::int) i
            returning id) insert into contact_group_member (company_id, group_id, contact_id)
          select $1, $2, id from made`,
        [company, group.id, each],
      );
      const body = {
        company_id: company,
        title: `Faults ${n}`,
        text: 'Hi {{first_name}}',
        groups: [group.id],
        number_id: number.id,
        state: 'queued',
      };
      const made = await requestWithRetry(url, '/api/campaigns', {
        token,
        key: `faults-${n}`,
        body,
      });
      if (made.status !== 201)
        throw new Error(`POST /campaigns: ${made.status} ${JSON.stringify(made.body)}`);
      plans.push({ id: made.body.data.id, number: number.number });
    }

    const ids = plans.map(({ id }) => id);
    const count = async (text: string): Promise<number> =>
      (await db.queryOne<{ n: number }>(`select ${text}::int n`, [ids])).n;
    const handed = () =>
      count(
        `(select count(*) from campaign_recipient where campaign_id = any($1) and state <> 'pending')`,
      );
    const going = async () =>
      (await count(
        `(select count(*) from campaign where id = any($1) and state in ('queued', 'sending'))`,
      )) > 0;
    let slowestMs = 0;
    let during = 0;
    for (let n = 0; n < kills; n++) {
      await pause(500 + random() * 700);
      const before = await handed();
      if (before < each * campaigns) during++;
      const all = processesOf(dataDir);
      const victim = all[Math.floor(random() * all.length)];
      if (random() < 0.25) await db.dropConnections(3);
      else if (victim) killProcess(victim.pid);
      const at = performance.now();
      while (!(await isReady(url)) && performance.now() - at < 120_000) await pause(100);
      // The next success: something more was submitted (or all is done).
      while ((await handed()) <= before && (await going()) && performance.now() - at < 30_000)
        await pause(100);
      slowestMs = Math.max(slowestMs, performance.now() - at);
    }
    // From here on the carrier works, so that unknown results can be resolved.
    await requestWithRetry(url, '/sandbox/faults', { method: 'PUT', body: {} });
    // After delivery, the inbox stores the texts a moment later.
    const open = () =>
      count(`((select count(*) from campaign where id = any($1) and state in ('queued', 'sending'))
      + (select count(*) from campaign_recipient where campaign_id = any($1) and (state in ('pending', 'handed', 'sent')
        or (state = 'unknown' and status_checks < 4) or (state = 'delivered' and item_id is null))))`);
    for (let i = 0; i < 480 && (await open()) > 0; i++) await pause(500);

    const ledger = await db.rows<{ to_number: string; state: string; item_id: number | null }>(
      `select to_number, state, item_id::float8 item_id from campaign_recipient where campaign_id = any($1)`,
      [ids],
    );
    const texts = await db.rows<{ to_number: string; n: number }>(
      `select to_number, count(*)::int n from sandbox.text
        where outgoing and from_number = any($1) and to_number like '+1929%' group by to_number`,
      [plans.map(({ number }) => number)],
    );
    const ended = await db.rows<{
      state: string;
      total_count: number;
      sent_count: number;
      unknown_count: number;
      pending_count: number;
    }>(
      `select state, total_count, sent_count, unknown_count, pending_count from campaign where id = any($1)`,
      [ids],
    );
    await db.close();

    const books = new Map(texts.map(({ to_number, n }) => [to_number, n]));
    const inState = (...states: string[]) => ledger.filter(({ state }) => states.includes(state));
    const double = texts.filter(({ n }) => n > 1).length;
    const lost = ledger.filter(({ state, to_number }) =>
      ['handed', 'sent', 'delivered', 'undelivered'].includes(state)
        ? books.get(to_number) !== 1
        : state !== 'unknown',
    ).length;
    const untold = inState('failed', 'skipped').filter(({ to_number }) =>
      books.has(to_number),
    ).length;
    const unfiled = inState('delivered').filter(({ item_id }) => item_id === null).length;
    const counted = ended.every(
      (c) =>
        c.state === 'sent' &&
        c.total_count === each &&
        c.sent_count + c.unknown_count === each &&
        c.pending_count === 0,
    );
    return [
      printMetric(
        'campaign-kills.reached',
        `${ledger.length} recipients, ${inState('delivered').length} delivered, ${inState('unknown').length} unknown; ${kills} kills (${during} while sending), seed ${seed}`,
        `${each * campaigns} recipients`,
        ledger.length === each * campaigns,
      ),
      printMetric('campaign-kills.lost', String(lost + untold), '0', lost + untold === 0),
      printMetric('campaign-kills.double', String(double), '0', double === 0),
      printMetric('campaign-kills.unfiled', String(unfiled), '0', unfiled === 0),
      printMetric(
        'campaign-kills.counts',
        counted ? 'as the ledger says' : JSON.stringify(ended),
        'as the ledger says',
        counted,
      ),
      printMetric(
        'campaign-kills.return',
        `${(slowestMs / 1000).toFixed(1)} s until sending went on, at most`,
        '5 s where the machine rests',
        slowestMs < 60_000,
      ),
    ];
  });
}
