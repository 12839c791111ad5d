import { expect, test } from 'vitest';
import {
  companies,
  mfa,
  organizations as contract,
  settings,
  users,
  type Answer,
  type BodyIn,
} from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { liftNetworks } from '../../settings/index.ts';

const app = await createTestApp();
const PASSWORD = 'trunkline-demo';
const here = ['127.0.0.0/8'];
const elsewhere = ['203.0.113.0/24'];

const codeOf = (answer: { body: unknown }) => (answer.body as { code?: string }).code;
const statusOf = (who: TestPerson, companyId: number) =>
  app.as(who).request(companies.getCompany, { params: { id: companyId } });
const createOrganization = (who: TestPerson, companyIds: number[]) =>
  app.as(who).request(contract.createOrganization, { body: { name: 'Harborline', companyIds } });
const leave = (who: TestPerson, companyId: number) =>
  app.as(who).request(contract.leaveOrganization, { params: { companyId } });
const set = (who: TestPerson, body: BodyIn<typeof settings.updateGeneralSettings>, query = {}) =>
  app.as(who).request(settings.updateGeneralSettings, {
    query: { company_id: who.companyId, ...query },
    body,
  });
const confirmAgain = (who: TestPerson) =>
  app.as(who).request(mfa.confirmIdentity, { body: { password: PASSWORD } });

/** A company of `owner` under an organization that `admin` runs, who has no role in the company. */
async function captured() {
  const { company, owner } = await app.createCompany();
  const agency = await app.createCompany();
  const made = await createOrganization(agency.owner, [agency.company.id]);
  const id = made.body.data.id;
  await app.services.db.systemTransaction(async (tx) => {
    await tx
      .updateTable('company')
      .set({ organization_id: id })
      .where('id', '=', company.id)
      .execute();
  });
  return { company, owner, admin: { ...agency.owner, companyId: company.id }, id };
}

test('only the owner puts a company under an organization, confirms it, and is mailed', async () => {
  const { company, owner } = await app.createCompany();
  const administrator = await app.createPerson(company.id, 'administrator');
  const own = await app.as(administrator).request(companies.createCompany, {
    body: { company_info: { name: 'Evil Co' } },
  });
  expect(own.status).toBe(201);
  expect(codeOf(await createOrganization(administrator, [company.id]))).toBe(
    'organization.owner_decides',
  );
  const evil = (await createOrganization(administrator, [own.body.data.id])).body.data;
  const attach = (who: TestPerson, id: number) =>
    app.as(who).request(contract.attachOrganizationCompany, {
      params: { id },
      body: { companyId: company.id },
    });
  expect(codeOf(await attach(administrator, evil.id))).toBe('organization.owner_decides');
  const staff = await app.createStaff();
  const byStaff = await app.as(staff).request(contract.attachOrganizationCompany, {
    params: { id: evil.id },
    body: { companyId: company.id },
    headers: { isadmin: '1' },
  });
  expect(codeOf(byStaff)).toBe('organization.owner_decides');
  expect((await statusOf(owner, company.id)).body.data.organization_id).toBeNull();

  const mine = (await createOrganization(owner, [])).body.data;
  await app.unconfirm(owner);
  expect(codeOf(await attach(owner, mine.id))).toBe('confirmation.required');
  expect(codeOf(await createOrganization(owner, [company.id]))).toBe('confirmation.required');
  await confirmAgain(owner);
  expect((await attach(owner, mine.id)).status).toBe(201);
  await app.drainJobs();
  expect((await app.mails(owner.email)).map((mail) => mail.subject)).toContain(
    `${company.name} is now part of Harborline`,
  );
});

test('the owner leaves a hostile organization that deactivated the company and closed its networks', async () => {
  const { company, owner, admin, id } = await captured();
  const colleague = await app.createPerson(company.id, 'user');
  await set(admin, { allowed_ip_ranges: here });
  // From elsewhere this would be allowed: the owner is what it keeps out.
  await app.services.db.systemTransaction(async (tx) => {
    await tx
      .updateTable('setting_value')
      .set({ value: JSON.stringify(elsewhere) })
      .where('company_id', '=', company.id)
      .where('key', '=', 'allowed_ip_ranges')
      .execute();
  });
  await app.services.db.pool.query(
    `update company set settings = settings || jsonb_build_object('allowed_ip_ranges', $1::jsonb)
      where id = $2`,
    [JSON.stringify(elsewhere), company.id],
  );
  const closed = await app.as(admin).inject({
    method: 'PUT',
    url: `/api/business-units/${id}/status`,
    payload: { companyId: company.id, status: 2 },
  });
  expect(closed.body.data.is_applied).toBe(true);
  expect((await statusOf(owner, company.id)).status).toBe(401);

  // Signed in again, there is no company, but the way out.
  const again = await app.as(null).inject({
    method: 'POST',
    url: '/api/sanctum/login',
    payload: { email: owner.email, password: PASSWORD },
  });
  const back: TestPerson = { ...owner, token: again.body.token.access_token };
  const me: Answer<typeof companies.getUser> = (await app.as(back).request(companies.getUser)).body;
  expect(me.data).toMatchObject({ companies: [], closed_companies: [{ id: company.id }] });
  expect(codeOf(await leave(admin, company.id))).toBe('not_found');
  expect(codeOf(await leave(colleague, company.id))).toBe('unauthenticated');
  expect((await leave(back, company.id)).body.data).toEqual({ company_id: company.id, status: 0 });
  expect((await statusOf(back, company.id)).body.data).toMatchObject({
    act_as: 'owner',
    status: 0,
    organization_id: null,
  });
  expect((await statusOf(admin, company.id)).status).toBe(404);
  expect(codeOf(await leave(back, company.id))).toBe('organization.none');
  const { rows } = await app.services.db.pool.query<{ action: string }>(
    'select action from audit_log where company_id = $1 order by id',
    [company.id],
  );
  expect(rows.map((row) => row.action)).toEqual(
    expect.arrayContaining(['organization.left', 'company.status_changed', 'settings.updated']),
  );
});

