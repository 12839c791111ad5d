import { announceIn } from '../../../app/media.ts';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { calls } from '#contract';
import { afterAll, expect, test } from 'vitest';
import { startExchange } from '../../../exchange/start-exchange.ts';
import { toyPitchHz, toySpeech } from '../../../../test/support/exchange-harness.ts';
import { signatureHeader, signWebhook, voiceWebhookPath } from '../../../exchange/protocol.ts';
import { loudnessAt } from '../../../platform/audio/loudness.ts';
import { readWav } from '../../../platform/audio/wav.ts';
import { systemCtx } from '../../../platform/context.ts';
import { freePort } from '../../../../test/support/free-port.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { createTestNumber } from '../../../../test/support/call-harness.ts';
import { deleteExpiredRecordings } from '../recordings/recording-retention.ts';

const [port, mediaPort] = [await freePort(), await freePort()];
const app = await createTestApp({
  env: {
    PORT: String(port),
    MEDIA_PORT: String(mediaPort),
    MEDIA_SECRET: 'a secret of at least sixteen',
  },
});
await app.server.listen({ port, host: '127.0.0.1' });
const exchange = await startExchange({
  port: mediaPort,
  secret: app.services.settings.mediaSecret,
  announce: announceIn(app.services),
  publicWebUrl: () => `http://127.0.0.1:${port}`,
  filesDir: join(app.services.settings.dataDir, 'media'),
  speech: toySpeech,
  promptPace: 20,
  unreachableAfterMs: 200,
});
afterAll(() => exchange.close());

