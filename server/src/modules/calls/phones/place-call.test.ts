import { calls } from '#contract';
import { expect, test } from 'vitest';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import { receiveVoiceEvents } from '../runtime/receive-events.ts';
import type { VoiceEvent } from '../../../gateways/voice.ts';

const {
  world: app,
  house: services,
  said: notifier,
  told,
  open,
  saidOf,
} = await createCallHarness();

async function anAgent() {
  const { company, owner } = await app.createCompany();
  const una = await app.createPerson(company.id, 'user');
  await open(una, 'app-una');
  const number = await createTestNumber(app, company.id, {
    record: true,
    routes: [{ type: 'voicemail' }],
  });
  return { company, owner, una, number };
}
let seq = 0;
const says = async (leg: string, words: object): Promise<void> =>
  (
    await receiveVoiceEvents(services, notifier, 'scripted', [
      { ...words, id: `${leg}:${++seq}`, call: leg, leg, seq, at: Date.now() } as VoiceEvent,
    ])
  ).performed;
const legTo = (callId: number, kind: 'app' | 'phone') =>
  told.find(
    (c) => c.do === 'createLeg' && c.leg.includes(`-${callId}.`) && c.to.kind === kind,
  ) as Extract<(typeof told)[number], { do: 'createLeg' }>;

test('an outbound call rings the own device, then the destination; hold, DTMF and hangup work', async () => {
  const { una, owner, number } = await anAgent();
  const me = app.as(una);
  const placed = (
    await me.request(calls.placeCall, {
      body: { number_id: number.id, destination: '(212) 555-01FO', device: 'app-una' },
    })
  ).body.data;
  expect(placed).toMatchObject({ caller_id: number.number });
  const [id, mine] = [placed.call_id, placed.leg];
  expect(legTo(id, 'app')).toMatchObject({ leg: mine, to: { userId: una.id, device: 'app-una' } });
  expect(
    (await me.request(calls.beatCalling, { body: { device: 'app-una' } })).body.data.calls,
  ).toMatchObject([{ callId: id, leg: mine, state: 'ringing', outbound: 1, to: '+12125550136' }]);
  await says(mine, { type: 'legAnswered', by: { device: 'app-una' } });
  const theirs = legTo(id, 'phone');
  expect(theirs).toMatchObject({ to: { number: '+12125550136' }, callerId: number.number });
  expect(
    (
      await me.request(calls.placeCall, {
        body: { number_id: number.id, destination: '2125550148' },
      })
    ).body,
  ).toMatchObject({ code: 'calling.busy' });
  await says(theirs.leg, { type: 'legAnswered' });
  expect(await saidOf(id, 'call.answered')).toHaveLength(1);
  expect(
    (await me.request(calls.listCallingUsers)).body.data.find((p) => p.id === una.id),
  ).toMatchObject({ status: 'on_call' });

  const act = { params: { callId: id } };
  expect(
    (await me.request(calls.pressKeys, { ...act, body: { digits: '12#' } })).body.data,
  ).toEqual({
    state: 'connected',
  });
  expect(told.at(-1)).toMatchObject({ do: 'sendDigits', leg: theirs.leg, digits: '12#' });
  expect((await me.request(calls.holdCall, { ...act, body: { on: true } })).body.data).toEqual({
    state: 'held',
  });
  expect((await me.request(calls.holdCall, { ...act, body: { on: false } })).body.data).toEqual({
    state: 'connected',
  });
  expect((await app.as(owner).request(calls.hangUpCall, { ...act, body: {} })).body).toMatchObject({
    code: 'call.not_yours',
  });
  expect((await me.request(calls.hangUpCall, { ...act, body: {} })).body.data).toEqual({
    state: 'ended',
  });
  expect((await me.request(calls.hangUpCall, { ...act, body: {} })).body).toMatchObject({
    code: 'call.ended',
  });
  const seen = (await me.request(calls.getCall, { params: { id } })).body.data;
  expect(seen).toMatchObject({
    outbound: 1,
    status: 12,
    outcome: 1,
    from: number.number,
    to: '+12125550136',
    answered_by: { type: 'user', id: una.id },
  });
  expect(await saidOf(id, 'call.ended')).toHaveLength(1);
});

