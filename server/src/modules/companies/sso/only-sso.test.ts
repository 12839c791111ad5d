import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { adminMode, companies, identity, organizations, passkeys, sso, users } from '#contract';
import { createAuthenticator } from '../../../../test/support/authenticator.ts';
import {
  createBrowser,
  createIdentityProvider,
} from '../../../../test/support/identity-provider.ts';
import { openSocket } from '../../../../test/support/live-socket.ts';
import { createOnlySso } from '../../../../test/support/sso-only.ts';
import { createSsoOrganization } from '../../../../test/support/sso-organization.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { ownProviders } from '../../../adapters/sign-in-organizations/own-providers.ts';

const origin = 'https://phones.test';
const idp = await createIdentityProvider('idp');
const google = await createIdentityProvider('google');
afterAll(() => Promise.all([idp.server.stop(), google.server.stop()]));
const app = await createTestApp({
  clock: 'still',
  env: { PUBLIC_URL: origin },
  ports: {
    ownProviders: ownProviders({ isPrivateAllowed: true }),
    signIn: new Map([['google', google.provider]]),
  },
});
const address = await app.server.listen({ port: 0, host: '127.0.0.1' });
const { pool } = app.services.db;
const only = createOnlySso(app, idp.issuer);
beforeEach(() => idp.says({}));

const codeOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { code?: string } | null)?.code,
];
const refused = [403, 'sso.required'];
const read = async (person: TestPerson, id = person.companyId) =>
  codeOf(await app.as(person).request(companies.getCompany, { params: { id } }));
const actionsOf = async (companyId: number): Promise<string[]> =>
  (
    await pool.query<{ action: string }>(
      `select action from audit_log where company_id = $1 order by id`,
      [companyId],
    )
  ).rows.map((row) => row.action);
const titlesOf = async (to: string) => (await app.mails(to)).map((mail) => mail.subject);

/** A person's socket, and whether it hears what is told to their company and to them. */
async function listen(companyId: number, person: TestPerson) {
  const channels = [`private-conversations.${companyId}`, `private-users.${person.id}`];
  const socket = await openSocket(address, person.token, channels);
  const tell = (probe: string, userId?: number) =>
    app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('outbox')
        .values({
          company_id: companyId,
          channel_key: userId ?? null,
          event: userId ? 'in-app-calling' : 'conversation-updated',
          data: JSON.stringify({ probe }),
        })
        .execute(),
    );
  const heardAll = async (name: string, isHeard: boolean) => {
    await tell(`${name} company`);
    await tell(`${name} person`, person.id);
    // What is published later has everything before it.
    await app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('outbox')
        .values({
          channel_key: person.id,
          event: 'mfa.changed',
          data: JSON.stringify({ probe: `${name} end` }),
        })
        .execute(),
    );
    app.notifier.notify();
    await app.drainJobs();
    await socket.hears((one) => one.probe === `${name} end`);
    for (const probe of [`${name} company`, `${name} person`])
      expect(
        socket.heard.some((one) => one.probe === probe),
        probe,
      ).toBe(isHeard);
  };
  return { socket, heardAll };
}

