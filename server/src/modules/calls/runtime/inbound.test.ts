import { calls } from '#contract';
import { expect, test } from 'vitest';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import type { VoiceEvent } from '../../../gateways/voice.ts';
import { exchangesWithoutLease } from '../../../platform/exchanges.ts';
import { endLostCalls, sweepCalls } from './call-clock.ts';
import { forgetTimers } from './timers.ts';

const {
  world: app,
  house: services,
  said: notifier,
  told,
  carrier,
  aCall,
  commands,
  ringing,
  open,
  events,
  saidOf,
} = await createCallHarness();

/** A company whose number rings two people in the app. */
async function anOffice(given: { record?: boolean; voicemail?: boolean } = {}) {
  const { company, owner } = await app.createCompany();
  const una = await app.createPerson(company.id, 'user');
  const ada = await app.createPerson(company.id, 'administrator');
  for (const person of [una, ada]) await open(person);
  const number = await createTestNumber(app, company.id, {
    record: given.record ?? false,
    voicemail: given.voicemail ?? true,
    routes: [
      { type: 'in-app-calling', to: [una, ada], timeout: 20, voicemail: given.voicemail ?? true },
    ],
  });
  return { company, owner, una, ada, number };
}
const record = async (person: Parameters<typeof app.as>[0], id: number) =>
  (await app.as(person).request(calls.getCall, { params: { id } })).body.data;
/** Commands that no carrier accepted yet. */
const pendingOf = (id: number) =>
  services.db.unscoped
    .selectFrom('call_command')
    .select(['command', 'failure'])
    .where('call_id', '=', id)
    .where('done_at', 'is', null)
    .execute();

test('a call to an unknown number is rejected', async () => {
  const call = aCall('+14155559999');
  await call.tell(call.inbound);
  expect(commands(call, 'reject')).toMatchObject([{ leg: call.leg, because: 'notInService' }]);
});

test('a call rings both apps; one answers; the record has who, when and how long', async () => {
  const { owner, una, ada, number } = await anOffice({ record: true });
  const call = aCall(number.number);
  await call.tell(call.inbound);
  const id = await call.id();
  const [hers, other] = [ringing(call, una), ringing(call, ada)];
  const rang = await saidOf(id, 'in-app-calling');
  expect(rang.map((e) => e.data)).toMatchObject([
    { type: 'ringing', from: '+12125550147', leg: hers, number: { id: number.id } },
    { type: 'ringing', leg: other },
  ]);

  await call.says(hers, { type: 'legAnswered' });
  expect(commands(call, 'bridge')).toMatchObject([{ legs: [call.leg, hers] }]);
  expect(commands(call, 'cancelLeg')).toMatchObject([{ leg: other, because: 'answeredElsewhere' }]);
  await call.says(other, { type: 'legEnded', cause: 'cancelled' });
  expect(await saidOf(id, 'call.answered')).toMatchObject([
    { data: { answeredBy: { type: 'app', id: una.id } } },
  ]);
  app.clock.advance(65);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  await call.says(hers, { type: 'legEnded', cause: 'hangup' });

  const seen = await record(owner, id);
  expect(seen).toMatchObject({
    status: 12,
    outcome: 1,
    outbound: 0,
    from: '+12125550147',
    to: number.number,
    billable_minutes: 2,
    first_contact: true,
    caller_state: 'NY',
    caller_city: expect.any(String),
    answered_by: { type: 'app', id: una.id },
    recording: { state: 'pending' },
  });
  expect(seen.talk_seconds).toBeGreaterThanOrEqual(65);
  expect(seen.legs.map((l) => l.role)).toEqual(['caller', 'target', 'target']);
  expect(seen.history.map((h) => h.code).filter(Boolean)).toEqual(
    expect.arrayContaining([1, 12, 9]),
  );
  expect(seen.path.at(0)?.node).toBe('start');
  expect(seen.path.some((p) => p.node === 'connect')).toBe(true);
  expect(await saidOf(id, 'call.ended')).toHaveLength(1);
});

