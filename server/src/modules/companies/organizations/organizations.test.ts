import { expect, test } from 'vitest';
import { companies, conversations, invitations, organizations as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { createTestNumber } from '../../../../test/support/call-harness.ts';

const app = await createTestApp();

/** An organization of a new owner, with two companies of theirs. */
async function createGroup(name = 'Harborline') {
  const { company: first, owner } = await app.createCompany();
  const second = await app.as(owner).request(companies.createCompany, {
    body: { company_info: { name: `${name} Two`, timezone: 'UTC' } },
  });
  const made = await app.as(owner).request(contract.createOrganization, {
    body: { name, companyIds: [first.id, second.body.data.id] },
  });
  expect(made.status).toBe(201);
  return { owner, id: made.body.data.id, first: first.id, second: second.body.data.id };
}
const codeOf = (answer: { body: unknown }) => (answer.body as { code?: string }).code;
const setStatus = (
  who: TestPerson,
  id: number,
  companyId: number,
  status: 0 | 1 | 2,
  dry = false,
) =>
  app.as(who).request(contract.updateAccountStatus, {
    params: { id },
    body: { companyId, status, ...(dry ? { dry_run: true } : {}) },
  });
const getCompany = (who: TestPerson, id: number) =>
  app.as(who).request(companies.getCompany, { params: { id } });

test('who creates an organization owns and administers it, and can add only their own companies', async () => {
  const { owner, id, first, second } = await createGroup();
  const me = await app.as(owner).request(companies.getUser);
  expect(me.body.data).toMatchObject({
    hasBusinessUnits: true,
    organizations: [{ id, is_admin: true }],
  });
  const listed = await app
    .as(owner)
    .request(contract.listOrganizationCompanies, { params: { id } });
  expect(listed.body.data.map((c) => c.id).sort()).toEqual([first, second].sort());

  const foreign = await app.createCompany();
  const added = await app.as(owner).request(contract.attachOrganizationCompany, {
    params: { id },
    body: { companyId: foreign.company.id },
  });
  expect(added.status).toBe(404);
});

test('an organization is found by its administrators only, and a person of its companies is refused', async () => {
  const { id, first } = await createGroup();
  const other = await createGroup();
  const colleague = await app.createPerson(first, 'administrator');
  const read = (who: TestPerson) =>
    app.as(who).request(contract.getOrganization, { params: { id } });
  expect((await read(other.owner)).status).toBe(404);
  expect((await read(colleague)).status).toBe(403);
  expect((await setStatus(other.owner, other.id, first, 2)).status).toBe(404);
});

test('an organization with companies isn’t deleted; an empty one is', async () => {
  const { owner, id, first, second } = await createGroup();
  const remove = () => app.as(owner).request(contract.deleteOrganization, { params: { id } });
  expect(codeOf(await remove())).toBe('organization.not_empty');
  for (const companyId of [first, second])
    await app.as(owner).request(contract.detachOrganizationCompany, { params: { id, companyId } });
  expect((await remove()).status).toBe(204);
  // Roles in the companies stay.
  expect((await getCompany(owner, first)).body.data.act_as).toBe('owner');
});

test('a parked company sends no texts and places no calls, until it is active again', async () => {
  const { owner, id, first } = await createGroup();
  const number = await createTestNumber(app, first, {});
  const me = { ...owner, companyId: first };
  const shown = await setStatus(me, id, first, 1, true);
  expect(shown.body.data).toMatchObject({ is_applied: false, effects: { numbers: 1 } });
  expect((await getCompany(me, first)).body.data.status).toBe(0);

  const send = () =>
    app.as(me).request(conversations.sendMessage, {
      body: {
        companyId: first,
        numberId: number.id,
        to: '+12125550123',
        message: 'Hello',
      },
    });
  expect((await setStatus(me, id, first, 1)).body.data.is_applied).toBe(true);
  expect(codeOf(await send())).toBe('company.inactive');
  await setStatus(me, id, first, 0);
  expect(codeOf(await send())).not.toBe('company.inactive');
});

test('only organization administrators get into a deactivated company, and it can’t leave', async () => {
  const { owner, id, first } = await createGroup();
  const colleague = await app.createPerson(first, 'administrator');
  await setStatus(owner, id, first, 2);
  // The colleague has no other company, so their session has ended.
  expect((await getCompany(colleague, first)).status).toBe(401);
  expect((await getCompany(owner, first)).body.data).toMatchObject({
    status: 2,
    act_as: 'org-administrator',
  });
  const invited = await app.as(owner).request(invitations.invitePerson, {
    params: { companyId: first },
    body: { email: 'late@people.test', role: 'user' },
  });
  expect(codeOf(invited)).toBe('invitation.company_closed');
  const detached = await app
    .as(owner)
    .request(contract.detachOrganizationCompany, { params: { id, companyId: first } });
  expect(codeOf(detached)).toBe('organization.company_not_active');
  await setStatus(owner, id, first, 0);
  expect((await getCompany(owner, first)).body.data.act_as).toBe('owner');
});

test('removed administrators leave the companies, except where they have a role of their own', async () => {
  const { owner, id, first, second } = await createGroup();
  const person = await app.createPerson(first, 'user');
  await app
    .as(owner)
    .request(contract.addOrganizationAdmin, { params: { id }, body: { userId: person.id } });
  expect((await getCompany(person, second)).body.data.act_as).toBe('org-administrator');
  const removed = await app
    .as(owner)
    .request(contract.removeOrganizationAdmin, { params: { id, userId: person.id } });
  expect(removed.body.data.kept).toMatchObject([{ id: first, role: 'user' }]);
  expect(removed.body.data.detached.map((c) => c.id)).toEqual([second]);
  expect((await getCompany(person, second)).status).toBe(404);
  expect((await getCompany(person, first)).body.data.act_as).toBe('user');
  const last = await app
    .as(owner)
    .request(contract.removeOrganizationAdmin, { params: { id, userId: owner.id } });
  expect(codeOf(last)).toBe('organization.owner_stays');
});

test('a role for several companies is given in each that allows it', async () => {
  const { owner, id, first, second } = await createGroup();
  const person = await app.createPerson(first, 'user');
  const foreign = await app.createCompany();
  const answer = await app.as(owner).request(contract.updateUserAccounts, {
    params: { organizationId: id, userId: person.id },
    body: { role: 'administrator', accountIds: [first, second, foreign.company.id] },
  });
  expect(answer.body.updated.sort()).toEqual([first, second].sort());
  expect(answer.body.skipped).toEqual([
    { accountId: foreign.company.id, reason: 'not_in_organization' },
  ]);
  expect((await getCompany(person, second)).body.data.act_as).toBe('administrator');
  const own = await app.as(owner).request(contract.updateUserAccounts, {
    params: { organizationId: id, userId: owner.id },
    body: { role: 'user', accountIds: [first] },
  });
  expect(own.status).toBe(403);
});

test('names and address change for a person of this organization only, never of an owner', async () => {
  const { owner, id, first, second } = await createGroup();
  const person = await app.createPerson(first, 'user');
  const change = (userId: number, more: object) =>
    app.as(owner).request(contract.updateUserAccounts, {
      params: { organizationId: id, userId },
      body: { role: 'user', accountIds: [second], ...more },
    });
  expect((await change(person.id, { firstName: 'Nora', email: 'nora@people.test' })).status).toBe(
    200,
  );
  const { rows } = await app.services.db.pool.query(
    'select first_name, email, pending_email from person where id = $1',
    [person.id],
  );
  // The address waits for the code that was mailed to it.
  expect(rows).toEqual([
    { first_name: 'Nora', email: person.email, pending_email: 'nora@people.test' },
  ]);
  const foreign = await app.createCompany();
  await app.services.db.pool.query(
    `insert into membership (company_id, user_id, role) values ($1, $2, 'user')`,
    [foreign.company.id, person.id],
  );
  const refused = await change(person.id, { lastName: 'Taken' });
  expect(refused.body).toMatchObject({ status: 422, errors: { lastName: expect.any(Array) } });
  expect((await change(person.id, { firstName: 'Nora' })).status).toBe(200);
});
