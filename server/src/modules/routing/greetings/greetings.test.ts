import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { greetings } from '#contract';
import { writeWav, readWav } from '../../../platform/audio/wav.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { deleteSound } from './delete-sound.ts';
import { soundFileId } from './rules.ts';

const app = await createTestApp();

/** A multipart form as a browser sends it. */
function form(
  fields: Record<string, string>,
  file?: Buffer,
): { payload: Buffer; headers: Record<string, string> } {
  const parts: Uint8Array[] = Object.entries(fields).map(([key, value]) =>
    Buffer.from(`--x\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`),
  );
  if (file)
    parts.push(
      Buffer.from(
        '--x\r\ncontent-disposition: form-data; name="file"; filename="hello.wav"\r\ncontent-type: audio/wav\r\n\r\n',
      ),
      new Uint8Array(file),
      Buffer.from('\r\n'),
    );
  return {
    payload: Buffer.concat([...parts, Buffer.from('--x--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  };
}
const send = (
  who: TestPerson,
  url: string,
  fields: Record<string, string>,
  file?: Buffer,
  method: 'POST' | 'PUT' = 'POST',
) =>
  app
    .as(who)
    .inject({ method, url: `/api${url}?companyId=${who.companyId}`, ...form(fields, file) });
const beep = (seconds = 1, rate = 16_000) =>
  writeWav({
    sampleRate: rate,
    channels: [Int16Array.from({ length: rate * seconds }, (_, i) => 9000 * Math.sin(i / 5))],
  });
const heard = async (url: string) => readWav((await app.server.inject({ url })).rawPayload);
const spoken = async (who: TestPerson, more: Record<string, unknown> = {}) =>
  (
    await app.as(who).request(greetings.addGreeting, {
      body: {
        name: 'Closed',
        type: 'voicemail',
        content: 'We are closed today.',
        voice: 'ava',
        ...more,
      },
    })
  ).body.data;

test('text becomes a greeting: 8 kHz, mono, with its duration', async () => {
  const { owner } = await app.createCompany();
  const made = await spoken(owner);
  expect(made).toMatchObject({
    name: 'Closed',
    type: 'voicemail',
    source: 'tts',
    voice: 'ava',
    used_by_count: 0,
    is_default: false,
  });
  const sound = await heard(made.file_url);
  expect(sound).toMatchObject({ sampleRate: 8000 });
  expect(Math.abs(sound!.channels[0]!.length / 8 - made.duration_ms)).toBeLessThan(2);
  expect((await app.as(owner).request(greetings.listGreetings)).body).toMatchObject({
    data: [{ id: made.id }],
    meta: { total: 1 },
  });
});

test('a file is uploaded and replaced by POST with _method=PUT; the old sound is deleted after a day', async () => {
  const { owner } = await app.createCompany();
  const added = await send(
    owner,
    '/greetings',
    { name: 'Jingle', type: 'hold', source: 'recorded' },
    beep(2, 44_100),
  );
  expect(added).toMatchObject({
    status: 201,
    body: { data: { source: 'recorded', duration_ms: 2000 } },
  });
  const { id, file_url: before } = added.body.data as { id: number; file_url: string };
  expect((await send(owner, `/greetings/${id}`, { name: 'Jingle' }, beep(1))).body).toMatchObject({
    errors: { _method: ['Send _method=PUT.'] },
  });
  const changed = await send(
    owner,
    `/greetings/${id}`,
    { _method: 'PUT', name: 'New jingle' },
    beep(1),
  );
  expect(changed.body).toMatchObject({
    data: { name: 'New jingle', source: 'upload', duration_ms: 1000, type: 'hold' },
  });
  expect(
    (await send(owner, `/greetings/${id}`, { content: 'Bright music' }, undefined, 'PUT')).body,
  ).toMatchObject({ data: { content: 'Bright music', duration_ms: 1000 } });
  expect((await heard(before))?.channels[0]?.length).toBe(16_000);
  const old = Number(/files\/(\d+)/.exec(before)?.[1]);
  await deleteSound(systemCtx(app.services, owner.companyId, app.notifier), {
    companyId: owner.companyId,
    fileId: old,
  });
  await deleteSound(systemCtx(app.services, owner.companyId, app.notifier), {
    companyId: owner.companyId,
    fileId: old,
  });
  expect((await app.server.inject({ url: before })).statusCode).toBe(404);
  const files = await app.services.db.systemTransaction((tx) =>
    tx
      .selectFrom('file')
      .select('deleted_at')
      .where('company_id', '=', owner.companyId)
      .orderBy('id')
      .execute(),
  );
  expect(files.map((one) => one.deleted_at !== null)).toEqual([true, false]);
});

test('an uploaded MP3 file is stored at 8 kHz (A7.4)', async () => {
  const { owner } = await app.createCompany();
  const song = readFileSync(join(import.meta.dirname, 'tone-440.mp3'));
  const added = await send(owner, '/greetings', { name: 'Tone', type: 'welcome' }, song);
  expect(added.status).toBe(201);
  expect(await heard((added.body.data as { file_url: string }).file_url)).toMatchObject({
    sampleRate: 8000,
  });
});

test('unreadable files are rejected with a reason, large ones for their size', async () => {
  const { owner } = await app.createCompany();
  const mp3 = await send(owner, '/greetings', { name: 'Song' }, Buffer.from('ID3\x03\x00 a song'));
  expect(mp3).toMatchObject({ status: 422, body: { code: 'greeting.unreadable' } });
  expect(mp3.body.message).toBe(
    'This file can’t be read: it is an MP3 file without readable audio.',
  );
  expect(
    (await send(owner, '/greetings', { name: 'Long' }, Buffer.alloc(10 * 1024 * 1024 + 1))).body,
  ).toMatchObject({
    code: 'greeting.too_large',
    message: 'This file is too large. A greeting can have up to 10 MB.',
  });
  expect((await send(owner, '/greetings', { name: 'Nothing' })).body).toMatchObject({
    errors: { content: ['Enter the text to read aloud, or choose a file.'] },
  });
  expect((await app.as(owner).request(greetings.listGreetings)).body.meta.total).toBe(0);
});

test('speak returns a preview in a listed voice without saving a greeting', async () => {
  const { owner } = await app.createCompany();
  const voices = (await app.as(owner).request(greetings.listVoices)).body.data;
  expect(voices[0]).toMatchObject({ id: 'ava', engine: 'espeak-ng', gender: 'female' });
  expect(
    (await app.as(owner).inject({ method: 'GET', url: voices[0]!.sample_url })).headers[
      'content-type'
    ],
  ).toBe('audio/wav');
  const answer = await app
    .as(owner)
    .request(greetings.speakGreeting, { body: { content: 'One moment please.', voice: 'noah' } });
  expect((await heard(answer.body.data.url))?.sampleRate).toBe(8000);
  expect(
    (
      await app
        .as(owner)
        .request(greetings.speakGreeting, { body: { content: 'Hello', voice: 'nobody' } })
    ).body,
  ).toMatchObject({ errors: { voice: ['Choose a voice from the list.'] } });
  expect((await app.as(owner).request(greetings.listGreetings)).body.meta.total).toBe(0);
});

test('a type has one default; a new one replaces it', async () => {
  const { owner } = await app.createCompany();
  const first = await spoken(owner, { is_default: true });
  const hold = await spoken(owner, { type: 'hold', is_default: true });
  const second = await spoken(owner, { name: 'Second', is_default: true });
  const defaults = (await app.as(owner).request(greetings.listGreetings)).body.data
    .filter((one) => one.is_default)
    .map((one) => one.id);
  expect(defaults.sort()).toEqual([hold.id, second.id].sort());
  await app.as(owner).request(greetings.updateGreeting, {
    params: { id: first.id },
    body: { is_default: true },
  });
  expect(
    (await app.as(owner).request(greetings.getGreeting, { params: { id: second.id } })).body.data
      .is_default,
  ).toBe(false);
});

test('new text of a spoken greeting is synthesized again; a new name is not', async () => {
  const { owner } = await app.createCompany();
  const made = await spoken(owner);
  const renamed = (
    await app.as(owner).request(greetings.updateGreeting, {
      params: { id: made.id },
      body: { name: 'Closed today' },
    })
  ).body.data;
  expect(renamed).toMatchObject({ name: 'Closed today', duration_ms: made.duration_ms });
  const longer = (
    await app.as(owner).request(greetings.updateGreeting, {
      params: { id: made.id },
      body: { content: 'We are closed today. We open again tomorrow morning at nine.' },
    })
  ).body.data;
  expect(longer.duration_ms).toBeGreaterThan(made.duration_ms + 500);
});

test('users may listen but not change; other companies find nothing', async () => {
  const { company, owner } = await app.createCompany();
  const user = await app.createPerson(company.id, 'user');
  const { owner: outsider } = await app.createCompany();
  const made = await spoken(owner);
  expect(
    (await app.as(user).request(greetings.getGreeting, { params: { id: made.id } })).body.data.name,
  ).toBe('Closed');
  expect(
    (await app.as(user).request(greetings.deleteGreeting, { params: { id: made.id } })).status,
  ).toBe(403);
  expect(
    (await app.as(outsider).request(greetings.getGreeting, { params: { id: made.id } })).status,
  ).toBe(404);
  expect(
    (await app.as(owner).request(greetings.deleteGreeting, { params: { id: made.id } })).status,
  ).toBe(204);
  expect(
    (await app.as(owner).request(greetings.getGreeting, { params: { id: made.id } })).status,
  ).toBe(404);
  expect(soundFileId(company.id, 5)).toBe(`${company.id}:5`);
});
