import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { nextFreePort } from '../server/src/start/ports.ts';

/**
 * F1 for campaigns: web, worker and media processes and database backends are killed at random while campaigns go out through a
 * carrier with 5 % of 500s, 5 % of answers lost after the effect, 2 % of requests that hang, and receipts that come twice.
 * Afterwards the ledger and the carrier's own books are laid side by side: nobody is missing, nobody got two. `FAULTS=full`: 10,000.
 */
const full = process.env['FAULTS'] === 'full';
/** The registration's score sets the rate, and so that the kills fall while texts go out. */
const size = full ? { kills: 60, people: 10_000, campaigns: 1, score: 90 } : { kills: 10, people: 500, campaigns: 3, score: 20 };
const root = join(import.meta.dirname, '..');
const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-campaign-faults-'));
let supervisor: ChildProcess | null = null;
afterAll(async () => {
  const ended = new Promise((resolve) => supervisor?.once('exit', resolve));
  if (supervisor?.kill('SIGTERM')) await ended;
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});
const random = (() => { let a = 11; return () => { a = (a * 1103515245 + 12345) % 2147483648; return a / 2147483648; }; })();

/** Our processes in this place: killed the hard way. */
const processesOf = (): number[] => readdirSync('/proc').filter((p) => /^\d+$/.test(p)).flatMap((p) => {
  try { return readFileSync(`/proc/${p}/environ`, 'utf8').includes(dataDir) && readFileSync(`/proc/${p}/cmdline`, 'utf8').includes('/main.') ? [Number(p)] : []; } catch { return []; }
});

