import { announceIn } from '../../src/app/media.ts';
import { join } from 'node:path';
import { calls as callsContract, carriers as contract } from '#contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toySpeech } from '../support/exchange-harness.ts';
import { startExchange } from '../../src/exchange/start-exchange.ts';
import { sweepCalls } from '../../src/modules/calls/runtime/call-clock.ts';
import { freePort } from '../support/free-port.ts';
import type { TestPerson, TestApp } from '../support/test-app.ts';
import { createTwilioApp, createTwoCarrierApp, ringAttempted } from './carrier-matrix.ts';
import type { mockBandwidthVoice } from './bandwidth-mock/voice.ts';
import type { mockTwilio } from './twilio-mock/voice-and-messaging.ts';

/**
 * Twilio and Bandwidth (both simulated), and a telephone network between them: a call to the other
 * carrier's number arrives there.
 */
describe('when a carrier refuses a call', () => {
  let app: TestApp;
  let owner: TestPerson;
  let [main, spare] = [0, 0];
  let network: NodeJS.Timeout;
  const [ours, viaNumber, ann] = ['+14155569001', '+14155569002', '+12125550001'];
  let twilio: Awaited<ReturnType<typeof mockTwilio>>;
  let bandwidth: Awaited<ReturnType<typeof mockBandwidthVoice>>;
  beforeAll(async () => {
    ({ twilio, bandwidth, world: app } = await createTwoCarrierApp());
    owner = (await app.createCompany()).owner;
    const add = (number: string, provider_id: number) =>
      app.services.db.systemTransaction(async (tx) => {
        const { id } = await tx
          .insertInto('number')
          .values({
            company_id: owner.companyId,
            number,
            label: '',
            provider_id,
            record: false,
            recording_announcement: 'none',
            voicemail_enabled: false,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('number_directory')
          .values({ number, company_id: owner.companyId, number_id: id })
          .execute();
        const route = await tx
          .insertInto('route')
          .values({
            company_id: owner.companyId,
            number_id: id,
            type: 'standard',
            voicemail_enabled: false,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('forward')
          .values({
            company_id: owner.companyId,
            route_id: route.id,
            position: 0,
            label: 'Ann',
            phone: ann,
          })
          .execute();
        return id;
      });
    [main, spare] = [await add(ours, 3), await add(viaNumber, 1)];
    const joined = new Map<string, string>();
    network = setInterval(() => {
      for (const call of twilio.ringing(viaNumber))
        if (!joined.has(call.sid))
          joined.set(call.sid, bandwidth.callIn(call.from, viaNumber).callId);
      for (const [sid, callId] of joined) {
        const [near, far] = [twilio.calls.get(sid)!, bandwidth.calls.get(callId)!];
        if (far.state === 'answered' && near.status === 'ringing') twilio.answer(near);
        if (far.state === 'disconnected' && !['completed', 'canceled'].includes(near.status))
          twilio.end(near, near.status === 'ringing' ? 'no-answer' : 'completed');
        if (['completed', 'canceled'].includes(near.status) && far.state !== 'disconnected')
          bandwidth.end(far, far.state === 'answered' ? 'hangup' : 'cancel');
      }
    }, 5);
  }, 180_000);
  afterAll(async () => {
    clearInterval(network);
    await Promise.all([twilio.close(), bandwidth.close()]);
  });
  beforeEach(() => {
    twilio.faults.away = false;
    bandwidth.faults.refuses.clear();
  });

  const rule = async (calls: 'never' | 'away' | 'refused', from = main, via = spare) =>
    expect(
      (
        await app.as(owner).request(contract.setFailover, {
          params: { id: from },
          body: { via_number_id: via, texts: true, calls },
        })
      ).status,
    ).toBe(200);
  const db = () => app.services.db.unscoped;
  const placeOf = async (ref: string) =>
    (
      await db()
        .selectFrom('carrier_call_index')
        .select('call_id')
        .where('carrier_call', '=', ref)
        .executeTakeFirst()
    )?.call_id;
  const theCall = async (id: number) =>
    db()
      .selectFrom('call')
      .select(['status', 'outcome', 'carrier', 'from_number', 'ended_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const ended = async (id: number) =>
    expect.poll(async () => (await theCall(id)).ended_at, { timeout: 30_000 }).not.toBeNull();
  const history = async (id: number) =>
    await db()
      .selectFrom('call_history')
      .select(['label', 'detail', 'target'])
      .where('call_id', '=', id)
      .where('kind', '=', 'history')
      .where('label', '=', 'Sent through failover')
      .orderBy('id')
      .execute();
  const rungAt = (to: string) => [
    [...twilio.calls.values()].filter((c) => c.to === to && c.direction === 'outbound-api').length,
    [...bandwidth.calls.values()].filter((c) => c.to === to && c.direction === 'outbound').length,
  ];

  it('without a rule a refused leg fails', async () => {
    const call = twilio.callIn('+12125550147', ours);
    await expect.poll(() => placeOf(call.sid), { timeout: 30_000 }).toBeTruthy();
    const id = (await placeOf(call.sid))!;
    await ended(id);
    expect([await history(id), rungAt(ann)]).toEqual([[], [0, 0]]);
  });
  it('with a rule for calls a refused leg fails over to the other carrier: it rings once, both sides hear each other, and the log names the reason', async () => {
    await rule('refused');
    const call = twilio.callIn('+12125550148', ours);
    await expect.poll(() => bandwidth.ringing(ann).length, { timeout: 30_000 }).toBe(1);
    const id = (await placeOf(call.sid))!;
    const leg = bandwidth.ringing(ann)[0]!;
    // The caller ID is the company's number at that carrier; the caller still hears ringing, and
    // the interconnect is not answered.
    expect([leg.from, call.status, rungAt(ann)]).toEqual([viaNumber, 'ringing', [0, 1]]);
    bandwidth.answer(leg);
    await expect
      .poll(() => twilio.talking(call) && bandwidth.talking(leg), { timeout: 30_000 })
      .toBe(true);
    expect(await history(id)).toEqual([
      {
        label: 'Sent through failover',
        target: ann,
        detail: 'Twilio rejected it, so the call uses Bandwidth, shown as (415) 556-9002.',
      },
    ]);
    twilio.end(call, 'completed');
    await ended(id);
    // No call is left up at either carrier.
    await expect
      .poll(
        () =>
          [...twilio.calls.values()].filter(
            (c) => !['completed', 'canceled', 'no-answer', 'busy', 'failed'].includes(c.status),
          ).length + [...bandwidth.calls.values()].filter((c) => c.state !== 'disconnected').length,
        { timeout: 30_000 },
      )
      .toBe(0);
    expect([(await theCall(id)).status, rungAt(ann)]).toEqual([12, [0, 1]]);
  });
  it('the called party hangs up: the interconnect is released and the call ends', async () => {
    const call = twilio.callIn('+12125550149', ours);
    await expect.poll(() => bandwidth.ringing(ann).length, { timeout: 30_000 }).toBe(1);
    const leg = bandwidth.ringing(ann)[0]!;
    bandwidth.answer(leg);
    await expect.poll(() => twilio.talking(call), { timeout: 30_000 }).toBe(true);
    bandwidth.end(leg, 'hangup');
    await ended((await placeOf(call.sid))!);
    await expect
      .poll(
        () =>
          [...twilio.calls.values()].filter((c) => c.to === viaNumber && c.status === 'in-progress')
            .length,
        { timeout: 30_000 },
      )
      .toBe(0);
  });
  it('the caller hangs up while the failover leg rings: it stops ringing', async () => {
    const call = twilio.callIn('+12125550150', ours);
    await expect.poll(() => bandwidth.ringing(ann).length, { timeout: 30_000 }).toBe(1);
    twilio.end(call, 'no-answer');
    await expect.poll(() => bandwidth.ringing(ann).length, { timeout: 30_000 }).toBe(0);
    await ended((await placeOf(call.sid))!);
    await expect
      .poll(() => [...bandwidth.calls.values()].filter((c) => c.state !== 'disconnected').length, {
        timeout: 30_000,
      })
      .toBe(0);
  });
  it('a leg that both carriers refuse fails once, and is not retried', async () => {
    bandwidth.faults.refuses.add(ann);
    const before = rungAt(ann);
    const call = twilio.callIn('+12125550151', ours);
    await expect.poll(() => placeOf(call.sid), { timeout: 30_000 }).toBeTruthy();
    const id = (await placeOf(call.sid))!;
    await ended(id);
    expect([(await history(id)).length, rungAt(ann)]).toEqual([1, before]);
    await expect
      .poll(
        () =>
          [...twilio.calls.values()].filter(
            (c) => c.to === viaNumber && ['queued', 'ringing', 'in-progress'].includes(c.status),
          ).length,
        { timeout: 30_000 },
      )
      .toBe(0);
  });
  it('a rule for “only when away” does not fail over after a refusal', async () => {
    await rule('away');
    const before = rungAt(ann);
    const call = twilio.callIn('+12125550152', ours);
    await expect.poll(() => placeOf(call.sid), { timeout: 30_000 }).toBeTruthy();
    const id = (await placeOf(call.sid))!;
    await ended(id);
    expect([await history(id), rungAt(ann)]).toEqual([[], before]);
  });
  it('a leg whose response was lost stays at its carrier and rings once', async () => {
    await rule('refused');
    const bob = '+12125550182';
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('forward')
        .set({ phone: bob })
        .where('company_id', '=', owner.companyId)
        .execute(),
    );
    twilio.faults.loseAnswers.calls = 1;
    const call = twilio.callIn('+12125550153', ours);
    await expect.poll(() => twilio.ringing(bob).length, { timeout: 30_000 }).toBe(1);
    await expect.poll(() => ringAttempted(app, call.sid), { timeout: 30_000 }).toBe(true);
    for (let i = 0; i < 3; i++) {
      app.clock.advance(3);
      await sweepCalls(app.services, app.notifier);
    }
    expect(rungAt(bob)).toEqual([1, 0]);
    twilio.answer(twilio.ringing(bob)[0]!);
    await expect.poll(() => twilio.talking(call), { timeout: 30_000 }).toBe(true);
    expect(await history((await placeOf(call.sid))!)).toEqual([]);
    twilio.end(call, 'completed');
    await ended((await placeOf(call.sid))!);
  });
  it('a placed call whose first leg is refused fails over as a whole, with the number there as its caller ID', async () => {
    // Bandwidth can't ring browsers.
    await rule('refused', spare, main);
    const placed = await app.as(owner).request(callsContract.placeCall, {
      body: { companyId: owner.companyId, number_id: spare, destination: '+12125550183' },
    });
    expect(placed.status, JSON.stringify(placed.body)).toBeLessThan(300);
    const id = placed.body.data.call_id;
    await expect
      .poll(
        () =>
          [...twilio.calls.values()].filter(
            (c) => c.to.startsWith('client:') && c.status === 'ringing',
          ).length,
        { timeout: 30_000 },
      )
      .toBe(1);
    const device = [...twilio.calls.values()].find(
      (c) => c.to.startsWith('client:') && c.status === 'ringing',
    )!;
    expect([device.from, (await theCall(id)).carrier, (await theCall(id)).from_number]).toEqual([
      ours,
      'twilio',
      ours,
    ]);
    twilio.answer(device);
    await expect.poll(() => twilio.ringing('+12125550183').length, { timeout: 30_000 }).toBe(1);
    const other = twilio.ringing('+12125550183')[0]!;
    expect([other.from, rungAt('+12125550183')]).toEqual([ours, [1, 0]]);
    twilio.answer(other);
    await expect.poll(() => twilio.talking(device), { timeout: 30_000 }).toBe(true);
    expect(await history(id)).toMatchObject([
      { detail: 'Bandwidth rejected it, so the call uses Twilio, shown as (415) 556-9001.' },
    ]);
    twilio.end(other, 'completed');
    await ended(id);
  });
  it('the call log shows which carrier each leg used', async () => {
    const call = await db()
      .selectFrom('call_history')
      .select('call_id')
      .where('label', '=', 'Sent through failover')
      .orderBy('id')
      .executeTakeFirstOrThrow();
    const seen = await app
      .as(owner)
      .request(callsContract.getCall, { params: { id: call.call_id } });
    expect(JSON.stringify(seen.body)).toContain('so the call uses Bandwidth');
  });
});

/** Twilio (simulated), and the sandbox's own exchange for browsers. */
describe('when a carrier is unreachable while a call is placed', () => {
  it(
    'a call certainly not placed is withdrawn and fails over to the other carrier',
    { timeout: 120_000 },
    async () => {
      const [port, mediaPort] = [await freePort(), await freePort()];
      const { world: app, twilio } = await createTwilioApp({
        env: {
          CARRIER: 'twilio,sandbox',
          PORT: String(port),
          MEDIA_PORT: String(mediaPort),
          MEDIA_SECRET: 'a secret of at least sixteen',
        },
      });
      await app.server.listen({ port, host: '127.0.0.1' });
      const running = await startExchange({
        port: mediaPort,
        secret: app.services.settings.mediaSecret,
        announce: announceIn(app.services),
        publicWebUrl: () => `http://127.0.0.1:${port}`,
        filesDir: join(app.services.settings.dataDir, 'media'),
        speech: toySpeech,
        promptPace: 20,
        unreachableAfterMs: 60_000,
      });
      const { exchange } = running;
      try {
        const { owner } = await app.createCompany();
        const add = (number: string, provider_id: number) =>
          app.services.db.systemTransaction(async (tx) => {
            const { id } = await tx
              .insertInto('number')
              .values({
                company_id: owner.companyId,
                number,
                label: '',
                provider_id,
                record: false,
                recording_announcement: 'none',
              })
              .returning('id')
              .executeTakeFirstOrThrow();
            await tx
              .insertInto('number_directory')
              .values({ number, company_id: owner.companyId, number_id: id })
              .execute();
            return id;
          });
        const [main, spare] = [await add('+14155569003', 3), await add('+14155569004', 1)];
        await app.as(owner).request(contract.setFailover, {
          params: { id: main },
          body: { via_number_id: spare, texts: false, calls: 'away' },
        });
        twilio.faults.away = true;
        const placed = await app.as(owner).request(callsContract.placeCall, {
          body: { companyId: owner.companyId, number_id: main, destination: '+12125550184' },
        });
        const id = placed.body.data.call_id;
        const browser = () =>
          [...exchange.legs.values()].find(
            (leg) => leg.farEnd.kind === 'app' && leg.state === 'ringing',
          );
        await expect
          .poll(
            async () => {
              app.clock.advance(2.1);
              await sweepCalls(app.services, app.notifier);
              return Boolean(browser());
            },
            { timeout: 30_000, interval: 60 },
          )
          .toBe(true);
        exchange.answer(browser()!);
        const outside = () =>
          [...exchange.legs.values()].find(
            (leg) =>
              leg.farEnd.kind === 'phone' &&
              leg.farEnd.number === '+12125550184' &&
              leg.state === 'ringing',
          );
        await expect.poll(() => outside()?.from, { timeout: 30_000 }).toBe('+14155569004');
        exchange.answer(outside()!);
        await expect
          .poll(() => [...exchange.legs.values()].filter((leg) => leg.partner).length, {
            timeout: 30_000,
          })
          .toBe(2);
        const log = await app.services.db.unscoped
          .selectFrom('call_history')
          .select('detail')
          .where('call_id', '=', id)
          .where('label', '=', 'Sent through failover')
          .execute();
        expect(log).toEqual([
          {
            detail:
              'Twilio could not be reached, so the call uses Sandbox, shown as (415) 556-9004.',
          },
        ]);
        // Twilio is reachable again: it gets no request for this call anymore.
        twilio.faults.away = false;
        app.clock.advance(3);
        await sweepCalls(app.services, app.notifier);
        expect(twilio.calls.size).toBe(0);
      } finally {
        await running.close();
        await twilio.close();
      }
    },
  );
});
