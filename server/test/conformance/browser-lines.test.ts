import { calls as callsContract, live as liveContract } from '#contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loudnessAt } from '../../src/platform/audio/listen.ts';
import { aBrowser, type Call } from '../../src/adapters/sandbox/switch/a-browser.ts';
import type { RunningSwitch } from '../../src/adapters/sandbox/switch/main-switch.ts';
import { sweepCalls } from '../../src/modules/calls/call-clock.ts';
import type { TestPerson, World } from '../world.ts';
import { aBandwidthWorld, anExchange, aTwilioWorld, exchangePorts } from './columns.ts';
import { outsideHz } from './linked-sound.ts';
import { dialSip, type TrunkCall } from './sip-trunk.ts';

/** What is the same of both simulated carriers here. */
interface Wire {
  to: string;
  from: string;
  sip?: TrunkCall;
  heard: string[];
}
interface Far {
  name: string;
  world: World;
  providerId: number;
  callIn(from: string, to: string): Wire;
  hangUp(call: Wire): void;
  talking(call: Wire): boolean;
  all(): Wire[];
  answer(call: Wire): void;
  trouble: { linesLate: boolean };
  close(): Promise<void>;
}

const carriers = [
  {
    name: 'Twilio',
    open: async (env: Record<string, string>): Promise<Far> => {
      const { twilio, world } = await aTwilioWorld({ env });
      const of = (call: Wire) => call as ReturnType<typeof twilio.callIn>;
      return {
        name: 'Twilio',
        world,
        providerId: 3,
        callIn: twilio.callIn,
        hangUp: (call) => twilio.end(of(call), 'completed'),
        talking: (call) => twilio.talking(of(call)),
        all: () => [...twilio.calls.values()],
        answer: (call) => twilio.answer(of(call)),
        trouble: twilio.trouble,
        close: twilio.close,
      };
    },
  },
  {
    name: 'Bandwidth',
    open: async (env: Record<string, string>): Promise<Far> => {
      const { bandwidth, world } = await aBandwidthWorld({ env });
      const of = (call: Wire) => call as ReturnType<typeof bandwidth.callIn>;
      return {
        name: 'Bandwidth',
        world,
        providerId: 1,
        callIn: bandwidth.callIn,
        hangUp: (call) => bandwidth.end(of(call), 'hangup'),
        talking: (call) => bandwidth.talking(of(call)),
        all: () => [...bandwidth.calls.values()],
        answer: (call) => bandwidth.answer(of(call)),
        trouble: bandwidth.trouble,
        close: bandwidth.close,
      };
    },
  },
];
const patience = { timeout: 30_000, interval: 40 };
const lasts = 120_000;
let counter = 0;

