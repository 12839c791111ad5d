import { createServer } from 'node:http';
import { withAdapterSettings } from '../../test/support/adapter-settings.ts';
import { bandwidthSettings } from './bandwidth/settings.ts';
import { twilioSettings } from './twilio/settings.ts';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createLogger } from '../platform/log.ts';
import { readSettings } from '../settings.ts';
import type { Settings } from '../platform/settings.ts';
import { checkAccountsBySettings } from './check-accounts.ts';

/** What both vendors answer now: status and body. */
let answer: { status: number; body: string; type?: string } = { status: 200, body: '{}' };
const vendor = createServer((_, reply) =>
  reply
    .writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' })
    .end(answer.body),
);
await new Promise<void>((resolve) => {
  vendor.listen(0, '127.0.0.1', resolve);
});
afterAll(() => void vendor.close());
const apiUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;

const base = { DATABASE_URL: 'postgres://u:p@127.0.0.1/x', LOG_LEVEL: 'silent' };
const sid = `AC${'0'.repeat(32)}`;
function settingsOf(carrier: 'twilio' | 'bandwidth'): Settings {
  const settings = readSettings(
    carrier === 'twilio'
      ? { ...base, CARRIER: 'twilio', TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: 'a'.repeat(32) }
      : {
          ...base,
          CARRIER: 'bandwidth',
          BANDWIDTH_ACCOUNT_ID: '9900000',
          BANDWIDTH_USERNAME: 'api',
          BANDWIDTH_PASSWORD: 'secret-secret',
          BANDWIDTH_MESSAGING_APPLICATION_ID: '11111111-2222-3333-4444-555555555555',
          BANDWIDTH_SITE_ID: '1',
          BANDWIDTH_PEER_ID: '2',
          BANDWIDTH_WEBHOOK_USERNAME: 'hook',
          BANDWIDTH_WEBHOOK_PASSWORD: 'hook-hook-hook',
        },
  );
  const declared = carrier === 'twilio' ? twilioSettings : bandwidthSettings;
  return withAdapterSettings(settings, carrier, { ...declared.of(settings), apiUrl });
}
const check = async (carrier: 'twilio' | 'bandwidth', says: typeof answer) => {
  answer = says;
  return (await checkAccountsBySettings(settingsOf(carrier), createLogger('silent', 'test'))).map(
    ({ state, sentence }) => [state, sentence],
  );
};
const account = (more: object) =>
  JSON.stringify({ sid, status: 'active', type: 'Full', friendly_name: 'x', ...more });

test('Twilio: refused credentials, a suspended and a trial account are distinguished, and a good one logs nothing', async () => {
  expect(
    await check('twilio', {
      status: 401,
      body: JSON.stringify({ code: 20003, message: 'Authenticate', status: 401 }),
    }),
  ).toEqual([
    [
      'refused',
      'Twilio rejected our credentials. An operator must correct them in the server’s settings.',
    ],
  ]);
  expect(await check('twilio', { status: 200, body: account({ status: 'suspended' }) })).toEqual([
    ['refused', 'Our Twilio account is suspended. An operator must resolve this with Twilio.'],
  ]);
  expect(await check('twilio', { status: 200, body: account({ type: 'Trial' }) })).toEqual([
    ['warning', expect.stringContaining('is a trial account')],
  ]);
  expect(await check('twilio', { status: 200, body: account({}) })).toEqual([['ok', null]]);
});
test('Bandwidth: refused credentials, a missing permission, an unknown account', async () => {
  const xml = { type: 'application/xml' };
  expect(await check('bandwidth', { status: 401, body: '', ...xml })).toEqual([
    [
      'refused',
      'Bandwidth rejected our credentials. An operator must correct them in the server’s settings.',
    ],
  ]);
  expect(await check('bandwidth', { status: 403, body: '', ...xml })).toEqual([
    [
      'refused',
      'Bandwidth doesn’t allow our account to do this. An operator must enable it at Bandwidth.',
    ],
  ]);
  expect(await check('bandwidth', { status: 404, body: '', ...xml })).toEqual([
    ['refused', 'Bandwidth rejected this: it knows no account 9900000 for this user.'],
  ]);
  expect(
    await check('bandwidth', {
      status: 200,
      body: '<AccountResponse><Account><AccountId>990</AccountId></Account></AccountResponse>',
      ...xml,
    }),
  ).toEqual([['ok', null]]);
});
test('a vendor that is away is no refusal', async () => {
  expect(await check('twilio', { status: 503, body: '' })).toEqual([
    ['unreachable', expect.stringMatching(/^Twilio did not respond/)],
  ]);
  expect(await check('bandwidth', { status: 500, body: '', type: 'application/xml' })).toEqual([
    ['unreachable', expect.stringMatching(/^Bandwidth did not respond/)],
  ]);
});
