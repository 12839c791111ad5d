import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { InvalidSettingsError } from './platform/settings.ts';
import { readSettings } from './settings.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-settings-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const production = { DATA_DIR: dataDir, NODE_ENV: 'production', APP_SECRET: 'ab'.repeat(32) };

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readSettings({ DATA_DIR: dataDir, ...env });
  } catch (error) {
    if (error instanceof InvalidSettingsError) return error.problems;
    throw error;
  }
  return [];
};

describe('settings', () => {
  it('start with nothing set', () => {
    const settings = readSettings({ DATA_DIR: dataDir });
    expect(settings).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:3000',
      demo: true,
      carrier: 'sandbox',
      roles: ['web', 'worker', 'media'],
      sharesFiles: false,
    });
    expect(settings.appSecret).toHaveLength(32);
  });

  it('believe no proxy that is not named, and know what a network is', () => {
    expect(readSettings({ DATA_DIR: dataDir }).trustProxy).toEqual([]);
    expect(
      readSettings({
        DATA_DIR: dataDir,
        TRUST_PROXY: 'loopback, 10.0.0.0/8,2001:db8::/32, 192.0.2.7',
      }).trustProxy,
    ).toEqual(['loopback', '10.0.0.0/8', '2001:db8::/32', '192.0.2.7']);
    for (const wrong of ['true', '*', '10.0.0.0/33', '10.0.0.0/0', '::1/129', 'proxy.example.com'])
      expect(problemsOf({ TRUST_PROXY: wrong })).toEqual([
        `TRUST_PROXY=${wrong} must hold addresses or networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal. Try TRUST_PROXY=loopback`,
      ]);
  });

  it('treat an empty variable as not set', () => {
    expect(
      readSettings({ DATA_DIR: dataDir, PORT: '', DEMO: ' ', DATABASE_URL: '' }),
    ).toMatchObject({ port: 3000, demo: true, databaseUrl: null });
  });

  it('keep their secrets from one start to the next, readable by the owner only', () => {
    const first = readSettings({ DATA_DIR: dataDir });
    const second = readSettings({ DATA_DIR: dataDir });
    expect(second.appSecret.equals(first.appSecret)).toBe(true);
    expect(second.mediaSecret).toBe(first.mediaSecret);
    expect(statSync(join(dataDir, 'secrets/app-secret')).mode & 0o777).toBe(0o600);
  });

  it('say where carriers reach our exchange, and that it must listen then', () => {
    expect(
      readSettings({
        DATA_DIR: dataDir,
        SIP_PORT: '5060',
        SIP_PUBLIC: 'phones.example.com:5070',
        RTP_PORTS: '40000-40199',
      }),
    ).toMatchObject({
      sipPublic: { host: 'phones.example.com', port: 5070 },
      exchange: true,
      rtpPorts: [40_000, 40_199],
    });
    expect(problemsOf({ SIP_PUBLIC: '203.0.113.7:5060' })).toEqual([
      'SIP_PUBLIC says where SIP_PORT is reached, so SIP_PORT must be set. Try SIP_PORT=5060',
    ]);
    expect(problemsOf({ SIP_TLS_CERT: '/etc/ssl/phones.pem' })).toEqual([
      'SIP_TLS_CERT and SIP_TLS_KEY belong together',
    ]);
    expect(
      readSettings({ DATA_DIR: dataDir, SIP_TLS_CERT: '/a.pem', SIP_TLS_KEY: '/a.key' }).sipTls,
    ).toEqual({ cert: '/a.pem', key: '/a.key' });
    expect(problemsOf({ SIP_PORT: '5060', SIP_PUBLIC: 'sip:phones.example.com' })).toEqual([
      'SIP_PUBLIC=sip:phones.example.com must be a host and a port. Try SIP_PUBLIC=phones.example.com:5060',
    ]);
    expect(problemsOf({ RTP_PORTS: '40199-40000' })).toEqual([
      'RTP_PORTS=40199-40000 must be ten ports or more between 1024 and 65535. Try RTP_PORTS=40000-40199',
    ]);
    // Twilio alone needs no exchange; browsers at it do.
    const twilio = {
      DATA_DIR: dataDir,
      CARRIER: 'twilio',
      TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'x',
    };
    expect([
      readSettings(twilio).exchange,
      readSettings({ ...twilio, SIP_PORT: '5060', SIP_PUBLIC: '203.0.113.7:5060' }).exchange,
    ]).toEqual([false, true]);
  });

  it('name every wrong variable and its cure in one go', () => {
    expect(problemsOf({ PORT: 'abc', ROLES: 'cook', LOG_LEVEL: 'loud' })).toEqual([
      'PORT=abc must be a number. Try PORT=3000',
      'ROLES=cook may name only web, worker, media. Try ROLES=web,worker,media',
      expect.stringMatching(/^LOG_LEVEL=loud must be trace/),
    ]);
  });

  it('never repeat a password on the screen', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db/x' }).join()).not.toContain(
      'hunter2',
    );
  });

  it('in production switch the demo off and ask for a secret that outlives the machine', () => {
    expect(problemsOf({ NODE_ENV: 'production' }).join()).toContain('APP_SECRET is missing');
    expect(readSettings({ ...production, CARRIER: 'sandbox' }).demo).toBe(false);
  });

  it('in production ask which carrier rings and texts, and open the demo beside no real one', () => {
    expect(problemsOf(production)).toEqual([
      expect.stringMatching(
        /^CARRIER is missing.*CARRIER=twilio or CARRIER=bandwidth; CARRIER=sandbox/,
      ),
    ]);
    expect(readSettings({ DATA_DIR: dataDir }).carriers).toEqual(['sandbox']);
    const twilio = {
      ...production,
      CARRIER: 'twilio,sandbox',
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'secret',
    };
    expect(readSettings(twilio).demo).toBe(false);
    expect(problemsOf({ ...twilio, DEMO: '1' })).toEqual([
      expect.stringMatching(/^DEMO=1 lets anyone sign in/),
    ]);
    expect(readSettings({ ...production, CARRIER: 'sandbox', DEMO: '1' }).demo).toBe(true);
  });
});