describe('the switch', () => {
  test('waits for someone to come through the provider, and is off again for another one', async () => {
    const o = await createSsoOrganization(app, { issuer: idp.issuer });
    await o.as.request(sso.saveSsoAccess, {
      params: o.params,
      body: { rules: [{ group: null, company_id: o.company.id, role: 'user' }] },
    });
    expect(codeOf(await only.require(o))).toEqual([409, 'sso.untried']);
    idp.says({ sub: 'new', email: `new@${o.domain}`, email_verified: true });
    const browser = createBrowser(app);
    await browser.comeThrough(o.way);
    await browser.send('POST', '/sanctum/sso', { body: {} });
    const { body } = await only.require(o);
    expect(body.data.only).toMatchObject({
      required_at: app.clock.value.toISOString(),
      people: 1,
      owners: [{ gets_in: 'address' }],
      problem: null,
    });
    expect(await actionsOf(o.company.id)).toContain('sso.required');
    await app.drainJobs();
    expect(await titlesOf(o.owner.email)).toContain(
      'Harborline lets people in only through single sign-on',
    );
    const found = await createBrowser(app).send('POST', '/sanctum/sso/find', {
      body: { email: `new@${o.domain}` },
    });
    expect(found.body.data).toMatchObject({ is_required: true });
    // Nobody knows yet whether the other one lets people in.
    const save = (client_id: string) =>
      o.as.request(sso.saveSso, {
        params: o.params,
        body: { issuer: idp.issuer, client_id, client_secret: 'another' },
      });
    expect((await save('client')).body.data.only.required_at).not.toBeNull();
    expect((await save('other')).body.data.only).toMatchObject({
      required_at: null,
      used_at: null,
      problem: 'untried',
    });
    expect((await actionsOf(o.company.id)).slice(-2)).toEqual(['sso.changed', 'sso.optional']);
  });

  test('locks out neither who turns it on, nor every owner', async () => {
    const o = await only.create();
    await only.require(o, false);
    const owner = await only.named(o, o.owner, 'olive');
    expect(codeOf(await only.require(o))).toEqual([409, 'sso.no_door']);
    await only.enroll(owner);
    expect(codeOf(await only.require(o))).toEqual([409, 'sso.not_in_it']);
    await only.comeThrough(owner, o.id);
    expect((await only.require(o)).status).toBe(200);
    expect(await read(owner)).toEqual([200, undefined]);
    await pool.query('update sso_domain set proven_at = null where organization_id = $1', [o.id]);
    await only.require(o, false);
    expect(codeOf(await only.require(o))).toEqual([409, 'sso.no_domain']);
  });

  test('is an administrator’s of the organization, who has just confirmed', async () => {
    const [o, other] = [await only.create(), await only.create()];
    const member = await app.createPerson(o.company.id, 'administrator');
    expect(codeOf(await only.require({ ...o, as: app.as(member) }, false))).toEqual([
      403,
      'role.forbidden',
    ]);
    expect((await only.require({ ...o, as: other.as }, false)).status).toBe(404);
    await app.unconfirm(o.owner);
    expect(codeOf(await only.require(o, false))).toEqual([403, 'confirmation.required']);
  });
});

describe('another way in', () => {
  test('by password is refused, in words that lead to the company’s; it counts as no wrong one', async () => {
    const { person, company } = await only.create();
    for (let tries = 0; tries < 11; tries++) {
      const { body } = await only.login(person.email);
      expect(codeOf({ status: body.status, body })).toEqual(refused);
      expect(body.message).toContain('Continue with Harborline');
    }
    expect((await only.login(person.email, { password: 'wrong' })).status).toBe(422);
    const { rows } = await pool.query(
      `select after from audit_log where company_id = $1 and action = 'sign_in.failed'`,
      [company.id],
    );
    expect(rows).toContainEqual({ after: { step: 'sso' } });
    expect(
      (await pool.query('select from session where person_id = $1', [person.id])).rowCount,
    ).toBe(1);
  });

  test('by passkey and through another provider is refused', async () => {
    const { person, id } = await only.create();
    await only.comeThrough(person, id);
    const key = createAuthenticator(origin);
    const { challenge } = (await app.as(person).request(passkeys.passkeyCreationOptions, {})).body
      .data;
    await app.as(person).request(passkeys.createPasskey, {
      body: { name: 'Laptop', passkey: key.create(challenge) },
    });
    const options = await only.post(passkeys.passkeySignInOptions.path, {});
    const passkey = key.use(options.body.data.challenge);
    const answer = await only.post(passkeys.signInWithPasskey.path, { passkey });
    expect(codeOf(answer)).toEqual(refused);
    await pool.query(
      `insert into person_identity (person_id, provider, issuer, subject, email)
        values ($1, 'google', $2, 'g', $3)`,
      [person.id, google.issuer, person.email],
    );
    google.says({ sub: 'g', email: person.email, email_verified: true });
    const browser = createBrowser(app);
    await browser.comeThrough('google');
    expect(codeOf(await browser.send('POST', '/sanctum/external', { body: {} }))).toEqual(refused);
  });

  test('by a reset link is refused, also one that was mailed before; another mail says the way', async () => {
    const { person, ...o } = await only.create();
    await only.require(o, false);
    const forgot = () => only.post(identity.forgotPassword.path, { email: person.email });
    await forgot();
    await app.drainJobs();
    const [mail] = await app.mails(person.email);
    const token = /reset-password\/(\S+)/.exec(mail!.text)![1]!;
    await pool.query('update sso_connection set required_at = now() where organization_id = $1', [
      o.id,
    ]);
    const reset = () =>
      only.post(identity.resetPassword.path, { token, password: 'a whole new sentence' });
    expect(codeOf(await reset())).toEqual(refused);
    expect((await forgot()).status).toBe(202);
    await app.drainJobs();
    const second = (await app.mails(person.email)).find(
      ({ subject }) => subject === 'Sign in through Harborline',
    );
    expect(second!.text).not.toContain('reset-password');
    // The link still works once people can choose again.
    await only.require(o, false);
    expect((await reset()).status).toBe(200);
  });

  test('through a new address is refused, and an invitation leads to the company’s', async () => {
    const { person, ...o } = await only.create();
    await only.comeThrough(person, o.id);
    const change = (email: string) =>
      app.as(person).request(users.updateProfile, {
        params: { userId: person.id },
        body: { email, current_password: 'trunkline-demo' },
      });
    expect(codeOf(await change('ann@elsewhere.com'))).toEqual([409, 'sso.address_kept']);
    expect((await change(`ann.fox@${o.domain}`)).status).toBe(200);
    const invited = await app.as(o.owner).inject({
      method: 'POST',
      url: `/api/company/${o.company.id}/invite`,
      payload: { email: `new@${o.domain}`, role: 'user' },
    });
    expect(invited.status, JSON.stringify(invited.body)).toBeLessThan(300);
    await app.drainJobs();
    const [mail] = await app.mails(`new@${o.domain}`);
    const link = /invit\w*\/([\w-]{20,})/.exec(mail!.text)![1]!;
    const accepted = await only.post(`/invites/accept/${link}`, {
      first_name: 'New',
      password: 'a whole new sentence',
    });
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(200);
    const { access_token: token } = accepted.body.token;
    expect(await read({ ...person, token })).toEqual(refused);
    expect(
      codeOf(await only.login(`new@${o.domain}`, { password: 'a whole new sentence' })),
    ).toEqual(refused);
  });
});

