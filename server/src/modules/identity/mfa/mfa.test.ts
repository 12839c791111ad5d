import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { companies, identity, mfa, users, type Answer, type AnyEndpoint } from '#contract';
import {
  createTestApp,
  type TestPerson,
  type TestResponse,
} from '../../../../test/support/test-app.ts';

const app = await createTestApp({ clock: 'still', env: { PUBLIC_URL: 'https://phones.test' } });
const PASSWORD = 'trunkline-demo';

const totp = { params: { kind: 'totp' as const } };
const codeOf = (secret: string, offsetSeconds = 0) =>
  new TOTP({ secret }).generate({ timestamp: app.clock.value.getTime() + offsetSeconds * 1000 });
/** Sets up an authenticator app; later steps are a minute on, so that their codes are new. */
async function enroll(person: TestPerson) {
  const { secret } = (await app.as(person).request(mfa.mfaQr, totp)).body.data;
  const answer = await app
    .as(person)
    .request(mfa.verifyMfa, { ...totp, body: { code: codeOf(secret) } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  app.clock.advance(60);
  return { secret, codes: answer.body.data.recovery_codes ?? [] };
}
let addresses = 0;
/** Sends each request from another address: sign-ins are limited by address as well. */
const signInRequest = <E extends AnyEndpoint>(e: E, payload: object) =>
  app.as(null).inject({
    method: 'POST',
    url: `/api${e.path}`,
    payload,
    remoteAddress: `10.0.${Math.floor(++addresses / 250)}.${addresses % 250}`,
  }) as Promise<TestResponse<Answer<E>>>;
const login = (person: TestPerson, more: object = {}) =>
  signInRequest(identity.login, { email: person.email, password: PASSWORD, ...more });
async function waitingToken(person: TestPerson): Promise<string> {
  const { body } = await login(person);
  if (!('mfa_token' in body)) throw new Error('no second factor was asked for');
  return body.mfa_token;
}
const finish = (mfa_token: string, kind: 'totp' | 'recovery' | 'email' | 'sms', code: string) =>
  signInRequest(mfa.signInWithCode, { mfa_token, kind, code });
const confirm = (person: TestPerson) =>
  app.as(person).request(mfa.confirmIdentity, { body: { password: PASSWORD } });
const require_mfa = (companyId: number, value: string) =>
  app.services.db.pool.query(
    `update company set settings = settings || jsonb_build_object('require_mfa', $2::text) where id = $1`,
    [companyId, value],
  );

describe('a sign-in that waits for its second factor', () => {
  const waiting = async () => {
    const { owner } = await app.createCompany();
    const { codes } = await enroll(owner);
    const tokens = [await waitingToken(owner), await waitingToken(owner)];
    expect((await finish(tokens[0]!, 'recovery', codes[0]!)).status).toBe(200);
    return { owner, code: codes[1]!, token: tokens[1]! };
  };
  const expired = { status: 422, code: 'mfa.expired' };

  test('ends when the password is changed', async () => {
    const { owner, code, token } = await waiting();
    const answer = await app.as(owner).request(users.updatePassword, {
      params: { userId: owner.id },
      body: { current_password: PASSWORD, password: 'a whole new sentence' },
    });
    expect(answer.status).toBe(200);
    expect((await finish(token, 'recovery', code)).body).toMatchObject(expired);
  });

  test('ends when the password is reset', async () => {
    const { owner, code, token } = await waiting();
    await app.as(null).request(identity.forgotPassword, { body: { email: owner.email } });
    await app.drainJobs();
    const link = (await app.mails(owner.email)).findLast((m) => /reset-password/.test(m.text))!;
    const answer = await app.as(null).request(identity.resetPassword, {
      body: {
        token: /reset-password\/(\S+)/.exec(link.text)![1]!,
        password: 'a whole new sentence',
      },
    });
    expect(answer.status).toBe(200);
    expect((await finish(token, 'recovery', code)).body).toMatchObject(expired);
  });

  test('ends when an administrator removes the factors, and with the last company', async () => {
    const { owner } = await app.createCompany();
    const person = await app.createPerson(owner.companyId, 'user');
    for (const end of [
      async () => {
        await confirm(owner);
        return app.as(owner).request(companies.resetUserFactors, {
          params: { companyId: owner.companyId, userId: person.id },
        });
      },
      () =>
        app.as(owner).request(users.deleteCompanyUser, {
          params: { companyId: owner.companyId, userId: person.id },
        }),
    ]) {
      const { rows } = await app.services.db.pool.query(
        'update session set ended_at = null where person_id = $1 returning id',
        [person.id],
      );
      expect(rows).toHaveLength(1);
      const { codes } = await enroll(person);
      const token = await waitingToken(person);
      expect((await end()).status).toBe(204);
      await app.drainJobs();
      expect((await finish(token, 'recovery', codes[1]!)).body).toMatchObject(expired);
    }
  });
});

describe('an authenticator app', () => {
  test('accepts codes of RFC 6238 one step before and after now, and none of two steps away', async () => {
    for (const [offset, status] of [
      [-30, 200],
      [0, 200],
      [30, 200],
      [-90, 422],
      [90, 422],
    ] as const) {
      const { owner } = await app.createCompany();
      const { secret } = (await app.as(owner).request(mfa.mfaQr, totp)).body.data;
      const body = { code: codeOf(secret, offset) };
      expect((await app.as(owner).request(mfa.verifyMfa, { ...totp, body })).status).toBe(status);
    }
  });

  test('a code is accepted once, also when it is sent twice at once', async () => {
    const { owner } = await app.createCompany();
    const { secret } = await enroll(owner);
    const tokens = [
      await waitingToken(owner),
      await waitingToken(owner),
      await waitingToken(owner),
    ];
    const both = await Promise.all(
      tokens.slice(0, 2).map((token) => finish(token, 'totp', codeOf(secret))),
    );
    expect(both.map((a) => a.status).toSorted()).toEqual([200, 422]);
    expect((await finish(tokens[2]!, 'totp', codeOf(secret))).body).toMatchObject({
      errors: { code: ['That code is not valid or has expired.'] },
    });
    app.clock.advance(60);
    expect((await finish(tokens[2]!, 'totp', codeOf(secret))).status).toBe(200);
  });

  test('the secret is sealed, and is never shown again once it is used', async () => {
    const { owner } = await app.createCompany();
    const { secret } = await enroll(owner);
    const { rows } = await app.services.db.pool.query('select * from mfa_factor');
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect((await app.as(owner).request(mfa.mfaQr, totp)).body).toMatchObject({
      code: 'mfa.already_active',
    });
  });

  test('set up again, the old one works until the new one is verified', async () => {
    const { owner } = await app.createCompany();
    const old = await enroll(owner);
    await confirm(owner);
    expect((await app.as(owner).request(mfa.reactivateMfa, totp)).status).toBe(200);
    const { secret } = (await app.as(owner).request(mfa.mfaQr, totp)).body.data;
    expect(secret).not.toBe(old.secret);
    expect((await finish(await waitingToken(owner), 'totp', codeOf(old.secret))).status).toBe(200);
    const body = { code: codeOf(secret) };
    expect((await app.as(owner).request(mfa.verifyMfa, { ...totp, body })).status).toBe(200);
    app.clock.advance(60);
    const token = await waitingToken(owner);
    expect((await finish(token, 'totp', codeOf(old.secret))).status).toBe(422);
    expect((await finish(token, 'totp', codeOf(secret))).status).toBe(200);
  });
});

describe('signing in with a second factor', () => {
  test('the password alone gives no token and no cookie; remember is kept for after the factor', async () => {
    const { owner } = await app.createCompany();
    const { secret } = await enroll(owner);
    const first = await login(owner, { remember: true });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      mfa_required: true,
      mfa_token: expect.stringMatching(/^tlm_/),
      methods: [
        { kind: 'totp', masked: null },
        { kind: 'recovery', masked: null },
      ],
    });
    expect(first.headers['set-cookie']).toBeUndefined();
    const token = (first.body as { mfa_token: string }).mfa_token;
    const done = await finish(token, 'totp', codeOf(secret));
    expect(done.body.token).toMatchObject({ token_type: 'Bearer' });
    expect(String(done.headers['set-cookie'])).toMatch(/Max-Age=/);
    // The token works once.
    app.clock.advance(60);
    expect((await finish(token, 'totp', codeOf(secret))).body).toMatchObject({
      code: 'mfa.expired',
    });
  });

  test('platform staff who sign in for admin mode enter it after the factor, with a reason', async () => {
    const staff = await app.createStaff();
    const { secret } = await enroll(staff);
    const { body } = await login(staff, { admin: true });
    const done = await finish((body as { mfa_token: string }).mfa_token, 'totp', codeOf(secret));
    const headers = {
      authorization: `Bearer ${done.body.token.access_token}`,
      isadmin: 'true',
    };
    const isAdmin = async () =>
      (await app.as(null).inject({ method: 'GET', url: '/api/user', headers })).body.data.is_admin;
    expect(await isAdmin()).toBe(false);
    const entered = await app.as(null).inject({
      method: 'POST',
      url: '/api/admin/mode',
      headers,
      payload: { reason: 'Calls don’t ring', minutes: 60 },
    });
    expect(entered.status, JSON.stringify(entered.body)).toBe(201);
    expect(await isAdmin()).toBe(true);
  });

  test('five wrong codes end the sign-in, also when they are sent at once', async () => {
    const { owner } = await app.createCompany();
    const { secret } = await enroll(owner);
    const token = await waitingToken(owner);
    const wrong = codeOf(secret, 3600);
    await Promise.all(Array.from({ length: 8 }, () => finish(token, 'totp', wrong)));
    expect((await finish(token, 'totp', codeOf(secret))).body).toMatchObject({
      code: 'mfa.tries_used',
      message: 'Too many wrong codes. Sign in again.',
    });
    expect((await finish(await waitingToken(owner), 'totp', codeOf(secret))).status).toBe(200);
  });

  test('ten wrong codes in 15 minutes lock the second factor, whatever the sign-in', async () => {
    const { owner } = await app.createCompany();
    const { secret } = await enroll(owner);
    for (let i = 0; i < 10; i++)
      await finish(await waitingToken(owner), 'totp', codeOf(secret, 3600));
    expect((await finish(await waitingToken(owner), 'totp', codeOf(secret))).body).toMatchObject({
      code: 'mfa.locked',
    });
    app.clock.advance(15 * 60 + 1);
    expect((await finish(await waitingToken(owner), 'totp', codeOf(secret))).status).toBe(200);
  });

  test('the sign-in waits ten minutes', async () => {
    const { owner } = await app.createCompany();
    const { secret } = await enroll(owner);
    const token = await waitingToken(owner);
    app.clock.advance(601);
    expect((await finish(token, 'totp', codeOf(secret))).body).toMatchObject({
      code: 'mfa.expired',
    });
  });

  test('ten recovery codes are shown once, hashed, and each works once', async () => {
    const { owner } = await app.createCompany();
    const { codes } = await enroll(owner);
    expect(new Set(codes).size).toBe(10);
    const { rows } = await app.services.db.pool.query('select * from recovery_code');
    expect(JSON.stringify(rows)).not.toContain(codes[0]!.replace('-', ''));
    const typed = codes[0]!.toLowerCase().replace('-', ' ');
    expect((await finish(await waitingToken(owner), 'recovery', typed)).status).toBe(200);
    expect((await finish(await waitingToken(owner), 'recovery', typed)).status).toBe(422);
    await confirm(owner);
    const fresh = (await app.as(owner).request(mfa.reactivateMfa, { params: { kind: 'recovery' } }))
      .body.data.recovery_codes!;
    expect((await finish(await waitingToken(owner), 'recovery', codes[1]!)).status).toBe(422);
    expect((await finish(await waitingToken(owner), 'recovery', fresh[0]!)).status).toBe(200);
  });

  test('another person’s code doesn’t help', async () => {
    const [a, b] = [await app.createCompany(), await app.createCompany()];
    await enroll(a.owner);
    const theirs = await enroll(b.owner);
    const token = await waitingToken(a.owner);
    expect((await finish(token, 'totp', codeOf(theirs.secret))).status).toBe(422);
    expect((await finish(token, 'recovery', theirs.codes[0]!)).status).toBe(422);
  });
});

