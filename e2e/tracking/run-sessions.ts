import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../product.ts';
import { noFindings, Visitors, type Findings } from './sessions.ts';
import { Shops } from './shops.ts';
import { WebProcesses } from './web-processes.ts';

interface Options {
  sessions: number;
  seed: number;
  /** About how many answers between two kills. */
  killEvery: number;
  databaseUrl: string;
  env: Record<string, string>;
}

const SESSIONS_OF_A_SHOP = 60;
const SHOPS_AT_ONCE = 4;

/**
 * Visitors of many websites through three web processes, of which one after the other is killed
 * without notice. Every third company shares numbers when none is free.
 */
export async function runSessions(o: Options): Promise<Findings & { kills: number }> {
  const secret = o.env['APP_SECRET'] ?? '';
  const shops = new Shops(o.databaseUrl, [Buffer.from(secret, 'hex')]);
  const processes = new WebProcesses({ ...o.env, DATABASE_URL: o.databaseUrl });
  const random = createRandom(o.seed);
  const findings = noFindings();
  let isDone = false;
  try {
    await processes.start(3);
    const killing = (async () => {
      let killAt = o.killEvery;
      for (; !isDone; await pause(20)) {
        if (findings.answers < killAt) continue;
        // By the number of answers, so that a fast machine sees as many as a slow one.
        killAt = findings.answers + o.killEvery * (0.5 + random());
        processes.kill(Math.floor(random() * 3));
      }
    })();
    const seeds = Array.from(
      { length: Math.ceil(o.sessions / SESSIONS_OF_A_SHOP) },
      (_, i) => o.seed * 7919 + i,
    );
    const worker = async (): Promise<void> => {
      for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
        const shop = await shops.create(6 + (seed % 9), seed % 3 === 0);
        await new Visitors(shop, shops, processes, findings, seed).run(SESSIONS_OF_A_SHOP);
      }
    };
    await Promise.all(Array.from({ length: SHOPS_AT_ONCE }, worker)).finally(() => (isDone = true));
    await killing;
    return { ...findings, kills: processes.kills };
  } finally {
    isDone = true;
    await processes.stop();
    await shops.close();
  }
}