test('a decline ends one user’s ringing; after all declined voicemail answers; silence leaves none', async () => {
  const { una, ada, owner, number } = await anOffice();
  const call = aCall(number.number);
  await call.tell(call.inbound);
  const id = await call.id();
  const can = (await app.as(una).request(calls.canAnswerCall, { params: { callId: id } })).body
    .data;
  expect(can).toMatchObject({ can: true, reason: null, leg: ringing(call, una) });
  expect(
    (
      await app
        .as(ada)
        .request(calls.rejectCall, { params: { callId: id }, body: { joinToken: can.joinToken! } })
    ).status,
  ).toBe(404);
  expect(
    (
      await app
        .as(una)
        .request(calls.rejectCall, { params: { callId: id }, body: { joinToken: can.joinToken! } })
    ).body.data,
  ).toEqual({ rejected: true });
  await call.says(ringing(call, una), { type: 'legEnded', cause: 'cancelled' });
  expect(
    (await app.as(una).request(calls.canAnswerCall, { params: { callId: id } })).body.data,
  ).toMatchObject({ can: false, reason: 'ended' });
  expect(
    (await app.as(owner).request(calls.canAnswerCall, { params: { callId: id } })).body.data,
  ).toMatchObject({ can: false, reason: 'not_invited' });
  expect(commands(call, 'play')).toHaveLength(0);

  await call.says(ringing(call, ada), { type: 'legEnded', cause: 'declined' });
  const [greeting] = commands(call, 'play');
  await call.says(call.leg, {
    type: 'promptEnded',
    commandId: greeting!.id,
    reason: 'done',
    digits: '',
  });
  const [beep] = commands(call, 'record');
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  await call.says(call.leg, {
    type: 'recordingReady',
    recordingId: beep!.recordingId,
    url: 'http://127.0.0.1:1/none',
    contentType: 'audio/wav',
    durationMs: 900,
    channels: 1,
  });
  expect(await record(owner, id)).toMatchObject({
    status: 4,
    outcome: 3,
    abandoned: 'voicemail',
    voicemail: null,
  });
  expect(await saidOf(id, 'call.ended')).toHaveLength(1);
});

test('a caller who hangs up stops all ringing, and the call is missed', async () => {
  const { owner, una, ada, number } = await anOffice();
  const call = aCall(number.number);
  await call.tell(call.inbound);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  const id = await call.id();
  expect(commands(call, 'cancelLeg').map((c) => [c.leg, c.because])).toEqual([
    [ringing(call, una), 'callerLeft'],
    [ringing(call, ada), 'callerLeft'],
  ]);
  expect(await record(owner, id)).toMatchObject({
    status: 11,
    outcome: 2,
    abandoned: 'ringing',
    answered_by: null,
  });
  expect((await saidOf(id, 'in-app-calling')).map((e) => e.data['type'])).toEqual([
    'ringing',
    'ringing',
    'ended',
    'ended',
  ]);
});

test('duplicate, concurrent and early events are applied once', async () => {
  const { owner, una, number } = await anOffice();
  const call = aCall(number.number);
  const early = call.event(call.leg, { type: 'legEnded', cause: 'hangup' });
  await call.tell(early);
  await Promise.all([call.tell(call.inbound), call.tell(call.inbound), call.tell(early)]);
  await call.tell(call.inbound, early);
  const id = await call.id();
  expect(await record(owner, id)).toMatchObject({ outcome: 2 });
  expect(await saidOf(id, 'call.started')).toHaveLength(1);
  expect(await saidOf(id, 'call.ended')).toHaveLength(1);

  const second = aCall(number.number);
  await Promise.all(Array.from({ length: 5 }, () => second.tell(second.inbound)));
  expect(told.filter((c) => c.do === 'createLeg' && c.onBehalfOf === second.leg)).toHaveLength(2);
  const answered = second.event(ringing(second, una), { type: 'legAnswered' });
  await Promise.all([second.tell(answered), second.tell(answered), second.tell(answered)]);
  expect(commands(second, 'bridge')).toHaveLength(1);
  expect((await events(await second.id())).filter((e) => e.event === 'call.answered')).toHaveLength(
    1,
  );
});

