import { afterAll } from 'vitest';

/**
 * Test servers whose worker runs, of this process. vitest calls no `afterAll` for a server that a hook or a test made:
 * its worker would go on in the files that follow, which share their modules with it.
 */
export const appsWithWorker = ((
  globalThis as { appsWithWorker?: Set<{ stopJobs(): Promise<void> }> }
).appsWithWorker ??= new Set());

afterAll(async () => {
  for (const app of appsWithWorker) await app.stopJobs();
});
