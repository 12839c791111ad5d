import { io } from 'socket.io-client';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compliance, conversations, endpoints, grantOf, type CompanyRole } from '#contract';
import { push } from '../src/modules/notifications/deliver-push.ts';
import { queueMail, listOutboxMails } from '../src/platform/mail.ts';
import { systemCtx } from '../src/platform/context.ts';
import { exampleRequest } from './support/endpoint-requests.ts';
import { requestOf, sendRequest } from './support/cross-tenant-probes.ts';
import { createFixtures } from './support/fixtures.ts';
import type { TestPerson } from './support/test-app.ts';

/**
 * "Hide contact details from users" hides them everywhere: each read of the contract, live events,
 * pushes and mails are searched for any number or email of the people a company deals with.
 */
const fixtures = await createFixtures();
const { app, a } = fixtures;
const { owner, user, reporting } = a.people;

let secrets: { numbers: string[]; emails: string[] };
beforeAll(async () => {
  await app.services.db.systemTransaction(async (tx) => {
    await sql`update company set settings = settings
      || '{"mask_contact_details_for_users": true}' where id = ${a.id}`.execute(tx);
    const { rows } = await sql<{ n: string }>`
      select party n from conversation where company_id = ${a.id}
      union select number from contact where company_id = ${a.id}
      union select number from contact_number where company_id = ${a.id}
      union select party from call where company_id = ${a.id}
      except select number from number where company_id = ${a.id}
      except select phone from forward_contact where company_id = ${a.id}`.execute(tx);
    const numbers = rows.map((row) => row.n.replace(/\D/g, '')).filter((n) => n.length >= 11);
    secrets = { numbers, emails: ['dana@example.com'] };
  });
  expect(secrets.numbers.length).toBeGreaterThan(4);
});

/** Full numbers and emails of others in an answer, however they are written. */
function leaksIn(body: unknown): string[] {
  const text = JSON.stringify(body) ?? '';
  const digits = text.replace(/(?<=\d)[\s().-]+(?=\d)/g, '');
  return [
    ...secrets.numbers.filter((n) => digits.includes(n.slice(1))),
    ...secrets.emails.filter((one) => text.includes(one)),
  ];
}

