import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { nextFreePort } from '../../server/src/start/ports.ts';
import { hostilePackets, hostileRequests, type Target } from '../hostile.ts';

/** Memory may be this much above where it stood after the first tenth; megabytes. */
const GROWTH_MB = 100;

export interface Figure { id: string; figure: string; target: string; pass: boolean }

/**
 * Hostile requests and packets, `size` of each, against one start of the whole product: no error of ours, no hang, the same
 * process at the end, memory flat. Alone: `node --import tsx e2e/faults/fuzz.ts [size] [seed]`.
 */
export async function run({ size: wanted, seed = 1 }: { size: number | 'quick' | 'full'; seed?: number }): Promise<Figure[]> {
  const size = wanted === 'quick' ? 2000 : wanted === 'full' ? 20_000 : wanted;
  const product = await startProduct();
  try {
    const target: Target = { url: product.url, ...(await signIn(product.url)) };
    const warm = Math.ceil(size / 10);
    const outcomes = [await hostileRequests(target, warm, seed), await hostilePackets(target, warm, seed)];
    const before = await processOf(product.url);
    outcomes.push(await hostileRequests(target, size - warm, seed + 1), await hostilePackets(target, size - warm, seed + 1));
    await pause(20_000); // what is collected late is collected
    const after = await processOf(product.url);
    const failures = outcomes.flatMap((o) => o.failures);
    const hangs = outcomes.flatMap((o) => o.hangs);
    for (const line of [...failures.slice(0, 40), ...hangs.slice(0, 10).map((one) => `hang: ${one}`)]) console.error(line); // oxlint-disable-line no-console
    const [statuses] = [outcomes.filter((_, i) => i % 2 === 0).map((o) => o.statuses).reduce((sum, one) => Object.fromEntries([...new Set([...Object.keys(sum), ...Object.keys(one)])].map((k) => [k, (sum[k] ?? 0) + (one[k] ?? 0)])))];
    return [
      { id: 'fuzz: sent', figure: `${size} requests (${Object.entries(statuses).sort().map(([k, n]) => `${k} ${n}`).join(', ')}), ${size} packets`, target: `${size} of each`, pass: true },
      { id: 'fuzz: 5xx', figure: String(failures.length), target: '0', pass: failures.length === 0 },
      { id: 'fuzz: hangs', figure: String(hangs.length), target: '0', pass: hangs.length === 0 },
      { id: 'fuzz: process', figure: before.started === after.started ? 'the same' : 'another one', target: 'the same', pass: before.started === after.started },
      { id: 'fuzz: memory', figure: `heap ${before.heapMb} → ${after.heapMb} MB, resident ${before.residentMb} → ${after.residentMb} MB`, target: `resident + ${GROWTH_MB} MB at most`, pass: after.residentMb <= before.residentMb + GROWTH_MB },
    ];
  } finally {
    await product.stop();
  }
}

async function startProduct(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-fuzz-'));
  chmodSync(dataDir, 0o711); // as root the database runs as somebody else and must get in
  const port = (await nextFreePort(5600 + Math.floor(Math.random() * 200), '127.0.0.1')) ?? 0;
  const { NODE_ENV: _test, DATABASE_URL: _theirs, PUBLIC_URL: _address, APP_SECRET: _key, ...env } = process.env;
  const root = join(import.meta.dirname, '../..');
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'server/src/start.ts')], {
    cwd: root, stdio: ['ignore', env['LOG_LEVEL'] ? 'inherit' : 'ignore', 'inherit', 'ipc'],
    env: { ...env, DATA_DIR: dataDir, PORT: String(port), MEDIA_PORT: String(port + 300), SIP_PORT: '0', DEMO: '1', LOG_LEVEL: env['LOG_LEVEL'] ?? 'fatal', RATE_USER_PER_MINUTE: '100000000', RATE_COMPANY_PER_MINUTE: '100000000', EXPORTS_PER_HOUR: '1000000' },
  });
  const ended = new Promise<null>((resolve) => child.once('exit', () => resolve(null)));
  const stop = async () => { child.kill('SIGTERM'); await ended; rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }); };
  const ready = await Promise.race([new Promise<{ url: string }>((resolve) => child.once('message', (said) => resolve(said as { url: string }))), ended]);
  if (!ready) { await stop(); throw new Error('The product did not start.'); }
  return { url: ready.url, stop };
}

async function signIn(url: string): Promise<Omit<Target, 'url'>> {
  const post = async (): Promise<string> => {
    const answer = await fetch(`${url}/api/sanctum/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email: 'owner@demo.test', password: 'trunkline-demo' }) });
    if (!answer.ok) throw new Error(`Signing in was answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { token: { access_token: string } }).token.access_token;
  };
  let token = await post();
  const check = () => fetch(`${url}/api/user`, { headers: { authorization: `Bearer ${token}` } });
  const { companies } = ((await (await check()).json()) as { data: { companies: { id: number }[] } }).data;
  return { companyId: companies[0]!.id, token: async () => { if ((await check()).status === 401) token = await post(); return token; } };
}

/** The web process by its own metrics. */
async function processOf(url: string): Promise<{ started: number; residentMb: number; heapMb: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const of = (name: string) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
  const mb = (name: string) => Math.round(of(name) / 1024 / 1024);
  return { started: of('process_start_time_seconds'), residentMb: mb('process_resident_memory_bytes'), heapMb: mb('nodejs_heap_size_used_bytes') };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const figures = await run({ size: Number(process.argv[2] ?? 1000), seed: Number(process.argv[3] ?? 1) });
  console.table(figures); // oxlint-disable-line no-console
  process.exitCode = figures.every((one) => one.pass) ? 0 : 1;
}
