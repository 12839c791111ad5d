import { afterAll } from 'vitest';

/**
 * Servers whose worker runs, of the tests of this process. One that a hook or a test made has no `afterAll` that vitest
 * would call: its worker would go on in the files that follow, which share their modules with it.
 */
export const withWorker = ((
  globalThis as { withWorker?: Set<{ rest(): Promise<void> }> }
).withWorker ??= new Set());

afterAll(async () => {
  for (const world of withWorker) await world.rest();
});
