import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls as callsContract } from '#contract';
import type { Leg } from '../../src/exchange/leg.ts';
import { createServices, createWebServer } from '../../src/app.ts';
import { sweepCalls } from '../../src/modules/calls/runtime/call-clock.ts';
import { forgetTimers } from '../../src/modules/calls/runtime/timers.ts';
import {
  bandwidthCase,
  sandboxCase,
  twilioCase,
  type CarrierFixture,
  type RemotePhone,
  type FaultKind,
} from './carrier-matrix.ts';
import { scenarios, type Scenario } from './scenarios.ts';
import type { TestPerson } from '../support/test-app.ts';

const carrierCases = [sandboxCase, twilioCase, bandwidthCase];
const people: Record<string, string> = { Ann: '+12125550181', Bob: '+12125550182' };
/** These users have the app open and no desk phone. */
const appTargets = ['Cat', 'Dan'];
let lines = 0;

async function createNumber(
  carrier: CarrierFixture,
  scenario: Scenario,
): Promise<{ companyId: number; number: string; numberId: number; apps: Map<string, FakeApp> }> {
  const { company } = await carrier.testApp.createCompany('Harbor Dental');
  const number = `+1415555${String(3000 + ++lines)}`;
  const apps = new Map<string, FakeApp>();
  for (const who of appTargets)
    if (scenario.script.includes(who)) apps.set(who, await createFakeApp(carrier, company.id, who));
  const numberId = await carrier.testApp.services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('number')
      .values({
        company_id: company.id,
        number,
        label: 'Main line',
        provider_id: carrier.providerId,
        record: scenario.record ?? false,
        recording_announcement: 'none',
        voicemail_enabled: scenario.routes.some((r) => r.voicemail),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('number_directory')
      .values({ number, company_id: company.id, number_id: id })
      .execute();
    for (const [i, r] of scenario.routes.entries()) {
      const route = await tx
        .insertInto('route')
        .values({
          company_id: company.id,
          number_id: id,
          extension: i + 1,
          label: r.label ?? '',
          type: r.type,
          timeout_seconds: r.timeout ?? 20,
          voicemail_enabled: r.voicemail ?? false,
          stagger: r.stagger ?? false,
          confirm_key: r.confirm ?? null,
          confirm_whisper: r.whisper ?? '',
          onhold_music_id: r.music ?? null,
          business_hours: r.closed
            ? JSON.stringify({
                preset: 2,
                timezone: 'UTC',
                blocks: [],
                exceptions: [],
                voicemail: true,
              })
            : null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const [position, who] of (r.to ?? []).entries())
        await tx
          .insertInto('forward')
          .values({
            company_id: company.id,
            route_id: route.id,
            position,
            label: who,
            phone: people[who] ?? null,
            user_id: apps.get(who)?.person.id ?? null,
          })
          .execute();
    }
    return id;
  });
  return { companyId: company.id, number, numberId, apps };
}

/** A user's browser, at our own exchange whichever carrier has the call. */
interface FakeApp {
  person: TestPerson;
  ringing(): Leg[];
  answer(leg: Leg, keys?: string): void;
}
async function createFakeApp(
  carrier: CarrierFixture,
  companyId: number,
  name: string,
): Promise<FakeApp> {
  const person = await carrier.testApp.createPerson(companyId, 'user');
  await carrier.testApp.services.db.systemTransaction(async (tx) => {
    await tx
      .updateTable('person')
      .set({ first_name: name, last_name: '' })
      .where('id', '=', person.id)
      .execute();
    await tx
      .insertInto('calling_device')
      .values({
        company_id: companyId,
        user_id: person.id,
        device: 'app-page',
        seen_at: carrier.testApp.services.now(),
      })
      .execute();
  });
  const device = carrier.exchange.devices.join(
    { kind: 'app', companyId, userId: person.id, identity: name, device: 'app-page' },
    null,
  );
  device.send = () => undefined;
  return {
    person,
    ringing: () =>
      [...carrier.exchange.legs.values()].filter(
        (leg) =>
          leg.state === 'ringing' && leg.farEnd.kind === 'app' && leg.farEnd.userId === person.id,
      ),
    answer: (leg, keys) => {
      carrier.exchange.answer(leg, device);
      if (keys) carrier.exchange.receiveDigits(leg, keys);
    },
  };
}

/** What the product stored about a call: the same at every carrier. Without leg names and times. */
async function callLogOf(
  carrier: CarrierFixture,
  companyId: number,
  apps: ReadonlyMap<string, FakeApp>,
) {
  // The sentence depends on which the carrier reported first, the call's end or its recording.
  const named = (text: string) =>
    [...apps].reduce(
      (said, [name, { person }]) => said.replaceAll(`user:${person.id}`, `user:${name}`),
      text,
    );
  const ours = (text: string | null) =>
    text &&
    named(text)
      .replace('The caller left a voicemail.', 'A voicemail was left.')
      .replace(/\+1415555\d{4}|\(415\) 555-\d{4}/g, 'our number');
  const db = carrier.testApp.services.db.unscoped;
  const call = await db
    .selectFrom('call')
    .selectAll()
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow();
  const history = await db
    .selectFrom('call_history')
    .select(['kind', 'code', 'label', 'target', 'detail', 'node', 'matched'])
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
  const legs = await db
    .selectFrom('call_leg')
    .select(['n', 'role', 'label', 'target', 'state', 'answered_at', 'ended_at'])
    .where('company_id', '=', companyId)
    .orderBy('n')
    .execute();
  const ended = await db
    .selectFrom('outbox')
    .select('id')
    .where('company_id', '=', companyId)
    .where('event', '=', 'call.ended')
    .execute();
  return {
    status: call.status,
    outcome: call.outcome,
    because: ours(call.because),
    abandoned: call.abandoned,
    answeredBy: (call.answered_by as { label: string } | null)?.label ?? null,
    connected: call.connected_at !== null,
    extension: call.extension_label,
    said: ended.length,
    history: history
      .filter((h) => h.kind === 'history' && h.code !== null)
      .map((h) => [h.code, ours(h.target), ours(h.detail)]),
    path: history
      .filter((h) => h.kind === 'path')
      .map((h) => `${h.node}: ${h.label}${h.matched ? '' : ' (no)'}: ${ours(h.detail)}`),
    legs: legs.map((l) => ({
      role: l.role,
      label: l.role === 'caller' ? '' : l.label,
      target: ours(l.target),
      state: l.state,
      answered: l.role === 'caller' ? null : l.answered_at !== null,
      ended: l.ended_at !== null,
    })),
  };
}

const waitUntil = async <T>(
  what: string,
  look: () => Promise<T | undefined | false | null>,
  ms = 30_000,
): Promise<T> => {
  for (
    const deadline = Date.now() + ms;
    Date.now() < deadline;
    await new Promise((r) => setTimeout(r, 15))
  ) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`It never happened: ${what}`);
};