/** Plain HTTP, as scripts use the sandbox. */
async function sandbox<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${port}/sandbox${path}`, {
    method,
    ...(body
      ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      : {}),
  });
  return (await answer.json()) as T;
}
interface Phone {
  state: string;
  endedBecause: string | null;
  speaking: boolean;
  heard: { kind: string; what: string }[];
}
const dial = async (from: string, to: string, speech?: string) =>
  (await sandbox<{ data: { id: string } }>('POST', '/calls', { from, to, speech })).data.id;
const over = (call: string) =>
  expect
    .poll(async () => (await sandbox<Phone>('GET', `/calls/${call}`)).state, {
      timeout: 30_000,
      interval: 100,
    })
    .toBe('ended');
/** Until these phones have said what they were to say. */
const allSpoken = (...phones: string[]) =>
  expect
    .poll(
      async () =>
        (await Promise.all(phones.map((phone) => sandbox<Phone>('GET', `/calls/${phone}`)))).some(
          ({ speaking }) => speaking,
        ),
      { timeout: 60_000, interval: 100 },
    )
    .toBe(false);
const recordOf = async (carrierCall: string) =>
  (
    await app.services.db.unscoped
      .selectFrom('carrier_call_index')
      .select('call_id')
      .where('carrier_call', '=', carrierCall)
      .executeTakeFirstOrThrow()
  ).call_id;

test(
  'a voicemail: the greeting is played, the message is recorded and transcribed',
  { timeout: 120_000 },
  async () => {
    const { company, owner } = await app.createCompany('Harbor Dental');
    const number = await createTestNumber(app, company.id, { routes: [{ type: 'voicemail' }] });
    const call = await dial(
      '+12125550147',
      number.number,
      'Kindly call me back about the cleaning on Monday',
    );
    await expect
      .poll(async () => (await sandbox<Phone>('GET', `/calls/${call}`)).heard.map((h) => h.kind), {
        timeout: 30_000,
      })
      .toContain('beep');
    // Shorter recordings are not transcribed.
    await Promise.all([sleep(4500), allSpoken(call)]);
    await sandbox('POST', `/calls/${call}/hangup`);
    await over(call);
    const id = await recordOf(call);
    const me = app.as(owner);
    await expect
      .poll(
        async () => {
          await app.drainJobs();
          return (await me.request(calls.getCall, { params: { id } })).body.data.voicemail
            ?.transcription?.state;
        },
        { timeout: 30_000 },
      )
      .toBe('ready');
    const seen = (await me.request(calls.getCall, { params: { id } })).body.data;
    expect(seen).toMatchObject({
      status: 4,
      outcome: 3,
      answered_by: { type: 'voicemail' },
      conversation_id: expect.any(Number),
    });
    expect(seen.voicemail!.duration).toBeGreaterThan(3);
    expect(seen.voicemail!.peaks[0]!.length).toBeGreaterThan(20);
    expect(seen.voicemail!.transcription!.text).toContain('call me back');
    expect(seen.voicemail!.transcription!.metadata!.engine).toMatch(/sandbox/i);

    const file = await app.server.inject({ url: seen.voicemail!.url! });
    expect(file.headers['content-type']).toBe('audio/wav');
    const sound = readWav(file.rawPayload)!.channels[0]!;
    // Anywhere in the message: on a busy machine it starts with silence.
    const loudest = (hz: number) =>
      Math.max(
        ...Array.from({ length: Math.floor(sound.length / 3200) - 1 }, (_, i) =>
          loudnessAt(sound.subarray(i * 3200, (i + 2) * 3200), hz, 16_000),
        ),
      );
    expect(loudest(toyPitchHz('K'))).toBeGreaterThan(0.2);
    expect(loudest(toyPitchHz('B'))).toBeLessThan(0.1);
    const part = await app.server.inject({
      url: seen.voicemail!.url!,
      headers: { range: 'bytes=0-43' },
    });
    expect([part.statusCode, part.rawPayload.length]).toEqual([206, 44]);

    // Deleted when the number's retention ends.
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('recording')
        .set({ delete_after: app.clock.value })
        .where('call_id', '=', id)
        .execute(),
    );
    app.clock.advance(1);
    await deleteExpiredRecordings(systemCtx(app.services, 0, app.notifier));
    await app.drainJobs();
    const after = (await me.request(calls.getCall, { params: { id } })).body.data;
    expect([after.voicemail!.url, after.transcription.state]).toEqual([null, 'redacted']);
    expect((await app.server.inject({ url: seen.voicemail!.url! })).statusCode).toBe(404);
  },
);

test(
  'the menu is played, a key forwards to an outside phone, both are recorded on their own channel',
  { timeout: 120_000 },
  async () => {
    const { company, owner } = await app.createCompany('Harbor Dental');
    const outside = '+12125550181';
    const number = await createTestNumber(app, company.id, {
      record: true,
      transcribe: true,
      routes: [
        { type: 'voicemail', extension: 1, label: 'Messages' },
        { type: 'standard', extension: 2, label: 'Sales', to: [outside] },
      ],
    });
    const call = await dial(
      '+12125550148',
      number.number,
      'Apples please and a box of pears for the long weekend if you would be so kind as to send them over to us',
    );
    await expect
      .poll(
        async () =>
          (await sandbox<Phone>('GET', `/calls/${call}`)).heard.some((h) => h.kind === 'say'),
        { timeout: 30_000 },
      )
      .toBe(true);
    await sandbox('POST', `/calls/${call}/keys`, { digits: '2' });
    await expect
      .poll(
        async () => (await sandbox<{ id: string }[]>('GET', `/phones/${outside}/ringing`)).length,
        { timeout: 30_000 },
      )
      .toBe(1);
    const [leg] = await sandbox<{ id: string }[]>('GET', `/phones/${outside}/ringing`);
    await sandbox('POST', `/legs/${leg!.id}/answer`, { speech: 'Zebras here' });
    await expect
      .poll(
        async () =>
          (await sandbox<Phone>('GET', `/calls/${call}`)).heard.some((h) => h.kind === 'bridge'),
        { timeout: 30_000 },
      )
      .toBe(true);
    await Promise.all([sleep(5500), allSpoken(call, leg!.id)]);
    await sandbox('POST', `/legs/${leg!.id}/hangup`);
    await over(call);
    const id = await recordOf(call);
    const me = app.as(owner);
    await expect
      .poll(
        async () => {
          await app.drainJobs();
          return (await me.request(calls.getCall, { params: { id } })).body.data.transcription
            .state;
        },
        { timeout: 30_000 },
      )
      .toBe('ready');
    const seen = (await me.request(calls.getCall, { params: { id } })).body.data;
    expect(seen).toMatchObject({
      status: 12,
      outcome: 1,
      extension: 2,
      extension_label: 'Sales',
      answered_by: { type: 'forward', number: outside },
      recording: { state: 'ready', speakers: [2, 1] },
    });
    expect(seen.recording.peaks).toHaveLength(2);
    const { segments } = seen.transcription.metadata!;
    expect(segments.map((s) => [s.speaker, s.text.split(' ')[0]])).toEqual(
      expect.arrayContaining([
        [2, 'Apples'],
        [1, 'Zebras'],
      ]),
    );
    expect(
      seen.transcription.statistics!.agent.percent + seen.transcription.statistics!.client.percent,
    ).toBe(100);
    expect(seen.path.map((p) => p.node)).toEqual(
      expect.arrayContaining(['start', 'menu', 'ring', 'connect']),
    );

    expect((await me.request(calls.deleteRecording, { params: { id } })).status).toBe(204);
    await app.drainJobs();
    const after = (await me.request(calls.getCall, { params: { id } })).body.data;
    expect([
      after.recording.state,
      after.recording.url,
      after.transcription.state,
      after.transcription.text,
    ]).toEqual(['deleted', null, 'redacted', '']);
    expect((await app.server.inject({ url: seen.recording.url! })).statusCode).toBe(404);
  },
);

test('unsigned carrier webhooks are rejected and change nothing; signed ones are accepted', async () => {
  const { company } = await app.createCompany();
  const number = await createTestNumber(app, company.id, { routes: [{ type: 'voicemail' }] });
  const said = (leg: string): string =>
    JSON.stringify([
      {
        id: `${leg}:1`,
        call: leg,
        leg,
        seq: 1,
        at: Date.now(),
        type: 'inbound',
        from: '+12125550149',
        to: number.number,
      },
    ]);
  const report = (body: string, signature: string) =>
    fetch(`http://127.0.0.1:${port}${voiceWebhookPath}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', [signatureHeader]: signature },
    });
  expect((await report(said('forged'), 'not signed by anybody')).status).toBe(403);
  expect(
    await app.services.db.unscoped
      .selectFrom('call')
      .select('id')
      .where('company_id', '=', company.id)
      .execute(),
  ).toEqual([]);
  for (let i = 0; i < 10; i++) {
    const body = said(`signed-${i}`);
    expect((await report(body, signWebhook(body, app.services.settings.mediaSecret))).status).toBe(
      204,
    );
  }
});
