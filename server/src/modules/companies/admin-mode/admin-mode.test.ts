import { expect, test } from 'vitest';
import {
  adminMode as contract,
  audit,
  companies,
  contacts,
  conversations,
  identity,
  mfa,
  numbers,
  users,
} from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp({ env: { SIGN_INS_PER_MINUTE: '1000' } });
const isAdmin = { isadmin: '1' };
const reason = 'Ticket 4711: calls don’t ring';
const codeOf = (answer: { body: unknown }) => (answer.body as { code?: string } | null)?.code;

const read = (who: TestPerson, id: number) =>
  app.as(who).request(companies.getCompany, { params: { id }, headers: isAdmin });
const rename = (who: TestPerson, id: number) =>
  app
    .as(who)
    .request(companies.updateCompany, { params: { id }, body: { phone: null }, headers: isAdmin });
const allow = (who: TestPerson) =>
  app.as(who).request(contract.allowAdminWrites, { headers: isAdmin });
const enter = (who: TestPerson, minutes = 60) =>
  app.as(who).request(contract.enterAdminMode, { body: { reason, minutes } });
const auditOf = async (owner: TestPerson) =>
  (
    await app.as(owner).request(audit.listAuditLog, {
      params: { companyId: owner.companyId },
      query: { perPage: 100 },
    })
  ).body.data;
/** As if the session had begun after a factor was set up, which a sign-in then asks for. */
const withFactor = (who: TestPerson) =>
  app.services.db.pool.query(
    `update person set mfa_enabled_at = (select min(created_at) from session
      where person_id = $1) where id = $1`,
    [who.id],
  );

test('admin mode needs staff, a confirmation, a second factor, a reason and an end', async () => {
  const { owner, company } = await app.createCompany();
  expect(codeOf(await enter(owner))).toBe('admin.staff_only');
  const staff = await app.createStaff('outside');
  expect((await read(staff, company.id)).status).toBe(404);
  expect(codeOf(await enter(staff))).toBe('admin.factor_required');
  await withFactor(staff);
  await app.unconfirm(staff);
  expect(codeOf(await enter(staff))).toBe('confirmation.required');
  await app.as(staff).request(mfa.confirmIdentity, { body: { password: 'trunkline-demo' } });
  const short = await app
    .as(staff)
    .request(contract.enterAdminMode, { body: { reason: ' hm ', minutes: 999 } });
  expect(Object.keys((short.body as unknown as { errors: object }).errors).sort()).toEqual([
    'minutes',
    'reason',
  ]);
  const entered = await enter(staff);
  expect(entered.body.data).toMatchObject({ reason, may_write: false });
  expect((await read(staff, company.id)).status).toBe(200);
  const { rows } = await app.services.db.pool.query<{ reason: string; ended: boolean }>(
    'select reason, left_at is not null ended from admin_entry where person_id = $1',
    [staff.id],
  );
  expect(rows).toEqual([{ reason, ended: false }]);
});

test('it reads first; the second step allows changes; it ends by itself and by leaving', async () => {
  const { owner, company } = await app.createCompany();
  const staff = await app.createStaff('outside');
  await withFactor(staff);
  await enter(staff, 30);
  expect(codeOf(await rename(staff, company.id))).toBe('admin.read_only');
  const contact = await app.as(staff).request(contacts.createContact, {
    body: { companyId: company.id, name: 'Sam', number: '+12125550177' },
    headers: isAdmin,
  });
  expect(codeOf(contact)).toBe('admin.read_only');
  await app.unconfirm(staff);
  expect(codeOf(await allow(staff))).toBe('confirmation.required');
  await app.as(staff).request(mfa.confirmIdentity, { body: { password: 'trunkline-demo' } });
  const allowed = await allow(staff);
  expect(allowed.body.data.may_write).toBe(true);
  expect((await rename(staff, company.id)).status).toBe(200);

  app.clock.advance(29 * 60);
  expect((await read(staff, company.id)).status).toBe(200);
  app.clock.advance(61);
  expect((await read(staff, company.id)).status).toBe(404);
  expect(codeOf(await allow(staff))).toBe('role.forbidden');
  await app.as(staff).request(mfa.confirmIdentity, { body: { password: 'trunkline-demo' } });
  await enter(staff);
  expect((await read(staff, company.id)).status).toBe(200);
  await app.as(staff).request(contract.leaveAdminMode);
  expect((await read(staff, company.id)).status).toBe(404);
  expect((await read(owner, company.id)).body.data.platform_access).toEqual([]);
});

