import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { PDFDocument } from 'pdf-lib';
import { fillInbox } from '../../bench/fill-inbox.ts';
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
  return withProduct({ LOG_LEVEL: 'fatal', STATEMENT_SECONDS: '8' }, async (product) => {
    const db = new pg.Pool({ connectionString: product.databaseUrl, max: 4 });
    try {
      const companies = await bothCompanies(db);
      await fillInbox(db, companies.large, companies.owner, conversations, conversations * 5);
      await db.query('update number set fax_enabled = true, category = 2 where company_id = $1', [
        companies.large,
      ]);
      const token = await signInAsOwner(product.url);
      const site: Site = { url: product.url, token, db, ...companies };
      return await compare(site, seconds);
    } finally {
      await db.end();
    }
  });
}

interface Site {
  url: string;
  token: string;
  db: pg.Pool;
  /** The company that does its worst, and a fax number of it. */
  large: number;
  faxNumber: number;
  /** The one that is measured, and a number of it. */
  small: number;
  line: string;
  owner: number;
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

let phones = 0;
const nextPhone = () => `+1646555${String(1000 + phones++).padStart(4, '0')}`;

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
  const { url, token, large } = site;
  const ask = async (path: string, body: object) =>
    (await request(url, path, { token, body })).status;
  const slowList = () =>
    ask('/api/activity', {
      companyId: large,
      groups: [[{ field: 'duration', op: 'gte', value: 3500 }]],
    });
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const report = () =>
    ask(`/api/companies/${large}/calls/kpi`, {
      currentRange: { start: day(364), end: day(0) },
      tz: 'America/New_York',
    });
  const page = await onePage();
  const fax = () => sendFax(site, page);
  const worst: [string, number, () => Promise<number>][] = [
    ['100 slow lists', 100, slowList],
    ['100 reports', 100, report],
    ['faxes', 2, fax],
    ['exports', 3, () => exportTexts(site)],
    ['imports', 2, () => importContacts(site)],
  ];
  const metrics: Metric[] = [];
  for (const [what, open, one] of worst) {
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

async function onePage(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage().drawText('Intake form');
  return document.save();
}

async function sendFax(site: Site, page: Uint8Array): Promise<number> {
  const form = new FormData();
  form.set('companyId', String(site.large));
  form.set('numberId', String(site.faxNumber));
  form.set('to', '+12125550147');
  form.append('files[]', new Blob([new Uint8Array(page)], { type: 'application/pdf' }), 'a.pdf');
  const answer = await fetch(`${site.url}/api/fax`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.token}` },
    body: form,
  });
  await answer.text();
  await pause(150);
  return answer.status;
}

/** All texts as a file; one after another, an hour allows ten. */
async function exportTexts({ url, token, large }: Site): Promise<number> {
  const body = { companyId: large, format: 'csv' };
  const { status } = await request(url, '/api/messages/export', { token, body });
  await pause(1000);
  return status;
}

/** Ten thousand contacts of the large company, imported to the end. */
async function importContacts({ url, token, large }: Site): Promise<number> {
  const at = `/api/companies/${large}/contacts/imports`;
  const lines = Array.from({ length: 10_000 }, (_, i) => `Person ${i},+1213${2_000_000 + i}`);
  const form = new FormData();
  form.set('file', new Blob([`name,number\n${lines.join('\n')}`]), 'people.csv');
  const headers = { authorization: `Bearer ${token}` };
  const uploaded = await fetch(url + at, { method: 'POST', headers, body: form });
  if (!uploaded.ok) return uploaded.status;
  const { data } = (await uploaded.json()) as { data: { id: number } };
  const { status } = await request(url, `${at}/${data.id}/start`, { token, body: {} });
  for (let n = 0; n < 200; n++) {
    const now = await request(url, `${at}/${data.id}`, { token });
    if (now.body.data?.state !== 'running') break;
    await pause(250);
  }
  return status;
}
