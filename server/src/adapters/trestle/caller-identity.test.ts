import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { trestleIdentity } from './caller-identity.ts';

let asked: { url: string; key: string | undefined }[] = [];
let next: { status: number; body: unknown } = { status: 200, body: {} };
const server = createServer((request, response) => {
  asked.push({ url: request.url!, key: request.headers['x-api-key'] as string | undefined });
  response
    .writeHead(next.status, { 'content-type': 'application/json' })
    .end(JSON.stringify(next.body));
}).listen(0);
afterAll(() => {
  server.close();
});
const port = trestleIdentity({
  apiKey: 'k1',
  url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
});
const ask = () =>
  port.lookUp({ number: '+12065550100', nameHint: 'Dana', zipHint: '98101', testMode: false });

test('the answer of the public reference is understood whole; hints and the key are sent', async () => {
  asked = [];
  next = {
    status: 200,
    body: {
      id: 'Phone.1',
      phone_number: '2065550100',
      is_valid: true,
      line_type: 'NonFixedVOIP',
      carrier: 'Trestle Telco',
      is_prepaid: false,
      is_commercial: true,
      warnings: [],
      error: null,
      owners: [
        {
          id: 'Business.1',
          name: 'Sound Dental',
          type: 'Business',
          industry: ['Health'],
          age_range: null,
          gender: null,
          emails: 'desk@example.test',
          current_addresses: [
            {
              street_line_1: '100 Pine St',
              street_line_2: 'Ste 1',
              city: 'Seattle',
              postal_code: '98101',
              state_code: 'WA',
            },
          ],
          alternate_phones: [{ phone_number: '2065550101', line_type: 'Mobile' }],
        },
      ],
    },
  };
  expect(await ask()).toEqual({
    state: 'found',
    billable: true,
    identity: {
      name: 'Sound Dental',
      type: 'business',
      line_type: 'voip',
      carrier: 'Trestle Telco',
      is_prepaid: false,
      is_commercial: true,
      age_range: null,
      gender: null,
      emails: ['desk@example.test'],
      addresses: [{ street: '100 Pine St, Ste 1', city: 'Seattle', state: 'WA', zip: '98101' }],
      alternate_phones: ['+12065550101'],
      business: { name: 'Sound Dental', industry: 'Health' },
      source: 'trestle',
    },
  });
  expect(asked).toEqual([
    {
      url: '/3.2/phone?phone=%2B12065550100&phone.name_hint=Dana&phone.postal_code_hint=98101',
      key: 'k1',
    },
  ]);
});

test('an unknown caller, a refused key and an unreachable provider are three different answers', async () => {
  next = { status: 200, body: { is_valid: false, line_type: null, carrier: null, owners: [] } };
  expect(await ask()).toEqual({ state: 'notFound', source: 'trestle', billable: true });
  next = { status: 403, body: {} };
  expect(await ask()).toEqual({ state: 'notConfigured' });
  next = { status: 503, body: {} };
  await expect(ask()).rejects.toThrow('503');
});
