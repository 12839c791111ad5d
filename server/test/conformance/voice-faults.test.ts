import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bandwidthSettings } from '../../src/adapters/bandwidth/settings.ts';
import { twilioSettings } from '../../src/adapters/twilio/settings.ts';
import { createTestNumber } from '../support/call-harness.ts';
import { sweepCalls } from '../../src/modules/calls/runtime/call-clock.ts';
import type { TestApp } from '../support/test-app.ts';
import { createTwoCarrierApp } from './carrier-matrix.ts';
import type { mockBandwidthVoice } from './bandwidth-mock/voice.ts';
import type { BadResponse } from './twilio-mock/account.ts';
import type { mockTwilio } from './twilio-mock/voice-and-messaging.ts';

/** Two simulated carriers at once: a fault at one must not affect the other and its companies. */
let app: TestApp;
let twilio: Awaited<ReturnType<typeof mockTwilio>>;
let bandwidth: Awaited<ReturnType<typeof mockBandwidthVoice>>;
/** How long the product waits for an answer of a carrier, milliseconds. */
function setRequestTimeout(carrier: 'twilio' | 'bandwidth', ms: number): void {
  const declared = carrier === 'twilio' ? twilioSettings : bandwidthSettings;
  Object.assign(declared.of(app.services.settings)!, { patienceMs: ms }); // both are connected
}
const patient = { timeout: 45_000, interval: 30 };

/** A carrier as these tests use it. */
interface CarrierFixture {
  name: 'twilio' | 'bandwidth';
  providerId: number;
  faults: { away: boolean; answers: BadResponse };
  callIn(from: string, to: string): string;
  /** Calls it was asked to ring at this number, and those still ringing. */
  rung(to: string): number;
  ringing(to: string): string[];
  answer(id: string): void;
  talking(id: string): boolean;
  hangUp(id: string): void;
  /** Legs that are up at the carrier. */
  up(): number;
  /** Requests about calls that reached it. */
  asked(): number;
}
const twilioFixture = (): CarrierFixture => ({
  name: 'twilio',
  providerId: 3,
  faults: twilio.faults,
  callIn: (from, to) => twilio.callIn(from, to).sid,
  rung: (to) =>
    [...twilio.calls.values()].filter((c) => c.to === to && c.direction === 'outbound-api').length,
  ringing: (to) => twilio.ringing(to).map((c) => c.sid),
  answer: (id) => twilio.answer(twilio.calls.get(id)!),
  talking: (id) => twilio.talking(twilio.calls.get(id)!),
  hangUp: (id) => twilio.end(twilio.calls.get(id)!, 'completed'),
  up: () =>
    [...twilio.calls.values()].filter((c) =>
      ['queued', 'ringing', 'in-progress'].includes(c.status),
    ).length,
  asked: () => twilio.requests.filter((r) => /\/Calls[./]/.test(r.path)).length,
});
const bandwidthFixture = (): CarrierFixture => ({
  name: 'bandwidth',
  providerId: 1,
  faults: bandwidth.faults,
  callIn: (from, to) => bandwidth.callIn(from, to).callId,
  rung: (to) =>
    [...bandwidth.calls.values()].filter((c) => c.to === to && c.direction === 'outbound').length,
  ringing: (to) => bandwidth.ringing(to).map((c) => c.callId),
  answer: (id) => bandwidth.answer(bandwidth.calls.get(id)!),
  talking: (id) => bandwidth.talking(bandwidth.calls.get(id)!),
  hangUp: (id) => bandwidth.end(bandwidth.calls.get(id)!, 'hangup'),
  up: () => [...bandwidth.calls.values()].filter((c) => c.state !== 'disconnected').length,
  asked: () => bandwidth.requests.filter((r) => r.path.startsWith('/voice/')).length,
});

beforeAll(async () => {
  ({ twilio, bandwidth, world: app } = await createTwoCarrierApp());
}, 180_000);
afterAll(() => Promise.all([twilio?.close(), bandwidth?.close()]));

