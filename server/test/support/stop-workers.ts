import { afterAll } from 'vitest';

/**
 * This process's test servers with a running worker. vitest calls no `afterAll` for a server that a
 * hook or a test created; its worker would keep running in later files, which share their modules
 * with it.
 */
export const appsWithWorker = ((
  globalThis as { appsWithWorker?: Set<{ stopJobs(): Promise<void> }> }
).appsWithWorker ??= new Set());

afterAll(async () => {
  for (const app of appsWithWorker) await app.stopJobs();
});
