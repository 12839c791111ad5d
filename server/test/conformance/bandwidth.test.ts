import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookKeyOf } from '../../src/adapters/bandwidth/client.ts';
import { sweepCalls } from '../../src/modules/calls/runtime/call-clock.ts';
import {
  createBandwidthApp,
  bandwidthAccount,
  tickCallAfter,
  ringAttempted,
} from './carrier-matrix.ts';
import { invalidBxml } from './bxml-attributes.ts';

describe('Bandwidth’s webhooks', () => {
  let t: Awaited<ReturnType<typeof createBandwidthApp>>;
  const number = '+14155577001',
    forwarded = '+14155577002',
    ann = '+12125550181';
  let companyId = 0;
  beforeAll(async () => {
    t = await createBandwidthApp({ env: { BANDWIDTH_ADDRESSES: '127.0.0.0/8' } });
    const { company } = await t.world.createCompany();
    companyId = company.id;
    const add = (n: string, route: { type: string; voicemail_enabled: boolean }, phone?: string) =>
      t.world.services.db.systemTransaction(async (tx) => {
        const { id } = await tx
          .insertInto('number')
          .values({
            company_id: companyId,
            number: n,
            label: '',
            provider_id: 1,
            recording_announcement: 'none',
            voicemail_enabled: route.voicemail_enabled,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('number_directory')
          .values({ number: n, company_id: companyId, number_id: id })
          .execute();
        const made = await tx
          .insertInto('route')
          .values({ company_id: companyId, number_id: id, ...route })
          .returning('id')
          .executeTakeFirstOrThrow();
        if (phone)
          await tx
            .insertInto('forward')
            .values({ company_id: companyId, route_id: made.id, position: 0, label: 'Ann', phone })
            .execute();
      });
    await add(number, { type: 'voicemail', voicemail_enabled: true });
    await add(forwarded, { type: 'standard', voicemail_enabled: false }, ann);
  }, 180_000);
  afterAll(() => t.bandwidth.close());

  const login = (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  });
  const genuine = login(bandwidthAccount.webhook.username, bandwidthAccount.webhook.password);
  const key = webhookKeyOf(bandwidthAccount.secret);
  const post = (
    path: string,
    body: object,
    headers: Record<string, string>,
    remoteAddress = '127.0.0.1',
  ) =>
    t.world.server.inject({
      method: 'POST',
      url: path,
      payload: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
      remoteAddress,
    });
  const db = () => t.world.services.db.unscoped;
  const rows = async () =>
    JSON.stringify([
      await db().selectFrom('call').select(['id', 'status']).execute(),
      await db().selectFrom('carrier_leg').select(['leg', 'state', 'desired_version']).execute(),
      await db().selectFrom('carrier_object').select('key').execute(),
    ]);
  const initiate = (callId: string, to = number) => ({
    eventType: 'initiate',
    eventTime: new Date().toISOString(),
    accountId: bandwidthAccount.accountId,
    applicationId: 'voice-app',
    callId,
    from: '+12125550147',
    to,
    direction: 'inbound',
  });

  it('a wrong password, URL or network is answered 403 and changes nothing', async () => {
    const before = await rows();
    const paths = [
      'voice',
      'voice/gather',
      'voice/status',
      'voice/recording',
      'voice/transcription',
      'voice/conference',
      'messages',
    ];
    for (const path of paths) {
      for (const body of [
        initiate('c-forged'),
        { ...initiate('c-forged'), eventType: 'disconnect', cause: 'hangup' },
      ]) {
        expect(
          (await post(`/carriers/bandwidth/${key}/${path}`, body, login('reports', 'guess')))
            .statusCode,
        ).toBe(403);
        expect((await post(`/carriers/bandwidth/${key}/${path}`, body, {})).statusCode).toBe(403);
        expect(
          (await post(`/carriers/bandwidth/${'x'.repeat(key.length)}/${path}`, body, genuine))
            .statusCode,
        ).toBe(403);
        expect(
          (await post(`/carriers/bandwidth/${key}/${path}`, body, genuine, '203.0.113.9'))
            .statusCode,
        ).toBe(403);
      }
    }
    expect(await rows()).toBe(before);
  });
  it('an invalid webhook is answered 400, and one about an unknown leg ends that call', async () => {
    expect(
      (
        await t.world.server.inject({
          method: 'POST',
          url: `/carriers/bandwidth/${key}/voice`,
          payload: 'junk',
          headers: { ...genuine, 'content-type': 'application/json' },
          remoteAddress: '127.0.0.1',
        })
      ).statusCode,
    ).toBe(400);
    const answer = await post(
      `/carriers/bandwidth/${key}/voice?leg=1-2.3`,
      { ...initiate('c-x'), eventType: 'answer' },
      genuine,
    );
    expect([answer.statusCode, answer.body.includes('<Hangup/>')]).toEqual([200, true]);
  });
  it('a voice webhook is typically answered well within 300 ms', async () => {
    const took: number[] = [];
    for (let i = 0; i < 15; i++) {
      const at = performance.now();
      const answer = await post(
        `/carriers/bandwidth/${key}/voice`,
        initiate(`c-quick-${i}`),
        genuine,
      );
      took.push(performance.now() - at);
      expect([
        answer.statusCode,
        /<(SpeakSentence|PlayAudio)/.test(answer.body),
        invalidBxml(answer.body),
      ]).toEqual([200, true, []]);
    }
    console.log(
      `a voice webhook of Bandwidth is answered in ${Math.round(took.toSorted((a, b) => a - b)[7]!)} ms (median of 15)`,
    ); // oxlint-disable-line no-console -- printed, never gated
  });
  it('a voicemail is copied into our files with our credentials, and then deleted at Bandwidth', async () => {
    const call = t.bandwidth.callIn('+12125550150', number);
    await expect.poll(() => call.message !== null, { timeout: 30_000 }).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 90));
    t.bandwidth.end(call, 'hangup');
    const place = () =>
      db()
        .selectFrom('recording as r')
        .innerJoin('carrier_call_index as d', 'd.call_id', 'r.call_id')
        .select(['r.state', 'r.file_id'])
        .where('d.carrier_call', '=', call.callId)
        .executeTakeFirst();
    await expect
      .poll(
        async () => {
          await t.world.drainJobs();
          return (await place())?.state;
        },
        { timeout: 30_000 },
      )
      .toBe('ready');
    expect((await place())!.file_id).not.toBeNull();
    expect(t.bandwidth.requests.filter((r) => r.method === 'DELETE')).toHaveLength(1);
    expect(t.bandwidth.recordings.size).toBe(0);
  });
  it('a transcript by Bandwidth is stored once, with its recording and without card numbers', async () => {
    // Our own engine is called as well; here it finds nothing.
    const call = t.bandwidth.callIn('+12125550152', number);
    await expect.poll(() => call.message !== null, { timeout: 30_000 }).toBe(true);
    call.messageSeconds = 7;
    let handOut = () => {};
    t.bandwidth.faults.soundWaits = new Promise((resolve) => {
      handOut = resolve;
    });
    t.bandwidth.end(call, 'hangup');
    const place = () =>
      db()
        .selectFrom('recording as r')
        .innerJoin('carrier_call_index as d', 'd.call_id', 'r.call_id')
        .select(['r.id', 'r.state', 'r.call_id', 'r.carrier_recording'])
        .where('d.carrier_call', '=', call.callId)
        .executeTakeFirst();
    await expect.poll(async () => (await place())?.state, { timeout: 30_000 }).toBe('pending');
    const theirs = [...t.bandwidth.recordings.values()].find((r) => r.callId === call.callId)!.id;
    t.bandwidth.transcripts.set(theirs, {
      transcripts: [{ text: 'My card is 4242 4242 4242 4242, thank you', confidence: 0.8 }],
      clips: [
        {
          text: 'My card is 4242 4242 4242 4242',
          confidence: 0.9,
          speaker: 0,
          startTimeSeconds: 0.5,
          endTimeSeconds: 4.25,
        },
        {
          text: 'thank you',
          confidence: 0.7,
          speaker: 0,
          startTimeSeconds: 4.5,
          endTimeSeconds: 5,
        },
      ],
    });
    const said = {
      eventType: 'transcriptionAvailable',
      eventTime: new Date().toISOString(),
      callId: call.callId,
      recordingId: theirs,
      transcription: { id: 't-1', status: 'available', completedTime: new Date().toISOString() },
    };
    const report = () => post(`/carriers/bandwidth/${key}/voice/transcription`, said, genuine);
    // The audio is not available yet: we ask for the webhook again, after Bandwidth deleted
    // recording and transcript.
    expect((await report()).statusCode).toBe(503);
    handOut();
    await expect
      .poll(
        async () => {
          await t.world.drainJobs();
          return (await place())?.state;
        },
        { timeout: 30_000 },
      )
      .toBe('ready');
    expect(t.bandwidth.recordings.has(theirs)).toBe(false);
    const row = (await place())!;
    await t.world.services.db.systemTransaction((tx) =>
      tx
        .updateTable('transcription')
        .set({ state: 'queued', text: '', metadata: null })
        .where('recording_id', '=', row.id)
        .execute(),
    );
    expect((await report()).statusCode).toBe(204);
    await t.world.drainJobs();
    const words = async () =>
      await db()
        .selectFrom('transcription')
        .select(['state', 'text', 'metadata'])
        .where('recording_id', '=', row.id)
        .executeTakeFirstOrThrow();
    expect(await words()).toMatchObject({
      state: 'ready',
      text: 'My card is [card number]\nthank you',
      metadata: {
        engine: 'Bandwidth',
        segments: [
          { start_ms: 500, end_ms: 4250, text: 'My card is [card number]' },
          { text: 'thank you' },
        ],
      },
    });
    // Repeated webhooks and unknown recordings are accepted and change nothing. No transcript text
    // is stored with the carrier's data.
    t.bandwidth.transcripts.set(theirs, { transcripts: [{ text: 'something else' }] });
    const before = await words();
    expect((await report()).statusCode).toBe(204);
    expect(
      (
        await post(
          `/carriers/bandwidth/${key}/voice/transcription`,
          { ...said, recordingId: 'r-nobody' },
          genuine,
        )
      ).statusCode,
    ).toBe(204);
    expect(
      (
        await post(
          `/carriers/bandwidth/${key}/voice/transcription`,
          { ...said, callId: 'c-nobody' },
          genuine,
        )
      ).statusCode,
    ).toBe(204);
    expect(await words()).toEqual(before);
    expect(
      JSON.stringify(
        await db()
          .selectFrom('carrier_object')
          .select('facts')
          .where('kind', '=', 'words')
          .execute(),
      ),
    ).not.toContain('4242');
  });
  it('a call whose last webhook was lost is reconciled and ends', async () => {
    const call = t.bandwidth.callIn('+12125550148', number);
    await expect.poll(() => call.heard.length, { timeout: 30_000 }).toBeGreaterThan(0);
    call.disconnectUrl = null; // no webhook reports its end
    t.bandwidth.end(call, 'hangup');
    // Its timers run first; each counts as a sign of life.
    for (let i = 0; i < 3; i++) await tickCallAfter(t.world, call.callId, 30);
    const { status, ended_at } = await db()
      .selectFrom('call')
      .innerJoin('carrier_call_index', 'carrier_call_index.call_id', 'call.id')
      .select(['status', 'ended_at'])
      .where('carrier_call', '=', call.callId)
      .executeTakeFirstOrThrow();
    expect([status, ended_at !== null]).toEqual([4, true]);
  });
  it('when the response to a new call is lost, the phone rings once and is connected', async () => {
    const call = t.bandwidth.callIn('+12125550149', forwarded);
    t.bandwidth.faults.loseAnswers = 1;
    await expect.poll(() => t.bandwidth.ringing(ann).length, { timeout: 30_000 }).toBe(1);
    await expect.poll(() => ringAttempted(t.world, call.callId), { timeout: 30_000 }).toBe(true);
    // The sweep repeats the command: the call is found in Bandwidth's list and not created again.
    for (let i = 0; i < 3; i++) {
      t.world.clock.advance(3);
      await sweepCalls(t.world.services, t.world.notifier);
    }
    expect(
      t.bandwidth.requests.filter((r) => r.method === 'POST' && r.body['to'] === ann),
    ).toHaveLength(1);
    t.bandwidth.answer(t.bandwidth.ringing(ann)[0]!);
    await expect.poll(() => t.bandwidth.talking(call), { timeout: 30_000 }).toBe(true);
    t.bandwidth.end(call, 'hangup');
  });
  it('a lost call that can’t be found is given up once, rings no one and is not requested again', async () => {
    const before = t.bandwidth.requests.filter(
      (r) => r.method === 'POST' && r.body['to'] === ann,
    ).length;
    const call = t.bandwidth.callIn('+12125550151', forwarded);
    t.bandwidth.faults.loseAnswers = 1;
    await expect.poll(() => t.bandwidth.ringing(ann).length, { timeout: 30_000 }).toBe(1);
    await expect.poll(() => ringAttempted(t.world, call.callId), { timeout: 30_000 }).toBe(true);
    const lost = t.bandwidth.ringing(ann)[0]!;
    lost.enqueuedTime = '2001-01-01T00:00:00Z'; // its list does not show it
    await db()
      .updateTable('carrier_leg')
      .set({ requested_at: new Date(Date.now() - 60_000) })
      .where('leg', '=', lost.tag!)
      .execute();
    t.world.clock.advance(3);
    await sweepCalls(t.world.services, t.world.notifier);
    await expect
      .poll(
        async () =>
          (
            await db()
              .selectFrom('call')
              .innerJoin('carrier_call_index', 'carrier_call_index.call_id', 'call.id')
              .select('ended_at')
              .where('carrier_call', '=', call.callId)
              .executeTakeFirst()
          )?.ended_at ?? null,
        { timeout: 30_000 },
      )
      .not.toBeNull();
    expect(
      t.bandwidth.requests.filter((r) => r.method === 'POST' && r.body['to'] === ann).length -
        before,
    ).toBe(1);
    // It is answered after all, but the call is over.
    t.bandwidth.answer(lost);
    await expect.poll(() => lost.state, { timeout: 30_000 }).toBe('disconnected');
  });
  it('leaves no violation behind', () =>
    expect([...t.bandwidth.errors, ...new Set(t.bandwidth.documents.flatMap(invalidBxml))]).toEqual(
      [],
    ));
});