// Signing out is a GET that changes state.
const reads = endpoints.filter(
  (e) =>
    (e.method === 'GET' || e.reads) &&
    e.name !== 'logout' &&
    e.permission !== 'public' &&
    !e.binary &&
    e.status !== 302,
);
async function answers(person: TestPerson, role: CompanyRole) {
  const found: { name: string; leaks: string[] }[] = [];
  for (const e of reads) {
    const { permission } = e;
    if (
      permission !== 'session' &&
      permission !== 'public' &&
      grantOf([role], permission) === 'none'
    )
      continue;
    const asked =
      e.method === 'GET' ? exampleRequest(e, a.ids) : await requestOf(fixtures, e, person);
    const answer = await sendRequest(app, e, person, asked);
    expect(answer.status, `${e.name}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
    if (answer.status < 300) found.push({ name: e.name, leaks: leaksIn(answer.body) });
  }
  return found;
}

test('no read of the contract shows a masked person a number or email of others', async () => {
  const ofOwner = (await answers(owner, 'owner')).filter(({ leaks }) => leaks.length);
  expect(ofOwner.length).toBeGreaterThan(15);
  const ofUser = await answers(user, 'user');
  expect(ofUser.length).toBeGreaterThan(60);
  expect(ofUser.filter(({ leaks }) => leaks.length)).toEqual([]);
});

test('reporting sees callers’ numbers, which reports need, and no emails (A4 rule 6)', async () => {
  const found = (await answers(reporting, 'reporting')).flatMap(({ leaks }) => leaks);
  expect(found.some((one) => secrets.numbers.includes(one))).toBe(true);
  expect(found.filter((one) => one.includes('@'))).toEqual([]);
});

test('live events on every channel are masked for the user, and not for the owner', async () => {
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' });
  await app.drainJobs();
  const received = async (person: TestPerson) => {
    const socket = io(address, {
      transports: ['websocket'],
      auth: { token: person.token },
      forceNew: true,
    });
    afterAll(() => void socket.disconnect());
    const events: unknown[] = [];
    socket.onAny((...packet: unknown[]) => void events.push(packet));
    for (const channel of [
      `private-conversations.${a.id}`,
      `private-companies.${a.id}`,
      `private-users.${person.id}`,
    ])
      expect(await socket.emitWithAck('subscribe', { channel })).toEqual({ ok: true });
    return { socket, events };
  };
  const [ofUser, ofOwner] = [await received(user), await received(owner)];
  await app.as(owner).request(conversations.sendMessage, {
    body: { companyId: a.id, conversationId: a.ids.conversation as number, message: 'Hello' },
  });
  for (
    let tries = 0;
    tries < 100 && (!ofUser.events.length || !leaksIn(ofOwner.events).length);
    tries++
  ) {
    await app.drainJobs();
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  expect(leaksIn(ofOwner.events).length).toBeGreaterThan(0);
  expect(ofUser.events.length).toBeGreaterThan(0);
  expect(leaksIn(ofUser.events)).toEqual([]);
  const replay = await ofUser.socket.emitWithAck('resume', {
    channel: `private-conversations.${a.id}`,
    seq: 1,
  });
  expect(replay).toBeDefined();
  expect(leaksIn(ofUser.events)).toEqual([]);
});

test('mails say nothing that their reader may not see', async () => {
  const ctx = systemCtx(app.services, a.id, app.notifier);
  const [number] = secrets.numbers;
  const words = {
    subject: `Voicemail from +${number}`,
    text: `+${number}`,
    html: `<p>+${number}</p>`,
  };
  for (const to of [owner.email, user.email]) await queueMail(ctx, { to, ...words });
  const mailTo = async (to: string) =>
    (await listOutboxMails(app.services.db, app.services.settings.appSecrets, to))[0];
  expect(leaksIn(await mailTo(user.email))).toEqual([]);
  expect(leaksIn(await mailTo(owner.email))).toEqual([number]);
});

test('pushes and ringing phones say nothing that the person may not see', async () => {
  const { db, contactDetails } = app.services;
  const ctx = systemCtx(app.services, a.id, app.notifier);
  const [number] = secrets.numbers;
  const pushed: unknown[] = [];
  for (const person of [owner, user]) {
    const { id } = await db.systemTransaction((tx) =>
      tx
        .insertInto('push_device')
        .values({
          person_id: person.id,
          kind: 'web',
          device_id: `d${person.id}`,
          token: `t${person.id}`,
          created_at: app.clock.value,
          seen_at: app.clock.value,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    await push(ctx, {
      deviceId: id,
      note: {
        kind: 'news',
        title: `+${number}`,
        body: `Call +${number}`,
        url: '/inbox/1',
        tag: 'conversation-1',
        data: {},
        ttlSeconds: 60,
      },
      key: `push:${person.id}`,
    });
    const { rows } = await sql`select title, body from sandbox.push
      where person_id = ${person.id}`.execute(db.unscoped);
    pushed.push(leaksIn(rows));
  }
  expect(pushed).toEqual([[number], []]);
  const line = await db.unscoped
    .selectFrom('number')
    .select('number')
    .where('company_id', '=', a.id)
    .executeTakeFirstOrThrow();
  expect(await contactDetails.forPerson(db, a.id, user.id, [line.number, `+${number}`])).toEqual([
    line.number,
    expect.stringContaining('•••'),
  ]);
});

test('a masked person can answer, call and block whom they don’t see, and can’t search digits', async () => {
  const as = app.as(user);
  const companyId = a.id;
  const conversation = `conversation:${a.ids.conversation}`;
  const sent = await as.request(conversations.sendMessage, {
    body: { companyId, conversationId: a.ids.conversation as number, message: 'On my way' },
  });
  expect(sent.status).toBe(201);
  const blocked = await as.request(compliance.addBlock, {
    body: { companyId, target: conversation, action: 1 },
  });
  expect([blocked.status, leaksIn(blocked.body)]).toEqual([201, []]);
  // The refusal names the party, too.
  const again = await as.request(compliance.addBlock, {
    body: { companyId, target: conversation, action: 1 },
  });
  expect([again.status, leaksIn(again.body)]).toEqual([409, []]);
  const found = await as.request(compliance.listBlocks, {
    params: { companyId },
    query: { search: conversation },
  });
  expect(found.body.data.map((one) => one.id)).toEqual([blocked.body.data.id]);
  await as.request(compliance.removeBlock, { params: { id: blocked.body.data.id } });
  const foreign = await as.request(compliance.addBlock, {
    body: { companyId, target: `conversation:${fixtures.b.ids.conversation}`, action: 1 },
  });
  expect(foreign.status).toBe(404);
  for (const search of [secrets.numbers[0]!.slice(0, 6), 'dana@'])
    expect(
      (
        await as.request(conversations.listConversations, {
          params: { companyId },
          query: { search },
        })
      ).status,
    ).toBe(422);
});
