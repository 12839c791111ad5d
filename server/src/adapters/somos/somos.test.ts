import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { openDb } from '../../platform/db.ts';
import { createLogger } from '../../platform/log.ts';
import { readSettings } from '../../settings.ts';
import { InvalidSettingsError } from '../../platform/settings.ts';
import type { Carrier } from '../../gateways/carrier.ts';
import { connectCarriers } from '../carriers.ts';
import { somosCarrier } from './carrier.ts';

/** A small registry: spare numbers, sessions that end, reservations. */
const spare = new Set(['8005553368', '8335554663', '8335550001', '8885550002']);
const held = new Map<string, string>();
let [sessions, endNow, reserved] = [0, false, 0];
const registry = createServer((request, reply) => {
  const parts: Buffer[] = [];
  request
    .on('data', (p: Buffer) => parts.push(p))
    .on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString() || '{}') as Record<string, unknown>;
      const say = (status: number, of: object) =>
        void reply
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(of));
      const path = request.url!;
      if (path === '/v3/ip/sec/session/open') {
        sessions++;
        endNow = false;
        return body['password'] === 'hush'
          ? say(200, { oauthToken: `token-${sessions}`, expiresIn: 1800 })
          : say(401, {});
      }
      if (
        endNow ||
        request.headers.authorization !== `Bearer token-${sessions}` ||
        request.headers['roid'] !== 'TRK01'
      )
        return say(401, {});
      if (path === '/v2/ip/num/tfn/random')
        return say(200, { numList: [...spare].filter((n) => n.startsWith(String(body['npa']))) });
      if (path === '/v2/ip/num/tfn/wildcard') {
        const shape = new RegExp(`^${String(body['wildCardNum']).replaceAll('*', '\\d')}$`);
        return say(200, { numList: [...spare].filter((n) => shape.test(n)) });
      }
      if (path === '/v3/ip/num/tfn/reserve') {
        const [n] = body['numList'] as string[];
        if (!spare.delete(n!)) return say(400, { errList: [] });
        reserved++;
        held.set(n!, 'TRK01');
        return say(200, { numList: [n] });
      }
      if (path === '/v3/ip/num/tfn/update') {
        for (const n of body['tfNumList'] as string[]) {
          held.delete(n);
          spare.add(n);
        }
        return say(200, {});
      }
      const tfn = /query\/tfn\/(\d+)$/.exec(path)?.[1] ?? '';
      return say(200, {
        queryResult: [
          { num: tfn, status: held.has(tfn) ? 'RESERVE' : 'SPARE', respOrgId: held.get(tfn) ?? '' },
        ],
      });
    });
});
const dataDir = (await import('node:fs')).mkdtempSync('/tmp/trunkline-test-');
const databaseUrl = await createTestDatabase();
const db = openDb(databaseUrl, createLogger('silent', 'test'));
const env = {
  SOMOS_USERNAME: 'api',
  SOMOS_PASSWORD: 'hush',
  SOMOS_RESP_ORG: 'TRK01',
  SOMOS_CONTACT_NAME: 'Ann Rivers',
  SOMOS_CONTACT_PHONE: '2125550147',
  DATA_DIR: dataDir,
};
let somos: Carrier;
beforeAll(async () => {
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  somos = somosCarrier({
    settings: readSettings({
      ...env,
      CARRIER: 'sandbox,somos',
      SOMOS_URL: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
    }),
    db,
  });
});
afterAll(async () => {
  registry.closeAllConnections();
  registry.close();
  await db.close();
  (await import('node:fs')).rmSync(dataDir, { recursive: true });
});
const query = { country: 'US', category: 1, match: 'Contains', limit: 5 } as const;

test('it may not stand first, and says what is missing', () => {
  expect(() =>
    readSettings({ ...env, CARRIER: 'somos', SOMOS_URL: 'https://registry.test' }),
  ).toThrow(/another carrier before somos/);
  expect(() => readSettings({ CARRIER: 'sandbox,somos', DATA_DIR: dataDir })).toThrow(
    InvalidSettingsError,
  );
  expect(() => readSettings({ CARRIER: 'sandbox,somos', DATA_DIR: dataDir })).toThrow(
    /SOMOS_URL.*SOMOS_RESP_ORG/,
  );
});
test('it finds toll-free numbers only, by code and by word, and none twice', async () => {
  expect(
    (await somos.numbers!.search({ ...query, areaCode: '833' })).map((n) => [
      n.number,
      n.providerId,
    ]),
  ).toEqual([
    ['+18335554663', 2],
    ['+18335550001', 2],
  ]);
  expect(
    await somos.numbers!.search({ ...query, pattern: 'DENT', match: 'Ends with' }),
  ).toMatchObject([{ number: '+18005553368', vanityText: '800-555-DENT' }]);
  expect(
    await somos.numbers!.search({
      ...query,
      areaCode: '833',
      exclude: ['+18335554663', '+18335550001'],
    }),
  ).toEqual([]);
  expect(await somos.numbers!.search({ ...query, category: 2, areaCode: '415' })).toEqual([]);
});
test('a reservation is one by its key, another key finds it taken, and giving back twice is giving back once', async () => {
  const [number, mine, other] = ['+18885550002', randomUUID(), randomUUID()];
  const before = reserved;
  expect(await somos.numbers!.order(number, mine)).toMatchObject({
    state: 'ordered',
    providerRef: '8885550002',
  });
  endNow = true; // the registry ends sessions when it likes
  expect(await somos.numbers!.order(number, mine)).toMatchObject({ state: 'ordered' });
  expect(await somos.numbers!.order(number, other)).toEqual({ state: 'taken' });
  expect(reserved - before).toBe(1);
  await somos.numbers!.release(number);
  await somos.numbers!.release(number);
  expect(await somos.numbers!.order(number, other)).toMatchObject({ state: 'ordered' });
  expect(await somos.numbers!.order('+14155550123', mine)).toEqual({ state: 'taken' });
});
test('its numbers are kept by it and carried by the first carrier', () => {
  const first: Carrier = {
    name: 'twilio',
    label: 'Twilio',
    providerIds: [3],
    registration: { name: 'twilio' } as never,
  };
  const carriers = connectCarriers([first, somos]);
  expect([
    carriers.inventoryOwner(2).name,
    carriers.forProvider(2).name,
    carriers.registrationProvider(2).name,
    carriers.forProvider(3).name,
  ]).toEqual(['somos', 'twilio', 'twilio', 'twilio']);
});
