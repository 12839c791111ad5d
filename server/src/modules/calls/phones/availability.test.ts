import { expect, test } from 'vitest';
import { calls, live, routing, schedules, teams as contract } from '#contract';
import { insertTeam } from '../../../../test/support/fixture-teams.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';

const { world: app, told, aCall, ringing, open } = await createCallHarness();

/** A company whose number rings two people in the app, both with a phone connected. */
async function twoAtTheirDesks() {
  const { company, owner } = await app.createCompany();
  const una = await app.createPerson(company.id, 'user');
  const bob = await app.createPerson(company.id, 'user');
  for (const person of [una, bob])
    await open({ ...person, companyId: company.id }, `app-${person.id}`);
  const number = await createTestNumber(app, company.id, {
    routes: [{ type: 'in-app-calling', to: [una], label: 'Front desk' }],
  });
  return { company, owner, una, bob, number };
}
const now = () => app.services.now();
const after = (minutes: number) => new Date(now().getTime() + minutes * 60_000).toISOString();
const disturb = (who: TestPerson, body: { on: boolean; until?: string | null }) =>
  app.as(who).request(calls.setDoNotDisturb, { body });
const availability = async (who: TestPerson) =>
  (await app.as(who).request(calls.getAvailability, {})).body.data;
const seenBy = async (who: TestPerson, userId: number) => {
  const { data } = (await app.as(who).request(calls.listCallingUsers, {})).body;
  const { status, pause } = data.find((one) => one.id === userId)!;
  return { status, pause };
};
/** Whom a call to the number rings. */
async function rung(number: { number: string }): Promise<number[]> {
  const call = aCall(number.number);
  await call.tell(call.inbound);
  const legs = told.filter((c) => c.do === 'createLeg' && c.onBehalfOf === call.leg);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  return legs.flatMap((c) => (c.do === 'createLeg' && c.to.kind === 'app' ? [c.to.userId] : []));
}
/** Why "Try it" says that a call doesn't ring. */
async function reasonsOf(who: TestPerson, numberId: number): Promise<string[]> {
  const { data } = (
    await app.as(who).request(routing.simulateNumber, {
      params: { id: numberId },
      body: { from: '+12125550147', at: now().toISOString() },
    })
  ).body;
  return data.steps.filter((one) => !one.matched).map((one) => one.because);
}
/** Hours in UTC that closed an hour ago, and open again in three. */
const closedNow = () => {
  const clock = (hours: number) =>
    new Date(now().getTime() + hours * 3_600_000).toISOString().slice(11, 16);
  return {
    timezone: 'UTC',
    blocks: [
      { days: [...schedules.weekdays], times: [{ start: clock(3), end: clock(-1) }] },
    ] satisfies schedules.HoursBlock[],
  };
};

test('do not disturb keeps calls away until it ends, and everyone sees why', async () => {
  const { una, bob, owner, number } = await twoAtTheirDesks();
  expect(await rung(number)).toEqual([una.id]);
  const until = after(60);
  expect((await disturb(una, { on: true, until })).body.data).toEqual({
    do_not_disturb: true,
    do_not_disturb_until: until,
    pause: { reason: 'do_not_disturb', until },
  });
  expect(await rung(number)).toEqual([]);
  expect(await reasonsOf(owner, number.id)).toContainEqual(
    expect.stringMatching(/Do not disturb is on\.$/),
  );
  const seen = { status: 'away', pause: { reason: 'do_not_disturb', until } };
  expect(await seenBy(bob, una.id)).toEqual(seen);
  expect(await seenBy(una, bob.id)).toEqual({ status: 'active', pause: null });
  app.clock.advance(3601);
  await open({ ...una }, 'app-later');
  expect(await availability(una)).toEqual({
    do_not_disturb: false,
    do_not_disturb_until: null,
    pause: null,
  });
  expect(await rung(number)).toEqual([una.id]);
});

test('it stays on without an end, and receiving calls turns it off', async () => {
  const { una, number } = await twoAtTheirDesks();
  await disturb(una, { on: true });
  expect(await rung(number)).toEqual([]);
  await app.as(una).request(calls.toggleCallingStatus, { body: { status: 'away' } });
  expect((await availability(una)).do_not_disturb).toBe(true);
  await app.as(una).request(calls.toggleCallingStatus, { body: { status: 'active' } });
  expect((await availability(una)).do_not_disturb).toBe(false);
  expect(await rung(number)).toEqual([una.id]);
  expect((await disturb(una, { on: true, until: after(-1) })).status).toBe(422);
  expect((await disturb(una, { on: true, until: after(32 * 1440) })).status).toBe(422);
});

