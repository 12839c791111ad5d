import { describe, expect, test } from 'vitest';
import { exposureWarnings } from '../src/start/exposure-warnings.ts';
import { provisionNumber } from '../src/modules/numbers/index.ts';
import { systemCtx } from '../src/platform/context.ts';
import { createTestApp } from './support/test-app.ts';

const twilio = {
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'not a real token',
  TWILIO_API_URL: 'http://127.0.0.1:9',
};
const productionEnv = {
  NODE_ENV: 'production',
  APP_SECRET: 'ab'.repeat(32),
  PUBLIC_URL: 'https://phones.example.com',
};
const token = 'a token for the metrics';

describe('production without the sandbox', () => {
  test('the simulated carrier, the test phone and the metrics are closed', async () => {
    const app = await createTestApp({ env: { ...productionEnv, ...twilio, CARRIER: 'twilio' } });
    const outsider = app.as(null);
    const asked = [
      ['POST', '/sandbox/texts'],
      ['GET', '/sandbox/texts?phone=+12125550100'],
      ['PUT', '/sandbox/faults'],
      ['GET', '/sandbox/numbers'],
      ['POST', '/sandbox/handset/token'],
      ['POST', '/sandbox/calls'],
      ['POST', '/sandbox/faxes'],
      ['GET', '/sandbox/registrations'],
      ['GET', '/sandbox/ports/rules'],
      ['GET', '/handset'],
      ['GET', '/metrics'],
      ['GET', '/dev/outbox'],
      ['GET', '/dev/pushes'],
    ] as const;
    for (const [method, url] of asked)
      expect.soft((await outsider.inject({ method, url })).status, `${method} ${url}`).toBe(404);
    expect((await outsider.inject({ method: 'GET', url: '/livez' })).status).toBe(200);
    // No fax is reported as sent either: no fax carrier is configured.
    const { company, owner } = await app.createCompany();
    const numberId = await systemCtx(app.services, company.id, app.notifier, 'test').transaction(
      (t) => provisionNumber(t, { number: '+12125550183', category: 3 }),
    );
    const parts = Object.entries({ company_id: company.id, numberId, to: '+12015550123' }).map(
      ([name, value]) =>
        `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const payload = `${parts.join('')}--b\r\ncontent-disposition: form-data; name="files[]"; filename="a.pdf"\r\n\r\n%PDF-1.4\r\n--b--\r\n`;
    const fax = await app.as(owner).inject({
      method: 'POST',
      url: '/api/fax',
      payload,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    expect(fax).toMatchObject({ status: 409, body: { code: 'fax.not_set_up' } });
    expect(
      (await outsider.inject({ method: 'POST', url: '/carriers/sandbox/fax', payload: '{}' }))
        .status,
    ).toBe(404);
  });
});

describe('production with carriers beside each other', () => {
  test('the sandbox shows its own numbers only, and the metrics open with their token', async () => {
    const app = await createTestApp({
      env: {
        ...productionEnv,
        ...twilio,
        CARRIER: 'twilio,sandbox',
        FAX_CARRIER: 'sandbox',
        MEDIA_PORT: '9',
        METRICS_TOKEN: token,
      },
    });
    const { company } = await app.createCompany();
    for (const [number, provider] of [
      ['+12125550181', 3],
      ['+12125550182', 1],
    ] as const)
      await systemCtx(app.services, company.id, app.notifier, 'test').transaction(async (t) => {
        const id = await provisionNumber(t, { number });
        await t.tx
          .updateTable('number')
          .set({ provider_id: provider })
          .where('company_id', '=', company.id)
          .where('id', '=', id)
          .execute();
      });
    const { body } = await app.as(null).inject({ method: 'GET', url: '/sandbox/numbers' });
    expect(body.data.map((row: { number: string }) => row.number)).toEqual(['+12125550182']);

    // Twilio's webhooks are signed, so no one can forge one.
    const form = (to: string) =>
      `--b\r\ncontent-disposition: form-data; name="from"\r\n\r\n+12015550123\r\n--b\r\ncontent-disposition: form-data; name="to"\r\n\r\n${to}\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\r\n--b--\r\n`;
    const reach = async (to: string) => {
      const post = (url: string, payload: string | object, headers = {}) =>
        app.as(null).inject({ method: 'POST', url, payload, headers });
      return [
        await post('/sandbox/texts', { from: '+12015550123', to, text: 'Hello' }),
        await post('/sandbox/faxes', form(to), {
          'content-type': 'multipart/form-data; boundary=b',
        }),
        await post('/sandbox/calls', { from: '+12015550123', to }),
        await post('/media/session/dial', { to, sdp: '' }),
      ];
    };
    for (const { status, body } of await reach('(212) 555-0181'))
      expect({ status, message: body.message }).toEqual({
        status: 422,
        message: 'This number is at Twilio. Only the sandbox’s own numbers can be reached here.',
      });
    const counted = async () =>
      (
        await app.services.db.pool.query<{ n: number }>(
          'select (select count(*) from sandbox.text)::int + (select count(*) from sandbox.fax)::int n',
        )
      ).rows[0]!.n;
    expect(await counted()).toBe(0);
    // The exchange doesn't run here: the last two are forwarded to it.
    expect((await reach('+12125550182')).map(({ status }) => status)).toEqual([201, 201, 503, 503]);
    expect(await counted()).toBe(2);

    const metrics = (authorization?: string) =>
      app.as(null).inject({
        method: 'GET',
        url: '/metrics',
        headers: authorization ? { authorization } : {},
      });
    expect((await metrics()).status).toBe(401);
    expect((await metrics('Bearer another token, as long')).status).toBe(401);
    expect(await metrics(`Bearer ${token}`)).toMatchObject({
      status: 200,
      body: expect.stringContaining('process_cpu'),
    });
  });
});

test('in development the metrics are open to this machine only', async () => {
  const app = await createTestApp();
  const metrics = await app.as(null).inject({ method: 'GET', url: '/metrics' });
  expect(metrics.status).toBe(200);
  const text = String(metrics.body);
  // The installation's own, besides those of the process.
  for (const figure of ['jobs_late_seconds', 'events_waiting', 'emails_waiting', 'disk_free_bytes'])
    expect(text).toMatch(new RegExp(`^${figure} \\d`, 'm'));
  expect(text).toMatch(/^backup_last_good_timestamp_seconds 0$/m);
  expect(
    (await app.as(null).inject({ method: 'GET', url: '/metrics', remoteAddress: '192.0.2.7' }))
      .status,
  ).toBe(404);
});

test('the log at startup names what is open', () => {
  const facts = {
    production: true,
    host: '0.0.0.0',
    carriers: ['twilio' as const],
    demo: false,
    metricsToken: null,
  };
  expect(exposureWarnings(facts)).toEqual([
    'Closed: /sandbox and /handset',
    'Closed: /metrics. METRICS_TOKEN opens it',
  ]);
  expect(
    exposureWarnings({ ...facts, carriers: ['sandbox'], demo: true, metricsToken: token }),
  ).toEqual([
    'Open to anyone: /sandbox and /handset, because CARRIER names sandbox',
    'Open with METRICS_TOKEN: /metrics',
    'Open to anyone: sign-in as the demo’s people, because DEMO=1',
  ]);
  expect(exposureWarnings({ ...facts, production: false, host: '127.0.0.1' })).toEqual([]);
  expect(exposureWarnings({ ...facts, production: false })).toEqual([
    expect.stringMatching(
      /^Open to anyone who reaches 0\.0\.0\.0: .*NODE_ENV=production closes them$/,
    ),
  ]);
});
