import { setTimeout as pause } from 'node:timers/promises';
import {
  isReady,
  kill,
  launchReady,
  processesOf,
  randomFrom,
  removeDataDir,
  temporaryDataDir,
} from '../product.ts';
import { figure, type Figure, type Options } from '../figure.ts';

/** Waits for something; answers whether it came within a minute. */
async function comes(about: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let i = 0; i < 600; i++) {
    if (await about()) return true;
    await pause(100);
  }
  return false;
}

/**
 * The supervisor is killed, and one of its processes before it: nobody is left behind, and the next
 * start picks up the database that is still running. Once it is killed while it starts.
 */
export async function run({ size, seed }: Options): Promise<Figure[]> {
  const rounds = size === 'full' ? 10 : 3;
  const random = randomFrom(seed);
  const dataDir = temporaryDataDir();
  const troubles: string[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const product = await launchReady(dataDir, { DEMO: '0' });
      if (round > 0 && !product.output().includes('already running is ready')) {
        troubles.push(`round ${round}: the running database was not picked up`);
      }
      const all = processesOf(dataDir);
      kill(all[Math.floor(random() * all.length)]!.pid);
      await pause(random() * 1500);
      product.process.kill('SIGKILL');
      await product.ended;
      if (!(await comes(() => processesOf(dataDir).length === 0))) {
        troubles.push(`round ${round}: ${processesOf(dataDir).length} processes stay`);
      }
    }
    const last = await launchReady(dataDir, { DEMO: '0' });
    if (!(await isReady(last.url))) troubles.push('the last one is not ready');
    last.process.kill('SIGTERM');
    const code = await last.ended;
    if (code !== 0) troubles.push(`the last one ended with ${code}`);
    if (!(await comes(() => processesOf(dataDir, '').length === 0)))
      troubles.push('something stays');
  } finally {
    for (const { pid } of processesOf(dataDir, '')) kill(pid);
    removeDataDir(dataDir);
  }
  const seen = `${rounds} kills of the supervisor (seed ${seed}): ${troubles.join('; ') || 'clean'}`;
  return [figure('supervisor-kills', seen, 'clean', troubles.length === 0)];
}
