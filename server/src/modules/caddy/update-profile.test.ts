import { expect, test } from 'vitest';
import { caddy, type BodyIn } from '#contract';
import { caddyHelpers } from '../../../test/support/caddy.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';

const app = await createTestApp();
const { stranger, codeFor, signUp } = caddyHelpers(app);

const update = (person: TestPerson, body: BodyIn<typeof caddy.updateCaddyProfile>) =>
  app.as(person).request(caddy.updateCaddyProfile, { body });
const profileOf = async (person: TestPerson) =>
  (await app.as(person).request(caddy.getCaddyProfile)).body.data;

test('what is said changes, and the rest stays', async () => {
  const [person, other] = [await signUp(), await signUp()];
  const changed = await update(person, {
    firstName: 'Sam',
    timezone: 'America/Chicago',
    notifications: { texts: false },
    voicemailGreeting: 'Leave a message.',
    avatar: '🦊',
  });
  expect(changed.status).toBe(200);
  await update(person, { lastName: 'Rivera', notifications: { calls: false } });
  expect(await profileOf(person)).toMatchObject({
    firstName: 'Sam',
    lastName: 'Rivera',
    timezone: 'America/Chicago',
    notifications: { texts: false, calls: false, voicemails: true, account: true },
    voicemailGreeting: 'Leave a message.',
    avatar: '🦊',
  });
  expect(await profileOf(other)).toMatchObject({ firstName: '', avatar: null });
  for (const wrong of [{ timezone: 'Nowhere' }, { forwardTo: 'no' }])
    expect((await update(person, wrong)).status).toBe(422);
});

test('a language is one of those that the app has, and writes the days of its messages', async () => {
  const person = await signUp({ email: 'gina@caddy.test' });
  for (const locale of ['de-DE', 'en', '!', '']) {
    const request = { method: 'PUT', url: '/api/caddy/profile', payload: { locale } } as const;
    expect((await app.as(person).inject(request)).status, locale).toBe(422);
  }
  expect((await update(person, { locale: 'en-GB' })).body.data).toMatchObject({ locale: 'en-GB' });
  const remove = (code?: string) =>
    app.as(person).request(caddy.deleteCaddyAccount, { body: { code } });
  await remove();
  const { data } = (await remove((await codeFor('gina@caddy.test')) ?? '')).body;
  expect('message' in data && data.message).toMatch(
    /^Your account is erased on \d{1,2} [A-Z][a-z]+ \d{4}\./,
  );
});

test('a new address counts once its code is entered, and signs in from then on', async () => {
  const person = await signUp({ email: 'old@caddy.test' });
  const asked = await update(person, { email: 'new@caddy.test', firstName: 'New' });
  expect([asked.status, asked.body.data]).toMatchObject([202, { masked: 'n•••@caddy.test' }]);
  expect(await profileOf(person)).toMatchObject({ email: 'old@caddy.test', firstName: '' });
  const code = (await codeFor('new@caddy.test')) ?? '';
  const changed = await update(person, { email: 'new@caddy.test', firstName: 'New', code });
  expect([changed.status, changed.body.data]).toMatchObject([200, { email: 'new@caddy.test' }]);
  const signIn = (email: string) =>
    stranger.request(caddy.caddyLogin, { body: { provider: 'email', email } });
  await signIn('old@caddy.test');
  await signIn('new@caddy.test');
  expect(await codeFor('new@caddy.test')).not.toBe(code);
  // Nothing but the code it signed up with was ever sent to the old one.
  expect(await app.mails('old@caddy.test')).toHaveLength(1);
});

test('an address of another account is refused to who proves it, and to no one before', async () => {
  await signUp({ email: 'mine@caddy.test' });
  const person = await signUp();
  expect((await update(person, { email: 'mine@caddy.test' })).status).toBe(202);
  const code = (await codeFor('mine@caddy.test')) ?? '';
  const refused = await update(person, { email: 'mine@caddy.test', code });
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'caddy.taken' }]);
});

test('a code serves the account that asked for it alone', async () => {
  const [one, two] = [await signUp(), await signUp()];
  await update(one, { phone: '+12125550173' });
  const code = (await codeFor('+12125550173')) ?? '';
  expect((await update(two, { phone: '+12125550173', code })).status).toBe(422);
  expect((await update(one, { phone: '+12125550173', code })).status).toBe(200);
});

test('one way to sign in is kept', async () => {
  const person = await signUp({ email: 'only@caddy.test' });
  const refused = await update(person, { email: null });
  expect([refused.status, refused.body]).toMatchObject([422, { code: 'caddy.last_way' }]);
  await update(person, { phone: '+12125550174' });
  const code = (await codeFor('+12125550174')) ?? '';
  await update(person, { phone: '+12125550174', code });
  expect((await update(person, { email: null })).status).toBe(200);
  expect(await profileOf(person)).toMatchObject({ email: null, emailVerified: false });
});
