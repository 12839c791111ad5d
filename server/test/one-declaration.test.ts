import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openSocket } from './support/live-socket.ts';
import { createTestApp } from './support/test-app.ts';

/**
 * A copy of the sources gets a subject that nothing else mentions, and runs: its folders and its
 * line in modules.mjs are all that a subject needs (decision 141).
 */
const repository = join(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'trunkline-subject-'));
const app = await createTestApp();
const { company, owner } = await app.createCompany();
const database = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
await database.connect();
database.on('error', () => {});
let server: ChildProcess | undefined;
afterAll(async () => {
  server?.kill();
  await database.end();
  rmSync(copy, { recursive: true, force: true });
});

const subject: Record<string, string> = {
  'contract/src/pebbles/endpoints.ts': `
    import { endpoint } from '../kit.ts';
    import type * as operations from './operations.ts';
    export const throwPebble = endpoint<typeof operations.throwPebble>({
      name: 'throwPebble', method: 'POST', path: '/companies/{companyId}/pebbles',
      permission: 'company.export', company: 'path',
    });`,
  'contract/src/pebbles/operations.ts': `
    import { z } from 'zod';
    import { operation } from '../operation.ts';
    import { id, one } from '../schemas.ts';
    export const throwPebble = operation({
      summary: 'Throw a pebble', params: z.object({ companyId: id }), errors: ['pebble.wet'],
      body: z.object({ wet: z.boolean() }), answer: one(z.object({ thrown: z.literal(true) })),
      example: {
        params: { companyId: 1 }, body: { wet: false }, answer: { data: { thrown: true as const } },
      },
    });`,
  'contract/src/pebbles/errors.ts': `
    import type { ErrorTexts } from '../error-texts.ts';
    export const errors = {
      'pebble.wet': { status: 409, text: 'This pebble is wet. Take a dry one.' },
    } as const satisfies ErrorTexts;`,
  'contract/src/pebbles/events.ts': `
    import { event } from '../kit.ts';
    import type * as payloads from './payloads.ts';
    export const pebbleThrown = event<typeof payloads.pebbleThrown>({
      name: 'pebble.thrown', channel: 'companies', invalidates: [],
    });
    export const pebbleSank = event<typeof payloads.pebbleSank>({
      name: 'pebble.sank', channel: 'companies', invalidates: [],
    });`,
  'contract/src/pebbles/payloads.ts': `
    import { z } from 'zod';
    import { id } from '../schemas.ts';
    export const pebbleThrown = z.object({ companyId: id });
    export const pebbleSank = z.object({ companyId: id });`,
  'contract/src/pebbles/index.ts': `
    export * as operations from './operations.ts';
    export * as payloads from './payloads.ts';
    export * from './endpoints.ts';
    export * from './events.ts';`,
  'server/src/modules/pebbles/routes.ts': `
    import { pebbles as contract } from '#contract';
    import { fail } from '../../platform/errors.ts';
    import { defineRoutes } from '../../platform/routes.ts';
    import { sinkJob } from './job-kinds.ts';
    export const routes = defineRoutes(contract, {
      throwPebble: async (t, { params, body }) => {
        if (body.wet) fail('pebble.wet');
        await t.publish(contract.pebbleThrown, { companyId: params.companyId });
        await t.enqueue(sinkJob, { companyId: params.companyId });
        return { data: { thrown: true } };
      },
    });`,
  'server/src/modules/pebbles/job-kinds.ts': `
    import { z } from 'zod';
    import { jobKind } from '../../platform/job-kind.ts';
    export const sinkJob = jobKind('pebbles.sink', z.object({ companyId: z.number() }), {
      queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 1,
    });`,
  'server/src/modules/pebbles/jobs.ts': `
    import { pebbles as contract } from '#contract';
    import { runJob } from '../../platform/jobs.ts';
    import { sinkJob } from './job-kinds.ts';
    export const jobs = [
      runJob(sinkJob, (ctx, { companyId }) =>
        ctx.transaction((t) => t.publish(contract.pebbleSank, { companyId })),
      ),
    ];`,
  'server/src/modules/pebbles/retention.ts': `
    import type { Retention } from '../../platform/retention-rule.ts';
    export const retention: Retention = {
      rules: [{ table: 'pebble', ageColumn: 'at', keepFor: '1 day', reason: 'pebbles sink' }],
      kept: [],
    };`,
  'server/src/modules/pebbles/module.ts': `
    import type { Module } from '../../platform/module.ts';
    import { jobs } from './jobs.ts';
    import { retention } from './retention.ts';
    import { routes } from './routes.ts';
    export const module: Module = { routes, jobs, retention };`,
  'web/src/features/pebbles/routes.tsx': `
    import type { Feature } from '../feature.ts';
    export const pebbles: Feature = {
      screens: [{ path: '/pebbles', load: () => import('./screens/Pebbles.tsx'), title: () => 'Pebbles' }],
    };`,
  'web/src/features/pebbles/screens/Pebbles.tsx': `
    export default function Pebbles() { return <p>Skipping stones</p>; }`,
};