describe('a session that began otherwise', () => {
  test('reaches neither the company nor its organization, while one of the provider does', async () => {
    const { person, ...o } = await only.create();
    await pool.query(`insert into organization_admin (organization_id, user_id) values ($1, $2)`, [
      o.id,
      person.id,
    ]);
    const me = (await app.as(person).request(companies.getUser)).body.data;
    expect(me).toMatchObject({
      sip_password: null,
      support_pins: [],
      permissions: { 'organization.edit': 'all' },
      sso_required: { organization: 'Harborline', url: `/api/oauth/sso/${o.id}/redirect` },
    });
    const doors = [
      `/companies/${o.company.id}/conversations`,
      `/companies/${o.company.id}/exports/1/file`,
      `/calls/search?companyId=${o.company.id}`,
      `/business-units/${o.id}/sso`,
      `/business-units/${o.id}`,
    ];
    for (const url of doors)
      expect(
        [url, ...codeOf(await app.as(person).inject({ method: 'GET', url: `/api${url}` }))],
        url,
      ).toEqual([url, ...refused]);
    expect((await app.as(person).request(organizations.listOrganizations, {})).body.data).toEqual(
      [],
    );
    // Renewed, it is still the same.
    const renewed = await app.as(person).request(identity.createTokenSession, {
      body: { device_name: 'Phone' },
    });
    const device = { ...person, token: renewed.body.token.access_token };
    expect(await read(device)).toEqual(refused);
    // Without a company there is nothing to see, and nothing to change either.
    await pool.query('update company set organization_id = null where organization_id = $1', [
      o.id,
    ]);
    expect(codeOf(await only.require({ ...o, as: app.as(person) }, false))).toEqual(refused);
    await pool.query('update company set organization_id = $1 where id = $2', [o.id, o.company.id]);
    await only.comeThrough(person, o.id);
    expect(await read(person)).toEqual([200, undefined]);
    expect((await app.as(person).request(companies.getUser)).body.data.sso_required).toBeNull();
  });

  test('loses its open sockets and its pushes at once, and gets them back', async () => {
    const { person, ...o } = await only.create();
    await only.require(o, false);
    const { socket, heardAll } = await listen(o.company.id, person);
    await heardAll('before', true);
    await pool.query('update sso_connection set used_at = now() where organization_id = $1', [
      o.id,
    ]);
    expect((await only.require(o)).status).toBe(200);
    await app.drainJobs();
    await socket.hears((one) => one.event === 'permissions-changed');
    await heardAll('while', false);
    await only.require(o, false);
    await app.drainJobs();
    await heardAll('after', true);
    socket.close();
    const keptOut = async () =>
      (
        await pool.query<{ out: boolean }>(
          `select sso_keeps_out($1, (select max(id) from session where person_id = $1), $2) out`,
          [person.id, o.company.id],
        )
      ).rows[0]!.out;
    expect(await keptOut()).toBe(false);
    await only.require(o);
    expect(await keptOut()).toBe(true);
    await only.comeThrough(person, o.id);
    expect(await keptOut()).toBe(false);
  });
});

