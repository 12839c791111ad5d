import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aNumber } from '../../src/modules/calls/a-line.ts';
import { sweepCalls } from '../../src/modules/calls/call-clock.ts';
import type { World } from '../world.ts';
import { bothCarriers } from './columns.ts';
import type { simulatedBandwidth } from './simulated-bandwidth.ts';
import type { BadAnswers, simulatedTwilio } from './simulated-twilio.ts';

/** Two carriers (simulated) at once: while one has trouble, the other and its companies must notice nothing. */
let world: World;
let twilio: Awaited<ReturnType<typeof simulatedTwilio>>;
let bandwidth: Awaited<ReturnType<typeof simulatedBandwidth>>;
const patient = { timeout: 45_000, interval: 30 };

/** A carrier as these tests see it. */
interface Far {
  name: 'twilio' | 'bandwidth';
  providerId: number;
  trouble: { away: boolean; answers: BadAnswers };
  callIn(from: string, to: string): string;
  /** Calls it was made to ring at this number, and those that still ring. */
  rung(to: string): number;
  ringing(to: string): string[];
  answer(id: string): void;
  talking(id: string): boolean;
  hangUp(id: string): void;
  /** Legs that are up there. */
  up(): number;
  /** Requests about calls that reached it. */
  asked(): number;
}
const twilioFar = (): Far => ({
  name: 'twilio',
  providerId: 3,
  trouble: twilio.trouble,
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
const bandwidthFar = (): Far => ({
  name: 'bandwidth',
  providerId: 1,
  trouble: bandwidth.trouble,
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
  ({ twilio, bandwidth, world } = await bothCarriers());
}, 180_000);
afterAll(() => Promise.all([twilio?.close(), bandwidth?.close()]));

let lines = 0;
/** A company with one number at this carrier whose calls ring one phone, for this many seconds. */
async function aLine(
  far: Far,
  timeoutSeconds = 100,
): Promise<{ companyId: number; number: string; phone: string }> {
  const { company } = await world.company();
  const phone = `+1212555${String(7000 + ++lines)}`;
  const { number } = await aNumber(world, company.id, {
    providerId: far.providerId,
    voicemail: false,
    routes: [{ type: 'standard', to: [phone], timeout: timeoutSeconds, voicemail: false }],
  });
  return { companyId: company.id, number, phone };
}
/** Seconds of the product's clock; its own clock looks at the calls at the end of them. */
async function pass(seconds: number): Promise<void> {
  world.now.advance(seconds);
  await sweepCalls(world.house, world.said);
}
const callsOf = (companyId: number) =>
  world.house.db.directory
    .selectFrom('call')
    .select(['id', 'status', 'outcome', 'because', 'ended_at'])
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
/** What became of the wish to ring somebody in a company's first call. */
const ringOf = async (companyId: number) => {
  const rows = await world.house.db.directory
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
/** A call from the outside until both talk, and its end. `clock`: the product's own looks at the calls every second meanwhile, because what is refused while one request finds out that a carrier is back is asked again by it. */
async function talkOnce(
  far: Far,
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
          await pass(1);
        }
        return look();
      }, patient)
      .toBe(what);
  const before = far.rung(line.phone);
  const caller = far.callIn(from, line.number);
  await comes(() => far.ringing(line.phone).length, 1);
  const leg = far.ringing(line.phone)[0]!;
  far.answer(leg);
  await comes(() => far.talking(caller) && far.talking(leg), true);
  far.hangUp(caller);
  await comes(() => live(line.companyId), 0);
  expect([far.rung(line.phone) - before, (await callsOf(line.companyId)).at(-1)?.status]).toEqual([
    1, 12,
  ]);
}

