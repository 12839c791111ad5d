import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { search, calls } from '#contract';
import { signatureHeader, signWebhook } from '../../../exchange/protocol.ts';
import { transcriptionWebhookPath } from '../../../adapters/sandbox/webhook.ts';
import { readWav, writeWav } from '../../../platform/audio/wav.ts';
import { systemCtx } from '../../../platform/context.ts';
import type { CarrierTranscript } from '../../../gateways/transcription.ts';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import { deleteExpiredRecordings } from '../recordings/recording-retention.ts';
import { keywordsOf } from './keywords.ts';
import { scheduleVoicemailMail, mailOnTranscription } from '../voicemail/mail-voicemail.ts';
import { receiveTranscripts } from './receive-transcripts.ts';

const { world: app, aCall, commands } = await createCallHarness();
const rate = 8000;
/** Ten seconds of a loud tone: any silence in it afterwards comes from redaction. */
const tone = writeWav({
  sampleRate: rate,
  channels: [Int16Array.from({ length: rate * 10 }, (_, i) => 9000 * Math.sin(i / 3) + 500)],
});
/** Ten seconds of line noise. */
const silence = writeWav({
  sampleRate: rate,
  channels: [Int16Array.from({ length: rate * 10 }, (_, i) => (i % 7) * 30)],
});
/** Five seconds of a voice of four syllables a second, then five of nothing. */
const voice = writeWav({
  sampleRate: rate,
  channels: [
    Int16Array.from({ length: rate * 10 }, (_, i) =>
      i < rate * 5 ? 9000 * Math.sin(i / 8) * Math.abs(Math.sin((4 * Math.PI * i) / rate)) : 0,
    ),
  ],
});
const files: Record<string, Buffer> = { '/silence.wav': silence, '/voice.wav': voice };
let sounds: Server;
beforeAll(async () => {
  sounds = createServer((request, answer) => answer.end(files[request.url ?? ''] ?? tone)).listen(
    0,
    '127.0.0.1',
  );
  await new Promise((resolve) => sounds.once('listening', resolve));
});
afterAll(() => void sounds.close());

/** An outside caller leaves a voicemail with these words. */
async function aVoicemail(
  said: string,
  more: { settings?: object; transcribe?: boolean; emails?: string[]; file?: string } = {},
) {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id, { routes: [{ type: 'voicemail' }] });
  await app.services.db.systemTransaction(async (tx) => {
    await sql`update company set settings = settings || ${JSON.stringify(more.settings ?? {})}::jsonb where id = ${company.id}`.execute(
      tx,
    );
    await sql`update number set voicemail_transcribe = ${more.transcribe ?? true},
      voicemail_emails = ${more.emails ?? []}::text[]
      where company_id = ${company.id} and id = ${number.id}`.execute(tx);
  });
  const call = aCall(number.number);
  await call.tell(call.inbound);
  for (let i = 0; i < 4 && commands(call, 'record').length === 0; i++) {
    const [prompt] = commands(call, 'play').slice(-1);
    if (prompt)
      await call.says(call.leg, {
        type: 'promptEnded',
        commandId: prompt.id,
        reason: 'done',
        digits: '',
      });
  }
  const [beep] = commands(call, 'record');
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  await call.says(call.leg, {
    type: 'recordingReady',
    recordingId: beep!.recordingId,
    url: `http://127.0.0.1:${(sounds.address() as AddressInfo).port}/${more.file ?? 'x.wav'}`,
    contentType: 'audio/wav',
    durationMs: 10_000,
    channels: 1,
    ...(said ? { speech: [{ leg: call.leg, text: said, startMs: 0 }] } : {}),
  });
  await app.drainJobs();
  const id = await call.id();
  return {
    company,
    owner,
    number,
    call,
    id,
    recording: beep!.recordingId,
    seen: async () => (await app.as(owner).request(calls.getCall, { params: { id } })).body.data,
  };
}
const fileOf = (companyId: number, callId: number) =>
  app.services.db
    .systemTransaction((tx) =>
      sql<{
        id: number;
        key: string;
        name: string;
        delete_after: Date;
        speech: unknown;
      }>`select f.id, f.key, f.name, r.delete_after, r.speech
        from recording r join file f on f.company_id = r.company_id and f.id = r.file_id
        where r.company_id = ${companyId} and r.call_id = ${callId}`.execute(tx),
    )
    .then((r) => r.rows[0]!);
const mailsTo = (address: string) => app.mails(address);

