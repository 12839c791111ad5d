import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The same for every test: fixed secrets, a place for files that is not ours, and quiet logs. */
const env = {
  NODE_ENV: 'test',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  DATA_DIR: join(tmpdir(), 'trunkline-test-data'),
  APP_SECRET: '5ec7'.repeat(16),
  MEDIA_SECRET: 'media-secret-of-the-tests',
  TZ: 'UTC',
};

export default defineConfig({
  test: {
    // By itself vitest leaves one core free, which on two is half of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        // Nothing but code: no database, no browser.
        test: { name: 'plain', env, include: ['contract/**/*.test.ts', 'ui/**/*.test.{ts,tsx}', 'web/**/*.test.{ts,tsx}', 'caddy/**/*.test.{ts,tsx}', 'tools/**/*.test.ts'] },
      },
      {
        // Against a real PostgreSQL: one server for the run, one database for each file.
        test: { name: 'server', env, include: ['server/**/*.test.ts'], globalSetup: 'server/test/global.ts', testTimeout: 15_000, hookTimeout: 30_000 },
      },
      {
        // The whole product in a real Chromium, one journey after the other: two cores carry one at a time.
        test: { name: 'journeys', env, include: ['e2e/**/*.journey.ts'], globalSetup: 'e2e/global.ts', testTimeout: 90_000, hookTimeout: 120_000, fileParallelism: false },
      },
    ],
  },
});
