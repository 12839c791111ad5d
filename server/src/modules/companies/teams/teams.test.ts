import { describe, expect, test } from 'vitest';
import { audit, companies, teams as contract, users } from '#contract';
import { mostTeams } from '#contract/companies/teams/rules';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { insertTeam } from '../../../../test/support/fixture-teams.ts';

const app = await createTestApp();

/** Two companies with two people each beside their owners, and a team of the first. */
async function twoCompanies() {
  const { company, owner } = await app.createCompany();
  const ann = await app.createPerson(company.id, 'user');
  const bob = await app.createPerson(company.id, 'administrator');
  const other = await app.createCompany();
  const stranger = await app.createPerson(other.company.id, 'user');
  const made = await app.as(owner).request(contract.createTeam, {
    params: { companyId: company.id },
    body: { name: '  Front desk ', user_ids: [ann.id, ann.id] },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { company, owner, ann, bob, other, stranger, team: made.body.data };
}
const list = async (who: TestPerson) =>
  (await app.as(who).request(contract.listTeams, { params: { companyId: who.companyId } })).body
    .data;
const change = (
  who: TestPerson,
  teamId: number,
  body: { add_user_ids?: number[]; remove_user_ids?: number[] },
  companyId = who.companyId,
) => app.as(who).request(contract.changeTeamMembers, { params: { companyId, teamId }, body });

describe('teams of a company', () => {
  test('hold people, each once, and are found at the person and in the audit log', async () => {
    const { company, owner, ann, bob, team } = await twoCompanies();
    expect(team).toMatchObject({ name: 'Front desk', members: [{ id: ann.id }] });
    const params = { companyId: company.id, teamId: team.id };

    const joined = await change(owner, team.id, { add_user_ids: [ann.id, bob.id] });
    expect(joined.body).toMatchObject({ added: [bob.id], removed: [] });
    expect(joined.body.data.members.map(({ id }) => id).toSorted()).toEqual(
      [ann.id, bob.id].toSorted(),
    );
    const left = await change(owner, team.id, {
      add_user_ids: [ann.id],
      remove_user_ids: [ann.id],
    });
    expect(left.body).toMatchObject({ added: [], removed: [ann.id] });
    // What an undo sends.
    await change(owner, team.id, { add_user_ids: left.body.removed });

    const renamed = await app
      .as(owner)
      .request(contract.renameTeam, { params, body: { name: 'Reception' } });
    expect(renamed.body.data.name).toBe('Reception');
    const person = await app
      .as(owner)
      .request(companies.getCompanyUser, { params: { companyId: company.id, userId: ann.id } });
    expect(person.body.data.teams).toEqual([{ id: team.id, name: 'Reception' }]);

    await app.as(owner).request(contract.deleteTeam, { params });
    expect(await list(owner)).toEqual([]);
    const log = await app.as(owner).request(audit.listAuditLog, {
      params: { companyId: company.id },
      query: { subject: `team:${team.id}`, perPage: 50 },
    });
    expect(log.body.data.map(({ action }) => action)).toEqual([
      'team.deleted',
      'team.renamed',
      ...Array.from({ length: 3 }, () => 'team.members_changed'),
      'team.created',
    ]);
    expect(log.body.data[0]!.subject_name).toBe('Reception');
  });

  test('names are unique in a company, ignoring case, and companies have a limit', async () => {
    const { company, owner, other, team } = await twoCompanies();
    const create = (who: TestPerson, name: string) =>
      app
        .as(who)
        .request(contract.createTeam, { params: { companyId: who.companyId }, body: { name } });
    expect((await create(owner, 'front DESK')).body).toMatchObject({ code: 'team.exists' });
    expect((await create(other.owner, 'Front desk')).status).toBe(201);
    const second = await create(owner, 'Billing');
    const renamed = await app.as(owner).request(contract.renameTeam, {
      params: { companyId: company.id, teamId: second.body.data.id },
      body: { name: 'FRONT DESK' },
    });
    expect(renamed.body).toMatchObject({ code: 'team.exists' });
    const same = await app.as(owner).request(contract.renameTeam, {
      params: { companyId: company.id, teamId: team.id },
      body: { name: 'FRONT DESK' },
    });
    expect(same.body.data.name).toBe('FRONT DESK');
    for (let n = 2; n < mostTeams; n++) await insertTeam(app, company.id);
    expect((await create(owner, 'One more')).body).toMatchObject({ code: 'team.too_many' });
  });

  test('a person who is deactivated is hidden and comes back; one who is removed is gone', async () => {
    const { company, owner, ann, bob, team } = await twoCompanies();
    await change(owner, team.id, { add_user_ids: [bob.id] });
    const members = async () => (await list(owner))[0]!.members.map(({ id }) => id);
    const access = { body: { companyId: company.id, userId: ann.id } };
    expect((await app.as(owner).request(users.deactivateUser, access)).status).toBe(200);
    expect(await members()).toEqual([bob.id]);
    await app.as(owner).request(users.activateUser, access);
    expect(await members()).toContain(ann.id);
    await app.as(owner).request(users.deleteCompanyUser, {
      params: { companyId: company.id, userId: ann.id },
    });
    expect(await members()).toEqual([bob.id]);
    const again = await change(owner, team.id, { add_user_ids: [ann.id] });
    expect(again.status).toBe(422);
  });

  test('no one of another company is in a team, and no one else’s team is found', async () => {
    const { company, owner, ann, other, stranger, team } = await twoCompanies();
    const refused = await change(owner, team.id, { add_user_ids: [ann.id, stranger.id] });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      errors: { 'add_user_ids.1': ['This person isn’t in the company.'] },
    });
    expect((await change(owner, team.id, { remove_user_ids: [stranger.id] })).status).toBe(422);
    const made = await app.as(owner).request(contract.createTeam, {
      params: { companyId: company.id },
      body: { name: 'Mixed', user_ids: [stranger.id] },
    });
    expect(made.status).toBe(422);
    expect(await list(owner)).toHaveLength(1);

    const there = { companyId: other.company.id, teamId: team.id };
    const asOther = app.as(other.owner);
    expect((await asOther.request(contract.getTeam, { params: there })).status).toBe(404);
    expect(
      (await asOther.request(contract.renameTeam, { params: there, body: { name: 'Ours' } }))
        .status,
    ).toBe(404);
    expect((await asOther.request(contract.deleteTeam, { params: there })).status).toBe(404);
    expect((await change(other.owner, team.id, { add_user_ids: [stranger.id] })).status).toBe(404);
    expect(
      (await change(other.owner, team.id, { add_user_ids: [ann.id] }, company.id)).status,
    ).toBe(404);
    expect((await list(owner))[0]).toMatchObject({ name: 'Front desk', members: [{ id: ann.id }] });
  });

  test('people without the right to edit users read teams only', async () => {
    const { company, ann, team } = await twoCompanies();
    const params = { companyId: company.id, teamId: team.id };
    expect((await list(ann)).map(({ name }) => name)).toEqual(['Front desk']);
    expect((await change(ann, team.id, { remove_user_ids: [ann.id] })).status).toBe(403);
    expect((await app.as(ann).request(contract.deleteTeam, { params })).status).toBe(403);
    const reporting = await app.createPerson(company.id, 'reporting');
    expect(
      (await app.as(reporting).request(contract.listTeams, { params: { companyId: company.id } }))
        .status,
    ).toBe(403);
  });

  test('a company that only has teams can be deleted', async () => {
    const { company, owner } = await twoCompanies();
    const gone = await app
      .as(owner)
      .request(companies.deleteCompany, { params: { id: company.id } });
    expect(gone.status, JSON.stringify(gone.body)).toBe(204);
  });
});
