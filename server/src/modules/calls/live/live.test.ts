import { live } from '#contract';
import { expect, test } from 'vitest';
import type { VoiceCommand } from '../../../gateways/voice.ts';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import { sweepCalls } from '../runtime/call-clock.ts';
import { forgetTimers } from '../runtime/timers.ts';

const {
  world: app,
  house: services,
  said: notifier,
  told,
  carrier,
  aCall,
  ringing,
  open,
  saidOf,
} = await createCallHarness();

async function anOffice(more: { record?: boolean } = {}) {
  const { company, owner } = await app.createCompany();
  const una = await app.createPerson(company.id, 'user');
  const bob = await app.createPerson(company.id, 'user');
  const chief = await app.createPerson(company.id, 'administrator');
  for (const [person, device] of [
    [una, 'app-una'],
    [bob, 'app-bob'],
    [chief, 'app-chief'],
  ] as const)
    await open({ ...person, companyId: company.id }, device);
  const number = await createTestNumber(app, company.id, {
    ...more,
    voicemail: true,
    routes: [{ type: 'in-app-calling', to: [una], label: 'Front desk' }],
  });
  const call = aCall(number.number);
  await call.tell(call.inbound);
  await call.says(ringing(call, una), { type: 'legAnswered', by: { device: 'app-una' } });
  const id = await call.id();
  return { company, owner, una, bob, chief, number, call, id, params: { params: { id } } };
}
/** The newest leg that rings a user. */
const newestAt = (userId: number): string => {
  const found = told.findLast(
    (c): c is Extract<VoiceCommand, { do: 'createLeg' }> =>
      c.do === 'createLeg' && c.to.kind === 'app' && c.to.userId === userId,
  );
  if (!found) throw new Error('nothing rings there');
  return found.leg;
};
const last = (...what: VoiceCommand['do'][]): VoiceCommand[] => told.slice(-what.length);
const code = (answer: { body: unknown }): unknown => (answer.body as { code?: string }).code;

test('attended transfer holds the caller, consults, completes, and survives a restart', async () => {
  const { una, bob, call, id, params, number } = await anOffice();
  const me = app.as(una);
  const destinations = (
    await me.request(live.callDestinations, { ...params, query: { search: '' } })
  ).body.data;
  expect(destinations.people.map((p) => p.user_id)).toContain(bob.id);
  expect(destinations.people.map((p) => p.user_id)).not.toContain(una.id);
  const asked = (
    await me.request(live.transferCall, { ...params, body: { user_id: bob.id, ask: true } })
  ).body.data;
  expect(asked).toMatchObject({
    state: 'consulting',
    people: [
      { role: 'outside', state: 'held' },
      { user_id: una.id, state: 'talking' },
      { user_id: bob.id, state: 'ringing' },
    ],
  });
  expect(told.at(-1)).toMatchObject({
    do: 'createLeg',
    to: { kind: 'app', userId: bob.id, companyId: una.companyId || expect.any(Number) },
    callerId: '+12125550147',
  });
  forgetTimers();
  await call.says(newestAt(bob.id), { type: 'legAnswered', by: { device: 'app-bob' } });
  expect(told.at(-1)).toMatchObject({ do: 'bridge', legs: [ringing(call, una), newestAt(bob.id)] });
  // The consulted colleague cannot complete the transfer.
  expect(code(await app.as(bob).request(live.completeTransfer, { ...params, body: {} }))).toBe(
    'call.not_now',
  );
  const done = (await me.request(live.completeTransfer, { ...params, body: {} })).body.data;
  expect(done).toMatchObject({
    state: 'talking',
    people: [
      { role: 'outside', state: 'talking' },
      { user_id: bob.id, state: 'talking' },
    ],
  });
  expect(last('hold', 'bridge')).toMatchObject([
    { do: 'hold', leg: call.leg, on: false },
    { do: 'bridge', legs: [call.leg, newestAt(bob.id)] },
  ]);
  expect(code(await me.request(live.parkCall, { ...params, body: {} }))).toBe('call.not_yours');
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  const { calls } = await import('#contract');
  const record = (await me.request(calls.getCall, params)).body.data;
  expect(record).toMatchObject({ status: 12, outcome: 1, answered_by: { id: una.id } });
  expect(record.history.map((h) => h.label)).toEqual(
    expect.arrayContaining(['Consulting', 'Transferred']),
  );
  expect(await saidOf(id, 'call.ended')).toHaveLength(1);
  expect((await saidOf(id, 'call.live')).map((e) => e.data['state'])).toEqual(
    expect.arrayContaining(['ringing', 'talking', 'consulting', null]),
  );
  expect(number.number).toBeTruthy();
});

