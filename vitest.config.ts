// First: it says where `tmpdir()` is.
import './tools/test-folder.ts';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import TestOrder from './tools/test-order.ts';

/** The same for every test: fixed secrets, a place for files that is not ours, and quiet logs. */
const env = {
  NODE_ENV: 'test',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  DATA_DIR: join(tmpdir(), 'trunkline-test-data'),
  APP_SECRET: '5ec7'.repeat(16),
  MEDIA_SECRET: 'media-secret-of-the-tests',
  TZ: 'UTC',
};

/** A wait for what must happen is long: it costs nothing when it happens at once. */
const patient = { poll: { timeout: 90_000 } };
/** Ends a test that hangs. One of a few seconds took over sixty on a machine that was a fifth as fast. */
const limit = 240_000;

export default defineConfig({
  test: {
    // One more than cores: a test that waits for its second to pass leaves its core to another.
    maxWorkers: availableParallelism() + 1,
    // Short-lived objects are looked through less often; a tenth of the time.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: TestOrder },
    // What vite made of a file is kept by the file's hash, so that the next run begins at once.
    experimental: { fsModuleCache: true },
    projects: [
      {
        // Nothing but code: no database, no browser. A process for each file was two thirds of its time.
        test: {
          name: 'plain',
          env,
          expect: patient,
          isolate: false,
          setupFiles: 'tools/fix-seed.ts',
          testTimeout: limit,
          include: [
            'contract/**/*.test.ts',
            'ui/**/*.test.{ts,tsx}',
            'web/**/*.test.{ts,tsx}',
            'caddy/**/*.test.{ts,tsx}',
            'snippet/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', 'web/test/**'],
        },
      },
      {
        // Screens in a DOM without a browser.
        resolve: {
          alias: {
            '@tabler/icons-react': join(
              import.meta.dirname,
              'node_modules/@tabler/icons-react/dist/cjs/tabler-icons-react.cjs',
            ),
          },
        },
        test: {
          name: 'dom',
          env: { ...env, DEBUG_PRINT_LIMIT: '0' },
          environment: 'happy-dom',
          isolate: false,
          setupFiles: 'web/test/setup.ts',
          testTimeout: limit,
          include: ['web/test/**/*.test.tsx'],
        },
      },
      {
        // Against a real PostgreSQL: one server for the run, one database for each file. Modules are loaded once a worker, not once
        // a file (that was half of the run's time): nothing may lie in them that a test changes for others.
        test: {
          name: 'server',
          env,
          expect: patient,
          isolate: false,
          setupFiles: ['tools/fix-seed.ts', 'server/test/support/stop-workers.ts'],
          include: ['server/**/*.test.ts', 'e2e/**/*.test.ts'],
          globalSetup: 'server/test/support/global-setup.ts',
          testTimeout: limit,
          hookTimeout: limit,
        },
      },
      {
        // The whole product in a real Chromium, two journeys at a time, each in a company of its own; a worker keeps its browser.
        test: {
          name: 'journeys',
          env,
          expect: { poll: { timeout: 120_000 } },
          isolate: false,
          include: ['e2e/**/*.journey.ts'],
          globalSetup: 'e2e/global.ts',
          // Each of them is a browser and more; they begin when the tests have ended.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 600_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
