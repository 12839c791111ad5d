import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestApp } from '../../../test/support/test-app.ts';
import { createSetupLink } from './first-staff.ts';

const app = await createTestApp({
  env: {
    NODE_ENV: 'production',
    CARRIER: 'sandbox',
    APP_SECRET: randomBytes(32).toString('hex'),
    PUBLIC_URL: 'https://phones.test',
  },
});
const password = 'a long enough sentence';
const codeOf = (link: string | null) => link!.split('#code=')[1]!;
const setUp = (code: string, email = 'ola@operator.test') =>
  app.as(null).inject({
    method: 'POST',
    url: '/api/setup',
    payload: { code, email, password, first_name: 'Ola', last_name: 'Operator' },
  });

test('only the latest link from the log makes the first account of staff, once, and it enters admin mode with a second factor only', async () => {
  expect((await setUp('setup_nonsense')).body).toMatchObject({ code: 'setup.link_used' });
  const [older, newest] = [
    await createSetupLink(app.services),
    await createSetupLink(app.services),
  ];
  expect(newest).toMatch(/^https:\/\/phones\.test\/setup#code=setup_/);
  expect((await setUp(codeOf(older))).body).toMatchObject({ code: 'setup.link_used' });
  const weak = await app.as(null).inject({
    method: 'POST',
    url: '/api/setup',
    payload: { code: codeOf(newest), email: 'o@o.test', password: 'short', first_name: 'O' },
  });
  expect(weak.status).toBe(422);
  const both = await Promise.all([
    setUp(codeOf(newest)),
    setUp(codeOf(newest), 'eve@stranger.test'),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const { token, data } = both.find(({ status }) => status === 201)!.body;
  expect(await createSetupLink(app.services)).toBeNull();
  expect((await setUp(codeOf(newest), 'late@stranger.test')).body).toMatchObject({
    code: 'setup.link_used',
  });
  const headers = { authorization: `Bearer ${token.access_token}` };
  const me = await app.as(null).inject({ method: 'GET', url: '/api/user', headers });
  expect(me.body.data).toMatchObject({ id: data.id, is_staff: true, is_admin: false });
  const tested = await app.as(null).inject({
    method: 'POST',
    url: '/api/admin/setup/checks/disk',
    payload: {},
    headers,
  });
  expect(tested.status).toBe(403);
  const entered = await app.as(null).inject({
    method: 'POST',
    url: '/api/admin/mode',
    payload: { reason: 'Setting up', minutes: 30 },
    headers,
  });
  expect(entered.body).toMatchObject({ code: 'admin.staff_only' });
});

test('an expired link makes no account', async () => {
  // Whoever could help them left, and their account was disabled.
  await app.services.db.pool.query('update person set disabled_at = now() where is_staff');
  const link = await createSetupLink(app.services);
  app.clock.advance(24 * 3600 + 1);
  expect((await setUp(codeOf(link), 'slow@operator.test')).body).toMatchObject({
    code: 'setup.link_used',
  });
});