test('calls that are not allowed fail with their reason, and nothing rings', async () => {
  const { una, owner, company, number } = await anAgent();
  const { compliance } = await import('#contract');
  const me = app.as(una);
  const before = told.length;
  const refused = async (destination: string, number_id = number.id) =>
    (await me.request(calls.placeCall, { body: { number_id, destination } })).body as unknown as {
      code: string;
    };
  expect(await refused('911')).toMatchObject({ code: 'calling.emergency' });
  expect(await refused('9-1-1')).toMatchObject({ code: 'calling.emergency' });
  for (const dialed of ['911,1', '911;1', '9-1-1 x2', '911p5'])
    expect(await refused(dialed), dialed).toMatchObject({ code: 'calling.emergency' });
  expect(await refused('12')).toMatchObject({ code: 'invalid' });
  expect(await refused(number.number)).toMatchObject({ code: 'calling.caller_id' });
  await app.as(owner).request(compliance.addBlock, {
    body: {
      global: false,
      target: '+12125550123',
      action: 1,
      company_id: company.id,
      number_id: null,
    },
  });
  expect(await refused('+12125550123')).toMatchObject({ code: 'calling.blocked' });
  const second = await createTestNumber(app, company.id, {});
  const limited = await app.createPerson(company.id, 'user', [second.id]);
  expect(
    (
      await app
        .as(limited)
        .request(calls.placeCall, { body: { number_id: number.id, destination: '2125550148' } })
    ).body,
  ).toMatchObject({ code: 'calling.caller_id' });
  const outsider = (await app.createCompany()).owner;
  expect(
    (
      await app
        .as(outsider)
        .request(calls.placeCall, { body: { number_id: number.id, destination: '2125550148' } })
    ).status,
  ).toBe(404);
  expect(told.length).toBe(before);
});

test('an extension, or keys after a pause, are pressed once the called party answers', async () => {
  const { una, number } = await anAgent();
  for (const [destination, digits] of [
    ['(212) 555-0136 x12', '12'],
    ['tel:+12125550136;ext=7', '7'],
    ['2125550136,,123#', '123#'],
    ['2125550136p4w5', '45'],
    ['2125550136', undefined],
  ] as const) {
    const { data } = (
      await app.as(una).request(calls.placeCall, {
        body: { number_id: number.id, destination, device: 'app-una' },
      })
    ).body;
    await says(data.leg, { type: 'legAnswered', by: { device: 'app-una' } });
    const theirs = legTo(data.call_id, 'phone');
    expect(theirs.to, destination).toEqual({ kind: 'phone', number: '+12125550136' });
    await says(theirs.leg, { type: 'legAnswered' });
    const pressed = told.filter((one) => one.do === 'sendDigits' && one.leg === theirs.leg);
    expect(pressed.map((one) => one.do === 'sendDigits' && one.digits)).toEqual(
      digits === undefined ? [] : [digits],
    );
    await says(theirs.leg, { type: 'legEnded', cause: 'hangup' });
    await says(data.leg, { type: 'legEnded', cause: 'hangup' });
  }
});

test('switching calling on creates credentials the first time; away users are not rung', async () => {
  const { company, una } = await anAgent();
  const ada = await app.createPerson(company.id, 'user');
  await services.db.systemTransaction((tx) =>
    tx
      .updateTable('person')
      .set({ sip_user: null, sip_address: null, sip_password_secret: null })
      .where('id', '=', ada.id)
      .execute(),
  );
  const me = app.as(ada);
  expect(
    (await me.request(calls.callingToken, { body: { device: 'app-ada' } })).body,
  ).toMatchObject({
    code: 'calling.not_set_up',
  });
  expect((await me.request(calls.toggleCallingStatus, { body: {} })).body.data).toEqual({
    status: 'active',
  });
  expect(
    (await me.request(calls.callingToken, { body: { device: 'app-ada' } })).body.data,
  ).toMatchObject({
    token: 'for app-ada',
    provider: 'webrtc',
    identity: `c${company.id}u${ada.id}`,
    status: 'active',
  });
  expect((await me.request(calls.toggleCallingStatus, { body: {} })).body.data).toEqual({
    status: 'away',
  });
  const users = (await app.as(una).request(calls.listCallingUsers)).body.data;
  expect(users.find((p) => p.id === ada.id)).toMatchObject({
    status: 'away',
    devices: [{ id: 'app-ada' }],
  });
  expect(users.find((p) => p.id === una.id)).toMatchObject({ status: 'active' });
  // Organization administrators may call in each of its companies (A4).
  const boss = await app.createPerson(0, 'owner');
  await services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('organization')
      .values({ name: 'Group', slug: `group-${company.id}`, owner_id: boss.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('organization_admin')
      .values({ organization_id: id, user_id: boss.id })
      .execute();
    await tx
      .updateTable('company')
      .set({ organization_id: id })
      .where('id', '=', company.id)
      .execute();
  });
  expect(
    (
      await app
        .as({ ...boss, companyId: company.id })
        .request(calls.callingToken, { body: { device: 'app-boss' } })
    ).status,
  ).toBe(200);
  app.clock.advance(60);
  expect(
    (await me.request(calls.listCallingUsers)).body.data.every((p) => p.status === 'offline'),
  ).toBe(true);
});