async function runScenario(
  carrier: CarrierFixture,
  scenario: Scenario,
): Promise<Awaited<ReturnType<typeof callLogOf>>> {
  const { companyId, number, numberId, apps } = await createNumber(carrier, scenario);
  const appLegs = new Map<string, Leg>();
  const { testApp } = carrier;
  const calls = () =>
    testApp.services.db.unscoped
      .selectFrom('live_call')
      .select(['ended', 'state'])
      .where('company_id', '=', companyId)
      .executeTakeFirst();
  let caller: RemotePhone | null = null;
  const legs = new Map<string, RemotePhone>();
  let restarted: (() => Promise<void>) | null = null;
  const rings = (who: string) =>
    waitUntil(`${who} rings`, async () => (await carrier.ringing(people[who]!))[0]);
  try {
    for (const line of scenario.script.split(' / ')) {
      const [who = '', what = ''] = [line.split(' ')[0], line.slice(line.indexOf(' ') + 1)];
      if (line === 'caller calls') {
        caller = await carrier.callIn('+12125550147', number);
        await waitUntil('the call is known', calls);
      } else if (line === 'caller hangs up') await carrier.hangUp(caller!);
      else if (line === 'caller hears something')
        await waitUntil(line, async () =>
          (await carrier.heard(caller!)).some((h) => /^(say|play)/.test(h)),
        );
      else if (line.startsWith('caller presses')) await carrier.press(caller!, line.split(' ')[2]!);
      else if (line === 'caller leaves a message' || line === 'caller leaves a short message') {
        await waitUntil('the beep', async () => (await carrier.heard(caller!)).includes('beep'));
        await carrier.speakFor(caller!, line.includes('short') ? 1 : 3.6);
        await carrier.hangUp(caller!);
      } else if (line === 'they talk') {
        await waitUntil(
          line,
          async () =>
            (await carrier.talking(caller ?? legs.get('Bob')!)) &&
            [...appLegs.values()].every((leg) => leg.state !== 'answered' || leg.partner) &&
            (await calls())?.state &&
            true,
        );
        await waitUntil(
          'the product knows that they talk',
          async () =>
            (
              await testApp.services.db.unscoped
                .selectFrom('call')
                .select('connected_at')
                .where('company_id', '=', companyId)
                .executeTakeFirst()
            )?.connected_at,
        );
      } else if (line === 'it is recorded')
        await waitUntil(
          line,
          async () =>
            (await carrier.recording(caller!)) &&
            ((await calls())?.state as { facts: { recordings: unknown[] } } | undefined)?.facts
              .recordings.length,
        );
      else if (/^\d+ s pass$/.test(line)) {
        testApp.clock.advance(Number.parseInt(line, 10));
        await sweepCalls(testApp.services, testApp.notifier);
      } else if (line === 'we restart') {
        // Timers, open webhooks and pools end with the process; another one starts on the same
        // database.
        forgetTimers();
        if (carrier.deliverTo) {
          const services = await createServices(testApp.services.settings, 'second', {
            now: () => testApp.clock.value,
            databaseWaitMs: 30_000,
          });
          const app = await createWebServer(services);
          await app.ready();
          carrier.deliverTo(app);
          restarted = async () => {
            carrier.deliverTo!(testApp.server);
            await app.close();
            await services.close();
          };
        }
      } else if (what === 'calls Bob') {
        const { person, answer, ringing } = apps.get(who)!;
        const placed = await testApp.as(person).request(callsContract.placeCall, {
          body: {
            companyId,
            number_id: numberId,
            destination: people['Bob']!,
            device: 'app-page',
          },
        });
        if (placed.status >= 300) throw new Error(`not placed: ${JSON.stringify(placed.body)}`);
        // The page that placed the call answers automatically.
        appLegs.set(who, await waitUntil(`${who}’s own page is joined`, async () => ringing()[0]));
        answer(appLegs.get(who)!);
      } else if (what === 'rings' && apps.has(who))
        appLegs.set(who, await waitUntil(`${who} rings`, async () => apps.get(who)!.ringing()[0]));
      else if (what === 'rings no more' && apps.has(who))
        await waitUntil(line, async () => apps.get(who)!.ringing().length === 0);
      else if (what === 'declines' && apps.has(who))
        carrier.exchange.end(appLegs.get(who)!, 'declined', 'declined');
      else if (what === 'hangs up' && apps.has(who))
        carrier.exchange.end(appLegs.get(who)!, 'hangup', 'hangup');
      else if (what.startsWith('answers') && apps.has(who))
        apps.get(who)!.answer(appLegs.get(who)!, /presses (\S+)$/.exec(what)?.[1]);
      else if (what === 'rings') legs.set(who, await rings(who));
      else if (what === 'rings no more')
        await waitUntil(line, async () => (await carrier.ringing(people[who]!)).length === 0);
      else if (what === 'is busy') carrier.busy(people[who]!, true);
      else if (what === 'was busy')
        await waitUntil(line, async () =>
          testApp.services.db.unscoped
            .selectFrom('call_leg')
            .select('leg')
            .where('company_id', '=', companyId)
            .where('target', 'is not', null)
            .where('label', '=', who)
            .where('ended_at', 'is not', null)
            .executeTakeFirst(),
        );
      else if (what === 'declines') await carrier.decline(legs.get(who)!);
      else if (what === 'hangs up') await carrier.hangUp(legs.get(who)!);
      else if (what === 'hears the question')
        await waitUntil(line, async () =>
          (await carrier.heard(legs.get(who)!)).some((h) => h.includes('to take this call')),
        );
      else if (what.startsWith('answers'))
        await carrier.answer(legs.get(who)!, /presses (\S+)$/.exec(what)?.[1]);
      else throw new Error(`A scenario does not know: ${line}`);
    }
    await waitUntil('the end', async () => (await calls())?.ended);
    // Nothing may keep ringing, late webhooks included.
    await waitUntil(
      'every leg ends',
      async () =>
        (
          await testApp.services.db.unscoped
            .selectFrom('call_leg')
            .select('leg')
            .where('company_id', '=', companyId)
            .where('ended_at', 'is', null)
            .execute()
        ).length === 0,
    );
    if (scenario.script.includes('message') || scenario.record)
      await waitUntil(
        'the recording',
        async () =>
          (
            await testApp.services.db.unscoped
              .selectFrom('recording')
              .select('id')
              .where('company_id', '=', companyId)
              .execute()
          ).length === 1,
      );
    if (carrier.carrier !== 'sandbox')
      await waitUntil('every line ends', async () =>
        [...carrier.exchange.legs.values()].every((leg) => leg.state === 'ended'),
      );
    return await callLogOf(carrier, companyId, apps);
  } catch (error) {
    const log = await callLogOf(carrier, companyId, apps).catch(() => null);
    throw new Error(
      `${String(error)}\n${JSON.stringify(log, null, 1)}\ncaller heard: ${caller ? JSON.stringify(await carrier.heard(caller)) : ''}\n${carrier.complaints().join('\n')}`,
      { cause: error },
    );
  } finally {
    carrier.busy(people['Ann']!, false);
    carrier.busy(people['Bob']!, false);
    await restarted?.();
  }
}

