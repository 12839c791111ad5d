import { calls as callsContract, live as liveContract } from '#contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loudnessAt } from '../../src/platform/audio/loudness.ts';
import { freePort } from '../support/free-port.ts';
import { openTestBrowser, type BrowserCall } from '../support/browser-phone.ts';
import type { RunningExchange } from '../../src/exchange/start-exchange.ts';
import { sweepCalls } from '../../src/modules/calls/runtime/call-clock.ts';
import type { TestPerson, TestApp } from '../support/test-app.ts';
import {
  createBandwidthApp,
  startAnotherExchange,
  startTestExchange,
  createTwilioApp,
  exchangePorts,
} from './carrier-matrix.ts';
import { callerToneHz } from './audio-bridge.ts';
import { dialSip, type TrunkCall } from './sip-trunk.ts';

/** What both simulated carriers have in common here. */
interface SipWire {
  to: string;
  from: string;
  sip?: TrunkCall;
  heard: string[];
}
interface CarrierFixture {
  name: string;
  app: TestApp;
  providerId: number;
  callIn(from: string, to: string): SipWire;
  hangUp(call: SipWire): void;
  talking(call: SipWire): boolean;
  all(): SipWire[];
  answer(call: SipWire): void;
  faults: { trunksLate: boolean };
  close(): Promise<void>;
}

const carriers = [
  {
    name: 'Twilio',
    open: async (env: Record<string, string>): Promise<CarrierFixture> => {
      const { twilio, world: app } = await createTwilioApp({ env });
      const of = (call: SipWire) => call as ReturnType<typeof twilio.callIn>;
      return {
        name: 'Twilio',
        app,
        providerId: 3,
        callIn: twilio.callIn,
        hangUp: (call) => twilio.end(of(call), 'completed'),
        talking: (call) => twilio.talking(of(call)),
        all: () => [...twilio.calls.values()],
        answer: (call) => twilio.answer(of(call)),
        faults: twilio.faults,
        close: twilio.close,
      };
    },
  },
  {
    name: 'Bandwidth',
    open: async (env: Record<string, string>): Promise<CarrierFixture> => {
      const { bandwidth, world: app } = await createBandwidthApp({ env });
      const of = (call: SipWire) => call as ReturnType<typeof bandwidth.callIn>;
      return {
        name: 'Bandwidth',
        app,
        providerId: 1,
        callIn: bandwidth.callIn,
        hangUp: (call) => bandwidth.end(of(call), 'hangup'),
        talking: (call) => bandwidth.talking(of(call)),
        all: () => [...bandwidth.calls.values()],
        answer: (call) => bandwidth.answer(of(call)),
        faults: bandwidth.faults,
        close: bandwidth.close,
      };
    },
  },
];
const timeoutMs = { timeout: 30_000, interval: 40 };
const lasts = 120_000;
let counter = 0;