describe('a company that joins such an organization', () => {
  test('closes to sessions that began otherwise, open sockets included, and opens when it leaves', async () => {
    const o = await only.create();
    await only.comeThrough(o.owner, o.id);
    const { company, owner } = await app.createCompany();
    const person = await only.named(o, await app.createPerson(company.id, 'user'), 'bea');
    await pool.query('update organization set owner_id = $1 where id = $2', [owner.id, o.id]);
    const { socket, heardAll } = await listen(company.id, person);
    await heardAll('before', true);
    const joined = await app.as(owner).request(organizations.attachOrganizationCompany, {
      params: { id: o.id },
      body: { companyId: company.id },
    });
    expect(joined.status, JSON.stringify(joined.body)).toBeLessThan(300);
    await app.drainJobs();
    await socket.hears((one) => one.event === 'permissions-changed');
    expect(await read(person)).toEqual(refused);
    await heardAll('inside', false);
    const left = await app.as(owner).request(organizations.detachOrganizationCompany, {
      params: { id: o.id, companyId: company.id },
    });
    expect(left.status, JSON.stringify(left.body)).toBeLessThan(300);
    await app.drainJobs();
    expect(await read(person)).toEqual([200, undefined]);
    await heardAll('outside', true);
    socket.close();
  });
});

describe('it is the organization’s, and no more', () => {
  test('who also works elsewhere signs in as before, to what is elsewhere', async () => {
    const { person, ...o } = await only.create();
    const elsewhere = await app.createCompany();
    await pool.query(
      `insert into membership (company_id, user_id, role) values ($1, $2, 'administrator')`,
      [elsewhere.company.id, person.id],
    );
    const { body } = await only.login(person.email);
    const session = { ...person, token: body.token.access_token };
    expect(await read(session, elsewhere.company.id)).toEqual([200, undefined]);
    expect(await read(session, o.company.id)).toEqual(refused);
    // Through another organization's provider they don't get in here either.
    const other = await only.create();
    await only.comeThrough(person, other.id);
    expect(await read(session, o.company.id)).toEqual(refused);
  });

  test('guests with another address and other companies notice nothing', async () => {
    const o = await only.create();
    const guest = await app.createPerson(o.company.id, 'user');
    const other = await app.createCompany();
    for (const one of [guest, other.owner]) {
      expect(await read(one)).toEqual([200, undefined]);
      expect((await only.login(one.email)).status).toBe(200);
    }
  });

  test('API keys keep working, and platform staff help as before', async () => {
    const { person, ...o } = await only.create();
    await only.comeThrough(person, o.id);
    const made = await app.as(person).inject({
      method: 'POST',
      url: '/api/personalAccessTokens',
      payload: { name: 'Reports', company_id: o.company.id, scopes: ['read'] },
    });
    await only.comeThrough(person, null);
    const key = { ...person, token: made.body.data.plain_text_token };
    expect(await read(key)).toEqual([200, undefined]);
    const staff = await app.createStaff('reads');
    const isAdmin = { isadmin: '1' };
    const seen = await app.as(staff).inject({
      method: 'GET',
      url: `/api/company/${o.company.id}`,
      headers: isAdmin,
    });
    expect(seen.status).toBe(200);
    const remote = await app.as(staff).request(adminMode.createRemoteLogin, {
      body: { user_id: person.id, company_id: o.company.id, reason: 'They asked for help' },
      headers: isAdmin,
    });
    const opened = await only.post(adminMode.remoteLogin.path, { token: remote.body.data.token });
    expect(await read({ ...person, token: opened.body.token.access_token })).toEqual([
      200,
      undefined,
    ]);
  });

  test.each([
    'a lost proof',
    'a removed domain',
    'a disconnected provider',
    'a deleted organization',
  ])('%s locks no one out', async (what) => {
    const { person, ...o } = await only.create();
    expect(await read(person)).toEqual(refused);
    if (what === 'a lost proof') {
      await pool.query(`update sso_domain set missing_since = now() where organization_id = $1`, [
        o.id,
      ]);
      // A mistake in DNS is waited for.
      expect(await read(person)).toEqual(refused);
      await pool.query(
        `update sso_domain set proven_at = null, missing_since = null where organization_id = $1`,
        [o.id],
      );
    } else if (what === 'a removed domain')
      await o.as.request(sso.removeSsoDomain, {
        params: { id: o.id, domain: o.domain },
      });
    else if (what === 'a disconnected provider')
      await o.as.request(sso.removeSso, { params: o.params });
    else {
      await pool.query('update company set organization_id = null where organization_id = $1', [
        o.id,
      ]);
      await pool.query('delete from organization where id = $1', [o.id]);
    }
    expect(await read(person)).toEqual([200, undefined]);
    expect((await only.login(person.email)).status).toBe(200);
  });
});

