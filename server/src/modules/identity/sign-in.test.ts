import { describe, expect, test } from 'vitest';
import { companies, identity } from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';
import { tokenOf } from '../../../test/support/token-of.ts';

const app = await createTestApp();

describe('signing in', () => {
  test('a right password returns tokens that work for GET /user; a wrong one is an error at the email', async () => {
    const { owner } = await app.createCompany();
    const nobody = app.as(null);
    const wrong = await nobody.request(identity.login, {
      body: { email: owner.email, password: 'not this one' },
    });
    expect(wrong.status).toBe(422);
    expect(wrong.body).toMatchObject({
      message: 'The given data was invalid.',
      errors: { email: ['These credentials do not match our records.'] },
    });
    const right = await nobody.request(identity.login, {
      body: { email: owner.email.toUpperCase(), password: 'trunkline-demo' },
    });
    expect(right.status).toBe(200);
    expect(tokenOf(right.body)).toMatchObject({ expires_in: 3600, token_type: 'Bearer' });
    const me = await nobody.inject({
      method: 'GET',
      url: '/api/user',
      headers: { authorization: `Bearer ${tokenOf(right.body).access_token}` },
    });
    expect(me.body.data).toMatchObject({
      id: owner.id,
      email: owner.email,
      companies: [{ id: owner.companyId, role: 'owner' }],
    });
    expect(me.body.data.permissions['company.delete']).toBe('all');
  });

  test('ten wrong passwords lock the address for 15 minutes', async () => {
    const { owner } = await app.createCompany();
    const tryOnce = (password: string) =>
      app.as(null).request(identity.login, { body: { email: owner.email, password } });
    for (let i = 0; i < 10; i++) expect((await tryOnce('wrong')).status).toBe(422);
    const locked = await tryOnce('trunkline-demo');
    expect(locked.status).toBe(429);
    expect(locked.headers['retry-after']).toBe('900');
    app.clock.advance(15 * 60 + 1);
    expect((await tryOnce('trunkline-demo')).status).toBe(200);
  });

  test('a cookie session writes only with the XSRF header that repeats our cookie', async () => {
    const { owner } = await app.createCompany();
    const { headers } = await app.as(null).inject({
      method: 'POST',
      url: '/api/sanctum/login',
      payload: { email: owner.email, password: 'trunkline-demo' },
    });
    const session = String(headers['set-cookie']).split(';')[0]!;
    const xsrf = String(
      (await app.as(null).inject({ method: 'GET', url: '/api/csrf-cookie' })).headers['set-cookie'],
    ).split(';')[0]!;
    const write = (more: Record<string, string>) =>
      app.as(null).inject({
        method: 'POST',
        url: '/api/user/whats_new_read',
        headers: { cookie: `${session}; ${xsrf}`, ...more },
      });
    expect((await write({})).body).toMatchObject({ status: 403, code: 'csrf_mismatch' });
    expect(
      (await write({ 'x-xsrf-token': decodeURIComponent(xsrf.slice('XSRF-TOKEN='.length)) }))
        .status,
    ).toBe(200);
    expect(
      (
        await app
          .as(null)
          .inject({ method: 'GET', url: '/api/sanctum/logout', headers: { cookie: session } })
      ).status,
    ).toBe(403);
  });

  test('a refresh token works once; using it again ends every session of its family', async () => {
    const { owner } = await app.createCompany();
    const first = tokenOf(
      (
        await app
          .as(null)
          .request(identity.login, { body: { email: owner.email, password: 'trunkline-demo' } })
      ).body,
    );
    const refresh = (refresh_token: string) =>
      app.as(null).request(identity.createTokenSession, { body: { refresh_token } });
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    const alive = async (token: string) =>
      (
        await app.as(null).inject({
          method: 'GET',
          url: '/api/user',
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    expect(await alive(first.access_token)).toBe(401);
    expect(await alive(second.body.token.access_token)).toBe(200);
    expect((await refresh(first.refresh_token)).status).toBe(401);
    expect(await alive(second.body.token.access_token)).toBe(401);
  });

  test('a reset link sets a password once, ends other sessions, and expires', async () => {
    const { owner } = await app.createCompany();
    expect(
      (await app.as(null).request(identity.forgotPassword, { body: { email: owner.email } }))
        .status,
    ).toBe(202);
    expect(
      (
        await app
          .as(null)
          .request(identity.forgotPassword, { body: { email: 'nobody@nowhere.test' } })
      ).status,
    ).toBe(202);
    await app.drainJobs();
    const token = /reset-password\/(\S+)/.exec((await app.mails(owner.email))[0]!.text)![1]!;
    // Development shows it, and keeps it sealed all the same.
    expect((await app.as(null).inject({ method: 'GET', url: '/dev/outbox' })).body).toContain(
      token,
    );
    expect(
      JSON.stringify((await app.services.db.pool.query('select * from mail_outbox')).rows),
    ).not.toContain(token);
    const reset = (password: string) =>
      app.as(null).request(identity.resetPassword, { body: { token, password } });
    expect((await reset('short')).body).toMatchObject({
      errors: { password: ['Use at least 12 characters.'] },
    });
    expect((await reset('a whole new sentence')).status).toBe(200);
    expect((await reset('another new sentence')).body).toMatchObject({
      message: 'Your reset link has expired. Please try to resend it again.',
    });
    expect((await app.as(owner).request(companies.getUser)).status).toBe(401);
    expect(
      (
        await app.as(null).request(identity.login, {
          body: { email: owner.email, password: 'a whole new sentence' },
        })
      ).status,
    ).toBe(200);
  });

  test('using one reset link invalidates all others of that person, also when two are used at once', async () => {
    const { owner } = await app.createCompany();
    for (let i = 0; i < 3; i++)
      await app.as(null).request(identity.forgotPassword, { body: { email: owner.email } });
    await app.drainJobs();
    const tokens = (await app.mails(owner.email)).map(
      (mail) => /reset-password\/(\S+)/.exec(mail.text)![1]!,
    );
    expect(tokens).toHaveLength(3);
    const reset = (token: string, password: string) =>
      app.as(null).request(identity.resetPassword, { body: { token, password } });
    const both = await Promise.all(
      tokens.slice(0, 2).map((token, i) => reset(token, `sentence of thief ${i}`)),
    );
    expect(both.map((a) => a.status).toSorted()).toEqual([200, 422]);
    expect((await reset(tokens[2]!, 'sentence of thief 3')).body).toMatchObject({
      code: 'reset.expired',
    });
  });

  test('at most three reset links per hour are mailed, and known and unknown addresses get the same answer', async () => {
    const { owner } = await app.createCompany();
    const forgot = (email: string) =>
      app.as(null).request(identity.forgotPassword, { body: { email } });
    for (let i = 0; i < 5; i++)
      expect((await forgot(owner.email)).status).toBe((await forgot('nobody@nowhere.test')).status);
    await app.drainJobs();
    expect(await app.mails(owner.email)).toHaveLength(3);
    expect(await app.mails('nobody@nowhere.test')).toEqual([]);
  });

  test('sign-up mails a code, then creates the person and their company', async () => {
    const body = {
      email: 'first@signup.test',
      password: 'a long enough sentence',
      company_name: 'Signup & Sons',
    };
    const asked = await app.as(null).request(companies.signup, { body });
    expect(asked.status).toBe(202);
    await app.drainJobs();
    const code = /\d{6}/.exec((await app.mails(body.email))[0]!.text)![0];
    expect(
      (
        await app.as(null).request(companies.signup, {
          body: { ...body, code: code === '000000' ? '000001' : '000000' },
        })
      ).status,
    ).toBe(422);
    const done = await app.as(null).request(companies.signup, { body: { ...body, code } });
    expect(done.status).toBe(201);
    expect(
      (await app.as(null).request(companies.signup, { body: { ...body, code } })).body,
    ).toMatchObject({ errors: { code: ['That code is not valid or has expired.'] } });
    expect(
      (await app.as(null).request(companies.lookupCompany, { query: { slug: 'signup-sons' } })).body
        .data.name,
    ).toBe('Signup & Sons');
  });
});

describe('companies', () => {
  test('an empty company can be deleted by its owner only, and is not found afterwards', async () => {
    const { company, owner } = await app.createCompany();
    const admin = await app.createPerson(company.id, 'administrator');
    expect(
      (await app.as(admin).request(companies.deleteCompany, { params: { id: company.id } })).status,
    ).toBe(403);
    expect(
      (await app.as(owner).request(companies.deleteCompany, { params: { id: company.id } })).status,
    ).toBe(204);
    expect(
      (await app.as(owner).request(companies.getCompany, { params: { id: company.id } })).status,
    ).toBe(404);
  });

  test('If-Match rejects an update of something changed since', async () => {
    const { company, owner } = await app.createCompany();
    const before = await app
      .as(owner)
      .request(companies.getCompany, { params: { id: company.id } });
    const change = (name: string) =>
      app.as(owner).request(companies.updateCompany, {
        params: { id: company.id },
        body: { name },
        headers: { 'if-match': String(before.headers['etag']) },
      });
    expect((await change('Once')).status).toBe(200);
    expect((await change('Twice')).status).toBe(412);
  });

  test('the same Idempotency-Key creates one company, also in fifty concurrent requests', async () => {
    const { owner } = await app.createCompany();
    const make = (name = 'Made once') =>
      app.as(owner).request(companies.createCompany, {
        body: { company_info: { name } },
        headers: { 'idempotency-key': 'k1' },
      });
    const all = await Promise.all(Array.from({ length: 50 }, () => make()));
    expect(all.filter((a) => a.status === 201).length).toBeGreaterThan(0);
    expect(all.every((a) => a.status === 201 || a.status === 409)).toBe(true);
    const { rows } = await app.services.db.pool.query(
      `select count(*)::int n from company where name = 'Made once'`,
    );
    expect(rows[0].n).toBe(1);
    expect((await make('Other body')).status).toBe(422);
    expect((await make()).headers['idempotency-replayed']).toBe('true');
  });

  test('PUT also arrives as POST with _method', async () => {
    const { company, owner } = await app.createCompany();
    const answer = await app.as(owner).inject({
      method: 'POST',
      url: `/api/company/${company.id}`,
      payload: { _method: 'PUT', name: 'Renamed' },
    });
    expect(answer.body.data.name).toBe('Renamed');
  });
});