test('people set their own hours, administrators those of others, and both are audited', async () => {
  const { company, owner, una, bob, number } = await twoAtTheirDesks();
  const params = { companyId: company.id };
  const saved = await app.as(una).request(schedules.saveOwnSchedule, { params, body: closedNow() });
  expect([saved.status, saved.body.data.user_id]).toEqual([200, una.id]);
  expect(await rung(number)).toEqual([]);
  const until = new Date(Math.floor(now().getTime() / 60_000) * 60_000 + 3 * 3_600_000);
  expect(await seenBy(bob, una.id)).toEqual({
    status: 'away',
    pause: { reason: 'outside_hours', until: until.toISOString() },
  });
  expect(await reasonsOf(owner, number.id)).toContainEqual(expect.stringMatching(/Closed at/));
  // Hours of others are a permission of their own.
  const ofBob = { params, body: { ...closedNow(), user_id: bob.id } };
  expect((await app.as(una).request(schedules.saveSchedule, ofBob)).status).toBe(403);
  expect((await app.as(owner).request(schedules.saveSchedule, ofBob)).status).toBe(200);
  expect((await availability(bob)).pause?.reason).toBe('outside_hours');
  const audited = await app.services.db.unscoped
    .selectFrom('audit_log')
    .select(['actor_id', 'subject'])
    .where('company_id', '=', company.id)
    .where('action', '=', 'schedule.changed')
    .orderBy('id')
    .execute();
  expect(audited).toEqual([
    { actor_id: una.id, subject: `user:${una.id}` },
    { actor_id: owner.id, subject: `user:${bob.id}` },
  ]);
});

test('hours and do not disturb of one company mean nothing in another', async () => {
  const { una, number } = await twoAtTheirDesks();
  const other = await twoAtTheirDesks();
  await disturb(other.una, { on: true });
  expect(await rung(number)).toEqual([una.id]);
  expect(await availability(una)).toMatchObject({ do_not_disturb: false, pause: null });
  const intruding = await app.as(una).request(schedules.saveOwnSchedule, {
    params: { companyId: other.company.id },
    body: closedNow(),
  });
  expect(intruding.status).toBe(404);
});

test('a call goes to a team: those of its people who take calls ring, and it is said when none does', async () => {
  const { company, una, bob, number } = await twoAtTheirDesks();
  const other = await twoAtTheirDesks();
  const desk = await insertTeam(app, company.id, [una.id, bob.id]);
  const params0 = { companyId: company.id, teamId: desk };
  const { name } = (await app.as(una).request(contract.getTeam, { params: params0 })).body.data;
  const theirs = await insertTeam(app, other.company.id, [other.bob.id]);
  const call = aCall(number.number);
  await call.tell(call.inbound);
  await call.says(ringing(call, una), { type: 'legAnswered', by: { device: `app-${una.id}` } });
  const params = { id: await call.id() };
  const teams = async () =>
    (await app.as(una).request(live.callDestinations, { params })).body.data.teams;
  const send = (teamId: number) =>
    app.as(una).request(live.transferCall, { params, body: { team_id: teamId } });
  expect(await teams()).toEqual([{ team_id: desk, name, ready: 1 }]);
  expect((await send(theirs)).body).toMatchObject({
    errors: { team_id: ['This team no longer exists. Choose someone else.'] },
  });
  await disturb(bob, { on: true });
  expect(await teams()).toMatchObject([{ ready: 0 }]);
  expect((await send(desk)).body).toMatchObject({
    errors: { team_id: [`No one in ${name} can take the call now. Choose someone else.`] },
  });
  await disturb(bob, { on: false });
  expect((await send(desk)).status).toBe(200);
  expect(told.at(-1)).toMatchObject({ do: 'createLeg', to: { kind: 'app', userId: bob.id } });
  await call.says(ringing(call, bob), { type: 'legAnswered', by: { device: `app-${bob.id}` } });
  expect((await app.as(bob).request(live.getLiveCall, { params })).body.data.people).toMatchObject([
    { role: 'outside', state: 'talking' },
    { user_id: bob.id, state: 'talking' },
  ]);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
});

test('a call sent to someone who takes none goes to voicemail; they can’t be asked first', async () => {
  const { una, bob, owner, number } = await twoAtTheirDesks();
  const call = aCall(number.number);
  await call.tell(call.inbound);
  await call.says(ringing(call, una), { type: 'legAnswered', by: { device: `app-${una.id}` } });
  const params = { id: await call.id() };
  await disturb(bob, { on: true });
  const found = (await app.as(una).request(live.callDestinations, { params })).body.data.people;
  expect(found.find((one) => one.user_id === bob.id)).toMatchObject({
    status: 'away',
    pause: { reason: 'do_not_disturb', until: null },
  });
  const send = (ask: boolean) =>
    app.as(una).request(live.transferCall, { params, body: { user_id: bob.id, ask } });
  expect((await send(true)).body).toMatchObject({
    errors: { user_id: [expect.stringMatching(/isn’t taking calls\. Do not disturb is on\./)] },
  });
  expect((await send(false)).status).toBe(200);
  expect(
    told.some((c) => c.do === 'createLeg' && c.to.kind === 'app' && c.to.userId === bob.id),
  ).toBe(false);
  expect(told.at(-1)).toMatchObject({ do: 'play', leg: call.leg });
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  const { data } = (await app.as(owner).request(calls.getCall, { params })).body;
  expect(data.path.map((one) => one.because)).toContainEqual(
    expect.stringMatching(/Do not disturb is on\.$/),
  );
});