test('card numbers are removed from text, search and audio, and the original is erased', async () => {
  const { owner, company, id, seen } = await aVoicemail(
    'Hi my card is 4242 4242 4242 4242 please charge it for the whitening',
    { emails: ['desk@words.test'] },
  );
  const record = await seen();
  expect(record.transcription).toMatchObject({
    state: 'ready',
    text: 'Hi my card is [card number] please charge it for the whitening',
    metadata: { redactions: [{ kind: 'card' }] },
  });
  expect(JSON.stringify(record)).not.toMatch(/4242\D?4242/);
  expect(record.history.map((h) => h.label)).toContain('Recording redacted');
  const [span] = record.transcription.metadata!.redactions;
  const sound = readWav((await app.server.inject({ url: record.voicemail!.url! })).rawPayload)!
    .channels[0]!;
  const part = (from: number, to: number) =>
    sound.subarray((from * rate) / 1000, (to * rate) / 1000);
  expect(part(span!.start_ms, span!.end_ms).every((sample) => sample === 0)).toBe(true);
  expect(part(span!.end_ms + 300, 9900).some((sample) => sample !== 0)).toBe(true);
  const file = await fileOf(company.id, id);
  expect(file.speech).toBeNull();
  // The silenced copy is the company's only file left in storage.
  const kept = await app.services.files.blobs.get(file.key);
  expect(kept.equals(tone)).toBe(false);
  for (const q of ['4242', '"4242 4242"'])
    expect(
      (await app.as(owner).request(search.searchCalls, { query: { companyId: company.id, q } }))
        .body.data,
    ).toEqual([]);
  expect(
    (
      await app.as(owner).request(search.searchCalls, {
        query: { companyId: company.id, q: 'whitening' },
      })
    ).body.data,
  ).toHaveLength(1);
  expect((await mailsTo('desk@words.test'))[0]!.text).toContain('[card number]');
});
test('without a transcript, statistics still say how long someone spoke', async () => {
  const { seen } = await aVoicemail('', { transcribe: false, file: 'voice.wav' });
  const words = (await seen()).voicemail?.transcription;
  expect(words).toMatchObject({
    state: 'skipped',
    statistics: { client: { percent: 100, words: 0 }, silence_percent: 50, from: 'voice' },
  });
  expect(words?.statistics?.client.seconds).toBeCloseTo(5, 0);
});
test('card redaction can be turned off; other kinds can be turned on', async () => {
  expect(
    (
      await (
        await aVoicemail('my card is 4242 4242 4242 4242', {
          settings: { redact_card_numbers: false },
        })
      ).seen()
    ).transcription.text,
  ).toBe('my card is 4242 4242 4242 4242');
  expect(
    (
      await (
        await aVoicemail('my social is 123 45 6789', { settings: { redact_ssn: true } })
      ).seen()
    ).transcription.text,
  ).toBe('my social is [social security number]');
  const born = 'I was born on January 5 1980';
  expect((await (await aVoicemail(born)).seen()).transcription.text).toBe(born);
  expect(
    (await (await aVoicemail(born, { settings: { redact_dob: true } })).seen()).transcription.text,
  ).toContain('[date of birth]');
});
test('carrier transcripts are stored once, redacted, and only where transcription is on', async () => {
  const { call, company, seen, recording, id } = await aVoicemail('', {});
  await app.services.db.systemTransaction((tx) =>
    sql`update transcription set state = 'queued', metadata = null where company_id = ${company.id} and call_id = ${id}`.execute(
      tx,
    ),
  );
  const words: CarrierTranscript = {
    call: call.leg,
    recording,
    state: 'ready',
    engine: 'A provider',
    language: 'en-US',
    confidence: 0.9,
    text: 'five five five five five five five five five five five five four four four four, thanks',
  };
  await receiveTranscripts(app.services, app.notifier, 'scripted', [words]);
  const first = (await seen()).transcription;
  expect(first).toMatchObject({
    state: 'ready',
    text: '[card number] thanks',
    metadata: { engine: 'A provider' },
  });
  await receiveTranscripts(app.services, app.notifier, 'scripted', [
    { ...words, text: 'something else' },
  ]);
  expect((await seen()).transcription).toEqual(first);
  const off = await aVoicemail('', { transcribe: false });
  await receiveTranscripts(app.services, app.notifier, 'scripted', [
    { ...words, call: off.call.leg, recording: off.recording },
  ]);
  expect((await off.seen()).transcription).toMatchObject({
    state: 'skipped',
    metadata: { skipped_reason: 'disabled' },
  });
  await expect(
    receiveTranscripts(app.services, app.notifier, 'scripted', [
      { ...words, recording: 'nobody’s' },
    ]),
  ).rejects.toThrow('not arrived yet');
});
test('the transcript webhook accepts only requests with the secret', async () => {
  const body = JSON.stringify([
    {
      call: 'of-nobody',
      recording: 'r',
      state: 'ready',
      engine: 'x',
      language: 'en-US',
      confidence: 1,
      text: 'hello',
    },
  ]);
  const post = (signature: string) =>
    app.server.inject({
      method: 'POST',
      url: transcriptionWebhookPath,
      payload: body,
      headers: { 'content-type': 'application/json', [signatureHeader]: signature },
    });
  expect((await post('forged')).statusCode).toBe(403);
  expect((await post(signWebhook(body, app.services.settings.mediaSecret))).statusCode).toBe(204);
});
test('ten seconds of silence leave no voicemail', async () => {
  const { seen } = await aVoicemail('', { file: 'silence.wav', emails: ['desk@silence.test'] });
  expect(await seen()).toMatchObject({ status: 4, voicemail: null });
  expect(await mailsTo('desk@silence.test')).toEqual([]);
  expect((await (await aVoicemail('Please call me back')).seen()).voicemail).not.toBeNull();
});

