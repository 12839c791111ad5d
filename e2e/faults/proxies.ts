import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { io } from 'socket.io-client';
import { Agent, fetch, FormData } from 'undici';
import { freePort } from '../../server/test/support/free-port.ts';
import { withProduct } from '../product.ts';
import { printMetric, type FaultOptions, type Metric } from '../metric.ts';

const files = join(import.meta.dirname, '../../deploy/proxy');
/** Between what a proxy lets through and what the product accepts. */
const uploadBytes = 30 * 2 ** 20;
/** Where the visitor connects from: another address than the proxy's, which alone is trusted. */
const visitor = '127.0.0.5';

interface Proxy {
  name: string;
  program: string;
  /** The file of deploy/proxy with these ports and files instead. */
  configure(written: string, at: Place): string;
  args(config: string, folder: string): string[];
}
interface Place {
  folder: string;
  port: number;
  upstream: number;
}

const proxies: Proxy[] = [
  {
    name: 'nginx',
    program: '/usr/sbin/nginx',
    configure: (written, { folder, port, upstream }) => `
      daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
      events {}
      http {
        access_log off; client_body_temp_path ${folder}/bodies; proxy_temp_path ${folder}/answers;
        ${written
          .replace('127.0.0.1:3000', `127.0.0.1:${upstream}`)
          .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
          .replace('listen 80', 'listen unix:/dev/null')
          .replace(/server \{\s+listen unix:[\s\S]*$/, '')
          .replace('/etc/ssl/trunkline/fullchain.pem', `${folder}/certificate.pem`)
          .replace('/etc/ssl/trunkline/privkey.pem', `${folder}/key.pem`)}
      }`,
    args: (config, folder) => ['-p', folder, '-c', config],
  },
  {
    name: 'haproxy',
    program: '/usr/sbin/haproxy',
    configure: (written, { folder, port, upstream }) =>
      written
        .replace('127.0.0.1:3000', `127.0.0.1:${upstream}`)
        .replace('bind :443', `bind 127.0.0.1:${port}`)
        .replace('  bind :80\n', '')
        .replace('/etc/haproxy/trunkline.pem', `${folder}/both.pem`),
    args: (config) => ['-db', '-f', config],
  },
];

/** The proxies that docs/proxy.md describes, as Debian has them, in front of a running product. */
export async function run(_: FaultOptions): Promise<Metric[]> {
  const here = proxies.filter(({ program }) => existsSync(program));
  const missing = proxies.filter((one) => !here.includes(one));
  const figures = missing.map(({ name }) =>
    printMetric(`proxies: ${name}`, 'not installed (apt-get install)', 'works', 'skipped'),
  );
  if (!here.length) return figures;
  const env = { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'fatal' };
  return withProduct(env, async ({ url, databaseUrl }) => {
    for (const proxy of here) {
      const problems = await problemsOf(proxy, Number(new URL(url).port), databaseUrl);
      figures.push(
        printMetric(
          `proxies: ${proxy.name}`,
          problems.join('; ') || 'works',
          'works',
          problems.length === 0,
        ),
      );
    }
    return figures;
  });
}

async function problemsOf(proxy: Proxy, upstream: number, databaseUrl: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), `trunkline-${proxy.name}-`));
  const place = { folder, port: await freePort(), upstream };
  let running: ChildProcess | null = null;
  try {
    for (const name of ['bodies', 'answers']) mkdirSync(join(folder, name), { mode: 0o777 });
    makeCertificate(folder);
    const file = `${proxy.name}.${proxy.name === 'nginx' ? 'conf' : 'cfg'}`;
    const config = join(folder, file);
    writeFileSync(config, proxy.configure(readFileSync(join(files, file), 'utf8'), place));
    running = spawn(proxy.program, proxy.args(config, folder), { stdio: 'inherit' });
    return await look(`https://127.0.0.1:${place.port}`, databaseUrl);
  } catch (error) {
    return [String(error)];
  } finally {
    running?.kill('SIGTERM');
    await pause(300);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What doesn't work through a proxy at this address. */
async function look(url: string, databaseUrl: string): Promise<string[]> {
  const problems: string[] = [];
  const expect = (what: string, holds: boolean) => void (holds || problems.push(what));
  // Its certificate is its own.
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, localAddress: visitor });
  const ask = (path: string, more: Parameters<typeof fetch>[1] = {}) =>
    fetch(`${url}${path}`, { dispatcher, ...more });
  for (let waited = 0; waited < 15_000; waited += 100) {
    if (
      await ask('/readyz').then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break;
    await pause(100);
  }
  expect('HTTP/2', await speaksHttp2(url));

  const signedIn = await ask('/api/sanctum/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
    body: JSON.stringify({ email: 'owner@demo.test', password: 'trunkline-demo' }),
  });
  const { token } = (await signedIn.json()) as { token: { access_token: string } };
  const bearer = { authorization: `Bearer ${token.access_token}` };
  const user = (await (await ask('/api/user', { headers: bearer })).json()) as {
    data: { companies: { id: number }[] };
  };
  // Not the proxy's, and not the one that the visitor made up.
  const address = await lastAddress(databaseUrl);
  expect(`the visitor’s own address, not ${address}`, address === visitor);

  expect('a live connection by websocket', await hasLiveEvents(url, token.access_token));
  const form = new FormData();
  const company = user.data.companies[0]?.id ?? 0;
  form.set('file', new Blob([Buffer.alloc(uploadBytes, 'a,b\n')]), 'contacts.csv');
  const upload = await ask(`/api/contacts/import?company_id=${company}`, {
    method: 'POST',
    headers: bearer,
    body: form,
  });
  // The product's own words, whether it takes the file or not: the proxy let it through.
  expect('an upload of 30 MB', (await upload.text()).startsWith('{') && upload.status < 500);
  await dispatcher.close();
  return problems;
}

const speaksHttp2 = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const session = connectHttp2(url, { rejectUnauthorized: false });
    session.on('error', () => resolve(false));
    const request = session.request({ ':path': '/' });
    request.on('response', (headers) => {
      resolve(headers[':status'] === 200);
      session.close();
    });
    request.end();
  });

const hasLiveEvents = (url: string, token: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = io(url, {
      transports: ['websocket'],
      auth: { token },
      rejectUnauthorized: false,
      reconnection: false,
    });
    const end = (works: boolean) => {
      socket.close();
      resolve(works);
    };
    socket.on('connect', () => end(true));
    socket.on('connect_error', () => end(false));
    setTimeout(() => end(false), 10_000).unref();
  });

async function lastAddress(databaseUrl: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ ip: string }>(
    'select ip from session order by created_at desc limit 1',
  );
  await client.end();
  return rows[0]?.ip;
}

function makeCertificate(folder: string): void {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const { status, stderr } = spawnSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=phones.example.com'],
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  writeFileSync(join(folder, 'both.pem'), readFileSync(certificate) + readFileSync(key, 'utf8'));
}
