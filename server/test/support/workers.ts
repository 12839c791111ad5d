import { openLeases } from '../../src/platform/lease.ts';
import { startJobs, type Job } from '../../src/platform/jobs.ts';
import type { Subscriber } from '../../src/platform/outbox-relay.ts';
import type { TestApp } from './test-app.ts';

/** Starts worker processes of this app with the jobs and subscribers of a test. */
export const workersOf =
  (app: TestApp) =>
  async (jobs: readonly Job[], subscribers: readonly Subscriber[] = []) => {
    const leases = await openLeases(app.services.settings.databaseUrl!, app.services.log);
    const queue = await startJobs(app.services, app.notifier, leases, { jobs, subscribers });
    return {
      leases,
      stop: async () => {
        await queue.stop();
        await leases.stop();
      },
    };
  };

/** A promise to wait for, and what fulfills it. */
export const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};
