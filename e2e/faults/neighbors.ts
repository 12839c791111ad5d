import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { allowCampaigns } from '../../bench/fill-campaign.ts';
import { fillInbox } from '../../bench/fill-inbox.ts';
import { carrierThatIsAway, nextPhone, pressures, type Site } from '../neighbors/pressures.ts';
import { withProduct } from '../product.ts';
import { request, signInAsOwner } from '../traffic.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/**
 * One company never slows another: while a large company does its worst, a small one's inbox, texts,
 * STOP confirmations and calls are measured and compared with a quiet time in the same run.
 */
export async function run({ size }: FaultOptions): Promise<Metric[]> {
  const conversations = size === 'full' ? 200_000 : 60_000;
  const seconds = size === 'full' ? 30 : 12;
  const away = await carrierThatIsAway();
  const env = { LOG_LEVEL: 'fatal', STATEMENT_SECONDS: '8', ...away.env };
  return withProduct(env, async (product) => {
    const db = new pg.Pool({ connectionString: product.databaseUrl, max: 4 });
    try {
      const companies = await bothCompanies(db);
      await fillInbox(db, companies.large, companies.owner, conversations, conversations * 5);
      await db.query(
        `update number set provider_id = 3, provider_ref = 'PN' || id
          where company_id = $1 and id > 3`,
        [companies.large],
      );
      await allowCampaigns(db, companies.large);
      // What filling left to do is no part of what is measured.
      await db.query('vacuum analyze contact, conversation, conversation_item');
      await db.query('checkpoint');
      await db.query('update number set fax_enabled = true, category = 2 where company_id = $1', [
        companies.large,
      ]);
      const token = await signInAsOwner(product.url);
      const site: Site = { url: product.url, token, db, ...companies };
      const metrics = await compare(site, seconds);
      const asked = printMetric(
        'neighbors.asked (a carrier that is away)',
        String(away.asked()),
        '> 0',
        away.asked() > 0,
      );
      return [...metrics, asked];
    } finally {
      await db.end();
    }
  }).finally(away.close);
}

const LINE = '+12125552340';

/** A demo company, and an empty one of the same owner. */
async function bothCompanies(db: pg.Pool) {
  const { rows } = await db.query<{ company: string; owner: string }>(
    `select n.company_id company, p.id owner from number n, person p
      where n.number = $1 and p.email = 'owner@demo.test'`,
    [LINE],
  );
  const { company, owner } = rows[0]!; // as the demo has it
  const made = await db.query<{ id: string }>(
    `insert into company (name, slug, timezone) values ('Large', 'large', 'America/New_York')
      returning id`,
  );
  const large = Number(made.rows[0]!.id); // what was inserted
  await db.query(
    `insert into membership (company_id, user_id, role, number_ids) values ($1, $2, 'owner', '{}')`,
    [large, owner],
  );
  return { large, faxNumber: 1, small: Number(company), line: LINE, owner: Number(owner) };
}

interface Seen {
  list: number[];
  /** From a STOP to its confirmation at the phone. */
  stop: number[];
  /** From dialing to the call in our records. */
  call: number[];
  failed: number;
}

/** What the small company sees for so many seconds. */
async function watch(site: Site, seconds: number): Promise<Seen> {
  const seen: Seen = { list: [], stop: [], call: [], failed: 0 };
  const until = performance.now() + seconds * 1000;
  const again = async (into: number[], waitMs: number, one: () => Promise<boolean>) => {
    while (performance.now() < until) {
      const from = performance.now();
      if (await one().catch(() => false)) into.push(performance.now() - from);
      else seen.failed += 1;
      await pause(waitMs);
    }
  };
  const { url, token, small } = site;
  const list = async () =>
    (await request(url, `/api/companies/${small}/conversations?perPage=25`, { token })).status ===
    200;
  await Promise.all([
    again(seen.list, 60, list),
    again(seen.stop, 400, () => confirmsStop(site)),
    again(seen.call, 800, () => recordsCall(site)),
  ]);
  return seen;
}