let lines = 0;
/** A company with one number at this carrier whose calls ring one phone for this many seconds. */
async function createNumber(
  carrier: CarrierFixture,
  timeoutSeconds = 100,
): Promise<{ companyId: number; number: string; phone: string }> {
  const { company } = await app.createCompany();
  const phone = `+1212555${String(7000 + ++lines)}`;
  const { number } = await createTestNumber(app, company.id, {
    providerId: carrier.providerId,
    voicemail: false,
    routes: [{ type: 'standard', to: [phone], timeout: timeoutSeconds, voicemail: false }],
  });
  return { companyId: company.id, number, phone };
}
/** Advances the product's clock by this many seconds, then sweeps the calls. */
async function advanceTime(seconds: number): Promise<void> {
  app.clock.advance(seconds);
  await sweepCalls(app.services, app.notifier);
}
const callsOf = (companyId: number) =>
  app.services.db.unscoped
    .selectFrom('call')
    .select(['id', 'status', 'outcome', 'because', 'ended_at'])
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
/** The command that rings someone in a company's first call. */
const ringOf = async (companyId: number) => {
  const rows = await app.services.db.unscoped
    .selectFrom('call_command')
    .select(['command', 'tries', 'done_at'])
    .where('company_id', '=', companyId)
    .orderBy('n')
    .execute();
  return rows
    .map((row) => ({ ...row, command: row.command as { do: string; leg: string } }))
    .find((row) => row.command.do === 'createLeg')!;
};
const live = async (companyId: number) =>
  (await callsOf(companyId)).filter((call) => call.ended_at === null).length;
/**
 * An inbound call until both sides talk, and its end. `clock`: sweep every second meanwhile, so
 * that commands refused while one request probes whether the carrier is back are retried.
 */
async function runOneCall(
  carrier: CarrierFixture,
  line: { companyId: number; number: string; phone: string },
  from: string,
  clock = false,
): Promise<void> {
  let at = Date.now();
  const comes = (look: () => unknown, what: unknown) =>
    expect
      .poll(async () => {
        if (clock && Date.now() - at >= 1000) {
          at = Date.now();
          await advanceTime(1);
        }
        return look();
      }, patient)
      .toBe(what);
  const before = carrier.rung(line.phone);
  const caller = carrier.callIn(from, line.number);
  await comes(() => carrier.ringing(line.phone).length, 1);
  const leg = carrier.ringing(line.phone)[0]!;
  carrier.answer(leg);
  await comes(() => carrier.talking(caller) && carrier.talking(leg), true);
  carrier.hangUp(caller);
  await comes(() => live(line.companyId), 0);
  expect([
    carrier.rung(line.phone) - before,
    (await callsOf(line.companyId)).at(-1)?.status,
  ]).toEqual([1, 12]);
}

