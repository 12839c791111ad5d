import { setTimeout as pause } from 'node:timers/promises';
import {
  isReady,
  killProcess,
  RetryingDatabase,
  processesOf,
  createRandom,
  withProduct,
} from '../product.ts';
import { requestWithRetry, signInAsOwner, Traffic } from '../traffic.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/**
 * F1 for texts and calls: processes and database backends are killed at random while the carrier is
 * faulty. Everything acknowledged exists exactly once.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const { kills, texts, calls } =
    size === 'full' ? { kills: 60, texts: 2000, calls: 200 } : { kills: 20, texts: 500, calls: 50 };
  const random = createRandom(seed);
  return withProduct({ LOG_LEVEL: 'fatal' }, async ({ url, databaseUrl }, dataDir) => {
    const db = new RetryingDatabase(databaseUrl);
    const traffic = new Traffic(url, await signInAsOwner(url), db);
    const faults = {
      errorRate: 0.05,
      dropAfterEffectRate: 0.05,
      duplicateRate: 0.05,
      reorderRate: 0.05,
      lateReceiptsMs: 100,
    };
    await requestWithRetry(url, '/sandbox/faults', { method: 'PUT', body: faults });

    let slowestMs = 0;
    const killing = async (): Promise<void> => {
      for (let n = 0; n < kills; n++) {
        await pause(700 + random() * 900);
        const all = processesOf(dataDir);
        const victim = all[Math.floor(random() * all.length)];
        if (random() < 0.25) await db.dropConnections(2);
        else if (victim) killProcess(victim.pid);
        const at = performance.now();
        while (!(await isReady(url)) && performance.now() - at < 120_000) await pause(100);
        slowestMs = Math.max(slowestMs, performance.now() - at);
      }
    };
    const half = texts / 2;
    const texting = async (one: (n: number) => Promise<void>): Promise<void> => {
      for (let n = 0; n < half; n++) {
        await one(n);
        await pause(((kills * 1800) / half) * random());
      }
    };
    const calling = async (): Promise<void> => {
      for (let n = 0; n < calls; n++) {
        await traffic.call(1500 + random() * 2000);
        await pause((kills * 1600) / calls);
      }
    };
    await Promise.all([
      killing(),
      calling(),
      texting((n) => traffic.textIn(n)),
      texting((n) => traffic.textOut(n)),
    ]);
    await requestWithRetry(url, '/sandbox/faults', { method: 'PUT', body: {} });
    const found = await traffic.audit();
    await db.close();
    const seen = `${kills} kills, seed ${seed}`;
    const lost = [...found.lostInbound, ...found.lostOutbound];
    const double = [...found.duplicateInbound, ...found.duplicateOutbound, ...found.duplicateCalls];
    const reached = traffic.textsIn.length + traffic.textsOut.length;
    return [
      printMetric(
        'kills.texts',
        `${reached} of ${texts} acknowledged (${seen})`,
        'all',
        reached === texts,
      ),
      printMetric(
        'kills.lost',
        `${lost.length} ${lost.slice(0, 5).join(' ')}`,
        '0',
        lost.length === 0,
      ),
      printMetric(
        'kills.double',
        `${double.length} ${double.slice(0, 5).join(' ')}`,
        '0',
        double.length === 0,
      ),
      printMetric('kills.unknown', String(found.unknown), 'told as such', true),
      printMetric(
        'kills.calls',
        `${traffic.calls.length} placed, ${found.recorded} recorded, ${found.unfinished.length} unfinished`,
        '0 unfinished',
        found.unfinished.length === 0,
      ),
      printMetric(
        'kills.return',
        `${(slowestMs / 1000).toFixed(1)} s until ready, at most`,
        '5 s where the machine rests',
        slowestMs < 60_000,
      ),
    ];
  });
}
