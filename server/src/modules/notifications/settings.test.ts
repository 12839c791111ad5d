import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  calls,
  conversations,
  notifications as contract,
  schedules,
  settings,
  team,
} from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';
import { mailDigest, renderDigest } from './mail-digest.ts';
import { quietUntil } from './preferences.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const mails = (to: string) => app.mails(to);
const pushes = async (who: TestPerson) =>
  (
    await sql<{
      title: string;
      body: string;
    }>`select title, body from sandbox.push where person_id = ${who.id} order by id`.execute(
      app.services.db.unscoped,
    )
  ).rows;
const browser = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
};
const subscribe = (who: TestPerson) =>
  app.as(who).request(contract.subscribeWebPush, {
    body: { endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`, keys: browser },
  });
const save = (who: TestPerson, body: Record<string, unknown>) =>
  app.as(who).request(contract.saveNotificationSettings, {
    body: { company_id: who.companyId, ...body } as never,
  });

async function anInbox() {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const text = async (phone: string, words: string) => {
    await inbox.text(phone, number.number, words);
    await app.drainJobs();
    return (await inbox.list(owner)).data[0]!.id;
  };
  /** Advances the clock by the five minutes after which digests are mailed. */
  const later = async (who: TestPerson, conversationId: number) => {
    app.clock.advance(301);
    await mailDigest(inbox.inCompany(company.id), { userId: who.id, conversationId });
    await app.drainJobs();
  };
  return { company, owner, number, text, later };
}

describe('mail', () => {
  test('is sent once per conversation and five minutes, about what is still unread', async () => {
    const { owner, company, text, later } = await anInbox();
    await save(owner, { kinds: { message: 'email' } });
    const [dana, other] = [uniquePhone(), uniquePhone()];
    const id = await text(dana, 'Can I come at noon?');
    await text(dana, 'Or at one?');
    const read = await text(other, 'Never mind');
    await app
      .as(owner)
      .request(conversations.readConversation, { params: { companyId: company.id, id: read } });
    await later(owner, id);
    await later(owner, read);
    await later(owner, id);
    const got = await mails(owner.email);
    expect(got).toHaveLength(1);
    expect(got[0]).toMatchObject({
      subject: expect.stringMatching(/^2 new texts from \(212\) 555-/),
      text: expect.stringMatching(/Can I come at noon\?\n.*Or at one\?/),
    });
    expect(got[0]!.text).toContain(`/inbox/${id}`);
    expect(got[0]!.text).toContain('/settings/notifications');
  });

  test('goes by default to whom the company says, but not to who chose otherwise', async () => {
    const { owner, company, text, later } = await anInbox();
    const chose = await app.createPerson(company.id, 'administrator');
    const reads = await app.createPerson(company.id, 'billing');
    await save(chose, { kinds: { message: 'push' } });
    const before = await text(uniquePhone(), 'Told by push only');
    for (const who of [owner, chose]) await later(who, before);
    expect(await mails(owner.email)).toEqual([]);
    const { status } = await app.as(owner).request(settings.updateGeneralSettings, {
      query: { company_id: company.id },
      body: {
        notification_defaults: { missed: ['app'], voicemail: ['app'], message: ['app', 'email'] },
      },
    });
    expect(status).toBe(200);
    const { body } = await app.as(owner).request(contract.getNotificationSettings);
    expect(body.data.kinds).toMatchObject({ message: 'both', missed: 'push', mention: 'both' });
    const id = await text(uniquePhone(), 'Told by email, too');
    for (const who of [owner, chose, reads]) await later(who, id);
    expect(await mails(owner.email)).toHaveLength(1);
    expect(await mails(chose.email)).toEqual([]);
    expect(await mails(reads.email)).toEqual([]);
  });

  test('isn’t sent to who lost the inbox since it was begun', async () => {
    const { owner, company, text, later } = await anInbox();
    const person = await app.createPerson(company.id, 'user');
    await save(person, { kinds: { message: 'email' } });
    await save(owner, { kinds: { message: 'email' } });
    const id = await text(uniquePhone(), 'Not for billing');
    await sql`update membership set role = 'billing' where user_id = ${person.id}`.execute(
      app.services.db.unscoped,
    );
    await later(person, id);
    await later(owner, id);
    expect(await mails(person.email)).toEqual([]);
    expect(await mails(owner.email)).toHaveLength(1);
  });

  test('has an unsubscribe link that turns off emails, not pushes; other tokens do nothing', async () => {
    const { owner, text, later } = await anInbox();
    await save(owner, { kinds: { message: 'both', fax: 'email' } });
    const id = await text(uniquePhone(), 'Hello');
    await later(owner, id);
    const token = /unsubscribe\/(\S+)/.exec((await mails(owner.email))[0]!.text ?? '')![1]!;
    expect(token).toMatch(/^\d+-\d+-[\w-]+$/);
    const wrong = await app.as(null).request(contract.unsubscribeMail, {
      body: { token: token.replace(/^\d+-(\d+)/, (_, person: string) => `1-${person}`) },
    });
    expect((wrong.body as { code?: string }).code).toBe('unsubscribe.invalid');
    expect((await app.as(null).request(contract.unsubscribeMail, { body: { token } })).status).toBe(
      200,
    );
    const { data } = (await app.as(owner).request(contract.getNotificationSettings, {})).body;
    expect(data.kinds).toMatchObject({ message: 'push', fax: 'none', mention: 'push' });
    await text(uniquePhone(), 'Hello again');
    expect(await mails(owner.email)).toHaveLength(1);
  });
});

describe('pushes', () => {
  test('are sent only for chosen kinds and numbers, and not in quiet hours', async () => {
    const { company, owner, text } = await anInbox();
    const second = await inbox.number(company.id);
    await subscribe(owner);
    await save(owner, { kinds: { message: 'none' } });
    await text(uniquePhone(), 'not wanted');
    await save(owner, { kinds: { message: 'push' }, number_ids: [second.id] });
    await text(uniquePhone(), 'of another number');
    const hour = (n: number) =>
      `${String((app.clock.value.getUTCHours() + 24 + n) % 24).padStart(2, '0')}:00`;
    await save(owner, {
      number_ids: [],
      quiet: { on: true, from: hour(-1), to: hour(2), timezone: 'UTC' },
    });
    await text(uniquePhone(), 'at night');
    expect(
      (await app.as(owner).request(contract.getNotificationSettings, {})).body.data.quiet,
    ).toMatchObject({ on: true, now: true, timezone: 'UTC' });
    expect(await pushes(owner)).toEqual([]);
    await save(owner, { quiet: { on: false } });
    await text(uniquePhone(), 'by day');
    expect((await pushes(owner)).map((p) => p.body)).toEqual(['by day']);
  });

  test('tell a person about mentions and assignments, as emails do', async () => {
    const { company, owner, text, later } = await anInbox();
    const ann = await app.createPerson(company.id, 'user');
    await subscribe(ann);
    const id = await text(uniquePhone(), 'Hello');
    await app.as(owner).request(conversations.addNote, {
      body: {
        company_id: company.id,
        model_type: 'conversation',
        model_id: id,
        body: 'Can you look?',
        mentions: [ann.id],
      },
    });
    await app.as(owner).request(team.assignConversations, {
      params: { companyId: company.id },
      body: { ids: [id], userId: ann.id },
    });
    await app.drainJobs();
    expect((await pushes(ann)).map((p) => p.title)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('mentioned you'),
        expect.stringContaining('assigned you a conversation'),
      ]),
    );
    await later(ann, id);
    expect(await mails(ann.email)).toMatchObject([
      {
        subject: expect.stringContaining('mentioned you'),
        text: expect.stringContaining('Can you look?'),
      },
    ]);
    expect(await mails(owner.email)).toEqual([]);
  });

  test('an email mentions a mention first, whatever came before', () => {
    const at = '2026-11-24T13:00:00Z';
    const lines = ['message', 'assigned', 'mention'].map((kind) => ({
      kind,
      text: kind === 'assigned' ? '' : 'Can you look?',
      at,
      itemId: null,
      who: 'Olive',
    }));
    const about = {
      who: 'Dana',
      ours: 'Main line',
      publicUrl: 'https://phones.example.test',
      path: '/inbox/1',
      token: '1-2-x',
      person: { timezone: null, company_timezone: 'UTC', company: 'Harbor Dental' } as never,
    };
    expect(renderDigest(lines, about).subject).toBe('Olive mentioned you: Dana');
    expect(renderDigest(lines.slice(0, 2), about).subject).toBe(
      'Olive assigned you the conversation with Dana',
    );
    const toTeam = { ...lines[1]!, text: 'Front desk' };
    expect(renderDigest([toTeam], about).subject).toBe(
      'Olive assigned Front desk the conversation with Dana',
    );
    expect(renderDigest(lines.slice(0, 1), about).subject).toBe('New text from Dana');
  });
});

test('quiet hours end on time, over midnight and over clock changes', () => {
  const wishes = { kinds: {}, number_ids: [], quiet: true, quiet_from: '20:00', quiet_to: '08:00' };
  const until = (at: string, zone = 'America/New_York') =>
    quietUntil(wishes, zone, new Date(at))?.toISOString() ?? null;
  expect(until('2026-11-24T03:00:00Z')).toBe('2026-11-24T13:00:00.000Z'); // 22:00 there
  expect(until('2026-11-24T12:59:00Z')).toBe('2026-11-24T13:00:00.000Z');
  expect(until('2026-11-24T13:00:00Z')).toBeNull();
  expect(until('2026-11-01T02:00:00Z')).toBe('2026-11-01T13:00:00.000Z'); // the night the clocks go back
  expect(
    quietUntil({ ...wishes, quiet_from: '08:00', quiet_to: '08:00' }, 'UTC', new Date()),
  ).toBeNull();
});

test('do not disturb and time off hold back pushes, and emails until their end', async () => {
  const { owner, company, number } = await anInbox();
  const person = await app.createPerson(company.id, 'user');
  await subscribe(person);
  await save(person, { kinds: { message: 'both' } });
  const wakes = async (words: string) => {
    await inbox.text(uniquePhone(), number.number, words);
    await app.drainJobs();
  };
  await wakes('You are here');
  expect((await pushes(person)).map((one) => one.body)).toEqual(['You are here']);
  const until = new Date(app.services.now().getTime() + 3_600_000);
  await app
    .as(person)
    .request(calls.setDoNotDisturb, { body: { on: true, until: until.toISOString() } });
  await wakes('Do not disturb');
  expect(await pushes(person)).toHaveLength(1);
  const dueOf = async () =>
    (
      await app.services.db.unscoped
        .selectFrom('notification_digest')
        .select('due_at')
        .where('user_id', '=', person.id)
        .orderBy('due_at', 'desc')
        .executeTakeFirstOrThrow()
    ).due_at;
  expect(await dueOf()).toEqual(until);
  await app.as(person).request(calls.setDoNotDisturb, { body: { on: false } });
  // Hours that never open mean no calls, but texts are still of interest.
  const never = { params: { companyId: company.id }, body: { preset: 5, user_id: person.id } };
  await app.as(owner).request(schedules.saveSchedule, never);
  await wakes('No calls');
  expect((await pushes(person)).map((one) => one.body)).toContain('No calls');
  const clock = (hours: number) =>
    new Date(app.services.now().getTime() + hours * 3_600_000).toISOString().slice(11, 16);
  await app.as(person).request(schedules.saveOwnSchedule, {
    params: { companyId: company.id },
    body: {
      preset: 4,
      timezone: 'UTC',
      blocks: [{ days: [...schedules.weekdays], times: [{ start: clock(2), end: clock(-1) }] }],
    },
  });
  await wakes('Off');
  expect((await pushes(person)).map((one) => one.body)).not.toContain('Off');
  const opens = Math.floor(app.services.now().getTime() / 60_000) * 60_000 + 2 * 3_600_000;
  expect((await dueOf()).getTime()).toBe(opens);
});