describe('codes that are sent', () => {
  test('a code by email sets the factor up and finishes a sign-in; a sixth in an hour is refused', async () => {
    const { owner } = await app.createCompany();
    const email = { params: { kind: 'email' as const } };
    const newest = async () => {
      await app.drainJobs();
      return /\d{6}/.exec(
        (await app.mails(owner.email)).findLast((m) => /is your code/.test(m.subject))!.text,
      )![0];
    };
    expect((await app.as(owner).request(mfa.sendMfaCode, { ...email, body: {} })).status).toBe(200);
    const set = await app
      .as(owner)
      .request(mfa.verifyMfa, { ...email, body: { code: await newest() } });
    expect(set.body.data.recovery_codes).toHaveLength(10);
    const mfa_token = await waitingToken(owner);
    const send = () => app.as(null).request(mfa.mfaToken, { body: { mfa_token, kind: 'email' } });
    app.clock.advance(1);
    expect((await send()).body.sent_to).toMatch(/^o•••@/);
    expect((await finish(mfa_token, 'email', await newest())).status).toBe(200);
    const other = await waitingToken(owner);
    const again = () =>
      app.as(null).request(mfa.mfaToken, { body: { mfa_token: other, kind: 'email' } });
    for (let i = 0; i < 3; i++) expect((await again()).status).toBe(200);
    expect((await again()).body).toMatchObject({ code: 'mfa.codes_used' });
  });

  test('without a number that can text, codes by text are refused', async () => {
    const { owner } = await app.createCompany();
    const answer = await app.as(owner).request(mfa.sendMfaCode, {
      params: { kind: 'sms' },
      body: { phone: '+12125550147' },
    });
    expect(answer.body).toMatchObject({ status: 409, code: 'mfa.no_sender' });
  });

  test('a code is texted from the company’s number, never from the number it protects', async () => {
    const { company, owner } = await app.createCompany();
    const own = '+12125550188';
    await app.services.db.pool.query(
      `insert into number (company_id, number, provider_ref, provider_id) values ($1, $2, 'sb-1', 1)`,
      [company.id, own],
    );
    const send = (phone: string) =>
      app.as(owner).request(mfa.sendMfaCode, { params: { kind: 'sms' }, body: { phone } });
    expect((await send(own)).body).toMatchObject({ code: 'mfa.no_sender' });
    // Abroad, at a premium rate, on an island with a tariff of its own.
    for (const dear of ['+442071838750', '+19005550147', '+18765550147'])
      expect((await send(dear)).body, dear).toMatchObject({ code: 'mfa.no_sender' });
    expect((await send('+12125550147')).body).toMatchObject({
      data: { masked: '•••0147', expires_in: 600 },
    });
    await app.drainJobs();
    const { rows } = await app.services.db.pool.query(
      `select x from (select to_jsonb(t)::text x from sandbox.text t) y where x like '%is%'`,
    );
    const code = /code is (\d{6})/.exec(rows.map((r) => r.x).join(' '))?.[1];
    if (!code) throw new Error('no code was texted');
    const set = await app
      .as(owner)
      .request(mfa.verifyMfa, { params: { kind: 'sms' }, body: { code } });
    expect(set.status).toBe(200);
  });
});