test('blind transfer to a phone sends our number; unanswered it rings back, after a restart, too', async () => {
  const { una, call, params } = await anOffice();
  const me = app.as(una);
  expect(
    code(await me.request(live.transferCall, { ...params, body: { number: '911', ask: false } })),
  ).toBe('calling.emergency');
  expect(
    (await me.request(live.transferCall, { ...params, body: { number: 'nonsense', ask: false } }))
      .status,
  ).toBe(422);
  expect((await me.request(live.transferCall, { ...params, body: { ask: false } })).status).toBe(
    422,
  );
  expect(
    (await me.request(live.transferCall, { ...params, body: { user_id: una.id, ask: false } }))
      .status,
  ).toBe(422);
  const passed = (
    await me.request(live.transferCall, {
      ...params,
      body: { number: '(212) 555-0199', ask: false },
    })
  ).body.data;
  expect(passed.state).toBe('transferring');
  const rung = told.at(-1) as Extract<VoiceCommand, { do: 'createLeg' }>;
  expect(rung).toMatchObject({
    do: 'createLeg',
    to: { kind: 'phone', number: '+12125550199' },
    callerId: passed.number.number,
  });
  await call.says(ringing(call, una), { type: 'legEnded', cause: 'hangup' });
  // All processes restarted: only the database is left.
  forgetTimers();
  app.clock.advance(26);
  carrier.reachable = false; // it has nothing to say about legs; the clock alone moves the call on
  await sweepCalls(services, notifier);
  expect(told.at(-1)).toMatchObject({ do: 'createLeg', to: { kind: 'app', userId: una.id } });
  await call.says(newestAt(una.id), { type: 'legAnswered' });
  expect(told.at(-1)).toMatchObject({ do: 'bridge', legs: [call.leg, newestAt(una.id)] });
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
});

test('park uses the first free slot, one call each, for users of the number only, and times out', async () => {
  const office = await anOffice();
  const { una, bob, call, id, params, company } = office;
  const parked = (await app.as(una).request(live.parkCall, { ...params, body: {} })).body.data;
  expect(parked).toMatchObject({ state: 'parked', slot: 1 });
  expect(told.at(-1)).toMatchObject({ do: 'hold', leg: call.leg, on: true });
  const other = await createTestNumber(app, company.id, {});
  const elsewhere = await app.createPerson(company.id, 'user', [other.id]);
  expect((await app.as(elsewhere).request(live.listParkedCalls, {})).body.data).toEqual([]);
  expect((await app.as(elsewhere).request(live.unparkCall, { ...params, body: {} })).status).toBe(
    404,
  );
  expect((await app.as(bob).request(live.listParkedCalls, {})).body.data).toMatchObject([
    { id, slot: 1 },
  ]);
  const line = (
    await app.as(bob).request(live.unparkCall, { ...params, body: { device: 'app-bob' } })
  ).body.data;
  expect(told.at(-1)).toMatchObject({
    do: 'createLeg',
    leg: line.leg,
    to: { userId: bob.id, device: 'app-bob' },
  });
  expect(code(await app.as(una).request(live.unparkCall, { ...params, body: {} }))).toBe(
    'call.not_now',
  );
  await call.says(line.leg, { type: 'legAnswered' });
  expect(told.at(-1)).toMatchObject({ do: 'bridge', legs: [call.leg, line.leg] });
  expect((await app.as(bob).request(live.listParkedCalls, {})).body.data).toEqual([]);

  expect(
    (await app.as(bob).request(live.parkCall, { ...params, body: { slot: 7 } })).body.data.slot,
  ).toBe(7);
  const second = aCall(office.number.number, '+12125550148');
  await second.tell(second.inbound);
  await second.says(ringing(second, una), { type: 'legAnswered' });
  expect(
    code(
      await app
        .as(una)
        .request(live.parkCall, { params: { id: await second.id() }, body: { slot: 7 } }),
    ),
  ).toBe('call.slot_taken');
  app.clock.advance(301);
  carrier.reachable = false;
  await sweepCalls(services, notifier);
  expect(newestAt(bob.id)).not.toBe(line.leg);
  expect((await app.as(una).request(live.listParkedCalls, {})).body.data).toEqual([]);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  await second.says(second.leg, { type: 'legEnded', cause: 'hangup' });
});

