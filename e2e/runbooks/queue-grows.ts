import { temporaryDatabase } from '../../server/src/platform/postgres/index.ts';
import type { Metric } from '../metric.ts';
import { removeDataDir, startReadyProduct, temporaryDataDir } from '../product.ts';
import { request } from '../traffic.ts';
import { figureOf, secondsUntil, seen, took } from './kit.ts';

const [ourNumber, outside] = ['+12125552340', '+19175552001'];
const secret = { APP_SECRET: '4'.repeat(64) };

/**
 * "The queue grows": a machine without a worker, until one is started on a second one, as the runbook
 * says.
 */
export async function queueGrows(): Promise<Metric[]> {
  const server = await temporaryDatabase();
  const folders = [temporaryDataDir(), temporaryDataDir()] as const;
  const env = { ...secret, DATABASE_URL: await server.create('queue') };
  const running: { stop(): Promise<void> }[] = [];
  try {
    const first = await startReadyProduct(folders[0], { ...env, ROLES: 'web,media' });
    running.push(first);
    return await withoutWorker(first.url, async () => {
      running.push(await startReadyProduct(folders[1], { ...env, ROLES: 'worker' }));
    });
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