describe('the fax carrier', () => {
  const twilio = {
    CARRIER: 'twilio',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'secret',
  };
  it('is simulated in production only where the sandbox is named', () => {
    const of = (env: Record<string, string>) =>
      readSettings({ DATA_DIR: dataDir, ...env }).faxCarrier;
    expect([of({}), of(twilio)]).toEqual(['sandbox', 'sandbox']);
    expect(of({ ...production, ...twilio })).toBe('none');
    expect(of({ ...production, ...twilio, CARRIER: 'twilio,sandbox' })).toBe('none');
    expect(of({ ...production, ...twilio, FAX_CARRIER: 'sandbox' })).toBe('sandbox');
    expect(of({ ...production, CARRIER: 'sandbox' })).toBe('sandbox');
    expect(of({ FAX_CARRIER: 'none' })).toBe('none');
    expect(problemsOf({ FAX_CARRIER: 'pigeon' })).toEqual([
      'FAX_CARRIER=pigeon must be sandbox, telnyx or none. Try FAX_CARRIER=telnyx',
    ]);
  });
});

describe('carriers', () => {
  const account = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'secret' };
  it('are a list, the usual one first', () => {
    expect(
      readSettings({ DATA_DIR: dataDir, CARRIER: 'twilio, sandbox', ...account }),
    ).toMatchObject({
      carrier: 'twilio',
      carriers: ['twilio', 'sandbox'],
      adapters: {
        twilio: { accountSid: account.TWILIO_ACCOUNT_SID, deleteRecordings: true },
      },
    });
  });
  it('refuse a name nobody knows, a carrier without its account, and half a key', () => {
    expect(problemsOf({ CARRIER: 'carrier-pigeon' })[0]).toMatch(
      /^CARRIER=carrier-pigeon may name only/,
    );
    expect(problemsOf({ CARRIER: 'twilio' })[0]).toMatch(
      /TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN must be set/,
    );
    expect(problemsOf({ TWILIO_API_SECRET: 'x' })[0]).toMatch(/belong together/);
  });
});