test('a third party joins and is removed; carriers without rooms report it', async () => {
  const { una, bob, call, id, params } = await anOffice({ record: true });
  const me = app.as(una);
  const added = (await me.request(live.addToCall, { ...params, body: { user_id: bob.id } })).body
    .data;
  expect(added.people.at(-1)).toMatchObject({ user_id: bob.id, state: 'ringing' });
  await call.says(newestAt(bob.id), { type: 'legAnswered' });
  expect(told.slice(-4).map((c) => c.do)).toEqual(['join', 'join', 'join', 'recordSides']);
  expect(told.at(-1)).toMatchObject({
    sides: [[call.leg], [ringing(call, una), newestAt(bob.id)]],
  });
  await me.request(live.removeFromCall, { ...params, body: { leg: newestAt(bob.id) } });
  expect(told.slice(-3)).toMatchObject([
    { do: 'leave' },
    { do: 'bridge', legs: [call.leg, ringing(call, una)] },
    { do: 'recordSides' },
  ]);
  expect((await me.request(live.getLiveCall, params)).body.data).toMatchObject({
    id,
    state: 'talking',
    recording: true,
  });
  carrier.rooms = false;
  expect(code(await me.request(live.addToCall, { ...params, body: { user_id: bob.id } }))).toBe(
    'call.cannot',
  );
  carrier.rooms = true;
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  expect(code(await me.request(live.getLiveCall, params))).toBe('call.ended');
});

test('monitoring is for administrators of the number, audited, and hidden from others', async () => {
  const { una, owner, chief, call, id, params, company } = await anOffice();
  expect((await app.as(una).request(live.listLiveCalls, {})).status).toBe(403);
  expect(
    (await app.as(una).request(live.monitorCall, { ...params, body: { mode: 'listen' } })).status,
  ).toBe(403);
  expect(
    (await app.as(owner).request(live.listLiveCalls, { query: { company_id: company.id } })).body
      .data,
  ).toMatchObject([{ id, state: 'talking', route: 'Front desk' }]);
  const outsider = (await app.createCompany()).owner;
  expect(
    (await app.as(outsider).request(live.monitorCall, { ...params, body: { mode: 'listen' } }))
      .status,
  ).toBe(404);
  const boss = app.as({ ...chief, companyId: company.id });
  const line = (
    await boss.request(live.monitorCall, {
      ...params,
      body: { mode: 'listen', device: 'app-chief' },
    })
  ).body.data;
  await call.says(line.leg, { type: 'legAnswered' });
  expect(told.slice(-3)).toMatchObject([
    { do: 'join', role: 'talk' },
    { do: 'join', role: 'talk' },
    { do: 'join', leg: line.leg, role: 'listen' },
  ]);
  await boss.request(live.monitorCall, {
    ...params,
    body: { mode: 'whisper', device: 'app-chief' },
  });
  expect(told.at(-1)).toMatchObject({
    do: 'join',
    leg: line.leg,
    role: 'whisper',
    to: [ringing(call, una)],
  });
  expect((await boss.request(live.getLiveCall, params)).body.data.monitors).toMatchObject([
    { user_id: chief.id, mode: 'whisper' },
  ]);
  expect((await app.as(una).request(live.getLiveCall, params)).body.data.monitors).toEqual([]);
  const { calls } = await import('#contract');
  expect(
    (await app.as(una).request(calls.getCall, params)).body.data.legs.some(
      (leg) => leg.role === 'monitor',
    ),
  ).toBe(false);
  expect(
    (await boss.request(calls.getCall, params)).body.data.legs.some(
      (leg) => leg.role === 'monitor',
    ),
  ).toBe(true);
  expect((await boss.request(live.stopMonitoring, { ...params, body: {} })).body.data).toEqual({
    stopped: true,
  });
  expect(told.at(-1)).toMatchObject({ do: 'bridge', legs: [call.leg, ringing(call, una)] });
  const { rows } = await services.db.pool.query(
    `select action, actor_id, after from audit_log where company_id = $1 and subject = $2 order by id`,
    [company.id, `call:${id}`],
  );
  expect(
    rows.map((r: { action: string; actor_id: number; after: { mode?: string } | null }) => [
      r.action,
      Number(r.actor_id),
      r.after?.mode ?? null,
    ]),
  ).toEqual([
    ['call.monitored', chief.id, 'listen'],
    ['call.monitored', chief.id, 'whisper'],
    ['call.monitoring_ended', chief.id, null],
  ]);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
});