test('what the platform deactivated neither the organization nor the owner opens again', async () => {
  const { company, owner, admin, id } = await captured();
  const staff = await app.createStaff();
  const setStatus = (who: TestPerson, status: 0 | 2, headers = {}) =>
    app.as(who).request(contract.updateAccountStatus, {
      params: { id },
      body: { companyId: company.id, status },
      headers,
    });
  expect((await setStatus(staff, 2, { isadmin: '1' })).status).toBe(200);
  expect(codeOf(await setStatus(admin, 0))).toBe('organization.status_of_platform');
  const again = await app.as(null).inject({
    method: 'POST',
    url: '/api/sanctum/login',
    payload: { email: owner.email, password: PASSWORD },
  });
  const back = { ...owner, token: again.body.token.access_token };
  expect((await leave(back, company.id)).body.data.status).toBe(2);
  expect((await statusOf(back, company.id)).status).toBe(404);
});

test('a transfer that the owner did not start waits for the owner', async () => {
  const { company, owner, admin } = await captured();
  const accomplice = await app.createPerson(company.id, 'administrator');
  const call = (who: TestPerson, e: typeof users.acceptOwnershipTransfer) =>
    app.as(who).request(e, { params: { companyId: company.id } });
  const start = (who: TestPerson) =>
    app.as(who).request(users.startOwnershipTransfer, {
      params: { companyId: company.id },
      body: { user_id: accomplice.id, password: PASSWORD },
    });
  expect((await start(admin)).body.data.needs_owner).toBe(true);
  expect(codeOf(await call(accomplice, users.acceptOwnershipTransfer))).toBe(
    'transfer.needs_owner',
  );
  const confirm = (who: TestPerson) =>
    app.as(who).request(users.confirmOwnershipTransfer, { params: { companyId: company.id } });
  expect(codeOf(await confirm(admin))).toBe('transfer.not_yours');
  expect(codeOf(await confirm(accomplice))).toBe('role.forbidden');
  await app.unconfirm(owner);
  expect(codeOf(await confirm(owner))).toBe('confirmation.required');
  await confirmAgain(owner);
  expect((await app.mails(owner.email)).map((mail) => mail.subject).join()).toContain(
    'asks you to give',
  );
  expect((await confirm(owner)).body.data.needs_owner).toBe(false);
  expect((await call(accomplice, users.acceptOwnershipTransfer)).status).toBe(200);
  expect((await statusOf(owner, company.id)).body.data.act_as).toBe('administrator');
});

test('networks never exclude whoever changes them, by any path', async () => {
  const { company, owner, admin, id } = await captured();
  const why = /Your own address 127\.0\.0\.1/;
  const refused = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringMatching(why)]);
  };
  await refused(set(owner, { allowed_ip_ranges: elsewhere }));
  await refused(set(admin, { allowed_ip_ranges: elsewhere }, { organization_id: id }));
  const staff = { ...(await app.createStaff()), companyId: company.id };
  await refused(
    app.as(staff).request(settings.updateGeneralSettings, {
      query: { company_id: company.id, scope: 'system' },
      body: { allowed_ip_ranges: elsewhere },
      headers: { isadmin: '1' },
    }),
  );
  const bulk = await app.as(owner).request(settings.bulkUpdateGeneralSettings, {
    body: { companyIds: [company.id], settings: { allowed_ip_ranges: elsewhere } },
  });
  expect(bulk.body.data).toMatchObject([{ ok: false, reason: expect.stringMatching(why) }]);

  // The organization's list excludes this address (it was set from another one).
  const inherited = await app.createCompany();
  const theirs = (await createOrganization(inherited.owner, [])).body.data;
  await app.services.db.pool.query(
    `insert into setting_value (organization_id, key, value, updated_at)
      values ($1, 'allowed_ip_ranges', $2::jsonb, now())`,
    [theirs.id, JSON.stringify(elsewhere)],
  );
  const attach = () =>
    app.as(inherited.owner).request(contract.attachOrganizationCompany, {
      params: { id: theirs.id },
      body: { companyId: inherited.company.id },
    });
  await refused(attach());
  await refused(
    app.as(inherited.owner).request(companies.createCompany, {
      body: { company_info: { name: 'Inside', organization_id: theirs.id } },
    }),
  );
  expect((await set(inherited.owner, { allowed_ip_ranges: here })).status).toBe(200);
  expect((await attach()).status).toBe(201);
  await refused(
    app.as(inherited.owner).request(settings.restoreGeneralSettings, {
      query: { company_id: inherited.company.id },
      body: { keys: ['allowed_ip_ranges'] },
    }),
  );
  await refused(set(inherited.owner, { allowed_ip_ranges: null }));
  expect((await statusOf(inherited.owner, inherited.company.id)).status).toBe(200);
});

test('an operator opens a company that everybody is locked out of', async () => {
  const { company, owner } = await app.createCompany();
  await app.services.db.pool.query(
    `update company set settings = settings || jsonb_build_object('allowed_ip_ranges', $1::jsonb)
      where id = $2`,
    [JSON.stringify(elsewhere), company.id],
  );
  expect(codeOf(await statusOf(owner, company.id))).toBe('network.not_allowed');
  expect(await liftNetworks(app.services, company.id)).toBe(company.name);
  expect((await statusOf(owner, company.id)).status).toBe(200);
  expect(await liftNetworks(app.services, 1)).toBeNull();
});