async function becomes(site: Site, sql: string, values: unknown[]): Promise<boolean> {
  for (let n = 0; n < 2000; n++) {
    if ((await site.db.query(sql, values)).rowCount) return true;
    await pause(10);
  }
  return false;
}

async function confirmsStop(site: Site): Promise<boolean> {
  const from = nextPhone();
  const body = { from, to: site.line, text: 'STOP' };
  if ((await request(site.url, '/sandbox/texts', { body })).status >= 300) return false;
  return becomes(site, 'select from sandbox.text where outgoing and to_number = $1', [from]);
}

async function recordsCall(site: Site): Promise<boolean> {
  const from = nextPhone();
  const body = { from, to: site.line, speech: 'Hello' };
  const { status, body: answer } = await request(site.url, '/sandbox/calls', { body });
  if (status >= 300) return false;
  const isThere = await becomes(site, 'select from call where company_id = $1 and party = $2', [
    site.small,
    from,
  ]);
  await request(site.url, `/sandbox/calls/${answer.data.id}/hangup`, { body: {} });
  return isThere;
}

/** Keeps `open` requests of the large company open until stopped, which tells what they were answered. */
function pressing(open: number, one: () => Promise<number>) {
  let stopped = false;
  const answers: Record<string, number> = {};
  const all = Array.from({ length: open }, async () => {
    while (!stopped) {
      const status = await one().catch((error: unknown) => String(error));
      answers[status] = (answers[status] ?? 0) + 1;
      await pause(20);
    }
  });
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(all);
      return answers;
    },
  };
}
/** Done, or told to come again: what else is answered at once presses on nobody. */
const pressingStatuses = ['200', '201', '202', '429', '503'];

async function compare(site: Site, seconds: number): Promise<Metric[]> {
  const quiet = await watch(site, seconds);
  const metrics: Metric[] = [];
  for (const { what, open, one, begin } of await pressures(site)) {
    await begin?.();
    const pressure = pressing(open, one);
    await pause(1500);
    const busy = await watch(site, seconds);
    const answers = await pressure.stop();
    const wrong = Object.keys(answers).filter((one) => !pressingStatuses.includes(one));
    metrics.push(
      ...compared(what, quiet, busy),
      printMetric(
        `neighbors.pressed (${what})`,
        Object.entries(answers)
          .map(([status, n]) => `${status}: ${n}`)
          .join(', '),
        pressingStatuses.join(', '),
        wrong.length === 0,
      ),
    );
  }
  return metrics;
}

const percentile = (values: number[], p: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))] ??
  Infinity;

function compared(what: string, quiet: Seen, busy: Seen): Metric[] {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const list = [percentile(quiet.list, 0.95), percentile(busy.list, 0.95)] as const;
  const stop = percentile(busy.stop, 0.95);
  const call = [percentile(quiet.call, 0.5), percentile(busy.call, 0.5)] as const;
  return [
    printMetric(
      `neighbors.list (${what})`,
      `p95 ${ms(list[0])} quiet, ${ms(list[1])}, ${busy.list.length} requests`,
      '≤ 2× quiet or 50 ms',
      list[1] <= Math.max(2 * list[0], 50),
    ),
    printMetric(
      `neighbors.stop (${what})`,
      `p95 ${ms(percentile(quiet.stop, 0.95))} quiet, ${ms(stop)}`,
      '≤ 1 s',
      stop <= 1000,
    ),
    printMetric(
      `neighbors.call (${what})`,
      `p50 ${ms(call[0])} quiet, ${ms(call[1])}`,
      '≤ 2× quiet or 250 ms',
      call[1] <= Math.max(2 * call[0], 250),
    ),
    printMetric(`neighbors.failed (${what})`, String(busy.failed), '0', busy.failed === 0),
  ];
}