describe('the owner’s emergency door', () => {
  test('is a password and a second factor; it is in the log, and the others are told', async () => {
    const o = await only.create();
    const owner = await only.named(o, o.owner, 'olive');
    const second = await app.createPerson(o.company.id, 'administrator');
    await pool.query(`insert into organization_admin (organization_id, user_id) values ($1, $2)`, [
      o.id,
      second.id,
    ]);
    expect(codeOf(await only.login(owner.email))).toEqual(refused);
    const next = await only.enroll(owner);
    expect(await read(owner)).toEqual(refused);
    const waiting = await only.login(owner.email);
    expect(waiting.body).toMatchObject({ mfa_required: true });
    const opened = await only.finish(waiting.body.mfa_token, next());
    expect(await read({ ...owner, token: opened.body.token.access_token })).toEqual([
      200,
      undefined,
    ]);
    expect(await actionsOf(o.company.id)).toContain('sso.emergency_used');
    await app.drainJobs();
    const [mail] = await app.mails(second.email);
    expect(mail!.subject).toMatch(/^owner \d+ signed in past single sign-on$/);
    expect(mail!.text).toContain(owner.email);
    expect(await titlesOf(owner.email)).not.toContain(mail!.subject);
    // Their password can be set anew, or the door would be closed by forgetting it.
    await only.post(identity.forgotPassword.path, { email: owner.email });
    await app.drainJobs();
    expect(await titlesOf(owner.email)).toContain('Set a new password');
  });

  test('doesn’t open for others with a second factor, nor for a provider’s first proof', async () => {
    const { person, ...o } = await only.create();
    await only.comeThrough(person, o.id);
    await only.enroll(person);
    expect(codeOf(await only.login(person.email))).toEqual(refused);
    const owner = await only.named(o, o.owner, 'olive');
    const next = await only.enroll(owner);
    // It waits since before the switch was turned on.
    await pool.query('update sso_connection set required_at = null where organization_id = $1', [
      o.id,
    ]);
    const waiting = await only.login(owner.email);
    await pool.query('update pending_sign_in set by_password = false where person_id = $1', [
      owner.id,
    ]);
    await pool.query('update sso_connection set required_at = now() where organization_id = $1', [
      o.id,
    ]);
    app.clock.advance(60);
    expect(codeOf(await only.finish(waiting.body.mfa_token, next()))).toEqual(refused);
  });
});

describe('unlinking', () => {
  test('an organization’s provider is listed, and unlinked unless it is the only way in', async () => {
    const { person, ...o } = await only.create();
    const link = () =>
      pool.query(
        `insert into sso_identity (organization_id, person_id, issuer, subject, email)
          values ($1, $2, $3, $4, $5)`,
        [o.id, person.id, idp.issuer, randomUUID(), person.email],
      );
    await link();
    await only.comeThrough(person, o.id);
    const methods = async () =>
      (await app.as(person).inject({ method: 'GET', url: '/api/user/sign-in-methods' })).body.data
        .providers;
    const unlink = (who = person) =>
      app.as(who).inject({ method: 'DELETE', url: `/api/user/sign-in-methods/sso-${o.id}` });
    expect(await methods()).toMatchObject([
      { provider: 'google', linked: null },
      { provider: `sso-${o.id}`, label: 'Harborline', linked: { can_unlink: false } },
    ]);
    expect(codeOf(await unlink())).toEqual(refused);
    await only.require(o, false);
    await pool.query('update person set password_hash = null where id = $1', [person.id]);
    expect((await methods())[1].linked.can_unlink).toBe(false);
    expect(codeOf(await unlink())).toEqual([409, 'sign_in.last_way']);
    await pool.query(`update person set password_hash = 'x' where id = $1`, [person.id]);
    expect((await methods())[1].linked.can_unlink).toBe(true);
    expect((await unlink(o.owner)).status).toBe(404);
    expect((await unlink()).status).toBe(204);
    expect((await unlink()).status).toBe(404);
    expect(await actionsOf(o.company.id)).toContain('sign_in_method.unlinked');
  });
});
