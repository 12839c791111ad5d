import { getPriority } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import {
  isReady,
  killProcess,
  startProduct,
  startReadyProduct,
  RetryingDatabase,
  processesOf,
  removeDataDir,
  temporaryDataDir,
  type Role,
} from './product.ts';
import { signInAsOwner, Traffic } from './traffic.ts';

/**
 * One installation, each of whose processes is killed once at a fixed point. Random kills, and
 * those of the supervisor: `npm run test:faults`.
 */
const dataDir = temporaryDataDir();
afterAll(() => {
  for (const { pid } of processesOf(dataDir, '')) killProcess(pid);
  removeDataDir(dataDir);
});
const patience = { timeout: 120_000 };

test.runIf(process.platform === 'linux')(
  'web, workers, media and a database backend are killed once each: nothing is lost, nothing twice, and no process stays behind',
  async () => {
    const product = await startReadyProduct(dataDir);
    const { url } = product;
    const running = processesOf(dataDir);
    expect(running.map(({ role }) => role).sort()).toEqual(['bulk', 'media', 'web', 'worker']);
    expect(processesOf(dataDir, '/server/dist/')).toEqual(running); // All of them compiled.
    // Long jobs give way to the rest.
    for (const { pid, role } of running)
      expect(getPriority(pid), role ?? '').toBe(getPriority() + (role === 'bulk' ? 5 : 0));

    // A second start on the same data names the running one, and exits.
    const second = await startProduct(dataDir);
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(
      `is already running from ${dataDir} (process ${product.process.pid}, ${url})`,
    );

    const db = new RetryingDatabase(product.databaseUrl);
    const traffic = new Traffic(url, await signInAsOwner(url), db);
    const each = 10;
    const back = (role: Role) =>
      expect.poll(() => product.output(), patience).toContain(`${role} is back`);
    const victims: (Role | 'database')[] = ['web', 'worker', 'bulk', 'media', 'database'];
    for (const [round, victim] of victims.entries()) {
      for (let n = 0; n < each; n++) {
        await Promise.all([traffic.textIn(round * each + n), traffic.textOut(round * each + n)]);
        if (n === 2) await traffic.call(3000);
        if (n !== each / 2) continue;
        if (victim === 'database') await db.dropConnections(2);
        else
          processesOf(dataDir)
            .filter(({ role }) => role === victim)
            .forEach(({ pid }) => killProcess(pid));
      }
      if (victim !== 'database') await back(victim);
      await expect.poll(() => isReady(url), patience).toBe(true);
    }
    expect(processesOf(dataDir)).toHaveLength(4);
    const found = await traffic.audit();
    await db.close();
    expect(found).toMatchObject({
      lostInbound: [],
      duplicateInbound: [],
      lostOutbound: [],
      duplicateOutbound: [],
      duplicateCalls: [],
      unfinished: [],
    });
    expect([traffic.textsIn.length, traffic.textsOut.length, traffic.calls.length]).toEqual([
      50, 50, 5,
    ]);
    expect(found.recorded).toBeGreaterThanOrEqual(3);

    product.process.kill('SIGTERM');
    expect(await product.ended).toBe(0);
    await expect.poll(() => processesOf(dataDir, ''), patience).toEqual([]);
  },
  600_000,
);
