import { describe, expect, test } from 'vitest';
import { caddy, conversations } from '#contract';
import { subscribeAccount } from '../../../../test/support/caddy-inputs.ts';
import { caddyHelpers } from '../../../../test/support/caddy.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { multipartForm, randomPhone } from '../../../../test/support/samples.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { eraseAccount, findErasable } from './delete-account.ts';
import { checkInactivity } from './inactivity.ts';

const app = await createTestApp({ env: { SUPPORT_EMAIL: 'support@operator.test' } });
const { stranger, codeFor, signUp } = caddyHelpers(app);
const { text, number } = inboxHelpers(app);
const ctxOf = (companyId: number) => systemCtx(app.services, companyId, app.notifier);
const days = (n: number) => app.clock.advance(n * 86_400);

const withNumber = async (said: Parameters<typeof signUp>[0] = {}) => {
  const person = await signUp(said);
  return { person, mine: await number(person.companyId, randomPhone('646')) };
};
const invite = (person: TestPerson, phoneNumber: string) =>
  app.as(person).request(caddy.inviteToCaddy, { body: { phoneNumber } });
const held = async (person: TestPerson) =>
  (await app.as(person).request(caddy.listCaddyNumbers)).body.data;
const lastTextTo = async (phone: string) => {
  await app.drainJobs();
  const { rows } = await app.services.db.pool.query<{ body: string; from_number: string }>(
    'select body, from_number from sandbox.text where to_number = $1 order by id desc limit 1',
    [phone],
  );
  return rows[0];
};

describe('invitations', () => {
  test('are texted from the person’s number and rewarded once the invited takes a number', async () => {
    const { person, mine } = await withNumber();
    const phone = '+13125550131';
    const sent = await invite(person, '(312) 555-0131');
    expect([sent.status, sent.body.data]).toMatchObject([
      201,
      { phoneNumber: phone, status: 'sent', joinedAt: null, reward: null },
    ]);
    const said = await lastTextTo(phone);
    expect(said?.from_number).toBe(mine.number);
    const invite_code = /invite=(\S+)/.exec(said?.body ?? '')?.[1];
    const status = async () =>
      (await app.as(person).request(caddy.listCaddyInvitations)).body.data[0]?.status;
    const body = { provider: 'phone', phone, invite_code } as const;
    await stranger.request(caddy.caddyRegister, { body });
    const code = (await codeFor(phone)) ?? '';
    const { data } = (await stranger.request(caddy.caddyRegister, { body: { ...body, code } }))
      .body;
    if (!('token' in data)) throw new Error('no account');
    expect(await status()).toBe('joined');
    const invited = { ...person, token: data.token, companyId: data.accountId };
    await app.as(invited).request(caddy.addCaddyNumber, { body: { number: '+16465550139' } });
    expect(await status()).toBe('rewarded');
    const usage = (await app.as(person).request(caddy.getCaddyUsage)).body.data;
    expect([usage.minutes.included, usage.texts.included]).toEqual([80, 50]);
  });

  test('reach no one who opted out, whoever of us they told', async () => {
    const [{ person }, { mine }] = [await withNumber(), await withNumber()];
    await text('+13125550132', mine.number, 'STOP');
    await app.drainJobs();
    const refused = await invite(person, '+13125550132');
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'caddy.invitee_opted_out' },
    ]);
  });

  test('are at most 20 a day, one to a phone in 30 days, and need a number', async () => {
    const { person } = await withNumber();
    // The free plan has fewer texts.
    await subscribeAccount(app, person.companyId);
    for (let n = 0; n < 20; n++)
      expect((await invite(person, `+1312555${1000 + n}`)).status).toBe(201);
    expect((await invite(person, '+13125559999')).status).toBe(429);
    days(1.1);
    expect((await invite(person, '+13125551000')).body).toMatchObject({
      code: 'caddy.invited_lately',
    });
    days(30);
    expect((await invite(person, '+13125551000')).status).toBe(201);
    const { data } = (await app.as(person).request(caddy.listCaddyInvitations)).body;
    expect(data.filter(({ status }) => status === 'expired')).toHaveLength(20);
    expect((await invite(await signUp(), '+13125551001')).body).toMatchObject({
      code: 'caddy.no_number',
    });
  });
});