async function createNumber(
  carrier: CarrierFixture,
  people: readonly TestPerson[],
  companyId: number,
): Promise<{ id: number; number: string }> {
  const number = `+1415557${String(1000 + ++counter)}`;
  return carrier.app.services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('number')
      .values({
        company_id: companyId,
        number,
        label: 'Main line',
        provider_id: carrier.providerId,
        record: false,
        recording_announcement: 'none',
        voicemail_enabled: false,
      })
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
const hearsTone = (pcm: () => Int16Array, hz: number, rate: number) =>
  expect.poll(() => loudnessAt(pcm(), hz, rate), timeoutMs).toBeGreaterThan(0.08);
const lacksTone = (pcm: () => Int16Array, hz: number, rate: number) =>
  expect.poll(() => loudnessAt(pcm(), hz, rate), timeoutMs).toBeLessThan(0.02);

describe.each(carriers)('browsers and calls of $name’s numbers', ({ open }) => {
  let carrier: CarrierFixture;
  let running: RunningExchange;
  let web = '';
  beforeAll(async () => {
    const ports = await exchangePorts();
    carrier = await open(ports.env);
    running = await startTestExchange(carrier.app, ports);
    web = `http://127.0.0.1:${ports.port}`;
  }, 120_000);
  afterAll(async () => {
    await running?.close();
    await carrier?.close();
  });

  /** A user with a page open, joined through the web process with the token the product issued. */
  const aPage = async (person: TestPerson, device: string, hz: number) => {
    const token = await carrier.app
      .as(person)
      .request(callsContract.callingToken, { body: { device, company_id: person.companyId } });
    expect([token.status, token.body.data.provider, token.body.data.url]).toEqual([
      200,
      'webrtc',
      '/media',
    ]);
    return openTestBrowser(web, token.body.data.token, hz);
  };
  const linesOf = (number: string) =>
    carrier.all().filter((call) => call.to.startsWith('sip:') && call.from === number);
  const lineTo = async (number: string, n = 0): Promise<SipWire> => {
    await expect.poll(() => linesOf(number).length, timeoutMs).toBeGreaterThan(n);
    return linesOf(number)[n]!;
  };
  const rung = () =>
    [...running.exchange.legs.values()].filter(
      (leg) => leg.farEnd.kind === 'app' && leg.state === 'ringing',
    );
  const rungLeg = async () => {
    await expect.poll(() => rung().length, timeoutMs).toBe(1);
    return rung()[0]!;
  };
  const everythingEnds = () =>
    expect
      .poll(
        () => [...running.exchange.legs.values()].filter((leg) => leg.state !== 'ended').length,
        timeoutMs,
      )
      .toBe(0);
  const lastCall = async (companyId: number) =>
    (
      await carrier.app.services.db.unscoped
        .selectFrom('call')
        .select('id')
        .where('company_id', '=', companyId)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
    ).id;
  const soundOf = (wire: SipWire) => () => wire.sip!.heard(400);
  const listening = (call: BrowserCall) => () => call.heard(400);

  it(
    'a call answered in the browser has audio both ways, through hold, a transfer to a colleague’s browser and monitoring',
    async () => {
      const { company, owner } = await carrier.app.createCompany();
      const [cat, dan] = [
        await carrier.app.createPerson(company.id, 'user'),
        await carrier.app.createPerson(company.id, 'user'),
      ];
      const page = await aPage(cat, 'app-cat', 940);
      const { number } = await createNumber(carrier, [cat], company.id);
      const caller = carrier.callIn('+12125550147', number);
      const leg = await rungLeg();
      // The caller and the called number are shown.
      expect(await page.told('ring', leg.id)).toMatchObject({ from: '+12125550147', to: number });
      const talk = await page.answer(leg.id);
      await expect.poll(() => carrier.talking(caller), timeoutMs).toBe(true);
      const line = await lineTo(number);
      await hearsTone(listening(talk), callerToneHz, 16_000);
      await hearsTone(soundOf(line), 940, 8000);
      expect(loudnessAt(talk.heard(400), 940, 16_000), 'not herself').toBeLessThan(0.03);

      const id = await lastCall(company.id);
      const as = carrier.app.as(cat);
      expect(
        (await as.request(callsContract.holdCall, { params: { callId: id }, body: { on: true } }))
          .status,
      ).toBe(200);
      await expect
        .poll(() => caller.heard.some((heard) => heard.includes('/music-')), timeoutMs)
        .toBe(true);
      await lacksTone(listening(talk), callerToneHz, 16_000);
      expect(
        (await as.request(callsContract.holdCall, { params: { callId: id }, body: { on: false } }))
          .status,
      ).toBe(200);
      await hearsTone(listening(talk), callerToneHz, 16_000);
      await hearsTone(soundOf(line), 940, 8000);

      // A listening supervisor hears the outside party, over an interconnect of their own.
      const watch = await aPage(owner, 'app-own', 1300);
      const monitored = await carrier.app.as(owner).request(liveContract.monitorCall, {
        params: { id },
        body: { mode: 'listen', device: 'app-own' },
      });
      expect(monitored.status, JSON.stringify(monitored.body)).toBe(200);
      const ear = await watch.answer((await rungLeg()).id);
      await hearsTone(listening(ear), callerToneHz, 16_000);
      expect(
        (
          await carrier.app
            .as(owner)
            .request(liveContract.stopMonitoring, { params: { id }, body: {} })
        ).status,
      ).toBe(200);
      await hearsTone(listening(talk), callerToneHz, 16_000);

      // Transferred to a colleague's browser.
      const other = await aPage(dan, 'app-dan', 1100);
      const passed = await as.request(liveContract.transferCall, {
        params: { id },
        body: { user_id: dan.id, ask: false },
      });
      expect(passed.status, JSON.stringify(passed.body)).toBe(200);
      const taken = await other.answer((await rungLeg()).id);
      await hearsTone(listening(taken), callerToneHz, 16_000);
      await hearsTone(() => linesOf(number).at(-1)!.sip!.heard(400), 1100, 8000);
      carrier.hangUp(caller);
      await everythingEnds();
      for (const call of [talk, ear, taken]) call.disconnect();
      for (const one of [page, watch, other]) one.leave();
    },
    lasts,
  );

  it(
    'a call placed in the browser rings outside with our caller ID and has audio both ways',
    async () => {
      const { company } = await carrier.app.createCompany();
      const cat = await carrier.app.createPerson(company.id, 'user');
      const page = await aPage(cat, 'app-cat', 940);
      const { id, number } = await createNumber(carrier, [cat], company.id);
      const placed = await carrier.app.as(cat).request(callsContract.placeCall, {
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
        carrier.all().find((call) => call.to === '+12125550183' && call.from === number);
      await expect.poll(() => Boolean(outside()), timeoutMs).toBe(true);
      // The interconnect is up while the phone still rings, so no carrier releases it meanwhile.
      await expect
        .poll(
          () =>
            [...running.exchange.legs.values()].some(
              (leg) => leg.isInterconnect && leg.state === 'answered',
            ),
          timeoutMs,
        )
        .toBe(true);
      carrier.answer(outside()!);
      await hearsTone(listening(talk), callerToneHz, 16_000);
      await hearsTone(soundOf(await lineTo(number)), 940, 8000);
      carrier.hangUp(outside()!);
      await everythingEnds();
      talk.disconnect();
      page.leave();
    },
    lasts,
  );

  it(
    'wrong, used and expired tokens are refused (403) and ring no one; no token is stored',
    async () => {
      const { company } = await carrier.app.createCompany();
      const cat = await carrier.app.createPerson(company.id, 'user');
      const page = await aPage(cat, 'app-cat', 940);
      const { number } = await createNumber(carrier, [cat], company.id);
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

      const caller = carrier.callIn('+12125550148', number);
      const leg = await rungLeg();
      const { to: uri } = await lineTo(number);
      const before = legs();
      const wrong = uri.replace(/sip:[0-9a-f]{48}/, `sip:${'0123456789abcdef'.repeat(3)}`);
      expect(wrong).not.toBe(uri);
      expect([await dial(wrong), await dial(uri)]).toEqual([403, 403]);
      expect([legs(), rung().map(({ id }) => id)]).toEqual([before, [leg.id]]);
      // The token is in none of the stored requests.
      const token = /sip:([0-9a-f]{48})@/.exec(uri)![1]!;
      for (const table of [
        'call_command',
        'call_interconnect',
        'call_event',
        'carrier_leg',
        'carrier_object',
        'outbox',
        'live_call',
      ])
        expect(
          (
            await sql<{
              n: number;
            }>`select count(*)::int n from ${sql.table(table)} t where strpos(t::text, ${token}) > 0`.execute(
              carrier.app.services.db.unscoped,
            )
          ).rows[0]!.n,
          table,
        ).toBe(0);
      carrier.hangUp(caller);
      await everythingEnds();

      // The carrier dials the address late: no one rings until then, and by then the call has timed out.
      carrier.faults.trunksLate = true;
      const late = carrier.callIn('+12125550149', number);
      const { to: stale } = await lineTo(number, 1);
      expect(rung()).toEqual([]);
      // An offer without G.711 does not use the token up.
      expect(await dial(stale, 'none')).toBe(488);
      carrier.app.clock.advance(61);
      expect(await dial(stale)).toBe(403);
      expect(rung()).toEqual([]);
      carrier.faults.trunksLate = false;
      carrier.hangUp(late);
      await sweepCalls(carrier.app.services, carrier.app.notifier);
      await everythingEnds();
      page.leave();
    },
    lasts,
  );
});

describe.each(carriers)('two exchanges and calls of $name’s numbers', ({ open }) => {
  it(
    'the carrier dials the exchange with the most room, each by its own address, and all legs of a call are there',
    async () => {
      const ports = await exchangePorts();
      const carrier = await open(ports.env);
      const near = await startTestExchange(carrier.app, ports);
      const { port } = ports;
      const other = { port, mediaPort: await freePort(), sipPort: await freePort() };
      const far = await startAnotherExchange(carrier.app, other);
      const byAddress = new Map([
        [`127.0.0.1:${ports.sipPort}`, near],
        [`127.0.0.1:${other.sipPort}`, far],
      ]);
      try {
        const used: RunningExchange[] = [];
        for (const n of [0, 1]) {
          const { company } = await carrier.app.createCompany();
          const cat = await carrier.app.createPerson(company.id, 'user');
          const device = `app-cat-${n}`;
          const token = await carrier.app
            .as(cat)
            .request(callsContract.callingToken, { body: { device, company_id: company.id } });
          const page = await openTestBrowser(
            `http://127.0.0.1:${port}`,
            token.body.data.token,
            940,
          );
          const { number } = await createNumber(carrier, [cat], company.id);
          carrier.callIn(`+1212555016${n}`, number);
          const line = () =>
            carrier.all().find((call) => call.to.startsWith('sip:') && call.from === number);
          await expect.poll(() => Boolean(line()), timeoutMs).toBe(true);
          const dialed = byAddress.get(line()!.to.split('@')[1]!)!;
          used.push(dialed);
          const rung = () =>
            [...dialed.exchange.legs.values()].find(
              (leg) => leg.farEnd.kind === 'app' && leg.state === 'ringing',
            );
          await expect.poll(() => Boolean(rung()), timeoutMs).toBe(true);
          const talk = await page.answer(rung()!.id);
          await hearsTone(() => talk.heard(400), callerToneHz, 16_000);
          await hearsTone(() => line()!.sip!.heard(400), 940, 8000);
          const live = await carrier.app.services.db.unscoped
            .selectFrom('live_call')
            .select('exchange')
            .where('company_id', '=', company.id)
            .executeTakeFirstOrThrow();
          expect(live.exchange).toBe(dialed.exchange.id());
          // Until the next call, the list of exchanges has what this one carries.
          await new Promise((resolve) => setTimeout(resolve, 1500));
        }
        // The first one had less room than the other when the second call came.
        expect(new Set(used).size).toBe(2);
      } finally {
        await near.close();
        await far.close();
        await carrier.close();
      }
    },
    lasts,
  );
});

describe.each(carriers)('when $name can’t reach our exchange', ({ open, name }) => {
  it(
    'the log of a call that couldn’t ring a browser gives the reason',
    async () => {
      const carrier = await open({});
      try {
        const { company } = await carrier.app.createCompany();
        const cat = await carrier.app.createPerson(company.id, 'user');
        await carrier.app.services.db.systemTransaction((tx) =>
          tx
            .insertInto('calling_device')
            .values({
              company_id: company.id,
              user_id: cat.id,
              device: 'app-1',
              seen_at: carrier.app.services.now(),
            })
            .execute(),
        );
        const { number } = await createNumber(carrier, [cat], company.id);
        const caller = carrier.callIn('+12125550147', number);
        const notes = () =>
          carrier.app.services.db.unscoped
            .selectFrom('call_history')
            .select('detail')
            .where('company_id', '=', company.id)
            .where('label', '=', 'Browser not rung')
            .execute();
        await expect.poll(notes, timeoutMs).toEqual([
          {
            detail: `Browsers can’t be rung for numbers at ${name}: SIP_PUBLIC isn’t set, so the carrier can’t reach our exchange.`,
          },
        ]);
        expect(carrier.all().filter((call) => call.to.startsWith('sip:'))).toEqual([]);
        carrier.hangUp(caller);
      } finally {
        await carrier.close();
      }
    },
    lasts,
  );
});