test('when two users answer at once, one gets the call and the other is hung up', async () => {
  const { una, ada, number, owner } = await anOffice();
  const call = aCall(number.number);
  await call.tell(call.inbound);
  await Promise.all([
    call.says(ringing(call, una), { type: 'legAnswered' }),
    call.says(ringing(call, ada), { type: 'legAnswered' }),
  ]);
  expect(commands(call, 'bridge')).toHaveLength(1);
  const winner = commands(call, 'bridge')[0]!.legs[1];
  const loser = [ringing(call, una), ringing(call, ada)].find((leg) => leg !== winner)!;
  expect(
    told.filter((c) => (c.do === 'hangup' || c.do === 'cancelLeg') && c.leg === loser).length,
  ).toBeGreaterThan(0);
  await call.says(loser, { type: 'legEnded', cause: 'cancelled' });
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  expect(await record(owner, await call.id())).toMatchObject({ outcome: 1, status: 12 });
});

test('a call survives a restart while ringing: commands, timer and voicemail follow', async () => {
  const { owner, una, number } = await anOffice();
  const call = aCall(number.number);
  carrier.away = true; // the process dies between commit and command
  await call.tell(call.inbound);
  forgetTimers();
  carrier.away = false;
  expect(told.filter((c) => c.do === 'createLeg' && c.onBehalfOf === call.leg)).toHaveLength(0);
  app.clock.advance(3);
  await sweepCalls(services, notifier);
  expect(ringing(call, una)).toMatch(/\.\d+$/);
  app.clock.advance(25);
  forgetTimers();
  await sweepCalls(services, notifier);
  expect(commands(call, 'cancelLeg').map((c) => c.because)).toEqual(['timeout', 'timeout']);
  for (const { leg } of commands(call, 'cancelLeg'))
    await call.says(leg, { type: 'legEnded', cause: 'noAnswer' });
  expect(commands(call, 'play')).toHaveLength(1);
  const id = await call.id();
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  expect(await record(owner, id)).toMatchObject({ outcome: 3, status: 4 });
  // Each is performed once, however often the sweep runs.
  await sweepCalls(services, notifier);
  expect(new Set(told.map((c) => c.id)).size).toBe(told.length);
});

test('a carrier that is away is asked less and less often, and gets the hangup once it is back', async () => {
  const { number } = await anOffice();
  const call = aCall(number.number);
  carrier.away = true;
  carrier.refused = 0;
  await call.tell(call.inbound);
  for (let second = 0; second < 180; second++) {
    app.clock.advance(1);
    await sweepCalls(services, notifier);
  }
  carrier.away = false;
  // After 2, 4, 8, 16 seconds, then every 30, for the ringing and for its end; every second: 178.
  expect(carrier.refused).toBeLessThan(20);
  expect(carrier.refused).toBeGreaterThan(6);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  app.clock.advance(31);
  await sweepCalls(services, notifier);
  expect(await pendingOf(await call.id())).toEqual([]);
});

test('a call whose media process died gets exactly one outcome', async () => {
  const { owner, una, ada, number } = await anOffice();
  const call = aCall(number.number);
  await call.tell(call.inbound);
  await call.says(ringing(call, una), { type: 'legAnswered' });
  await call.says(ringing(call, ada), { type: 'legEnded', cause: 'cancelled' });
  const id = await call.id();
  app.clock.advance(30);
  carrier.reachable = false;
  await sweepCalls(services, notifier);
  expect(await record(owner, id)).toMatchObject({ ended_at: null });
  carrier.reachable = true;
  app.clock.advance(30);
  await sweepCalls(services, notifier);
  await sweepCalls(services, notifier);
  expect(await record(owner, id)).toMatchObject({ status: 12, outcome: 1 });
  expect(await saidOf(id, 'call.ended')).toHaveLength(1);
});