async function aNumber(
  far: Far,
  people: readonly TestPerson[],
  companyId: number,
): Promise<{ id: number; number: string }> {
  const number = `+1415557${String(1000 + ++counter)}`;
  return far.world.house.db.system(async (tx) => {
    const { id } = await tx
      .insertInto('number')
      .values({
        company_id: companyId,
        number,
        label: 'Main line',
        provider_id: far.providerId,
        record: false,
        recording_announcement: 'none',
        voicemail_enabled: false,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('number_directory')
      .values({ number, company_id: companyId, number_id: id })
      .execute();
    const route = await tx
      .insertInto('route')
      .values({
        company_id: companyId,
        number_id: id,
        type: 'in-app-calling',
        voicemail_enabled: false,
        timeout_seconds: 60,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [position, { id: user_id, email }] of people.entries())
      await tx
        .insertInto('forward')
        .values({ company_id: companyId, route_id: route.id, position, label: email, user_id })
        .execute();
    return { id, number };
  });
}
const hears = (pcm: () => Int16Array, hz: number, rate: number) =>
  expect.poll(() => loudnessAt(pcm(), hz, rate), patience).toBeGreaterThan(0.08);
const hearsNot = (pcm: () => Int16Array, hz: number, rate: number) =>
  expect.poll(() => loudnessAt(pcm(), hz, rate), patience).toBeLessThan(0.02);

describe.each(carriers)('browsers and calls of $name’s numbers', ({ open }) => {
  let far: Far;
  let running: RunningSwitch;
  let web = '';
  beforeAll(async () => {
    const ports = await exchangePorts();
    far = await open(ports.env);
    running = await anExchange(far.world, ports);
    web = `http://127.0.0.1:${ports.port}`;
  }, 120_000);
  afterAll(async () => {
    await running?.close();
    await far?.close();
  });

  /** A person with a page open, joined with the token the product gives them, through the web process. */
  const aPage = async (person: TestPerson, device: string, hz: number) => {
    const token = await far.world
      .as(person)
      .ask(callsContract.callingToken, { body: { device, company_id: person.companyId } });
    expect([token.status, token.body.data.provider, token.body.data.url]).toEqual([
      200,
      'webrtc',
      '/media',
    ]);
    return aBrowser(web, token.body.data.token, hz);
  };
  const linesOf = (number: string) =>
    far.all().filter((call) => call.to.startsWith('sip:') && call.from === number);
  const lineTo = async (number: string, n = 0): Promise<Wire> => {
    await expect.poll(() => linesOf(number).length, patience).toBeGreaterThan(n);
    return linesOf(number)[n]!;
  };
  const rung = () =>
    [...running.exchange.legs.values()].filter(
      (leg) => leg.farEnd.kind === 'app' && leg.state === 'ringing',
    );
  const rungLeg = async () => {
    await expect.poll(() => rung().length, patience).toBe(1);
    return rung()[0]!;
  };
  const everythingEnds = () =>
    expect
      .poll(
        () => [...running.exchange.legs.values()].filter((leg) => leg.state !== 'ended').length,
        patience,
      )
      .toBe(0);
  const lastCall = async (companyId: number) =>
    (
      await far.world.house.db.directory
        .selectFrom('call')
        .select('id')
        .where('company_id', '=', companyId)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
    ).id;
  const soundOf = (wire: Wire) => () => wire.sip!.heard(400);
  const listening = (call: Call) => () => call.heard(400);

  it(
    'answered in the browser, both hear each other; hold, a colleague’s browser, and a supervisor’s',
    async () => {
      const { company, owner } = await far.world.company();
      const [cat, dan] = [
        await far.world.person(company.id, 'user'),
        await far.world.person(company.id, 'user'),
      ];
      const page = await aPage(cat, 'app-cat', 940);
      const { number } = await aNumber(far, [cat], company.id);
      const caller = far.callIn('+12125550147', number);
      const leg = await rungLeg();
      // Shown who calls, and which number they called.
      expect(await page.told('ring', leg.id)).toMatchObject({ from: '+12125550147', to: number });
      const talk = await page.answer(leg.id);
      await expect.poll(() => far.talking(caller), patience).toBe(true);
      const line = await lineTo(number);
      await hears(listening(talk), outsideHz, 16_000);
      await hears(soundOf(line), 940, 8000);
      expect(loudnessAt(talk.heard(400), 940, 16_000), 'not herself').toBeLessThan(0.03);

      const id = await lastCall(company.id);
      const as = far.world.as(cat);
      expect(
        (await as.ask(callsContract.holdCall, { params: { callId: id }, body: { on: true } }))
          .status,
      ).toBe(200);
      await expect
        .poll(() => caller.heard.some((heard) => heard.includes('/music-')), patience)
        .toBe(true);
      await hearsNot(listening(talk), outsideHz, 16_000);
      expect(
        (await as.ask(callsContract.holdCall, { params: { callId: id }, body: { on: false } }))
          .status,
      ).toBe(200);
      await hears(listening(talk), outsideHz, 16_000);
      await hears(soundOf(line), 940, 8000);

      // Somebody listens: hears the one outside, over a line of their own.
      const watch = await aPage(owner, 'app-own', 1300);
      const monitored = await far.world.as(owner).ask(liveContract.monitorCall, {
        params: { id },
        body: { mode: 'listen', device: 'app-own' },
      });
      expect(monitored.status, JSON.stringify(monitored.body)).toBe(200);
      const ear = await watch.answer((await rungLeg()).id);
      await hears(listening(ear), outsideHz, 16_000);
      expect(
        (await far.world.as(owner).ask(liveContract.stopMonitoring, { params: { id }, body: {} }))
          .status,
      ).toBe(200);
      await hears(listening(talk), outsideHz, 16_000);

      // Passed on to a colleague's browser.
      const other = await aPage(dan, 'app-dan', 1100);
      const passed = await as.ask(liveContract.transferCall, {
        params: { id },
        body: { user_id: dan.id, ask: false },
      });
      expect(passed.status, JSON.stringify(passed.body)).toBe(200);
      const taken = await other.answer((await rungLeg()).id);
      await hears(listening(taken), outsideHz, 16_000);
      await hears(() => linesOf(number).at(-1)!.sip!.heard(400), 1100, 8000);
      far.hangUp(caller);
      await everythingEnds();
      for (const call of [talk, ear, taken]) call.unplug();
      for (const one of [page, watch, other]) one.leave();
    },
    lasts,
  );

  it(
    'placed in the browser: rings outside, shown our number, and both hear each other',
    async () => {
      const { company } = await far.world.company();
      const cat = await far.world.person(company.id, 'user');
      const page = await aPage(cat, 'app-cat', 940);
      const { id, number } = await aNumber(far, [cat], company.id);
      const placed = await far.world.as(cat).ask(callsContract.placeCall, {
        body: {
          companyId: company.id,
          number_id: id,
          destination: '+12125550183',
          device: 'app-cat',
        },
      });
      expect(placed.status, JSON.stringify(placed.body)).toBeLessThan(300);
      const talk = await page.answer((await rungLeg()).id);
      const outside = () =>
        far.all().find((call) => call.to === '+12125550183' && call.from === number);
      await expect.poll(() => Boolean(outside()), patience).toBe(true);
      // The line is up while it still rings outside: no carrier gives it up meanwhile.
      await expect
        .poll(
          () =>
            [...running.exchange.legs.values()].some(
              (leg) => leg.isLine && leg.state === 'answered',
            ),
          patience,
        )
        .toBe(true);
      far.answer(outside()!);
      await hears(listening(talk), outsideHz, 16_000);
      await hears(soundOf(await lineTo(number)), 940, 8000);
      far.hangUp(outside()!);
      await everythingEnds();
      talk.unplug();
      page.leave();
    },
    lasts,
  );

  it(
    'a wrong, a used and an expired token are refused (403) and ring nobody; no token stands anywhere',
    async () => {
      const { company } = await far.world.company();
      const cat = await far.world.person(company.id, 'user');
      const page = await aPage(cat, 'app-cat', 940);
      const { number } = await aNumber(far, [cat], company.id);
      const dial = (uri: string, codec: 'PCMU' | 'none' = 'PCMU') =>
        new Promise<number | 'rings'>((resolve) => {
          const call = dialSip(
            uri,
            number,
            {
              ringing: () => {
                resolve('rings');
                call.hangUp();
              },
              answered: () => resolve(200),
              ended: resolve,
            },
            codec,
          );
        });
      const legs = () => running.exchange.legs.size;

      const caller = far.callIn('+12125550148', number);
      const leg = await rungLeg();
      const { to: uri } = await lineTo(number);
      const before = legs();
      const wrong = uri.replace(/sip:[0-9a-f]{48}/, `sip:${'0123456789abcdef'.repeat(3)}`);
      expect(wrong).not.toBe(uri);
      expect([await dial(wrong), await dial(uri)]).toEqual([403, 403]);
      expect([legs(), rung().map(({ id }) => id)]).toEqual([before, [leg.id]]);
      // Whatever was written down of it, the token is not among it.
      const token = /sip:([0-9a-f]{48})@/.exec(uri)![1]!;
      for (const table of [
        'call_command',
        'call_way',
        'call_event',
        'carrier_leg',
        'carrier_thing',
        'outbox',
        'live_call',
      ])
        expect(
          (
            await sql<{
              n: number;
            }>`select count(*)::int n from ${sql.table(table)} t where strpos(t::text, ${token}) > 0`.execute(
              far.world.house.db.directory,
            )
          ).rows[0]!.n,
          table,
        ).toBe(0);
      far.hangUp(caller);
      await everythingEnds();

      // The carrier was told the address and does not dial it for a while: nobody rings meanwhile, and then it is too late.
      far.trouble.linesLate = true;
      const late = far.callIn('+12125550149', number);
      const { to: stale } = await lineTo(number, 1);
      expect(rung()).toEqual([]);
      // A phone without G.711 does not use the token up.
      expect(await dial(stale, 'none')).toBe(488);
      far.world.now.advance(61);
      expect(await dial(stale)).toBe(403);
      expect(rung()).toEqual([]);
      far.trouble.linesLate = false;
      far.hangUp(late);
      await sweepCalls(far.world.house, far.world.said);
      await everythingEnds();
      page.leave();
    },
    lasts,
  );
});

describe.each(carriers)('where $name cannot reach our exchange', ({ open, name }) => {
  it(
    'the log of a call that was to ring in a browser says why it does not',
    async () => {
      const far = await open({});
      try {
        const { company } = await far.world.company();
        const cat = await far.world.person(company.id, 'user');
        await far.world.house.db.system((tx) =>
          tx
            .insertInto('calling_device')
            .values({
              company_id: company.id,
              user_id: cat.id,
              device: 'app-1',
              seen_at: far.world.house.now(),
            })
            .execute(),
        );
        const { number } = await aNumber(far, [cat], company.id);
        const caller = far.callIn('+12125550147', number);
        const notes = () =>
          far.world.house.db.directory
            .selectFrom('call_history')
            .select('detail')
            .where('company_id', '=', company.id)
            .where('label', '=', 'Browser not rung')
            .execute();
        await expect.poll(notes, patience).toEqual([
          {
            detail: `Browsers cannot be rung for numbers of ${name}: SIP_PUBLIC is not set, so the carrier cannot reach our exchange.`,
          },
        ]);
        expect(far.all().filter((call) => call.to.startsWith('sip:'))).toEqual([]);
        far.hangUp(caller);
      } finally {
        await far.close();
      }
    },
    lasts,
  );
});
