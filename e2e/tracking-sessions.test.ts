import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../server/test/support/test-database.ts';
import { runSessions } from './tracking/run-sessions.ts';

/** A small version of `e2e/faults/tracking-sessions.ts`. */
const seed = Number(process.env['TRACKING_SEED'] ?? 7);

test('hundreds of visits over three processes that are killed: no number is two visitors’, none is lost', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-tracking-'));
  try {
    const { sessions, answers, exhausted, shared, cut, refused, kills, ...wrong } =
      await runSessions({
        ...{ sessions: 240, seed, killEvery: 120, databaseUrl: await createTestDatabase() },
        env: {
          ...{ APP_SECRET: '5ec7'.repeat(16), DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'warn' },
          ...{ RATE_USER_PER_MINUTE: '1000000', STATEMENT_SECONDS: '60', MEDIA_PORT: '9' },
        },
      });
    expect(sessions).toBeGreaterThan(240);
    expect({ exhausted: exhausted > 0, shared: shared > 0, killed: kills > 0 }).toEqual({
      ...{ exhausted: true, shared: true, killed: true },
    });
    expect(Object.entries(wrong).filter(([, n]) => n > 0)).toEqual([]);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 240_000);