const atExchange = (event: VoiceEvent, exchange: string) => ({ ...event, exchange }) as VoiceEvent;

/** An exchange whose process was killed, long enough ago for its lease to be over. */
async function aKilledExchange(id: string): Promise<void> {
  const now = services.now();
  await services.db.unscoped
    .insertInto('exchange')
    .values({ id, url: 'http://127.0.0.1:9', capacity: 30, started_at: new Date(0), seen_at: now })
    .execute();
}

test('calls end with their lost exchange, when it was last seen, and expect no recording', async () => {
  const { owner, una, ada, number } = await anOffice({ record: true });
  const talking = aCall(number.number);
  const ringingStill = aCall(number.number, '+12125550148');
  const elsewhere = aCall(number.number, '+12125550149');
  await talking.tell(atExchange(talking.inbound, 'lost'));
  await talking.says(ringing(talking, una), { type: 'legAnswered' });
  await talking.says(ringing(talking, ada), { type: 'legEnded', cause: 'cancelled' });
  await ringingStill.tell(atExchange(ringingStill.inbound, 'lost'));
  await elsewhere.tell(atExchange(elsewhere.inbound, 'lives'));
  const [id, second] = [await talking.id(), await ringingStill.id()];
  expect(commands(talking, 'startRecording')).toHaveLength(1);
  app.clock.advance(5);
  await aKilledExchange('lost');
  // It answers, so it only lost the database.
  carrier.exchange = 'lost';
  await expect
    .poll(() => exchangesWithoutLease(services.db), { timeout: 20_000 })
    .toEqual(['lost']);
  await endLostCalls(services, notifier);
  expect(await record(owner, id)).toMatchObject({ ended_at: null });
  app.clock.advance(8); // noticed later than it happened
  carrier.exchange = null;
  const created = commands(ringingStill, 'createLeg').length;
  await endLostCalls(services, notifier);
  expect(await record(owner, id)).toMatchObject({
    status: 12,
    talk_seconds: 5,
    recording: { state: 'none', url: null },
    history: expect.arrayContaining([
      expect.objectContaining({
        label: 'Connection lost',
        detail: expect.stringContaining('Its recording was lost'),
      }),
    ]),
  });
  expect(await record(owner, second)).toMatchObject({ status: 11, recording: { state: 'none' } });
  expect(commands(ringingStill, 'createLeg')).toHaveLength(created); // nobody else is rung for a caller who is gone
  expect(await saidOf(id, 'call.ended')).toHaveLength(1);
  expect(await record(owner, await elsewhere.id())).toMatchObject({ ended_at: null });
});

test('a blocked caller is rejected and recorded as blocked', async () => {
  const { owner, number } = await anOffice();
  const { compliance } = await import('#contract');
  await app.as(owner).request(compliance.addBlock, {
    body: {
      global: false,
      target: '+12125550188',
      action: 1,
      company_id: owner.companyId,
      number_id: null,
    },
  });
  const call = aCall(number.number, '+12125550188');
  await call.tell(call.inbound);
  expect(commands(call, 'reject')).toMatchObject([{ because: 'blocked' }]);
  expect(await record(owner, await call.id())).toMatchObject({ status: 13, outcome: 4 });
});

test('without open apps and voicemail the caller hears a message and the call is missed', async () => {
  const { company, owner } = await app.createCompany();
  const una = await app.createPerson(company.id, 'user');
  const number = await createTestNumber(app, company.id, {
    voicemail: false,
    routes: [{ type: 'in-app-calling', to: [una], voicemail: false }],
  });
  const call = aCall(number.number);
  await call.tell(call.inbound);
  const [words] = commands(call, 'play');
  expect(words!.prompts[0]).toMatchObject({ kind: 'say' });
  await call.says(call.leg, {
    type: 'promptEnded',
    commandId: words!.id,
    reason: 'done',
    digits: '',
  });
  expect(await record(owner, await call.id())).toMatchObject({ outcome: 2 });
  expect(commands(call, 'hangup')).toHaveLength(1);
});
