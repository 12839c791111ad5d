import { afterAll, describe, expect, test } from 'vitest';
import { flows, routing, teams, templates, users } from '#contract';
import { formatPhone } from '#contract/phone';
import { createCallHarness, createTestNumber } from '../../../test/support/call-harness.ts';
import { insertTeam } from '../../../test/support/fixture-teams.ts';
import type { TestPerson } from '../../../test/support/test-app.ts';

const line = await createCallHarness();
const { world: app } = line;
afterAll(() => app.stopJobs());

/** A company with three people at their phones, a number, and a team of the first two that it rings. */
async function aTeamThatIsRung() {
  const { company, owner } = await app.createCompany();
  const [ann, bob, cem] = [
    await app.createPerson(company.id, 'user'),
    await app.createPerson(company.id, 'user'),
    await app.createPerson(company.id, 'user'),
  ];
  for (const person of [ann, bob, cem]) await line.open(person);
  const number = await createTestNumber(app, company.id);
  const teamId = await insertTeam(app, company.id, [ann.id, bob.id]);
  const saved = await put(owner, number.id, {
    routes: [{ type: 'in-app-calling', forwards: [{ team_id: teamId, label: 'Old name' }] }],
  });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  return { company, owner, ann, bob, cem, number, teamId, saved };
}
const put = (who: TestPerson, id: number, body: object) =>
  app.as(who).inject({ method: 'PUT', url: `/api/numbers/${id}`, payload: body });
const change = (who: TestPerson, teamId: number, body: object) =>
  app.as(who).request(teams.changeTeamMembers, {
    params: { companyId: who.companyId, teamId },
    body,
  });
/** Who a call to the number rings now. */
async function rungBy(number: { number: string }): Promise<number[]> {
  const call = line.aCall(number.number);
  await call.tell(call.inbound);
  const rung = line.commands(call, 'createLeg');
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  return rung.flatMap(({ to }) => (to.kind === 'app' ? [to.userId] : []));
}

describe('routes that ring a team', () => {
  test('ring who is in it when the call comes: new people at once, removed ones no longer', async () => {
    const { owner, ann, bob, cem, number, teamId, saved } = await aTeamThatIsRung();
    expect(saved.body.data.routes[0].forwards[0]).toMatchObject({
      team_id: teamId,
      user_id: null,
      number: null,
      label: expect.stringMatching(/^Team \d+$/),
    });
    expect((await rungBy(number)).toSorted()).toEqual([ann.id, bob.id].toSorted());
    await change(owner, teamId, { add_user_ids: [cem.id], remove_user_ids: [ann.id] });
    expect((await rungBy(number)).toSorted()).toEqual([bob.id, cem.id].toSorted());
    await app
      .as(owner)
      .request(users.deactivateUser, { body: { companyId: owner.companyId, userId: bob.id } });
    expect(await rungBy(number)).toEqual([cem.id]);
  });

  test('name those of its people who can’t see the number, and give them access', async () => {
    const { company, owner, ann, number, teamId } = await aTeamThatIsRung();
    const other = await createTestNumber(app, company.id);
    const limited = await app.createPerson(company.id, 'user', [other.id]);
    await change(owner, teamId, { add_user_ids: [limited.id] });
    const read = () => app.as(owner).request(routing.getNumber, { params: { id: number.id } });
    expect((await read()).body.data.excluded_users.map(({ id }) => id)).toEqual([limited.id]);
    const tried = await app.as(owner).request(routing.simulateNumber, {
      params: { id: number.id },
      body: { from: '+12125550147' },
    });
    const because = tried.body.data.steps.map((step) => step.because).join('\n');
    expect(because).toContain('can’t see this number, so it doesn’t ring them.');
    expect(because).toMatch(/Ringing Team \d+\./);
    expect(tried.body.data.steps.some(({ target }) => target === `user:${ann.id}`)).toBe(true);
    const given = await put(owner, number.id, { user_ids: [limited.id] });
    expect(given.body.data.excluded_users).toEqual([]);
  });

  test('keep the team from being deleted, until none rings it', async () => {
    const { company, owner, number, teamId } = await aTeamThatIsRung();
    const params = { companyId: company.id, teamId };
    const team = await app.as(owner).request(teams.getTeam, { params });
    expect(team.body.data.numbers).toEqual([{ id: number.id, number: number.number }]);
    const elsewhere = await createTestNumber(app, company.id);
    const limited = await app.createPerson(company.id, 'user', [elsewhere.id]);
    expect((await app.as(limited).request(teams.getTeam, { params })).body.data.numbers).toEqual(
      [],
    );
    const refused = await app.as(owner).request(teams.deleteTeam, { params });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'team.in_use' });
    expect(JSON.stringify(refused.body)).toContain(formatPhone(number.number));
    await put(owner, number.id, { routes: [{ forwards: [{ user_id: owner.id }] }] });
    expect((await app.as(owner).request(teams.deleteTeam, { params })).status).toBe(204);
    // The version from before still names it: restoring it says so.
    const { body } = await app
      .as(owner)
      .request(flows.listFlowVersions, { params: { id: number.id }, query: {} });
    const before = body.data[1]!;
    const shown = await app.as(owner).request(flows.getFlowVersion, {
      params: { id: number.id, version: before.version },
    });
    expect(shown.body.data.sentences.join(' ')).toMatch(/Team \d+/);
    const restored = await app.as(owner).request(flows.restoreFlowVersion, {
      params: { id: number.id, version: before.version },
      body: { as: 'published' },
    });
    expect(restored.body).toMatchObject({
      errors: { 'routes.0.forwards.0.team_id': ['This team doesn’t exist.'] },
    });
  });

  test('show the team’s name of now, in the draft too', async () => {
    const { company, owner, ann, bob, number, teamId } = await aTeamThatIsRung();
    const routes = [
      { type: 'simultaneous' as const, forwards: [{ team_id: teamId, label: 'Old' }] },
    ];
    await app.as(owner).request(flows.saveFlowDraft, {
      params: { id: number.id },
      body: { routes, menu: { greeting: null, fallback: null } },
    });
    await app.as(owner).request(teams.renameTeam, {
      params: { companyId: company.id, teamId },
      body: { name: 'Reception' },
    });
    const { body } = await app.as(owner).request(flows.getFlow, { params: { id: number.id } });
    expect(body.data.published.sentences.join(' ')).toContain('Reception');
    expect(body.data.draft!.routes[0]!.forwards[0]!.label).toBe('Reception');
    expect(body.data.teams).toEqual({
      [teamId]: { name: 'Reception', user_ids: [ann.id, bob.id].toSorted((a, b) => a - b) },
    });
  });

  test('never name another company’s team, in a number or a template', async () => {
    const { company, owner, number } = await aTeamThatIsRung();
    const other = await app.createCompany();
    const foreign = await insertTeam(app, other.company.id, [other.owner.id]);
    const routes = [{ type: 'in-app-calling' as const, forwards: [{ team_id: foreign }] }];
    const wrong = await put(owner, number.id, { routes });
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      { 'routes.0.forwards.0.team_id': ['This team doesn’t exist.'] },
    ]);
    const template = await app.as(owner).request(templates.createNumberTemplate, {
      params: { companyId: company.id },
      body: { name: 'Desk', routes },
    });
    expect(template.body).toMatchObject({
      errors: { 'routes.0.forwards.0.team_id': ['This team doesn’t exist.'] },
    });
    const both = await put(owner, number.id, {
      routes: [{ forwards: [{ team_id: foreign, user_id: owner.id }] }],
    });
    expect(both.status).toBe(422);
  });
});