/** Copies the sources, adds the subject, and writes the lists as a developer does. */
function makeCopy(): void {
  const sources = execFileSync('git', ['-C', repository, 'ls-files', '-co', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
    .split('\n')
    .filter((path) =>
      /^(contract|server\/(src|migrations)|ui|web\/src|tools|modules\.|package\.json|tsconfig)/.test(
        path,
      ),
    );
  for (const path of sources) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(repository, path), join(copy, path));
  }
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  for (const [path, text] of Object.entries(subject)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  const order = join(copy, 'modules.mjs');
  writeFileSync(order, readFileSync(order, 'utf8').replace("'archive',", "'archive', 'pebbles',"));
  execFileSync(process.execPath, ['--import', 'tsx', 'tools/subject-lists.ts'], { cwd: copy });
}

/** Starts the copy against this test's database. Returns its address. */
const startCopy = () =>
  new Promise<string>((resolve, reject) => {
    const { settings } = app.services;
    server = fork(join(copy, 'server/src/main.ts'), {
      cwd: copy,
      execArgv: ['--import', 'tsx'],
      env: {
        ...process.env,
        DATABASE_URL: settings.databaseUrl!,
        DATA_DIR: settings.dataDir,
        APP_SECRET: settings.appSecret.toString('hex'),
        PORT: '0',
        ROLES: 'web,worker',
        DEMO: '0',
      },
    });
    let port = 0;
    server.on('message', (message: { listening?: { port?: number }; ready?: string }) => {
      port = message.listening?.port ?? port;
      if (message.ready === 'web') resolve(`http://127.0.0.1:${port}`);
    });
    server.on('exit', (code) => reject(new Error(`the copy ended with ${code}`)));
  });

test('a new subject’s endpoint, error, event, job, retention and screen live by its folders alone', async () => {
  makeCopy();
  await database.query('create table pebble (at timestamptz not null)');
  await database.query('create index pebble_at on pebble (at)');
  await database.query('grant all on pebble to trunkline_system');
  await database.query(`insert into pebble values (now() - interval '2 days'), (now())`);
  const address = await startCopy();
  const throwOne = async (wet: boolean) => {
    const response = await fetch(`${address}/api/companies/${company.id}/pebbles`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ wet }),
    });
    return { status: response.status, body: await response.json() };
  };
  const socket = await openSocket(address, owner.token, [`private-companies.${company.id}`]);
  expect(await throwOne(false)).toEqual({ status: 200, body: { data: { thrown: true } } });
  expect(await throwOne(true)).toMatchObject({
    status: 409,
    body: { message: 'This pebble is wet. Take a dry one.' },
  });
  await socket.hears(({ event }) => event === 'pebble.thrown');
  await socket.hears(({ event }) => event === 'pebble.sank');
  socket.close();

  await database.query(`select graphile_worker.add_job('retention.sweep', '{}')`);
  await expect.poll(async () => (await database.query('select from pebble')).rowCount).toBe(1);

  const screens = await build({
    entryPoints: [join(copy, 'web/src/features/all.ts')],
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    outdir: join(copy, 'out'),
    write: false,
    logLevel: 'silent',
    external: ['*.woff2', '*.svg', '*.png'],
  });
  expect(screens.outputFiles.filter(({ text }) => text.includes('Skipping stones')).length).toBe(1);
}, 180_000);