test.runIf(process.platform === 'linux')(`${size.kills} kills during campaigns to ${size.people}: nobody is left out, nobody is texted twice`, async () => {
  const port = (await nextFreePort(4800 + Math.floor(Math.random() * 200), '127.0.0.1'))!;
  const { NODE_ENV: _test, APP_SECRET: _key, DATABASE_URL: _theirs, ...env } = process.env;
  supervisor = spawn(process.execPath, ['--import', 'tsx', join(root, 'server/src/start.ts')], { cwd: root, env: { ...env, DATA_DIR: dataDir, PORT: String(port), MEDIA_PORT: String(port + 50), DEMO: '1', LOG_LEVEL: 'fatal', RATE_USER_PER_MINUTE: '1000000', RATE_COMPANY_PER_MINUTE: '1000000' }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const { url, databaseUrl } = await new Promise<{ url: string; databaseUrl: string }>((resolve) => supervisor!.once('message', (m) => resolve(m as never)));
  const request = async (path: string, init: { method?: string; body?: unknown; token?: string; key?: string } = {}) => {
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await fetch(`${url}${path}`, { method: init.method ?? (init.body ? 'POST' : 'GET'), headers: { ...(init.body ? { 'content-type': 'application/json' } : {}), ...(init.token ? { authorization: `Bearer ${init.token}` } : {}), ...(init.key ? { 'idempotency-key': init.key } : {}) }, ...(init.body ? { body: JSON.stringify(init.body) } : {}), signal: AbortSignal.timeout(8000) });
        if (answer.status < 500 && answer.status !== 409) return { status: answer.status, body: answer.status === 204 ? null : await answer.json() };
      } catch { /* somebody was killed meanwhile */ }
      if (attempt > 400) throw new Error(`${path} never answered`);
      await pause(250);
    }
  };
  const db = new pg.Pool({ connectionString: databaseUrl, max: 3, options: '-c role=trunkline_system' });
  const owner = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  for (const p of [db, owner]) p.on('error', () => {});
  const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> => {
    for (let i = 0; ; i++) try { return (await db.query(text, values)).rows as T[]; } catch (error) { if (i > 240) throw error; await pause(250); }
  };
  const one = async <T>(text: string, values: unknown[] = []): Promise<T> => (await rows<T>(text, values))[0]!;

  // A place for it: groups of fresh people, numbers with an approved registration, no quiet hours.
  const { id: company } = await one<{ id: number }>(`select id::float8 id from company where name like 'Harbor%'`);
  await rows(`update company set settings = settings || '{"quiet_hours": {"start": "00:00", "end": "00:00", "mode": "recipient"}, "max_campaign_size": 20000}' where id = $1`, [company]);
  const numbers = await rows<{ id: number; number: string }>(`select id::float8 id, number from number where company_id = $1 and category = 2 and sms_verification_campaign_id is null and status = 'active' order by id limit $2`, [company, size.campaigns]);
  const brand = await one<{ id: number }>(`insert into sms_brand (company_id, status, score, created_at, updated_at) values ($1, 'approved', $2, now(), now()) returning id::float8 id`, [company, size.score]);
  const registered = await one<{ id: number }>(`insert into sms_campaign (company_id, brand_id, is_draft, details, created_at, updated_at) values ($1, $2, false, '{"monthly_volume": "10,001-25,000"}', now(), now()) returning id::float8 id`, [company, brand.id]);
  await rows(`insert into sms_review (company_id, campaign_id, kind, carrier, status, submitted_at) values ($1, $2, 'local', 'sandbox', 'approved', now())`, [company, registered.id]);
  for (const n of numbers) await rows(`insert into sms_campaign_number (company_id, campaign_id, number_id, number, kind, state, added_at) values ($1, $2, $3, $4, 'local', 'approved', now())`, [company, registered.id, n.id, n.number]);
  await rows(`update number set sms_verification_campaign_id = $2, sms_verification_status = 'approved' where company_id = $1 and id = any($3)`, [company, registered.id, numbers.map((n) => n.id)]);
  const each = Math.ceil(size.people / size.campaigns);
  const plans: { id: number; number: string }[] = [];
  const { body: session } = await request('/api/sanctum/login', { body: { email: 'owner@demo.test', password: 'trunkline-demo' } });
  const token = session.token.access_token as string;
  const trouble = { errorRate: 0.05, dropAfterEffectRate: 0.05, hangRate: 0.02, duplicateRate: 0.05, reorderRate: 0.05 };
  await request('/sandbox/trouble', { method: 'PUT', body: trouble });
  for (const [n, number] of numbers.entries()) {
    const group = await one<{ id: number }>(`insert into contact_group (company_id, name) values ($1, $2) returning id::float8 id`, [company, `Everybody ${n}`]);
    await rows(`with made as (insert into contact (company_id, number, name) select $1, '+1929' || (${2_000_000 + n * 20_000} + i), 'Person ' || i from generate_series(1, $3::int) i returning id) insert into contact_group_member (company_id, group_id, contact_id) select $1, $2, id from made`, [company, group.id, each]);
    const made = await request('/api/campaigns', { token, key: `faults-${n}`, body: { company_id: company, title: `Faults ${n}`, text: 'Hi {{first_name}}', groups: [group.id], number_id: number.id, state: 'queued' } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    plans.push({ id: made.body.data.id, number: number.number });
  }

  let kills = 0;
  let slowest = 0;
  const ids = plans.map((p) => p.id);
  const handed = async () => (await one<{ n: number }>(`select count(*)::int n from campaign_recipient where campaign_id = any($1) and state not in ('pending', 'claimed')`, [ids])).n;
  const going = async () => (await one<{ n: number }>(`select count(*)::int n from campaign where id = any($1) and state in ('queued', 'sending')`, [ids])).n > 0;
  let during = 0;
  while (kills < size.kills) {
    await pause(500 + random() * 700);
    const before = await handed();
    if (before < each * size.campaigns) during++;
    if (random() < 0.25) await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'trunkline%' and pid <> pg_backend_pid() order by random() limit 3`).catch(() => {});
    else { const all = processesOf(); const victim = all[Math.floor(random() * all.length)]; if (victim) try { process.kill(victim, 'SIGKILL'); } catch { /* it was gone */ } }
    kills++;
    const at = performance.now();
    while (!(await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) }).then((a) => a.ok, () => false))) await pause(100);
    // The next success: something more was handed over (or all is done).
    while ((await handed()) <= before && (await going()) && performance.now() - at < 30_000) await pause(100);
    slowest = Math.max(slowest, performance.now() - at);
  }
  // The stranger behaves from now on, so that what is in doubt can be asked about.
  await request('/sandbox/trouble', { method: 'PUT', body: {} });
  // Delivered is not the last of it: the inbox files the texts a moment later.
  const open = async () => (await one<{ n: number }>(`select (select count(*) from campaign where id = any($1) and state in ('queued', 'sending')) + (select count(*) from campaign_recipient where campaign_id = any($1) and state in ('pending', 'claimed', 'handed', 'sent')) + (select count(*) from campaign_recipient where campaign_id = any($1) and state = 'unknown' and asked_times < 4)
    + (select count(*) from campaign_recipient where campaign_id = any($1) and state = 'delivered' and item_id is null) as n`, [ids])).n;
  for (let i = 0; i < 480 && Number(await open()) > 0; i++) await pause(500);

  const ledger = await rows<{ to_number: string; state: string; campaign_id: number; item_id: number | null }>(`select to_number, state, campaign_id::float8 campaign_id, item_id::float8 item_id from campaign_recipient where campaign_id = any($1)`, [ids]);
  const books = new Map((await rows<{ to_number: string; n: number }>(`select to_number, count(*)::int n from sandbox.text where outgoing and from_number = any($1) and to_number like '+1929%' group by to_number`, [plans.map((p) => p.number)])).map((b) => [b.to_number, b.n]));
  const count = (...states: string[]) => ledger.filter((l) => states.includes(l.state)).length;
  const double = [...books].filter(([, n]) => n > 1);
  const lost = ledger.filter((l) => ['handed', 'sent', 'delivered', 'undelivered'].includes(l.state) ? books.get(l.to_number) !== 1 : l.state !== 'unknown');
  const untold = ledger.filter((l) => ['failed', 'skipped'].includes(l.state) && books.has(l.to_number));
  const unfiled = ledger.filter((l) => l.state === 'delivered' && l.item_id === null);
  const campaigns = await rows<{ state: string; total_count: number; sent_count: number; unknown_count: number; pending_count: number }>(`select state, total_count, sent_count, unknown_count, pending_count from campaign where id = any($1) order by id`, [ids]);
  console.log(`F1 campaigns: ${kills} kills (${during} while sending), ${ledger.length} recipients, delivered ${count('delivered')}, unknown ${count('unknown')}, lost ${lost.length}, double ${double.length}; slowest return of sending ${(slowest / 1000).toFixed(1)} s`);
  await db.end(); await owner.end();
  expect({ double, lost, untold, unfiled }).toEqual({ double: [], lost: [], untold: [], unfiled: [] });
  expect(ledger).toHaveLength(each * size.campaigns);
  expect(campaigns.map((c) => [c.state, c.total_count, c.sent_count + c.unknown_count, c.pending_count])).toEqual(campaigns.map(() => ['sent', each, each, 0]));
}, 1_500_000);