test('a voicemail is mailed once to each address with its transcript, waiting only a limited time', async () => {
  await aVoicemail('Please call me back about the crown', {
    emails: ['a@words.test', 'b@words.test'],
  });
  for (const to of ['a@words.test', 'b@words.test'])
    expect(await mailsTo(to)).toMatchObject([
      {
        subject: 'Voicemail from (212) 555-0147',
        text: expect.stringContaining('Please call me back about the crown'),
      },
    ]);
});
test('a voicemail’s mail has the recording and the company’s date, as its settings say', async () => {
  const [usual] = await (async () => {
    await aVoicemail('The usual mail', { emails: ['usual@words.test'] });
    return mailsTo('usual@words.test');
  })();
  expect(usual!.attached).toEqual([expect.stringMatching(/^voicemail-\d+\.wav$/)]);
  expect(usual!.text).toMatch(/When: [A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2} [AP]M/);
  await aVoicemail('Without a file', {
    emails: ['plain@words.test'],
    settings: {
      voicemail_email_attach: false,
      date_format: 'YYYY-MM-DD',
      time_format: 'HH:mm',
    },
  });
  const [plain] = await mailsTo('plain@words.test');
  expect(plain!.attached).toEqual([]);
  expect(plain!.text).toMatch(/When: \d{4}-\d{2}-\d{2}, \d{2}:\d{2}\n/);
});
test('a voicemail whose transcription event comes first is mailed at once', async () => {
  const { company, id } = await aVoicemail('', { transcribe: false, emails: ['d@words.test'] });
  expect(await mailsTo('d@words.test')).toEqual([]);
  const ctx = systemCtx(app.services, company.id, app.notifier);
  const [voicemail] = (
    await app.services.db.systemTransaction((tx) =>
      sql<{
        id: number;
      }>`select id from voicemail where company_id = ${company.id} and call_id = ${id}`.execute(tx),
    )
  ).rows;
  // No job runs until both events arrived.
  await app.stopJobs();
  await ctx.transaction((t) => mailOnTranscription(t, { voicemailId: voicemail!.id }));
  await ctx.transaction((t) =>
    scheduleVoicemailMail(t, {
      voicemailId: voicemail!.id,
      receivedAt: app.clock.value.toISOString(),
    }),
  );
  await app.drainJobs();
  expect(await mailsTo('d@words.test')).toHaveLength(1);
});
test('recordings expire by the number’s setting, else the company’s, else after a year, bytes included', async () => {
  const days = async (settings: object) => {
    const { company, id } = await aVoicemail('short one here', { settings });
    return Math.round(
      ((await fileOf(company.id, id)).delete_after.getTime() - app.clock.value.getTime()) /
        86_400_000,
    );
  };
  expect(await days({})).toBe(365);
  expect(await days({ recording_retention_days: 40 })).toBe(40);
  const { company, id, seen } = await aVoicemail('soon forgotten', {
    settings: { recording_retention_days: 30 },
  });
  const { key } = await fileOf(company.id, id);
  app.clock.advance(31 * 86_400);
  await deleteExpiredRecordings(systemCtx(app.services, 0, app.notifier));
  await app.drainJobs();
  expect(await seen()).toMatchObject({
    voicemail: { url: null },
    transcription: { state: 'redacted', text: '', metadata: null },
  });
  await expect(app.services.files.blobs.get(key)).rejects.toThrow();
});
test('keywords are words spoken more than once that are not stop words', () => {
  expect(
    keywordsOf([
      { i: 0, text: 'I want an implant, how much is an implant?' },
      { i: 1, text: 'Implants are two thousand. Our insurance desk will call you.' },
      { i: 2, text: 'The insurance company’s fine' },
    ]),
  ).toEqual([
    { term: 'implant', count: 3, segments: [0, 1] },
    { term: 'insurance', count: 2, segments: [1, 2] },
  ]);
  expect(keywordsOf([{ i: 0, text: 'yes yes okay okay really really' }])).toEqual([]);
});
