import { expect, test } from 'vitest';
import type { VoiceCommand, VoiceEvent } from '../../../gateways/voice.ts';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import { receiveVoiceEvents } from '../runtime/receive-events.ts';
import { holdFromSip, placeFromSip, transferFromSip } from './sip-phones.ts';

const {
  world: app,
  house: services,
  said: notifier,
  told,
  aCall,
  ringing,
  open,
} = await createCallHarness();

async function aDesk() {
  const { company } = await app.createCompany();
  const [una, bob] = [
    await app.createPerson(company.id, 'user'),
    await app.createPerson(company.id, 'user'),
  ];
  for (const one of [una, bob])
    await services.db.systemTransaction((tx) =>
      tx
        .updateTable('person')
        .set({
          sip_user: `sip${one.id}`,
          sip_address: `sip:sip${one.id}@phones.test`,
          sip_password_secret: 'sealed',
        })
        .where('id', '=', one.id)
        .execute(),
    );
  for (const [one, device] of [
    [una, 'sip-una'],
    [bob, 'app-bob'],
  ] as const)
    await open({ ...one, companyId: company.id }, device);
  const number = await createTestNumber(app, company.id, {
    routes: [{ type: 'in-app-calling', to: [una], label: 'Front desk' }],
  });
  return {
    company,
    una,
    bob,
    number,
    who: { companyId: company.id, userId: una.id, device: 'sip-una' },
  };
}
const last = (what: VoiceCommand['do']): VoiceCommand | undefined =>
  told.findLast((command) => command.do === what);

test('a phone’s hold plays music to the caller and resumes; duplicates are ignored', async () => {
  const { una, number, who } = await aDesk();
  const call = aCall(number.number);
  await call.tell(call.inbound);
  const leg = ringing(call, una);
  await call.says(leg, { type: 'legAnswered', by: { device: 'sip-una' } });
  await holdFromSip(services, notifier, who, leg, true);
  expect(last('hold')).toMatchObject({ leg: call.leg, on: true });
  const commands = told.length;
  await holdFromSip(services, notifier, who, leg, true);
  expect(told.length).toBe(commands);
  await holdFromSip(services, notifier, who, leg, false);
  expect(last('hold')).toMatchObject({ leg: call.leg, on: false });
  expect(told.at(-1)).toMatchObject({ do: 'bridge', legs: [call.leg, leg] });
  // A leg of another company's call is ignored.
  await holdFromSip(services, notifier, { ...who, companyId: who.companyId + 1 }, leg, true);
  expect(told.at(-1)).toMatchObject({ do: 'bridge' });
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
});

test('a phone transfers to a SIP user or a number; invalid numbers are reported', async () => {
  const { una, bob, number, who } = await aDesk();
  for (const [to, rung] of [
    [`sip${bob.id}`, { kind: 'app', userId: bob.id }],
    ['+12125550199', { kind: 'phone', number: '+12125550199' }],
  ] as const) {
    const call = aCall(number.number);
    await call.tell(call.inbound);
    const leg = ringing(call, una);
    await call.says(leg, { type: 'legAnswered', by: { device: 'sip-una' } });
    expect(await transferFromSip(services, notifier, who, leg, 'nobody')).toEqual(
      expect.any(String),
    );
    expect(await transferFromSip(services, notifier, who, leg, to)).toBe(null);
    expect(last('createLeg')).toMatchObject({ to: rung });
    expect(
      told.some((command) => command.do === 'hangup' && command.leg === leg),
      'the phone is free',
    ).toBe(true);
    await call.says(leg, { type: 'legEnded', cause: 'hangup' });
    await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  }
});

test('failures to place a call have their SIP status; the reason for no answer goes to the leg', async () => {
  const { number, who } = await aDesk();
  const place = (to: string) => placeFromSip(services, notifier, { ...who, to, exchange: null });
  expect(await place('911')).toMatchObject({ status: 403 });
  expect(await place('2125')).toMatchObject({ status: 484 });
  expect(await place('212555014712125550147')).toMatchObject({ status: 404 });
  expect(await place(number.number)).toMatchObject({ status: 403 });
  let seq = 0;
  for (const cause of ['busy', 'declined', 'noAnswer', 'failed'] as const) {
    const placed = await place('+12125550148');
    if (!('leg' in placed)) throw new Error(placed.reason);
    const says = (leg: string, words: object) =>
      receiveVoiceEvents(services, notifier, 'scripted', [
        {
          ...words,
          id: `${leg}:${++seq}`,
          call: placed.leg,
          leg,
          seq,
          at: Date.now(),
        } as VoiceEvent,
      ]).then(({ performed }) => performed);
    await says(placed.leg, { type: 'legAnswered', by: { device: 'sip-una' } });
    expect(await place('+12125550149')).toMatchObject({ status: 486 });
    const theirs = last('createLeg') as Extract<VoiceCommand, { do: 'createLeg' }>;
    await says(theirs.leg, { type: 'legEnded', cause });
    expect(last('hangup')).toMatchObject({ leg: placed.leg, because: cause });
    await says(placed.leg, { type: 'legEnded', cause: 'hangup' });
  }
  const outsider = await app.createCompany();
  expect(
    await placeFromSip(services, notifier, {
      ...who,
      companyId: outsider.company.id,
      to: '+12125550148',
      exchange: null,
    }),
  ).toMatchObject({ status: 403 });
});