test('the owner sees who is there, why and until when, and each step in the audit log', async () => {
  const { owner, company } = await app.createCompany();
  const untouched = await app.createCompany();
  const user = await app.createPerson(company.id, 'user');
  const staff = await app.createStaff('outside');
  await withFactor(staff);
  await enter(staff);
  await Promise.all([read(staff, company.id), read(staff, company.id), read(staff, company.id)]);
  const seen = (await read(owner, company.id)).body.data.platform_access;
  expect(seen).toMatchObject([
    { name: expect.stringContaining('staff'), reason, may_write: false },
  ]);
  expect((await read(user, company.id)).body.data.platform_access).toEqual([]);
  await allow(staff);
  await rename(staff, company.id);
  const listed = await app.as(staff).request(numbers.listNumbers, {
    query: { companyId: company.id },
    headers: isAdmin,
  });
  expect(listed.status).toBe(200);
  const rows = await auditOf(owner);
  const { rows: stored } = await app.services.db.pool.query<{ action: string; reason: string }>(
    'select action, reason from audit_log where company_id = $1 order by id',
    [company.id],
  );
  expect(stored).toEqual([
    { action: 'admin.opened', reason },
    { action: 'admin.acted', reason },
    { action: 'company.updated', reason },
  ]);
  expect(rows.length).toBe(3);
  expect(await auditOf(untouched.owner)).toEqual([]);
  const { rows: told } = await app.services.db.pool.query<{ event: string }>(
    `select event from outbox where company_id = $1 and event = 'company.changed'`,
    [company.id],
  );
  expect(told.length).toBeGreaterThanOrEqual(2);
});

test('a remote login works once, within a minute, in one company, and never as the person’s own', async () => {
  const { owner, company } = await app.createCompany();
  const elsewhere = await app.as(owner).request(companies.createCompany, {
    body: { company_info: { name: 'Other' } },
  });
  const staff = await app.createStaff('outside');
  await withFactor(staff);
  const make = () =>
    app.as(staff).request(contract.createRemoteLogin, {
      body: { user_id: owner.id, company_id: company.id, reason },
      headers: isAdmin,
    });
  expect(codeOf(await make())).toBe('role.forbidden');
  await enter(staff);
  const use = (token: string) => app.as(null).request(contract.remoteLogin, { body: { token } });
  const late = (await make()).body.data.token;
  app.clock.advance(61);
  expect(codeOf(await use(late))).toBe('remote_login.expired');
  const { token } = (await make()).body.data;
  const answers = await Promise.all([use(token), use(token), use(token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
  const opened = answers.find(({ status }) => status === 200)!.body;
  expect(opened.token).not.toHaveProperty('refresh_token');
  const remote: TestPerson = { ...owner, token: opened.token.access_token };

  const me = (await app.as(remote).request(companies.getUser)).body.data;
  expect(me.companies.map(({ id }) => id)).toEqual([company.id]);
  expect(me.sip_password).toBeNull();
  expect((await read(remote, company.id)).status).toBe(200);
  expect((await read(remote, elsewhere.body.data.id)).status).toBe(404);
  expect(codeOf(await rename(remote, company.id))).toBe('admin.read_only');
  // A list whose filters are sent in a body is a read, too.
  const activity = await app.as(remote).request(conversations.listActivity, {
    body: { company_id: company.id, tz: 'UTC' },
  });
  expect(activity.status, JSON.stringify(activity.body)).toBe(200);
  await allow(staff);
  expect((await rename(remote, company.id)).status).toBe(200);
  // Nothing of how the person signs in, and nothing that a person must confirm.
  const refused = await Promise.all([
    app.as(remote).request(mfa.confirmIdentity, { body: { password: 'trunkline-demo' } }),
    app.as(remote).request(users.updateProfile, {
      params: { userId: owner.id },
      body: { first_name: 'Eve' },
    }),
    app.as(remote).request(identity.clearTokenSessions),
    app.as(remote).request(companies.deleteCompany, { params: { id: company.id } }),
  ]);
  expect(refused.map(codeOf)).toEqual([
    'remote_login.own',
    'remote_login.own',
    'remote_login.own',
    'confirmation.needs_session',
  ]);
  const { rows } = await app.services.db.pool.query<{ actor_id: number; impersonator_id: number }>(
    `select actor_id, impersonator_id, reason from audit_log
      where company_id = $1 and action = 'company.updated'`,
    [company.id],
  );
  expect(rows).toEqual([{ actor_id: owner.id, impersonator_id: staff.id, reason }]);
  await app.as(staff).request(contract.leaveAdminMode);
  expect((await read(remote, company.id)).status).toBe(401);
});
