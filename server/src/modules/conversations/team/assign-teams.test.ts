import { expect, test } from 'vitest';
import { team as contract, teams } from '#contract';
import { insertTeam } from '../../../../test/support/fixture-teams.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);

/** A company with a conversation, and a team of one who sees its number and one who doesn't. */
async function aTeam() {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const elsewhere = await inbox.number(company.id);
  const ann = await app.createPerson(company.id, 'user');
  const ben = await app.createPerson(company.id, 'user');
  const limited = await app.createPerson(company.id, 'user', [elsewhere.id]);
  const teamId = await insertTeam(app, company.id, [ann.id, limited.id, owner.id]);
  const text = async () => {
    await inbox.text(uniquePhone(), number.number, 'Hello');
    return (await inbox.list(owner)).data[0]!.id;
  };
  const assign = (
    who: TestPerson,
    ids: number[],
    to: { userId: number | null; teamId?: number | null },
  ) =>
    app.as(who).request(contract.assignConversations, {
      params: { companyId: company.id },
      body: { ids, ...to },
    });
  const ids = async (who: TestPerson, query: Record<string, unknown>) =>
    (await inbox.list(who, query)).data.map((c) => c.id);
  const holder = async (id: number) => {
    const found = (await inbox.list(owner)).data.find((c) => c.id === id)!;
    return [found.assignee?.id ?? null, found.team?.id ?? null];
  };
  return { company, owner, ann, ben, limited, elsewhere, teamId, text, assign, ids, holder };
}
/** Who was told of an assignment to which team. */
const told = async (companyId: number) =>
  (
    await app.services.db.pool.query<{ data: { userId: number; text: string } }>(
      `select data from outbox where company_id = $1 and event = 'team-news' order by id`,
      [companyId],
    )
  ).rows.map(({ data }) => [Number(data.userId), data.text]);

test('a conversation is a team’s, one of its people takes it, and someone else takes it out', async () => {
  const { company, owner, ann, ben, teamId, text, assign, ids, holder } = await aTeam();
  const [a, b] = [await text(), await text()];
  expect((await assign(owner, [a, b], { userId: null, teamId })).body.data.updated).toEqual([a, b]);
  expect((await assign(owner, [a], { userId: null, teamId })).body.data.unchanged).toEqual([a]);
  expect(await holder(a)).toEqual([null, teamId]);
  // Triaged: it isn't among those that no one looks after.
  expect(await ids(owner, { isArchived: 0, assigned: 'none' })).toEqual([]);
  expect((await ids(ann, { isArchived: 0, assigned: 'my_teams' })).toSorted()).toEqual([a, b]);
  expect(await ids(ben, { isArchived: 0, assigned: 'my_teams' })).toEqual([]);
  expect(await ids(ben, { isArchived: 0, assigned: `team:${teamId}` })).toHaveLength(2);

  // Found by the team’s name, or the person’s.
  const { name } = (
    await app.as(owner).request(teams.getTeam, { params: { companyId: company.id, teamId } })
  ).body.data;
  expect((await ids(owner, { search: `assigned:"${name.toUpperCase()}"` })).toSorted()).toEqual([
    a,
    b,
  ]);
  expect(await ids(owner, { search: 'assigned:"no such team"' })).toEqual([]);

  await assign(ann, [a], { userId: ann.id });
  expect(await holder(a)).toEqual([ann.id, teamId]);
  await assign(owner, [a], { userId: ben.id });
  expect(await holder(a)).toEqual([ben.id, null]);
  // What an undo sends.
  await assign(owner, [a], { userId: ann.id, teamId });
  expect(await holder(a)).toEqual([ann.id, teamId]);
  await assign(owner, [a], { userId: null });
  expect(await holder(a)).toEqual([null, null]);
});

test('its people are told who see the number, and no one else', async () => {
  const { company, owner, ann, limited, elsewhere, teamId, text, assign } = await aTeam();
  const id = await text();
  await assign(owner, [id], { userId: null, teamId });
  const [[userId, name] = []] = await told(company.id);
  expect(await told(company.id)).toHaveLength(1);
  expect([userId, name]).toEqual([ann.id, expect.stringMatching(/^Team \d+$/)]);
  const assignable = async (numberId?: number) =>
    (
      await app.as(owner).request(contract.listTeammates, {
        params: { companyId: company.id },
        query: { ...(numberId && { number_id: numberId }) },
      })
    ).body.teams.map((one) => one.id);
  expect(await assignable()).toEqual([teamId]);
  // A team without anyone who sees the number can't have it.
  const blind = await insertTeam(app, company.id, [limited.id]);
  const refused = await assign(owner, [id], { userId: null, teamId: blind });
  expect(refused.body).toMatchObject({ code: 'team.no_access' });
  expect(await assignable(elsewhere.id)).toContain(blind);
  expect(await told(company.id)).toHaveLength(1);
});

test('a team of another company is not found, and a deleted one leaves its conversations', async () => {
  const { company, owner, teamId, text, assign, holder } = await aTeam();
  const other = await app.createCompany();
  const foreign = await insertTeam(app, other.company.id, [other.owner.id]);
  const id = await text();
  expect((await assign(owner, [id], { userId: null, teamId: foreign })).status).toBe(404);
  expect(await holder(id)).toEqual([null, null]);
  await assign(owner, [id], { userId: null, teamId });
  await app.as(owner).request(teams.renameTeam, {
    params: { companyId: company.id, teamId },
    body: { name: 'Reception' },
  });
  expect((await inbox.list(owner)).data[0]!.team).toEqual({ id: teamId, name: 'Reception' });
  expect(
    (
      await app.as(other.owner).request(contract.listTeammates, {
        params: { companyId: company.id },
        query: {},
      })
    ).status,
  ).toBe(404);
  await app.as(owner).request(teams.deleteTeam, { params: { companyId: company.id, teamId } });
  expect(await holder(id)).toEqual([null, null]);
});