test('a version is rated once; good ones go to the store, others to support', async () => {
  const [person, other] = [await signUp(), await signUp()];
  const rate = (who: TestPerson, rating: number, version: string) =>
    app.as(who).request(caddy.reviewCaddy, { body: { rating, version } });
  expect((await rate(person, 5, '1.0.0')).body.data.next).toBe('store');
  expect((await rate(person, 1, '1.0.0')).status).toBe(409);
  expect((await rate(person, 3, '1.1.0')).body.data.next).toBe('support');
  expect((await rate(other, 4, '1.0.0')).status).toBe(201);
  expect((await rate(person, 6, '2.0.0')).status).toBe(422);
  const { data } = (await app.as(person).request(caddy.listCaddyReviews)).body;
  expect(data.map(({ version, rating }) => [version, rating])).toEqual([
    ['1.1.0', 3],
    ['1.0.0', 5],
  ]);
});

test('a report reaches support with its files, and no one else’s file can be sent', async () => {
  const [person, other] = [await signUp({ email: 'reporter@caddy.test' }), await signUp()];
  const upload = async (who: TestPerson) =>
    app.as(who).inject({
      method: 'POST',
      url: '/api/caddy/support/upload-file',
      ...multipartForm({}, { field: 'file', name: 'log.txt', type: 'text/plain', bytes: 'echo' }),
    });
  const [mine, theirs] = [await upload(person), await upload(other)];
  expect(mine.status).toBe(201);
  expect((await app.as(person).inject({ method: 'GET', url: mine.body.data.url })).body).toBe(
    'echo',
  );
  const report = (fileIds: number[], callId?: number) =>
    app.as(person).request(caddy.reportCaddyCustomer, {
      body: { category: 'calls', message: 'I heard an echo.', fileIds, callId, appVersion: '1' },
    });
  for (const refused of [await report([theirs.body.data.id]), await report([], 8_999_999_999_999)])
    expect(refused.status).toBe(404);
  const sent = await report([mine.body.data.id]);
  expect([sent.status, sent.body.data.reference]).toEqual([201, expect.stringMatching(/^S-/)]);
  const [mail] = await app.mails('support@operator.test');
  expect(mail?.text).toContain('I heard an echo.');
  expect(await app.mails('reporter@caddy.test')).toHaveLength(2);
});

describe('an account that no one uses', () => {
  const standing = async (person: TestPerson) =>
    (await app.as(person).request(caddy.getCaddyInactivity)).body.data;

  test('is warned after 21 days, and loses its number 30 days later', async () => {
    const { person } = await withNumber({ email: 'idle@caddy.test' });
    const before = (await app.mails('idle@caddy.test')).length;
    days(20);
    await checkInactivity(ctxOf(person.companyId));
    expect(await standing(person)).toMatchObject({ status: 'active', message: null });
    days(1.1);
    await checkInactivity(ctxOf(person.companyId));
    await checkInactivity(ctxOf(person.companyId));
    expect((await app.mails('idle@caddy.test')).length).toBe(before + 1);
    expect(await standing(person)).toMatchObject({ status: 'warned', message: expect.any(String) });
    days(25);
    expect((await standing(person)).status).toBe('scheduled');
    await checkInactivity(ctxOf(person.companyId));
    expect(await held(person)).toMatchObject([{ isActive: true }]);
    days(5.1);
    await checkInactivity(ctxOf(person.companyId));
    await app.drainJobs();
    expect(await held(person)).toEqual([]);
  });

  test('keeps it after a text, and on a paid plan', async () => {
    const [{ person, mine }, paid] = [await withNumber(), await withNumber()];
    await subscribeAccount(app, paid.person.companyId);
    days(22);
    for (const one of [person, paid.person]) await checkInactivity(ctxOf(one.companyId));
    expect(await standing(paid.person)).toMatchObject({ status: 'active', removalAt: null });
    expect((await standing(person)).status).toBe('warned');
    await text('+13125550133', mine.number, 'Hello');
    expect((await standing(person)).status).toBe('active');
    days(29);
    for (const one of [person, paid.person]) await checkInactivity(ctxOf(one.companyId));
    for (const one of [person, paid.person])
      expect(await held(one)).toMatchObject([{ isActive: true }]);
  });
});

