import { describe, expect, test } from 'vitest';
import {
  accessTokens,
  companies,
  companyRoles,
  invitations,
  oauthProvider,
  organizations,
  users,
} from '#contract';
import { hashToken, randomToken } from '../src/platform/secrets.ts';
import { insertAuthorization } from '../src/modules/identity/oauth-provider/store-oauth.ts';
import { createTestApp, type TestPerson } from './support/test-app.ts';

/**
 * When a person is deactivated, removed or lowered, what they took hold of ends for good (A4 rule 3):
 * it doesn't come back when they do.
 */
const app = await createTestApp();
const pool = app.services.db.pool;

/** A key of this person, and what a program holds that they gave access to. */
async function takeHold(person: TestPerson, scopes: ('read' | 'admin')[] = ['read']) {
  const key = await app.as(person).request(accessTokens.createPersonalAccessToken, {
    body: { company_id: person.companyId, name: 'Held', scopes },
  });
  expect(key.status, JSON.stringify(key.body)).toBe(201);
  const program = randomToken('tlo');
  const grant_hash = hashToken(randomToken('grant'));
  const expires_at = new Date(app.clock.value.getTime() + 86_400_000);
  await app.services.db.systemTransaction(async (tx) => {
    await insertAuthorization(tx, {
      ...{ grant_hash, client_id: 'tlc_reports', client_name: 'Reports', scopes, expires_at },
      person_id: person.id,
      company_id: person.companyId,
    });
    await tx
      .insertInto('oauth_record')
      .values({
        ...{ kind: 'AccessToken', id_hash: hashToken(program), grant_hash, scopes, expires_at },
        payload_sealed: 'x',
      })
      .execute();
  });
  const bearers = [key.body.data.plain_text_token!, program];
  return {
    /** What a read of the company and one of its administration answer to key and program. */
    answers: async () => {
      const statuses = [];
      for (const token of bearers)
        for (const path of [
          `/api/company/${person.companyId}`,
          `/api/general-settings?companyId=${person.companyId}`,
        ]) {
          const headers = { authorization: `Bearer ${token}` };
          statuses.push((await app.as(null).inject({ method: 'GET', url: path, headers })).status);
        }
      return statuses;
    },
  };
}
const all = [200, 403, 200, 403];
const administers = [200, 200, 200, 200];
const none = [401, 401, 401, 401];

const change = (owner: TestPerson, person: TestPerson, body: object) =>
  app.as(owner).request(companies.updateCompanyUser, {
    params: { companyId: owner.companyId, userId: person.id },
    body,
  });
const deactivate = ({ companyId, ...owner }: TestPerson, { id: userId }: TestPerson) =>
  app.as({ companyId, ...owner }).request(users.deactivateUser, { body: { companyId, userId } });
const activate = ({ companyId, ...owner }: TestPerson, { id: userId }: TestPerson) =>
  app.as({ companyId, ...owner }).request(users.activateUser, { body: { companyId, userId } });
const auditOf = async (companyId: number) =>
  (
    await pool.query<{ action: string; actor_id: number | null; because: string }>(
      `select action, actor_id, after ->> 'because' because from audit_log
        where company_id = $1 and after ->> 'because' is not null order by id`,
      [companyId],
    )
  ).rows;

describe('keys and programs', () => {
  test('of a deactivated person end for good, with audit rows of who ended them', async () => {
    const { owner, company } = await app.createCompany();
    const person = await app.createPerson(company.id, 'administrator');
    const held = await takeHold(person);
    const colleague = await takeHold(owner);
    expect(await held.answers()).toEqual(all);
    expect((await deactivate(owner, person)).status).toBe(200);
    expect(await held.answers()).toEqual(none);
    expect((await activate(owner, person)).status).toBe(200);
    expect(await held.answers()).toEqual(none);
    expect(await colleague.answers()).toEqual(all);
    expect(await auditOf(company.id)).toEqual(
      ['api_key.revoked', 'oauth.revoked'].map((action) => ({
        ...{ action, actor_id: owner.id, because: 'access_ended' },
      })),
    );
    const { data } = (await app.as(person).request(oauthProvider.listAuthorizations, {})).body;
    expect(data).toEqual([]);
  });

  test('of a removed person stay dead when they are invited again', async () => {
    const { owner, company } = await app.createCompany();
    const elsewhere = await app.createCompany();
    const person = await app.createPerson(company.id, 'administrator');
    const second = { ...person, companyId: elsewhere.company.id };
    await pool.query(
      `insert into membership (company_id, user_id, role) values ($1, $2, 'administrator')`,
      [second.companyId, person.id],
    );
    const [held, stays] = [await takeHold(person), await takeHold(second)];
    await app.as(owner).request(users.deleteCompanyUser, {
      params: { companyId: company.id, userId: person.id },
    });
    expect(await held.answers()).toEqual(none);
    await pool.query(`insert into membership (company_id, user_id, role) values ($1, $2, 'user')`, [
      company.id,
      person.id,
    ]);
    expect(await held.answers()).toEqual(none);
    expect(await stays.answers()).toEqual(all);
  });

  test('of a lowered person keep only what the lesser role has, also after a promotion', async () => {
    const { owner, company } = await app.createCompany();
    const person = await app.createPerson(company.id, 'administrator');
    const [wide, narrow] = [await takeHold(person, ['read', 'admin']), await takeHold(person)];
    expect(await wide.answers()).toEqual(administers);
    await change(owner, person, { role: 'user' });
    await change(owner, person, { role: 'administrator' });
    expect(await wide.answers()).toEqual(all);
    expect(await narrow.answers()).toEqual(all);
    expect((await auditOf(company.id)).map(({ action }) => action)).toEqual([
      'api_key.limited',
      'oauth.limited',
    ]);
    const onlyAdmin = await takeHold(person, ['admin']);
    await change(owner, person, { role: 'user' });
    expect(await onlyAdmin.answers()).toEqual(none);
  });

  test('end with the administration of the organization, and when an operator disables the person', async () => {
    const { owner, company } = await app.createCompany();
    const organization = await app.as(owner).request(organizations.createOrganization, {
      body: { name: 'Group', companyIds: [company.id] },
    });
    const boss = { ...(await app.createPerson(company.id, 'user')), role: 'org-administrator' };
    const params = { id: organization.body.data.id };
    await app
      .as(owner)
      .request(organizations.addOrganizationAdmin, { params, body: { userId: boss.id } });
    await app.as(owner).request(users.deleteCompanyUser, {
      params: { companyId: company.id, userId: boss.id },
    });
    const held = await takeHold(boss, ['read', 'admin']);
    expect(await held.answers()).toEqual(administers);
    await app.as(owner).request(organizations.removeOrganizationAdmin, {
      params: { ...params, userId: boss.id },
    });
    expect(await held.answers()).toEqual(none);
    const person = await app.createPerson(company.id, 'user');
    const theirs = await takeHold(person);
    await pool.query('update person set disabled_at = now() where id = $1', [person.id]);
    await pool.query('update person set disabled_at = null where id = $1', [person.id]);
    expect(await theirs.answers()).toEqual(none);
  });

  test('pause with the company, and go on with it', async () => {
    const { owner, company } = await app.createCompany();
    const held = await takeHold(owner);
    await pool.query('update company set status = 2 where id = $1', [company.id]);
    expect(await held.answers()).toEqual(none);
    await pool.query('update company set status = 0 where id = $1', [company.id]);
    expect(await held.answers()).toEqual(all);
  });

  test('are limited by the same scopes in the database as in the contract', async () => {
    for (const role of [...companyRoles, 'org-administrator'] as const) {
      const { rows } = await pool.query<{ scopes: string[] }>(
        'select scopes_of(array[$1::text], false) scopes',
        [role],
      );
      expect(rows[0]!.scopes, role).toEqual([...accessTokens.scopesForRole(role)]);
    }
  });
});

