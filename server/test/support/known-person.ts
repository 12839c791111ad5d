import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { contacts } from '#contract';
import { writeWav } from '../../src/platform/audio/wav.ts';
import { createTestNumber } from './call-harness.ts';
import type { CallHarness } from './fixtures.ts';
import { inboxHelpers } from './inbox.ts';

/** Ten seconds of a tone. */
const sound = writeWav({
  sampleRate: 8000,
  channels: [Int16Array.from({ length: 80_000 }, (_, i) => 9000 * Math.sin(i / 3))],
});

/** A company that knows this person: a contact with custom texts, a note, texts and a voicemail. */
export async function companyThatKnows(line: CallHarness, phone: string) {
  const { world: app } = line;
  const inbox = inboxHelpers(app);
  const db = app.services.db.unscoped;
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id, { routes: [{ type: 'voicemail' }] });
  const made = await app.as(owner).request(contacts.createContact, {
    query: { company_id: company.id },
    body: {
      number: phone,
      name: 'Zenobia Quillfeather',
      email: 'zenobia@quillfeather.test',
      notes: 'Zenobia Quillfeather likes mornings',
    },
  });
  expect(made.status).toBeLessThan(300);
  await inbox.text(phone, number.number, 'I am Zenobia Quillfeather');
  await app.drainJobs();
  const call = line.aCall(number.number, phone);
  await call.tell(call.inbound);
  for (let i = 0; i < 4 && line.commands(call, 'record').length === 0; i++) {
    const prompt = line.commands(call, 'play').at(-1);
    if (prompt)
      await call.says(call.leg, {
        type: 'promptEnded',
        commandId: prompt.id,
        reason: 'done',
        digits: '',
      });
  }
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  const sounds = createServer((_, answer) => void answer.end(sound)).listen(0, '127.0.0.1');
  await once(sounds, 'listening');
  await call.says(call.leg, {
    type: 'recordingReady',
    recordingId: line.commands(call, 'record')[0]!.recordingId,
    url: `http://127.0.0.1:${(sounds.address() as AddressInfo).port}/`,
    contentType: 'audio/wav',
    durationMs: 10_000,
    channels: 1,
    speech: [{ leg: call.leg, text: 'This is Zenobia Quillfeather', startMs: 0 }],
  });
  await app.drainJobs();
  sounds.close();
  const callId = await call.id();
  await sql`insert into note (company_id, body, model_type, model_id, user_name, created_at,
      updated_at) values (${company.id}, 'Zenobia Quillfeather called', 'call', ${callId}, 'Ann',
      ${app.clock.value}, ${app.clock.value})`.execute(db);
  const { rows } = await sql<{ id: number }>`select id from contact
    where company_id = ${company.id} and number = ${phone}`.execute(db);
  return { company, owner, number, callId, params: { contactId: rows[0]!.id } };
}
