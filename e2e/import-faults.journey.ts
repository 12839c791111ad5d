import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { hashToken, randomToken } from '../server/src/platform/secrets.ts';
import { nextFreePort } from '../server/src/start/ports.ts';

/** An import whose worker is killed in the middle, twice, and whose connection is cut once: every row is taken once. */
const ROWS = 30_000;
const root = join(import.meta.dirname, '..');
const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-import-faults-'));
let supervisor: ChildProcess | null = null;
let db: pg.Pool | null = null;
afterAll(async () => {
  await db?.end();
  const ended = new Promise((resolve) => supervisor?.once('exit', resolve));
  if (supervisor?.kill('SIGTERM')) await ended;
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});
const workers = (): number[] => readdirSync('/proc').filter((p) => /^\d+$/.test(p)).flatMap((p) => {
  try {
    const env = readFileSync(`/proc/${p}/environ`, 'utf8');
    return env.includes(dataDir) && readFileSync(`/proc/${p}/cmdline`, 'utf8').includes('/main.') && /(?:^|\0)ROLES=[^\0]*worker/.test(env) ? [Number(p)] : [];
  } catch { return []; }
});

test.runIf(process.platform === 'linux')(`${ROWS} rows while the worker is killed: each is taken once`, async () => {
  const port = (await nextFreePort(4750 + Math.floor(Math.random() * 200), '127.0.0.1'))!;
  const { NODE_ENV: _test, APP_SECRET: _key, DATABASE_URL: _theirs, ...env } = process.env;
  supervisor = spawn(process.execPath, ['--import', 'tsx', join(root, 'server/src/start.ts')], { cwd: root, env: { ...env, DATA_DIR: dataDir, PORT: String(port), MEDIA_PORT: String(port + 50), DEMO: '0', LOG_LEVEL: 'fatal', RATE_USER_PER_MINUTE: '1000000', RATE_COMPANY_PER_MINUTE: '1000000' }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const { url, databaseUrl } = await new Promise<{ url: string; databaseUrl: string }>((resolve) => supervisor!.once('message', (m) => resolve(m as never)));
  db = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  db.on('error', () => {});
  const token = randomToken('tla');
  const { rows: [made] } = await db.query(`with p as (insert into person (email, password_hash) values ('owner@faults.test', 'x') returning id), c as (insert into company (name, slug, timezone) values ('Faults', 'faults', 'UTC') returning id),
    m as (insert into membership (company_id, user_id, role) select c.id, p.id, 'owner' from c, p) , s as (insert into session (person_id, kind, access_hash, access_expires_at) select p.id, 'browser', $1, now() + interval '1 day' from p) select c.id::float8 id from c`, [hashToken(token)]);
  const company = made.id as number;
  const api = async <T>(method: string, path: string, body?: BodyInit): Promise<T> => {
    const once = () => fetch(`${url}/api/companies/${company}/contacts/${path}`, { method, headers: { authorization: `Bearer ${token}`, ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}) }, ...(body ? { body } : {}) });
    let answer = await once();
    // Asked in the very moment its connections were cut, the web process may say so.
    for (let more = 40; method === 'GET' && answer.status >= 500 && more > 0; more--) { await pause(250); answer = await once(); }
    expect(answer.ok, `${path} answered ${answer.status}`).toBe(true);
    return ((await answer.json()) as { data: T }).data;
  };
  // Every thousandth row says again what the first said; every thousandth has no number.
  const lines = Array.from({ length: ROWS }, (_, i) => `Person ${i},${i % 1000 === 999 ? '+12122000000' : i % 1000 === 500 ? 'nobody' : `+1212${2_000_000 + i}`},Everybody`);
  const form = new FormData();
  form.set('file', new Blob([`name,number,groups\n${lines.join('\n')}`]), 'people.csv');
  interface Import { id: number; state: string; processed: number; created: number; updated: number; unchanged: number; skipped: number; skippedBy: Record<string, number>; resultUrl: string }
  const { id } = await api<Import>('POST', 'imports', form);
  await api('POST', `imports/${id}/start`, '{}');

  const until = async (enough: (now: Import) => boolean): Promise<Import> => { for (;;) { const now = await api<Import>('GET', `imports/${id}`); if (enough(now) || now.state !== 'running') return now; await pause(80); } };
  const troubles: string[] = [];
  for (const [from, trouble] of [[1, 'kill'], [ROWS * 0.3, 'cut'], [ROWS * 0.6, 'kill']] as const) {
    const now = await until(({ processed }) => processed >= from);
    if (now.state !== 'running') break;
    troubles.push(trouble);
    if (trouble === 'kill') for (const pid of workers()) try { process.kill(pid, 'SIGKILL'); } catch { /* it was gone */ }
    else await db.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'trunkline%' and pid <> pg_backend_pid()`);
  }
  expect(troubles[0]).toBe('kill');
  const done = await until(() => false);
  expect(done).toMatchObject({ state: 'finished', processed: ROWS, created: ROWS - 60, updated: 0, unchanged: 0, skipped: 60, skippedBy: { invalid_number: 30, duplicate_in_file: 30 } });
  const { rows: [count] } = await db.query(`select count(*)::int n, count(distinct number)::int numbers, (select count(*)::int from contact_group_member m where m.company_id = $1) members, (select count(*)::int from contact_import_chunk h where h.company_id = $1) steps,
    (select sum(contacts)::int from contact_group_count g where g.company_id = $1 and g.group_id = 0) counted from contact where company_id = $1 and deleted_at is null`, [company]);
  expect(count).toEqual({ n: ROWS - 60, numbers: ROWS - 60, members: ROWS - 60, steps: ROWS / 2500, counted: ROWS - 60 });
  const result = parse(await (await fetch(`${url}${done.resultUrl}`)).text(), { bom: true }) as string[][];
  expect([result.length, new Set(result.map((r) => r[0])).size]).toEqual([ROWS + 1, ROWS + 1]);
}, 600_000);
