import { expect, test } from 'vitest';
import { caddy, calls, type BodyIn } from '#contract';
import { caddyHelpers } from '../../../test/support/caddy.ts';
import { inboxHelpers, uniquePhone } from '../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { routesOf } from '../routing/index.ts';

const app = await createTestApp();
const { codeFor, withNumber } = caddyHelpers(app);
const { inCompany } = inboxHelpers(app);

const update = (person: TestPerson, body: BodyIn<typeof caddy.updateCaddyProfile>) =>
  app.as(person).request(caddy.updateCaddyProfile, { body });
/** How calls to the number are routed now. */
const routeOf = async (person: TestPerson, numberId: number) => {
  const [route] = await inCompany(person.companyId).readOnly((t) =>
    routesOf(t.tx, person.companyId, numberId),
  );
  return route;
};

test('calls ring the person, then go to voicemail; their own phone rings too once they say so', async () => {
  const { person, mine } = await withNumber();
  expect(await routeOf(person, mine.id)).toMatchObject({
    type: 'simultaneous',
    voicemail_enabled: true,
    forwards: [{ number: null, user_id: expect.any(Number) }],
    confirm_key: false,
  });
  // Nothing rings a phone that isn't proved to be theirs.
  const phone = uniquePhone();
  expect((await update(person, { forwardTo: phone })).status).toBe(202);
  expect((await update(person, { forwardTo: phone, code: '000000' })).status).toBe(422);
  expect((await routeOf(person, mine.id))?.forwards).toHaveLength(1);
  const code = (await codeFor(phone)) ?? '';
  expect((await update(person, { forwardTo: uniquePhone(), code })).status).toBe(422);
  expect((await update(person, { forwardTo: phone, code })).status).toBe(200);
  expect(await routeOf(person, mine.id)).toMatchObject({
    forwards: [{ number: null }, { number: phone }],
    confirm_key: '1',
  });
  await update(person, { forwardTo: null });
  expect((await routeOf(person, mine.id))?.forwards).toHaveLength(1);
});

test('a Caddy number can’t forward to itself', async () => {
  const { person, mine } = await withNumber();
  const refused = await update(person, { forwardTo: mine.number });
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { errors: { forwardTo: [expect.stringContaining('your Caddy number')] } },
  ]);
});

test('quiet hours send calls to voicemail, by the account’s clock, on new numbers, too', async () => {
  const { person, mine } = await withNumber();
  const asked = { doNotDisturb: { from: '22:00', to: '07:00' } };
  const answered = await update(person, { timezone: 'America/Chicago', ...asked });
  expect(answered.body.data).toMatchObject(asked);
  expect(await routeOf(person, mine.id)).toMatchObject({
    business_hours: { blocks: [{ times: [{ start: '07:00', end: '22:00' }] }] },
    after_hours: { action: 'voicemail' },
  });
  await update(person, { doNotDisturb: { from: '00:00', to: '00:00' } });
  expect(await routeOf(person, mine.id)).toMatchObject({ business_hours: { voicemail: true } });
  await update(person, { doNotDisturb: null });
  expect((await routeOf(person, mine.id))?.business_hours).toBeNull();
  expect((await update(person, { doNotDisturb: { from: '9', to: '10' } })).status).toBe(422);
});

test('an account’s phone registers and calls from its own numbers, and never 911', async () => {
  const [{ person, mine }, other] = [await withNumber(), await withNumber()];
  const device = 'app-caddy-1';
  const company_id = person.companyId;
  const token = await app.as(person).request(calls.callingToken, { body: { device, company_id } });
  expect(token.status).toBe(200);
  const beat = await app.as(person).request(calls.beatCalling, { body: { device, company_id } });
  expect(beat.body.data).toMatchObject({ status: 'active', calls: [] });
  const call = (number_id: number, destination: string) =>
    app.as(person).request(calls.placeCall, { body: { number_id, destination, device } });
  const refused = await call(mine.id, '911');
  expect([refused.status, refused.body]).toMatchObject([403, { code: 'calling.emergency' }]);
  expect((await call(other.mine.id, '+12125550199')).status).toBe(404);
  expect((await call(mine.id, '+12125550199')).status).toBe(201);
});