describe('an invitation', () => {
  let addresses = 0;
  const invite = async (inviter: TestPerson, more: object = {}) => {
    const email = `planted${++addresses}@elsewhere.test`;
    const answer = await app.as(inviter).request(invitations.invitePerson, {
      params: { companyId: inviter.companyId },
      body: { email, role: 'administrator', ...more },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    await app.drainJobs();
    const token = /tli_[\w-]+/.exec((await app.mails(email))[0]!.text)![0];
    return {
      id: answer.body.data.id,
      open: () => app.as(null).request(invitations.openInvitationLink, { params: { token } }),
      accept: () =>
        app.as(null).request(invitations.acceptInvitation, {
          params: { token },
          body: { first_name: 'Pat', password: 'a whole new sentence' },
        }),
    };
  };
  const gone = { status: 410, code: 'invitation.revoked' };

  test.each([
    ['lowered', (o: TestPerson, p: TestPerson) => change(o, p, { role: 'user' })],
    ['deactivated', deactivate],
    [
      'removed',
      (o: TestPerson, p: TestPerson) =>
        app.as(o).request(users.deleteCompanyUser, {
          params: { companyId: o.companyId, userId: p.id },
        }),
    ],
  ])('ends when its inviter is %s, and the list says why', async (_, end) => {
    const { owner, company } = await app.createCompany();
    const inviter = await app.createPerson(company.id, 'administrator');
    const planted = await invite(inviter);
    const others = await invite(owner);
    expect((await planted.open()).status).toBe(200);
    expect((await end(owner, inviter)).status).toBeLessThan(300);
    expect((await planted.open()).body).toMatchObject(gone);
    expect((await planted.accept()).body).toMatchObject(gone);
    const { data } = (
      await app.as(owner).request(invitations.listInvitations, {
        query: { companyId: company.id },
      })
    ).body;
    expect(data.map((i) => [i.id, i.status, i.revoked_because])).toEqual([
      [others.id, 'pending', null],
      [planted.id, 'revoked', 'inviter_lost_right'],
    ]);
    expect((await others.accept()).status).toBe(200);
  });

  test('is refused where its inviter lost the right in the moment it was sent', async () => {
    const { owner, company } = await app.createCompany();
    const inviter = await app.createPerson(company.id, 'administrator');
    const planted = await invite(inviter);
    await change(owner, inviter, { role: 'user' });
    // As if it had been committed after the change.
    await pool.query(
      'update invitation set revoked_at = null, revoked_because = null where id = $1',
      [planted.id],
    );
    expect((await planted.accept()).body).toMatchObject(gone);
  });

  test('to administer an organization ends with its inviter’s own administration', async () => {
    const { owner, company } = await app.createCompany();
    const made = await app.as(owner).request(organizations.createOrganization, {
      body: { name: 'Group', companyIds: [company.id] },
    });
    const params = { id: made.body.data.id };
    const boss = await app.createPerson(company.id, 'administrator');
    await app
      .as(owner)
      .request(organizations.addOrganizationAdmin, { params, body: { userId: boss.id } });
    const planted = await invite(boss, { is_org_administrator: true });
    const plain = await invite(boss);
    await app.as(owner).request(organizations.removeOrganizationAdmin, {
      params: { ...params, userId: boss.id },
    });
    expect((await planted.accept()).body).toMatchObject(gone);
    // Still an administrator of the company.
    expect((await plain.accept()).status).toBe(200);
  });
});
