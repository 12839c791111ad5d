import { setTimeout as pause } from 'node:timers/promises';
import { temporaryDatabase } from '../../server/src/platform/postgres/index.ts';
import { printMetric, type Metric } from '../metric.ts';
import {
  removeDataDir,
  RetryingDatabase,
  startReadyProduct,
  temporaryDataDir,
} from '../product.ts';
import { request, signInAsOwner } from '../traffic.ts';
import { figureOf, operatorRuns, secondsUntil, seen, took } from './kit.ts';

const [ourNumber, outside] = ['+12125552340', '+19175552001'];
const secrets = { APP_SECRET: '4'.repeat(64), MEDIA_SECRET: '5'.repeat(64) };

/**
 * "The queue grows": a machine without a worker, until a second one is started as the runbook says;
 * and "A carrier is away", on both.
 */
export async function queueGrows(): Promise<Metric[]> {
  const server = await temporaryDatabase();
  const folders = [temporaryDataDir(), temporaryDataDir()] as const;
  const env = { ...secrets, DATABASE_URL: await server.create('queue') };
  const running: { stop(): Promise<void> }[] = [];
  try {
    const first = await startReadyProduct(folders[0], { ...env, ROLES: 'web,media' });
    running.push(first);
    const figures = await withoutWorker(first.url, async () => {
      running.push(await startReadyProduct(folders[1], { ...env, ROLES: 'worker' }));
    });
    return [...figures, ...(await carrierAway(first.url, { ...env, DATA_DIR: folders[0] }))];
  } finally {
    for (const one of running.reverse()) await one.stop();
    await server.stop();
    for (const one of folders) removeDataDir(one);
  }
}

async function withoutWorker(url: string, startWorker: () => Promise<void>): Promise<Metric[]> {
  const body = { from: outside, to: ourNumber, text: 'Is anybody there?' };
  await request(url, '/sandbox/texts', { body });
  const grows = async () => ((await figureOf(url, 'jobs_late_seconds')) ?? 0) > 10;
  const [grown, waiting] = [await secondsUntil(grows, 60), await figureOf(url, 'events_waiting')];
  await startWorker();
  const isOver = async () =>
    ((await figureOf(url, 'jobs_late_seconds')) ?? 99) < 5 &&
    (await figureOf(url, 'events_waiting')) === 0;
  return [
    took('queue: the alert’s figure grows without a worker', grown),
    seen('queue: events wait', (waiting ?? 0) > 0, String(waiting)),
    took('queue: over after a worker on another machine', await secondsUntil(isOver)),
  ];
}

/** The simulated carrier doesn't answer while a text is sent. */
async function carrierAway(url: string, env: Record<string, string>): Promise<Metric[]> {
  const database = new RetryingDatabase(env.DATABASE_URL ?? '');
  const token = await signInAsOwner(url);
  const number = await database.queryOne<{ companyId: number; numberId: number }>(
    'select company_id::float8 "companyId", id::float8 "numberId" from number where number = $1',
    [ourNumber],
  );
  const stateOf = async (message: string) =>
    (
      await database.rows<{ state: string }>(
        'select delivery_state state from conversation_item where text = $1',
        [message],
      )
    )[0]?.state;
  await request(url, '/sandbox/faults', { method: 'PUT', body: { outage: true } });
  const message = 'Sent while the carrier is away.';
  const sent = await request(url, '/api/message', {
    ...{ token, key: message, body: { ...number, to: '+19175552002', message } },
  });
  await pause(5_000);
  const during = await stateOf(message);
  await request(url, '/sandbox/faults', { method: 'PUT', body: {} });
  const after = await secondsUntil(async () => (await stateOf(message)) === 'delivered', 120);
  await database.close();
  return [
    seen('carrier away: a text is taken', sent.status < 300, JSON.stringify(sent)),
    printMetric('carrier away: it waits as', String(during), 'queued', during === 'queued'),
    took('carrier away: delivered after it is back', after),
    seen('carrier away: doctor ends', (await operatorRuns(env, 'doctor')).length > 0),
  ];
}