for (const which of ['twilio', 'bandwidth'] as const) {
  describe(`trouble at ${which}`, () => {
    let [far, other]: [Far, Far] = [null as never, null as never];
    beforeAll(() => {
      [far, other] =
        which === 'twilio' ? [twilioFar(), bandwidthFar()] : [bandwidthFar(), twilioFar()];
    });
    beforeEach(() => {
      for (const trouble of [far.trouble, other.trouble])
        Object.assign(trouble, { away: false, answers: 'well' });
      world.house.settings.twilio!.patienceMs = 15_000;
      world.house.settings.bandwidth!.patienceMs = 15_000;
    });

    it(
      'too many requests: it is left in peace as long as it asked for, then rings once',
      { timeout: 120_000 },
      async () => {
        const [mine, theirs] = [await aLine(far), await aLine(other)];
        far.trouble.answers = 'tooMany';
        const before = far.asked();
        const caller = far.callIn('+12125550161', mine.number);
        await expect.poll(() => far.asked() - before, patient).toBe(1);
        // Its answer is here: peace is counted from now.
        await expect.poll(async () => (await ringOf(mine.companyId)).tries, patient).toBe(1);
        for (let i = 0; i < 4; i++) await pass(4);
        expect(far.asked() - before, 'sixteen seconds of peace').toBe(1);
        await talkOnce(other, theirs, '+12125550162');
        far.trouble.answers = 'well';
        await pass(5);
        await expect.poll(() => far.ringing(mine.phone).length, patient).toBe(1);
        for (let i = 0; i < 3; i++) await pass(3);
        far.answer(far.ringing(mine.phone)[0]!);
        await expect.poll(() => far.talking(caller), patient).toBe(true);
        far.hangUp(caller);
        await expect.poll(() => live(mine.companyId), patient).toBe(0);
        expect([far.rung(mine.phone), (await callsOf(mine.companyId))[0]?.status]).toEqual([1, 12]);
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
          const mine = await aLine(far);
          world.house.settings[which]!.patienceMs = 700;
          far.trouble.answers = kind;
          const caller = far.callIn('+12125550163', mine.number);
          await expect.poll(() => far.rung(mine.phone), patient).toBe(1);
          // The request comes to an end without an answer, and stays to be done unless a report has named the leg meanwhile.
          const ring = () => ringOf(mine.companyId);
          await expect
            .poll(async () => (await ring()).tries > 0 || (await ring()).done_at !== null, patient)
            .toBe(true);
          // A look at the leg fails too, and says nothing about it.
          await expect(
            world.house.ports.carriers.voice(which).askLeg((await ring()).command.leg),
          ).rejects.toThrow();
          await pass(3);
          expect(far.rung(mine.phone), 'asked whether it rings, not to ring').toBe(1);
          far.trouble.answers = 'well';
          // What it answers from now on is waited for, however busy this machine is.
          world.house.settings[which]!.patienceMs = 15_000;
          for (let i = 0; i < 3; i++) await pass(3);
          await expect.poll(async () => (await ring()).done_at !== null, patient).toBe(true);
          expect(far.ringing(mine.phone)).toHaveLength(1);
          far.answer(far.ringing(mine.phone)[0]!);
          await expect.poll(() => far.talking(caller), patient).toBe(true);
          far.hangUp(caller);
          await expect.poll(() => live(mine.companyId), patient).toBe(0);
          expect([far.rung(mine.phone), (await callsOf(mine.companyId))[0]?.status]).toEqual([
            1, 12,
          ]);
        },
      );

    it(
      'ten minutes away: it is asked now and then, every call ends with a reason, none is rung late, and what was up is hung up',
      { timeout: 180_000 },
      async () => {
        const [mine, neighbour, theirs] = [
          await aLine(far, 20),
          await aLine(far, 20),
          await aLine(other),
        ];
        // One talk is going on as it begins.
        const talker = far.callIn('+12125550164', mine.number);
        await expect.poll(() => far.ringing(mine.phone).length, patient).toBe(1);
        const talking = far.ringing(mine.phone)[0]!;
        far.answer(talking);
        await expect.poll(() => far.talking(talker), patient).toBe(true);
        const [rungBefore, askedBefore] = [far.rung(mine.phone), far.asked()];

        far.trouble.away = true;
        const asked: number[] = [];
        for (let minute = 0; minute < 10; minute++) {
          const [line, from] = [minute % 2 ? mine : neighbour, `+1212555018${minute}`];
          const known = (await callsOf(line.companyId)).length;
          far.callIn(from, line.number);
          await expect
            .poll(async () => (await callsOf(line.companyId)).length, patient)
            .toBe(known + 1);
          if (minute === 2) far.hangUp(talking);
          for (let i = 0; i < 12; i++) await pass(5);
          if (minute === 5) await talkOnce(other, theirs, '+12125550165');
          asked.push(far.asked() - askedBefore);
        }
        // It opened within the first minute, and looked again and again, ever more seldom: every two minutes at the end.
        expect(asked[9], `asked after each minute: ${asked.join(' ')}`).toBeLessThan(30);
        expect(
          asked[9]! - asked[3]!,
          `asked after each minute: ${asked.join(' ')}`,
        ).toBeGreaterThanOrEqual(2);
        expect(
          asked[9]! - asked[3]!,
          `asked after each minute: ${asked.join(' ')}`,
        ).toBeLessThanOrEqual(12);

        far.trouble.away = false;
        for (let i = 0; i < 30; i++) await pass(5);
        for (const line of [mine, neighbour])
          await expect.poll(() => live(line.companyId), patient).toBe(0);
        const told = [...(await callsOf(mine.companyId)), ...(await callsOf(neighbour.companyId))];
        expect(told).toHaveLength(11);
        expect(
          told.filter((call) => !call.status || !call.outcome || !call.because),
          'every call has its end and says why',
        ).toEqual([]);
        expect(
          [far.rung(mine.phone) - rungBefore, far.rung(neighbour.phone)],
          'nobody is rung for callers who have long gone',
        ).toEqual([0, 0]);
        await expect.poll(() => far.up(), patient).toBe(0);
        // All is as before.
        await talkOnce(far, mine, '+12125550166', true);
        await talkOnce(far, neighbour, '+12125550167', true);
      },
    );
  });
}
