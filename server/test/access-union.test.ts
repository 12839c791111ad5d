import { expect, test } from 'vitest';
import {
  companies,
  grantOf,
  organizations,
  permissionKeys,
  settings,
  tenant,
  users,
} from '#contract';
import { createTestApp } from './support/test-app.ts';

/**
 * What a person may do in a company is the union of their own role and that of its organization
 * (A4): neither takes away what the other gives.
 */
const app = await createTestApp();

/** A company in an organization that its own owner owns. */
async function createGroup() {
  const { owner, company } = await app.createCompany();
  const made = await app.as(owner).request(organizations.createOrganization, {
    body: { name: 'Group', companyIds: [company.id] },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { owner, company, organizationId: made.body.data.id };
}

test('the owner of a company and its organization uses the organization’s settings, look, sender and domain', async () => {
  const { owner, company, organizationId } = await createGroup();
  const as = app.as(owner);
  const params = { companyId: company.id };
  const answers = [
    await as.request(tenant.getTenant, { params }),
    await as.request(tenant.updateTenantInformation, { params, body: { name: 'Harbor Group' } }),
    await as.request(tenant.startSenderVerification, {
      params,
      body: { from_name: 'Harbor', from_email: 'hello@harbor-group.example' },
    }),
    await as.request(tenant.getCustomDomain, { params }),
    await as.request(tenant.checkCustomDomain, {
      params,
      query: { domainName: 'harbor-group.example' },
    }),
    await as.request(settings.updateGeneralSettings, {
      query: { companyId: company.id, organization_id: organizationId },
      body: { default_ring_seconds: 25 },
    }),
    await as.request(settings.getGeneralSettings, {
      query: { companyId: company.id, organization_id: organizationId },
    }),
  ];
  expect(answers.map(({ status, body }) => [status, status < 300 ? null : body])).toEqual(
    answers.map(() => [200, null]),
  );
  // What only the owner may, stays theirs.
  const { body } = await as.request(companies.getUser, { query: { companyId: company.id } });
  expect(Object.keys(body.data.permissions).sort()).toEqual(
    permissionKeys.filter((key) => grantOf(['owner', 'org-administrator'], key) !== 'none').sort(),
  );
  expect(body.data.companies.find((c) => c.id === company.id)?.role).toBe('owner');
});

test('an administrator keeps the organization’s role beside their own, and only in its companies', async () => {
  const { owner, company, organizationId } = await createGroup();
  const other = await app.createCompany();
  const admin = await app.createPerson(company.id, 'administrator');
  const start = () =>
    app.as(admin).request(users.startOwnershipTransfer, {
      params: { companyId: company.id },
      body: { user_id: admin.id, password: 'trunkline-demo' },
    });
  expect((await start()).status).toBe(403);
  await app.as(owner).request(organizations.addOrganizationAdmin, {
    params: { id: organizationId },
    body: { userId: admin.id },
  });
  expect((await start()).status).toBe(201);
  expect(
    (await app.as(admin).request(companies.getCompany, { params: { id: company.id } })).body.data
      .act_as,
  ).toBe('org-administrator');
  expect(
    (
      await app.as(owner).request(companies.getCompanyUser, {
        params: { companyId: company.id, userId: admin.id },
      })
    ).body.data,
  ).toMatchObject({ role: 'administrator', acts_as: ['administrator', 'org-administrator'] });
  expect(
    (await app.as(admin).request(companies.getCompany, { params: { id: other.company.id } }))
      .status,
  ).toBe(404);
});

test('who is kept out of every company of an organization is kept out of the organization', async () => {
  const { owner, company, organizationId } = await createGroup();
  const read = (remoteAddress: string) =>
    app.as(owner).inject({
      method: 'GET',
      url: `/api/business-units/${organizationId}/companies`,
      remoteAddress,
    });
  const here = '203.0.113.7';
  await app.as(owner).inject({
    method: 'POST',
    url: `/api/general-settings?companyId=${company.id}`,
    payload: { allowed_ip_ranges: [here] },
    remoteAddress: here,
  });
  expect((await read(here)).status).toBe(200);
  expect((await read('198.51.100.1')).body).toMatchObject({ code: 'network.not_allowed' });
  const { company: second } = await app.createCompany();
  await app.services.db.pool.query('update company set organization_id = $1 where id = $2', [
    organizationId,
    second.id,
  ]);
  expect((await read('198.51.100.1')).status).toBe(200);
});

test('a role of one’s own that is limited to numbers doesn’t limit the organization’s', async () => {
  const { owner, company, organizationId } = await createGroup();
  const number = 1;
  const person = await app.createPerson(company.id, 'user', [number]);
  await app.as(owner).request(organizations.addOrganizationAdmin, {
    params: { id: organizationId },
    body: { userId: person.id },
  });
  const { body } = await app.as(person).request(companies.getUser, {
    query: { companyId: company.id },
  });
  expect(body.data.permissions['inbox.view']).toBe('all');
  // Deactivated in the company, they still administer the organization, and act as that alone.
  await app.as(owner).request(users.deactivateUser, {
    body: { companyId: company.id, userId: person.id },
  });
  const after = await app.as(person).request(companies.getCompany, { params: { id: company.id } });
  expect([after.status, after.body.data.act_as]).toEqual([200, 'org-administrator']);
});
