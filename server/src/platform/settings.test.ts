import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSettings, WrongSettings } from './settings.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-settings-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readSettings({ DATA_DIR: dataDir, ...env });
  } catch (error) {
    if (error instanceof WrongSettings) return error.problems;
    throw error;
  }
  return [];
};

describe('settings', () => {
  it('start with nothing set', () => {
    const settings = readSettings({ DATA_DIR: dataDir });
    expect(settings).toMatchObject({ port: 3000, host: '127.0.0.1', publicUrl: 'http://127.0.0.1:3000', demo: true, carrier: 'sandbox', roles: ['web', 'worker', 'media'], s3: null });
    expect(settings.appSecret).toHaveLength(32);
  });

  it('treat an empty variable as not set', () => {
    expect(readSettings({ DATA_DIR: dataDir, PORT: '', DEMO: ' ', DATABASE_URL: '' })).toMatchObject({ port: 3000, demo: true, databaseUrl: null });
  });

  it('keep their secrets from one start to the next, readable by the owner only', () => {
    const first = readSettings({ DATA_DIR: dataDir });
    const second = readSettings({ DATA_DIR: dataDir });
    expect(second.appSecret.equals(first.appSecret)).toBe(true);
    expect(second.mediaSecret).toBe(first.mediaSecret);
    expect(statSync(join(dataDir, 'secrets/app-secret')).mode & 0o777).toBe(0o600);
  });

  it('name every wrong variable and its cure in one go', () => {
    expect(problemsOf({ PORT: 'abc', ROLES: 'cook', LOG_LEVEL: 'loud' })).toEqual([
      'PORT=abc must be a number. Try PORT=3000',
      'ROLES=cook may name only web, worker, media. Try ROLES=web,worker,media',
      expect.stringMatching(/^LOG_LEVEL=loud must be trace/),
    ]);
  });

  it('never repeat a password on the screen', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db/x' }).join()).not.toContain('hunter2');
  });

  it('in production switch the demo off and ask for a secret that outlives the machine', () => {
    expect(problemsOf({ NODE_ENV: 'production' }).join()).toContain('APP_SECRET is missing');
    expect(readSettings({ DATA_DIR: dataDir, NODE_ENV: 'production', APP_SECRET: 'ab'.repeat(32) }).demo).toBe(false);
  });
});