/** Call logs of the first column, which the other columns must match. */
const first = new Map<string, unknown>();
const kinds: FaultKind[] = ['none', 'twice', 'reordered', 'late'];
/**
 * Every scenario runs at each carrier; its faults at one of the three each, in turn. All of them at
 * all carriers: `npm run test:faults carriers`.
 */
const all = process.env['ALL_FAULTS'] === '1';
const runsAt = (column: number, scenario: number, kind: number): boolean =>
  all || kind === 0 || (scenario + kind) % carrierCases.length === column;

for (const [at, column] of carrierCases.entries()) {
  describe(`calls through ${column.name}`, () => {
    let carrier: CarrierFixture;
    beforeAll(async () => {
      carrier = await column.open();
    });
    afterAll(() => carrier?.close());

    for (const [n, scenario] of scenarios.entries())
      for (const kind of kinds.filter(
        (k, i) => k === 'none' || (scenario.faults && runsAt(at, n, i)),
      )) {
        it(
          `${scenario.name}${kind === 'none' ? '' : `, reports ${kind}`}`,
          { timeout: 120_000 },
          async () => {
            carrier.setFault(kind);
            try {
              const log = await runScenario(carrier, scenario);
              expect(log, JSON.stringify(log)).toMatchObject({
                status: scenario.status,
                outcome: scenario.outcome,
                answeredBy: scenario.answeredBy ?? null,
                said: 1,
              });
              expect(log.history.map(([code]) => code)).toEqual(scenario.history);
              if (!first.has(scenario.name)) first.set(scenario.name, log);
              expect(log).toEqual(first.get(scenario.name));
            } finally {
              carrier.setFault('none');
            }
          },
        );
      }

    it('leaves no violation behind', () => expect(carrier.complaints()).toEqual([]));
  });
}