for (const which of ['twilio', 'bandwidth'] as const) {
  describe(`faults at ${which}`, () => {
    // Null only until `beforeAll` has made them.
    let [carrier, other]: [CarrierFixture, CarrierFixture] = [null as never, null as never];
    beforeAll(() => {
      [carrier, other] =
        which === 'twilio'
          ? [twilioFixture(), bandwidthFixture()]
          : [bandwidthFixture(), twilioFixture()];
    });
    beforeEach(() => {
      for (const faults of [carrier.faults, other.faults])
        Object.assign(faults, { away: false, answers: 'well' });
      setRequestTimeout('twilio', 15_000);
      setRequestTimeout('bandwidth', 15_000);
    });

    it(
      'after 429 the carrier is left alone for as long as it asks, then rings once',
      { timeout: 120_000 },
      async () => {
        const [mine, theirs] = [await createNumber(carrier), await createNumber(other)];
        carrier.faults.answers = 'tooMany';
        const before = carrier.asked();
        const caller = carrier.callIn('+12125550161', mine.number);
        await expect.poll(() => carrier.asked() - before, patient).toBe(1);
        // The response has arrived: Retry-After counts from here.
        await expect.poll(async () => (await ringOf(mine.companyId)).tries, patient).toBe(1);
        for (let i = 0; i < 4; i++) await advanceTime(4);
        expect(carrier.asked() - before, 'sixteen seconds of peace').toBe(1);
        await runOneCall(other, theirs, '+12125550162');
        carrier.faults.answers = 'well';
        await advanceTime(5);
        await expect.poll(() => carrier.ringing(mine.phone).length, patient).toBe(1);
        for (let i = 0; i < 3; i++) await advanceTime(3);
        carrier.answer(carrier.ringing(mine.phone)[0]!);
        await expect.poll(() => carrier.talking(caller), patient).toBe(true);
        carrier.hangUp(caller);
        await expect.poll(() => live(mine.companyId), patient).toBe(0);
        expect([carrier.rung(mine.phone), (await callsOf(mine.companyId))[0]?.status]).toEqual([
          1, 12,
        ]);
      },
    );

    for (const [kind, promise] of [
      ['nonsense', 'an answer that is none'],
      ['drip', 'an answer that never comes to an end'],
    ] as const)
      it(
        `${promise}: the phone that rings all the same is found, and not rung twice`,
        { timeout: 120_000 },
        async () => {
          const mine = await createNumber(carrier);
          setRequestTimeout(which, 700);
          carrier.faults.answers = kind;
          const caller = carrier.callIn('+12125550163', mine.number);
          await expect.poll(() => carrier.rung(mine.phone), patient).toBe(1);
          // The request ends without a response and stays pending unless a webhook named the leg
          // meanwhile.
          const ring = () => ringOf(mine.companyId);
          await expect
            .poll(async () => (await ring()).tries > 0 || (await ring()).done_at !== null, patient)
            .toBe(true);
          // Querying the leg fails too, which proves nothing about it.
          await expect(
            app.services.gateways.carriers.voice(which).getLegStatus((await ring()).command.leg),
          ).rejects.toThrow();
          await advanceTime(3);
          expect(carrier.rung(mine.phone), 'asked whether it rings, not to ring').toBe(1);
          carrier.faults.answers = 'well';
          // Wait for what it answers from now on, however busy this machine is.
          setRequestTimeout(which, 15_000);
          for (let i = 0; i < 3; i++) await advanceTime(3);
          await expect.poll(async () => (await ring()).done_at !== null, patient).toBe(true);
          expect(carrier.ringing(mine.phone)).toHaveLength(1);
          carrier.answer(carrier.ringing(mine.phone)[0]!);
          await expect.poll(() => carrier.talking(caller), patient).toBe(true);
          carrier.hangUp(caller);
          await expect.poll(() => live(mine.companyId), patient).toBe(0);
          expect([carrier.rung(mine.phone), (await callsOf(mine.companyId))[0]?.status]).toEqual([
            1, 12,
          ]);
        },
      );

    it(
      'a carrier outage of ten minutes ends every call with a reason, rings none late, and is probed at growing intervals',
      { timeout: 180_000 },
      async () => {
        const [mine, neighbour, theirs] = [
          await createNumber(carrier, 20),
          await createNumber(carrier, 20),
          await createNumber(other),
        ];
        // One call is connected when the outage begins.
        const talker = carrier.callIn('+12125550164', mine.number);
        await expect.poll(() => carrier.ringing(mine.phone).length, patient).toBe(1);
        const talking = carrier.ringing(mine.phone)[0]!;
        carrier.answer(talking);
        await expect.poll(() => carrier.talking(talker), patient).toBe(true);
        const [rungBefore, askedBefore] = [carrier.rung(mine.phone), carrier.asked()];

        carrier.faults.away = true;
        const asked: number[] = [];
        for (let minute = 0; minute < 10; minute++) {
          const [line, from] = [minute % 2 ? mine : neighbour, `+1212555018${minute}`];
          const known = (await callsOf(line.companyId)).length;
          carrier.callIn(from, line.number);
          await expect
            .poll(async () => (await callsOf(line.companyId)).length, patient)
            .toBe(known + 1);
          if (minute === 2) carrier.hangUp(talking);
          for (let i = 0; i < 12; i++) await advanceTime(5);
          if (minute === 5) await runOneCall(other, theirs, '+12125550165');
          asked.push(carrier.asked() - askedBefore);
        }
        // The circuit opened within the first minute and was probed at growing intervals: every two
        // minutes at the end.
        expect(asked[9], `asked after each minute: ${asked.join(' ')}`).toBeLessThan(30);
        expect(
          asked[9]! - asked[3]!,
          `asked after each minute: ${asked.join(' ')}`,
        ).toBeGreaterThanOrEqual(2);
        expect(
          asked[9]! - asked[3]!,
          `asked after each minute: ${asked.join(' ')}`,
        ).toBeLessThanOrEqual(12);

        carrier.faults.away = false;
        for (let i = 0; i < 30; i++) await advanceTime(5);
        for (const line of [mine, neighbour])
          await expect.poll(() => live(line.companyId), patient).toBe(0);
        const all = [...(await callsOf(mine.companyId)), ...(await callsOf(neighbour.companyId))];
        expect(all).toHaveLength(11);
        expect(
          all.filter((call) => !call.status || !call.outcome || !call.because),
          'every call has ended, with a reason',
        ).toEqual([]);
        expect(
          [carrier.rung(mine.phone) - rungBefore, carrier.rung(neighbour.phone)],
          'no one is rung for callers who have hung up',
        ).toEqual([0, 0]);
        await expect.poll(() => carrier.up(), patient).toBe(0);
        // Everything works as before.
        await runOneCall(carrier, mine, '+12125550166', true);
        await runOneCall(carrier, neighbour, '+12125550167', true);
      },
    );
  });
}