describe('dangerous changes', () => {
  test('need a confirmation of the last 15 minutes, or a fresh code of the factor', async () => {
    const { owner } = await app.createCompany();
    const { secret } = await enroll(owner);
    const remove = (body: { code?: string }) =>
      app.as(owner).request(mfa.removeMfa, { ...totp, body });
    await app.unconfirm(owner);
    expect((await remove({})).body).toMatchObject({ status: 403, code: 'confirmation.required' });
    expect((await remove({ code: codeOf(secret, 3600) })).status).toBe(422);
    expect(
      (await app.as(owner).request(mfa.confirmIdentity, { body: { password: 'wrong' } })).body,
    ).toMatchObject({ errors: { password: [expect.any(String)] } });
    expect((await confirm(owner)).status).toBe(200);
    app.clock.advance(15 * 60 + 1);
    expect((await remove({})).body).toMatchObject({ code: 'confirmation.required' });
    expect((await remove({ code: codeOf(secret) })).status).toBe(204);
    expect((await login(owner)).body).toHaveProperty('token');
    expect((await app.as(owner).request(mfa.listMfa)).body.data.every((f) => !f.enabled)).toBe(
      true,
    );
  });
});

describe('a company that requires a second factor', () => {
  test('lets people without one only as far as setting one up', async () => {
    const { company, owner } = await app.createCompany();
    const user = await app.createPerson(company.id, 'user');
    await require_mfa(company.id, 'admins');
    const read = (person: TestPerson) =>
      app.as(person).request(companies.getCompany, { params: { id: company.id } });
    expect((await read(owner)).body).toMatchObject({ status: 403, code: 'mfa.setup_required' });
    expect((await read(user)).status).toBe(200);
    const me = await app.as(owner).request(companies.getUser, { query: { companyId: company.id } });
    expect(me.body.data).toMatchObject({ mfa_setup_required: true, permissions: {} });
    await require_mfa(company.id, 'all');
    expect((await read(user)).body).toMatchObject({ code: 'mfa.setup_required' });
    await enroll(owner);
    expect((await read(owner)).status).toBe(200);
    expect((await app.as(owner).request(companies.getUser)).body.data).toMatchObject({
      mfa_setup_required: false,
      mfa_enabled: true,
    });
  });
});

