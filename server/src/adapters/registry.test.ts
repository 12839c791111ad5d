import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InvalidSettingsError } from '../platform/settings.ts';
import { readSettings } from '../settings.ts';
import { installedBrowser } from './browser/find-browser.ts';
import { adapters, adaptersFor } from './registry.ts';

const base = {
  DATABASE_URL: 'postgres://u:p@127.0.0.1/x',
  DATA_DIR: process.env['TMPDIR'] ?? '/tmp',
};
const namesFor = (gateway: Parameters<typeof adaptersFor>[0], env: Record<string, string> = {}) =>
  adaptersFor(gateway, readSettings({ ...base, ...env })).map(({ name }) => name);
const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readSettings({ ...base, ...env });
  } catch (error) {
    if (error instanceof InvalidSettingsError) return error.problems;
    throw error;
  }
  return [];
};

describe('the registry of adapters', () => {
  it('lists every folder that declares an adapter, each under a name of its own', () => {
    const folders = readdirSync(import.meta.dirname).filter((folder) =>
      existsSync(join(import.meta.dirname, folder, 'adapter.ts')),
    );
    expect(adapters).toHaveLength(folders.length);
    expect(new Set(adapters.map(({ name }) => name)).size).toBe(adapters.length);
  });

  it('has no variable that two adapters declare', () => {
    const declared = adapters.flatMap(({ settings }) => Object.keys(settings?.variables ?? {}));
    expect(declared.filter((name, at) => declared.indexOf(name) !== at)).toEqual([]);
  });

  it('uses stand-ins only where the third party is not set up', () => {
    expect(namesFor('mail')).toEqual(['outbox']);
    expect(namesFor('mail', { SMTP_URL: 'smtp://mail.example.com' })).toEqual(['smtp', 'outbox']);
    expect(namesFor('callerIdentity', { TRESTLE_API_KEY: 'k' })).toEqual(['trestle', 'sandbox']);
    expect(namesFor('push')).toEqual(['sandbox']);
    expect(namesFor('push', { PUSH: 'real' })).toEqual([]);
    expect(namesFor('blobs')).toEqual([]);
    expect(namesFor('blobs', { S3_BUCKET: 'files' })).toEqual(['s3']);
  });

  it('opens pages in the browser that is named or installed, and in none where that is wanted', () => {
    expect(namesFor('browser', { CHROMIUM_PATH: '/opt/chromium' })).toEqual(['browser']);
    for (const CHROMIUM_PATH of ['off', 'npm'])
      expect(namesFor('browser', { CHROMIUM_PATH })).toEqual([]);
    expect(namesFor('browser')).toEqual(installedBrowser() ? ['browser'] : []);
  });

  it('lists an OAuth provider once its client ID and secret are set', () => {
    expect(namesFor('oauth'), 'simulated in the demo').toEqual(['oauth-sandbox']);
    expect(namesFor('oauth', { DEMO: '0' })).toEqual([]);
    const app = { HUBSPOT_CLIENT_ID: 'client', HUBSPOT_CLIENT_SECRET: 'secret' };
    expect(namesFor('oauth', app)).toEqual(['hubspot', 'oauth-sandbox']);
    expect(problemsOf({ HUBSPOT_CLIENT_ID: 'client' })).toEqual([
      'HUBSPOT_CLIENT_ID and HUBSPOT_CLIENT_SECRET belong together. Set both, or neither',
    ]);
  });

  it('never shows a secret in a problem', () => {
    expect(problemsOf({ SMTP_URL: 'imap://me:hunter2@mail.example.com' })).toEqual([
      expect.stringMatching(/^SMTP_URL must be an address/),
    ]);
  });
});
