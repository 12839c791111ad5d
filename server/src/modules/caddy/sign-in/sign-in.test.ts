import { describe, expect, test } from 'vitest';
import { caddy, companies, endpoints, identity } from '#contract';
import { caddyHelpers } from '../../../../test/support/caddy.ts';
import { toHttpRequest, exampleRequest } from '../../../../test/support/endpoint-requests.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp({ env: { SIGN_INS_PER_MINUTE: '1000000' } });
const { stranger, codeFor, signUp } = caddyHelpers(app);
const { request } = stranger;

const emailOf = (name: string) => `${name}@people.test`;
const wrongOf = (code: string) => (code === '111111' ? '222222' : '111111');
const anotherHour = () => app.clock.advance(3601);

describe('signing up', () => {
  test('takes a code, and then opens an account with a session', async () => {
    const body = { provider: 'email', email: emailOf('Nina') } as const;
    const asked = await request(caddy.caddyRegister, { body });
    expect([asked.status, asked.body.data]).toEqual([
      202,
      { sent: true, channel: 'email', masked: 'n•••@people.test', expires_in: 600, resend_in: 30 },
    ]);
    const code = (await codeFor(body.email))!;
    const opened = await request(caddy.caddyRegister, { body: { ...body, code } });
    expect(opened.status).toBe(201);
    expect(opened.body.data).toMatchObject({
      plan: 'free',
      subscriptionStatus: 'not_subscribed',
      profile: { email: 'nina@people.test', emailVerified: true, phone: null, hasPassword: false },
    });
    // Once only.
    const again = await request(caddy.caddyRegister, { body: { ...body, code } });
    expect([again.status, again.body]).toMatchObject([422, { code: 'caddy.code_over' }]);
  });

  test('works with a phone, whose code is texted', async () => {
    const person = await signUp({ phone: '+12125550171' });
    const { body } = await app.as(person).request(caddy.getCaddyProfile);
    expect(body.data).toMatchObject({ email: null, phone: '+12125550171', phoneVerified: true });
  });

  test('tells only who proves the address that it has an account', async () => {
    await signUp({ email: emailOf('omar') });
    const body = { provider: 'email', email: emailOf('OMAR') } as const;
    const known = await request(caddy.caddyRegister, { body });
    const unknown = await request(caddy.caddyRegister, {
      body: { ...body, email: emailOf('ozzy') },
    });
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    const code = (await codeFor('omar@people.test'))!;
    const proved = await request(caddy.caddyRegister, { body: { ...body, code } });
    expect([proved.status, proved.body]).toMatchObject([409, { code: 'caddy.exists' }]);
  });

  test('opens one account when the same code is sent twice at once', async () => {
    const body = { provider: 'email', email: emailOf('pair') } as const;
    await request(caddy.caddyRegister, { body });
    const code = (await codeFor(body.email))!;
    const answers = await Promise.all(
      [1, 2, 3].map(() => request(caddy.caddyRegister, { body: { ...body, code } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  });
});

describe('signing in', () => {
  test('answers strangers and people with an account alike, and sends strangers nothing', async () => {
    await signUp({ email: emailOf('quinn') });
    const ask = async (name: string, code?: string) => {
      const { status, body } = await request(caddy.caddyLogin, {
        body: { provider: 'email', email: emailOf(name), ...(code && { code }) },
      });
      return [status, { ...body, request_id: '' }];
    };
    const [known, unknown] = [await ask('quinn'), await ask('qqqqq')];
    expect(known).toEqual(unknown);
    expect(await codeFor('qqqqq@people.test')).toBeNull();
    const wrong = wrongOf((await codeFor('quinn@people.test'))!);
    for (const left of [4, 3, 2, 1, 0]) {
      const [theirs, others] = [await ask('quinn', wrong), await ask('qqqqq', wrong)];
      expect(theirs).toEqual(others);
      expect(theirs).toMatchObject([422, { errors: [{ triesLeft: left }] }]);
    }
    const right = (await codeFor('quinn@people.test'))!;
    expect((await ask('quinn', right))[0]).toBe(422);
  });

  test('opens a session with the code, and with a password at once', async () => {
    const password = 'four-words-and-a-9';
    await signUp({ email: emailOf('rosa'), password });
    const who = { provider: 'email', email: emailOf('rosa') } as const;
    await request(caddy.caddyLogin, { body: who });
    const code = (await codeFor(who.email))!;
    const byCode = await request(caddy.caddyLogin, { body: { ...who, code } });
    const byPassword = await request(caddy.caddyLogin, { body: { ...who, password } });
    for (const { status, body } of [byCode, byPassword])
      expect([status, body.data]).toMatchObject([200, { profile: { hasPassword: true } }]);
    for (const wrong of [
      { ...who, password: 'x' },
      { ...who, email: emailOf('no'), password },
    ]) {
      const { status, body } = await request(caddy.caddyLogin, { body: wrong });
      expect([status, body]).toMatchObject([422, { code: 'caddy.password_wrong' }]);
    }
  });

  test('is locked after ten wrong passwords', async () => {
    await signUp({ email: emailOf('lock'), password: 'four-words-and-a-9' });
    const body = { provider: 'email', email: emailOf('lock'), password: 'no' } as const;
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await request(caddy.caddyLogin, { body })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
    app.clock.advance(16 * 60);
  });

  test('renews its tokens once, as a session of the same kind', async () => {
    const who = { provider: 'email', email: emailOf('sofi') } as const;
    await signUp(who);
    await request(caddy.caddyLogin, { body: who });
    const code = (await codeFor(who.email))!;
    const { data } = (await request(caddy.caddyLogin, { body: { ...who, code } })).body;
    if (!('refreshToken' in data)) throw new Error('no session');
    const renew = { body: { refresh_token: data.refreshToken } };
    const { token } = (await request(identity.createTokenSession, renew)).body;
    const renewed = app.as({
      ...{ id: 0, email: '', companyId: data.accountId, role: 'owner' },
      token: token.access_token,
    });
    expect((await renewed.request(caddy.getCaddyProfile)).status).toBe(200);
    expect((await renewed.request(companies.getUser)).status).toBe(401);
    expect((await request(identity.createTokenSession, renew)).status).toBe(401);
    expect((await renewed.request(caddy.getCaddyProfile)).status).toBe(401);
  });

  test('renews again where the answer was lost, for a minute, and finds a copied token out', async () => {
    const session = async (name: string) => {
      const who = { provider: 'email', email: emailOf(name) } as const;
      await signUp(who);
      await request(caddy.caddyLogin, { body: who });
      const code = (await codeFor(who.email))!;
      const { data } = (await request(caddy.caddyLogin, { body: { ...who, code } })).body;
      if (!('refreshToken' in data)) throw new Error('no session');
      return data;
    };
    const renew = (refresh_token: string) =>
      request(identity.createTokenSession, { body: { refresh_token } });
    const reads = (accountId: number, token: string) =>
      app
        .as({ ...{ id: 0, email: '', companyId: accountId, role: 'owner' }, token })
        .request(caddy.getCaddyProfile);
    const { accountId, refreshToken } = await session('lost');
    const lost = (await renew(refreshToken)).body.token;
    const again = await renew(refreshToken);
    expect(again.status).toBe(200);
    const { token } = again.body;
    // The pair that was lost opens nothing, and who sends it later has a copy.
    expect((await reads(accountId, lost.access_token)).status).toBe(401);
    expect((await reads(accountId, token.access_token)).status).toBe(200);
    expect((await renew(lost.refresh_token)).status).toBe(401);
    expect((await reads(accountId, token.access_token)).status).toBe(401);

    const late = await session('late');
    const next = (await renew(late.refreshToken)).body.token;
    app.clock.advance(61);
    expect((await renew(late.refreshToken)).status).toBe(401);
    expect((await reads(late.accountId, next.access_token)).status).toBe(401);
  });
});

describe('sessions of Caddy and of companies', () => {
  test('open nothing of each other', async () => {
    const [person, { owner }] = [await signUp(), await app.createCompany()];
    const company = { ...person, companyId: person.companyId };
    for (const e of endpoints) {
      if (e.permission === 'public' || e.audience === 'both') continue;
      const sent = { ...toHttpRequest(e, exampleRequest(e, { company: company.companyId })) };
      const mine = e.audience === 'caddy' ? owner : person;
      expect((await app.as(mine).inject(sent)).status, e.name).toBe(401);
    }
  });

  test('a Caddy session makes no device token', async () => {
    const person = await signUp();
    const made = await app
      .as(person)
      .request(identity.createTokenSession, { body: { device_name: 'Mine' } });
    expect(made.status).toBe(401);
  });

  test('a Caddy socket joins its own channel alone', async () => {
    const [one, two, { owner }] = [await signUp(), await signUp(), await app.createCompany()];
    const joins = async (person: TestPerson, channel: string) =>
      (
        await app
          .as(person)
          .request(companies.authorizeChannel, { body: { channel_name: channel } })
      ).status === 200;
    expect(await joins(one, `private-caddy.${one.companyId}`)).toBe(true);
    for (const channel of [
      `private-caddy.${two.companyId}`,
      `private-conversations.${one.companyId}`,
      `private-companies.${one.companyId}`,
    ])
      expect(await joins(one, channel), channel).toBe(false);
    expect(await joins(owner, `private-caddy.${one.companyId}`)).toBe(false);
  });

  test('an account opens no company by password, and counts as no first owner', async () => {
    const fresh = await createTestApp();
    await caddyHelpers(fresh).signUp({ email: 'first@caddy.test', password: 'four-words-and-a-9' });
    const { body } = await fresh.as(null).request(companies.checkSignup);
    expect(body.data.first).toBe(true);
    const login = await fresh.as(null).request(identity.login, {
      body: { email: 'first@caddy.test', password: 'four-words-and-a-9' },
    });
    expect(login.status).toBe(422);
  });
});

describe('passwords', () => {
  test('are changed with the current one, and end every other session', async () => {
    const who = { email: emailOf('tara'), password: 'four-words-and-a-9' };
    const first = await signUp(who);
    const { data } = (await request(caddy.caddyLogin, { body: { provider: 'email', ...who } }))
      .body;
    const second = app.as({ ...first, token: 'token' in data ? data.token : '' });
    const change = (current: string | undefined, next: string) =>
      second.request(caddy.changeCaddyPassword, { body: { current, new: next } });
    expect((await change('wrong', 'other-four-words-7')).status).toBe(422);
    expect((await change(undefined, 'other-four-words-7')).status).toBe(422);
    expect((await change(who.password, 'short')).status).toBe(422);
    expect((await change(who.password, 'other-four-words-7')).status).toBe(200);
    expect((await second.request(caddy.getCaddyProfile)).status).toBe(200);
    expect((await app.as(first).request(caddy.getCaddyProfile)).status).toBe(401);
  });

  test('are reset by a code, which opens a session and ends all others', async () => {
    const email = emailOf('uma');
    const old = await signUp({ email });
    await request(caddy.sendCaddyResetCode, { body: { email } });
    const code = (await codeFor(email))!;
    const password = 'other-four-words-7';
    const wrong = await request(caddy.resetCaddyPassword, {
      body: { email, code: wrongOf(code), password },
    });
    expect(wrong.body).toMatchObject({ code: 'caddy.code_wrong' });
    const reset = await request(caddy.resetCaddyPassword, { body: { email, code, password } });
    expect(reset.status).toBe(200);
    expect((await app.as(old).request(caddy.getCaddyProfile)).status).toBe(401);
    const strange = await request(caddy.sendCaddyResetCode, { body: { email: emailOf('uuu') } });
    expect(strange.status).toBe(202);
    expect(await codeFor(emailOf('uuu'))).toBeNull();
  });

  test('no code of one purpose serves another', async () => {
    const email = emailOf('vera');
    await signUp({ email });
    await request(caddy.caddyLogin, { body: { provider: 'email', email } });
    const code = (await codeFor(email))!;
    const { body } = await request(caddy.resetCaddyPassword, {
      body: { email, code, password: 'other-four-words-7' },
    });
    expect(body).toMatchObject({ code: 'caddy.code_over' });
  });
});

describe('codes are limited', () => {
  const ask = (email: string, deviceId: string, ip: string) =>
    app.as(null).inject({
      method: 'POST',
      url: '/api/caddy/auth/register',
      payload: { provider: 'email', email, device: { id: deviceId } },
      remoteAddress: ip,
    });
  const accepted = (answers: { status: number }[]) =>
    answers.filter(({ status }) => status === 202).length;

  test('to five an hour for one address, from wherever', async () => {
    anotherHour();
    const answers = [];
    for (let n = 0; n < 8; n++) answers.push(await ask('x@limit.test', `d${n}`, `192.0.2.${n}`));
    expect(accepted(answers)).toBe(5);
    expect(answers.at(-1)?.headers['retry-after']).toBe('3600');
  });

  test('to ten a day for one device', async () => {
    const answers = [];
    for (let n = 0; n < 13; n++)
      answers.push(await ask(`y${n}@limit.test`, 'one', `198.51.100.${n}`));
    expect(accepted(answers)).toBe(10);
    anotherHour();
    expect((await ask('y99@limit.test', 'one', '198.51.100.99')).status).toBe(429);
  });

  test('1,500 requests from many networks send at most 400, also at once', async () => {
    anotherHour();
    let sent = 0;
    for (let n = 0; n < 1_500; n += 50) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          ask(`z${n + i}@limit.test`, `z${n + i}`, `10.${(n + i) % 200}.${n % 7}.1`),
        ),
      );
      sent += accepted(answers);
    }
    expect(sent).toBe(400);
    await app.drainJobs();
    const { rows } = await app.services.db.pool.query<{ mails: number }>(
      "select count(*)::int mails from mail_outbox where to_address ~ '^z[0-9]+@limit.test$'",
    );
    expect(rows[0]?.mails).toBe(400);
  }, 120_000);
});
