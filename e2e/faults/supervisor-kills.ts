import { setTimeout as pause } from 'node:timers/promises';
import {
  isReady,
  killProcess,
  startReadyProduct,
  processesOf,
  createRandom,
  removeDataDir,
  temporaryDataDir,
} from '../product.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/** Waits for a condition. Returns whether it held within a minute. */
async function waitUntil(about: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let i = 0; i < 600; i++) {
    if (await about()) return true;
    await pause(100);
  }
  return false;
}

/**
 * The supervisor is killed, and one of its processes before it: no process is left behind, and the
 * next start adopts the running database. It is also killed once during startup.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const rounds = size === 'full' ? 10 : 3;
  const random = createRandom(seed);
  const dataDir = temporaryDataDir();
  const consoleErrors: string[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const product = await startReadyProduct(dataDir, { DEMO: '0' });
      if (round > 0 && !product.output().includes('already running is ready')) {
        consoleErrors.push(`round ${round}: the running database was not picked up`);
      }
      const all = processesOf(dataDir);
      killProcess(all[Math.floor(random() * all.length)]!.pid);
      await pause(random() * 1500);
      product.process.kill('SIGKILL');
      await product.ended;
      if (!(await waitUntil(() => processesOf(dataDir).length === 0))) {
        consoleErrors.push(`round ${round}: ${processesOf(dataDir).length} processes stay`);
      }
    }
    const last = await startReadyProduct(dataDir, { DEMO: '0' });
    if (!(await isReady(last.url))) consoleErrors.push('the last one is not ready');
    last.process.kill('SIGTERM');
    const code = await last.ended;
    if (code !== 0) consoleErrors.push(`the last one ended with ${code}`);
    if (!(await waitUntil(() => processesOf(dataDir, '').length === 0)))
      consoleErrors.push('something stays');
  } finally {
    for (const { pid } of processesOf(dataDir, '')) killProcess(pid);
    removeDataDir(dataDir);
  }
  const seen = `${rounds} kills of the supervisor (seed ${seed}): ${consoleErrors.join('; ') || 'clean'}`;
  return [printMetric('supervisor-kills', seen, 'clean', consoleErrors.length === 0)];
}