describe('an administrator’s help', () => {
  const reset = (by: TestPerson, person: TestPerson) =>
    app.as(by).request(companies.resetUserFactors, {
      params: { companyId: by.companyId, userId: person.id },
    });

  test('removes the factors, ends the sessions, mails the person and is audited', async () => {
    const { company, owner } = await app.createCompany();
    const user = await app.createPerson(company.id, 'user');
    await enroll(user);
    await app.unconfirm(owner);
    expect((await reset(owner, user)).body).toMatchObject({ code: 'confirmation.required' });
    await confirm(owner);
    expect((await reset(owner, user)).status).toBe(204);
    expect((await app.as(user).request(companies.getUser)).status).toBe(401);
    expect((await login(user)).body).toHaveProperty('token');
    await app.drainJobs();
    expect((await app.mails(user.email)).at(-1)!.text).toContain('removed your two-step');
    const { rows } = await app.services.db.pool.query(
      `select subject from audit_log where company_id = $1 and action = 'user.mfa_reset'`,
      [company.id],
    );
    expect(rows).toEqual([{ subject: `user:${user.id}` }]);
  });

  test('not for a person above them, of another company, or who belongs to one that isn’t theirs', async () => {
    const { company, owner } = await app.createCompany();
    const other = await app.createCompany();
    const administrator = await app.createPerson(company.id, 'administrator');
    const user = await app.createPerson(company.id, 'user');
    await confirm(administrator);
    expect((await reset(administrator, owner)).body).toMatchObject({ code: 'user.above_you' });
    expect((await reset(administrator, other.owner)).status).toBe(404);
    await app.services.db.pool.query(
      `insert into membership (company_id, user_id, role) values ($1, $2, 'user')`,
      [other.company.id, user.id],
    );
    expect((await reset(administrator, user)).body).toMatchObject({ code: 'mfa.other_company' });
  });
});