describe('deleting an account', () => {
  const remove = (person: TestPerson, code?: string) =>
    app.as(person).request(caddy.deleteCaddyAccount, { body: { code } });

  test('takes a code, and signing in within 30 days keeps it', async () => {
    const email = 'stays@caddy.test';
    const { person, mine } = await withNumber({ email });
    expect((await remove(person)).status).toBe(202);
    const code = (await codeFor(email)) ?? '';
    expect((await remove(person, code === '111111' ? '222222' : '111111')).status).toBe(422);
    expect((await remove(person, code)).status).toBe(200);
    expect((await app.as(person).request(caddy.getCaddyProfile)).status).toBe(401);
    days(29);
    const who = { provider: 'email', email } as const;
    await stranger.request(caddy.caddyLogin, { body: who });
    const again = (await codeFor(email)) ?? '';
    const { data } = (await stranger.request(caddy.caddyLogin, { body: { ...who, code: again } }))
      .body;
    const back = { ...person, token: 'token' in data ? data.token : '' };
    const restored = await app
      .as(back)
      .request(caddy.activateCaddyNumbers, { body: { ids: [mine.id] } });
    expect(restored.body.data).toMatchObject([{ isActive: true }]);
    days(2);
    await eraseAccount(ctxOf(person.companyId));
    await stranger.request(caddy.caddyLogin, { body: who });
    expect(await codeFor(email)).not.toBe(again);
  });

  test('erases every trace of the person after 30 days, and nothing of anyone else', async () => {
    const canaries = { email: 'canary-ella@caddy.test', name: 'Ellacanary', party: '+13125557788' };
    const { person, mine } = await withNumber({ email: canaries.email });
    const other = await withNumber({ email: 'neighbor@caddy.test' });
    await app.as(person).request(caddy.updateCaddyProfile, {
      body: { firstName: canaries.name, voicemailGreeting: `Hi, it’s ${canaries.name}` },
    });
    await app.as(person).request(caddy.reviewCaddy, {
      body: { rating: 2, text: canaries.name, version: '1' },
    });
    await app.as(person).request(caddy.reportCaddyCustomer, {
      body: { category: 'other', message: canaries.name, appVersion: '1' },
    });
    await text(canaries.party, mine.number, `Dear ${canaries.name}`);
    await text('+13125557789', other.mine.number, 'Hello neighbor');
    await invite(person, '+13125557790');
    await app.drainJobs();
    await remove(person);
    const code = (await codeFor(canaries.email)) ?? '';
    expect((await remove(person, code)).status).toBe(200);
    await eraseAccount(ctxOf(person.companyId));
    expect(await traces(Object.values(canaries))).not.toEqual([]);
    days(30.1);
    await findErasable(ctxOf(0));
    await app.drainJobs();
    expect(await traces([...Object.values(canaries), '+13125557790'])).toEqual([]);
    const kept = await app
      .as(other.person)
      .request(conversations.listConversations, { params: { companyId: other.person.companyId } });
    expect(kept.body.data).toHaveLength(1);
    expect(await held(other.person)).toMatchObject([{ isActive: true, unread: 1 }]);
    const free = await signUp({ email: canaries.email });
    expect(free.companyId).not.toBe(person.companyId);
  });
});

/** The tables in which any of these words stands, of everything the product stores. */
async function traces(words: readonly string[]): Promise<string[]> {
  const { pool } = app.services.db;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind = 'r' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool
      .query<{ n: number }>(`select count(*)::int n from "${name}" t where t::text ilike any($1)`, [
        words.map((word) => `%${word}%`),
      ])
      .catch(() => ({ rows: [] }));
    if (rows[0]?.n) found.push(name);
  }
  return found;
}
