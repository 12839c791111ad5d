import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  calls,
  conversations,
  fax,
  identity,
  notifications as contract,
  numbers as numbersContract,
  routing,
} from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';
import { seeded } from '../../../test/support/random-calls.ts';
import { publishIn } from '../../platform/context.ts';
import { reachableUsers } from '../calls/phones/presence.ts';
import { markConnected } from './store.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const codeOf = (a: { status: number; body: unknown }) => [
  a.status,
  (a.body as { code?: string }).code,
];
const pushes = async (person: TestPerson) =>
  (
    await sql<{
      kind: string;
      title: string;
      body: string;
      url: string;
    }>`select kind, title, body, url from sandbox.push where person_id = ${person.id} order by id`.execute(
      app.services.db.unscoped,
    )
  ).rows;
const mails = (to: string) => app.mails(to);
const browser = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
};
const subscribe = (who: TestPerson) =>
  app.as(who).request(contract.subscribeWebPush, {
    body: { endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`, keys: browser },
  });
const phone = (who: TestPerson, token: string = randomUUID().replaceAll('-', '').padEnd(64, '0')) =>
  app.as(who).request(contract.registerApnsDevice, {
    body: {
      token,
      device_id: 'app-1',
      bundle_id: 'com.example.phone',
      environment: 'production',
    },
  });

test('muting a number affects only the user; unmuting one event leaves the others muted', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const other = await app.createPerson(company.id, 'user');
  const blocks = async (who: TestPerson) =>
    (await app.as(who).request(contract.listNotificationBlocks, {})).body.data;
  const muted = await app.as(owner).request(contract.addNotificationBlocks, {
    body: { number_ids: [number.id], channel_types: ['push', 'email'] },
  });
  expect([muted.status, muted.body.data]).toEqual([
    201,
    [
      { number_id: number.id, channel_type: 'email', event: null },
      { number_id: number.id, channel_type: 'push', event: null },
    ],
  ]);
  await app.as(owner).request(contract.addNotificationBlocks, {
    body: { number_id: number.id, channel_types: 'push', events: ['fax'] },
  });
  expect(await blocks(owner)).toHaveLength(2);
  expect(await blocks(other)).toEqual([]);
  const marked = async (who: TestPerson) =>
    (await app.as(who).request(routing.getNumber, { params: { id: number.id } })).body.data
      .hasNotificationBlocks;
  expect([await marked(owner), await marked(other)]).toEqual([true, false]);
  await app.as(owner).request(contract.removeNotificationBlocks, {
    body: {
      number_id: number.id,
      channel_types: ['push'],
      events: ['voicemail', 'call', 'missed', 'campaign', 'alert'],
    },
  });
  expect((await blocks(owner)).map((b) => `${b.channel_type} ${b.event}`)).toEqual([
    'email null',
    'push fax',
    'push message',
  ]);
  await app.as(owner).request(contract.removeNotificationBlocks, {
    body: { number_id: number.id, channel_types: ['push', 'email'] },
  });
  expect(await blocks(owner)).toEqual([]);
  const limited = await app.createPerson(company.id, 'user', [(await inbox.number(company.id)).id]);
  expect(
    codeOf(
      await app.as(limited).request(contract.addNotificationBlocks, {
        body: { number_id: number.id, channel_types: ['push'] },
      }),
    ),
  ).toEqual([404, 'not_found']);
  expect(
    (
      await app
        .as(owner)
        .request(contract.addNotificationBlocks, { body: { channel_types: ['push'] } })
    ).status,
  ).toBe(422);
});

test('unread counts are by number and kind, of visible numbers, without what is muted in the app', async () => {
  const { company, owner } = await app.createCompany();
  const [a, b] = [await inbox.number(company.id), await inbox.number(company.id)];
  for (let i = 0; i < 2; i++) await inbox.text(uniquePhone(), a.number, 'Hello');
  await inbox.text(uniquePhone(), b.number, 'Hello');
  const counts = async (who: TestPerson) =>
    (await app.as(who).request(contract.getNotificationCounts, {})).body.data;
  expect(await counts(owner)).toEqual({
    total: 3,
    unread: { messages: 3, calls: 0, voicemails: 0, faxes: 0 },
    byNumber: {
      [a.id]: { total: 2, messages: 2, calls: 0, voicemails: 0, faxes: 0 },
      [b.id]: { total: 1, messages: 1, calls: 0, voicemails: 0, faxes: 0 },
    },
  });
  const limited = await app.createPerson(company.id, 'user', [b.id]);
  expect((await counts(limited)).total).toBe(1);
  await app.as(owner).request(contract.addNotificationBlocks, {
    body: { number_id: a.id, channel_types: ['app'], events: ['message'] },
  });
  expect(
    (await app.as(owner).request(contract.getNotificationCountsByNumber, {})).body.data,
  ).toEqual({ [b.id]: { total: 1, messages: 1, calls: 0, voicemails: 0, faxes: 0 } });
});

test('what is unread is as many at the badge, in the inbox, in Activity and on the numbers', async () => {
  const { company, owner } = await app.createCompany();
  const other = await app.createCompany();
  const numbers = [await inbox.number(company.id), await inbox.number(company.id)];
  const limited = await app.createPerson(company.id, 'user', [numbers[1]!.id]);
  const phones = Array.from({ length: 6 }, uniquePhone);
  const r = seeded(34);
  const params = { companyId: company.id };
  const compare = async () => {
    const seen: number[] = [];
    for (const who of [owner, limited]) {
      const badge = (await app.as(who).request(contract.getNotificationCounts, {})).body.data;
      const { counts } = (await inbox.list(who, { counts: 1 })).meta;
      expect(counts).toMatchObject({ total: badge.total, unread: badge.unread });
      const activity = await app.as(who).request(conversations.listActivity, {
        body: {
          ...params,
          types: ['message'],
          groups: [[{ field: 'unread', op: 'eq', value: true }]],
        },
      });
      expect(activity.body.meta['total']).toBe(badge.unread.messages);
      const listed = (await app.as(who).request(numbersContract.listNumbersDatatable, {})).body
        .data;
      const unread = listed.map((row) => row.unread_messages_count);
      expect(unread.reduce((sum, n) => sum + n, 0)).toBe(badge.unread.messages);
      seen.push(badge.unread.messages);
    }
    return seen;
  };
  const most = [0, 0];
  for (let n = 0; n < 24; n++) {
    if (r.is(0.6)) await inbox.text(r.oneOf(phones), r.oneOf(numbers).number, 'Hello');
    else {
      const all = [
        ...(await inbox.list(owner, { isArchived: 0 })).data,
        ...(await inbox.list(owner, { isArchived: 1 })).data,
      ];
      const type = r.oneOf(['read', 'unread', 'archive', 'restore', 'delete'] as const);
      if (!all.length) continue;
      const done = await app.as(owner).request(conversations.bulkUpdateConversations, {
        params,
        body: { ids: [r.oneOf(all).id], type },
      });
      expect(done.status, type).toBe(200);
    }
    const [ofAll = 0, ofOne = 0] = await compare();
    most[0] = Math.max(most[0]!, ofAll);
    most[1] = Math.max(most[1]!, ofOne);
  }
  expect(most[0]).toBeGreaterThan(most[1]!);
  expect(most[1]).toBeGreaterThan(1);
  const theirs = await app.as(other.owner).request(contract.getNotificationCounts, {});
  expect(theirs.body.data.total).toBe(0);
});

test('a text is pushed once to each device of users who see the number, didn’t mute it and have no page open', async () => {
  const { company, owner } = await app.createCompany();
  const [number, other] = [await inbox.number(company.id), await inbox.number(company.id)];
  const [muted, there, elsewhere, billing] = [
    await app.createPerson(company.id, 'user'),
    await app.createPerson(company.id, 'user'),
    await app.createPerson(company.id, 'user', [other.id]),
    await app.createPerson(company.id, 'billing'),
  ];
  for (const who of [owner, muted, there, elsewhere, billing])
    expect((await subscribe(who)).status).toBe(201);
  expect((await phone(owner)).status).toBe(201); // a VoIP token is for calls only
  await app.as(muted).request(contract.addNotificationBlocks, {
    body: { number_id: number.id, channel_types: ['push'], events: ['message'] },
  });
  await app.services.db.systemTransaction((tx) => markConnected(tx, [there.id], app.clock.value));
  const party = uniquePhone();
  const id = randomUUID();
  await inbox.text(party, number.number, 'Can I come at noon?', { id });
  await inbox.text(party, number.number, 'Can I come at noon?', { id });
  await app.drainJobs();
  expect(await pushes(owner)).toEqual([
    {
      kind: 'web:news',
      title: expect.stringContaining('555'),
      body: 'Can I come at noon?',
      url: expect.stringMatching(/^\/inbox\/\d+$/),
    },
  ]);
  for (const who of [muted, there, elsewhere, billing])
    expect(await pushes(who), who.role).toEqual([]);
  app.clock.advance(60); // the page was closed without a disconnect message
  await inbox.text(party, number.number, 'Hello?');
  await app.drainJobs();
  await expect.poll(() => pushes(there), { timeout: 30_000 }).toHaveLength(1);
});

test('nothing is pushed to who doesn’t get into the company: a missing factor, a deactivated company', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const secured = await app.createPerson(company.id, 'user');
  for (const who of [owner, secured]) expect((await subscribe(who)).status).toBe(201);
  await sql`update person set mfa_enabled_at = now() where id = ${secured.id}`.execute(
    app.services.db.unscoped,
  );
  await sql`update company set settings = settings || '{"require_mfa": "all"}'
    where id = ${company.id}`.execute(app.services.db.unscoped);
  await inbox.text(uniquePhone(), number.number, 'For the secured only');
  await app.drainJobs();
  await expect.poll(() => pushes(secured), { timeout: 30_000 }).toHaveLength(1);
  expect(await pushes(owner)).toEqual([]);
  await sql`update company set status = 2 where id = ${company.id}`.execute(
    app.services.db.unscoped,
  );
  await inbox.text(uniquePhone(), number.number, 'For nobody');
  await app.drainJobs();
  expect(await pushes(secured)).toHaveLength(1);
});

test('a call that rings in the app is pushed to the iPhone with what it needs to join, unless muted', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  await phone(owner);
  const ring = async (leg: string) => {
    const callId = Math.floor(Math.random() * 1e9) + 1;
    await app.services.db.transaction({ companyId: company.id }, async (tx) => {
      await sql`insert into call (company_id, id, number_id, carrier, outbound, from_number,
          to_number, party, status, outcome, started_at)
        values (${company.id}, ${callId}, ${number.id}, 'sandbox', false, '+12125550147',
          ${number.number}, '+12125550147', 1, 0, ${app.clock.value})`.execute(tx);
      await sql`insert into call_leg (company_id, call_id, leg, n, role, label, user_id, state,
          started_at) values (${company.id}, ${callId}, ${leg}, 1, 'target', 'Owner', ${owner.id},
          'ringing', ${app.clock.value})`.execute(tx);
      await publishIn(
        tx,
        calls.inAppCalling,
        {
          type: 'ringing',
          callId,
          joinToken: `${leg}~t`,
          from: '+12125550147',
          number: { ...number, label: 'Main line' },
          contact: { id: 1, name: 'Dana Reed' },
          expiresAt: null,
          companyId: company.id,
          leg,
          outbound: false,
          status: null,
          because: null,
        },
        { userId: owner.id, companyId: company.id },
      );
    });
    app.notifier.markDirty();
    app.notifier.notify();
    await app.drainJobs();
  };
  await ring('leg-1');
  expect(await pushes(owner)).toEqual([
    {
      kind: 'apns_voip:call',
      title: 'Dana Reed',
      body: 'Calling Main line',
      url: expect.stringMatching(/^\/calls\/\d+$/),
    },
  ]);
  await app.as(owner).request(contract.addNotificationBlocks, {
    body: { number_id: number.id, channel_types: ['push'] },
  });
  await ring('leg-2');
  expect(await pushes(owner)).toHaveLength(1);
});

test('a device token is replaced by the same device, moves to the person who signs in, and is removed on sign-out', async () => {
  const { company, owner } = await app.createCompany();
  const token = 'ab'.repeat(32);
  const first = await phone(owner, token);
  expect(first.body.data).toMatchObject({ kind: 'apns_voip', device_id: 'app-1' });
  expect((await phone(owner, token)).body.data.id).toBe(first.body.data.id);
  const fresh = await phone(owner, 'cd'.repeat(32)); // the device got a new token
  const devices = async () =>
    await app.services.db.unscoped
      .selectFrom('push_device')
      .select(['person_id', 'token'])
      .where('token', 'in', [token, 'cd'.repeat(32)])
      .execute();
  expect(await devices()).toEqual([{ person_id: owner.id, token: 'cd'.repeat(32) }]);
  const colleague = await app.createPerson(company.id, 'user');
  await phone(colleague, 'cd'.repeat(32));
  expect(await devices()).toEqual([{ person_id: colleague.id, token: 'cd'.repeat(32) }]);
  expect(fresh.status).toBe(201);
  await app.as(colleague).request(identity.logout, {});
  await app.drainJobs();
  expect(await devices()).toEqual([]);
  expect((await phone(owner, 'short')).status).toBe(422);
});

test('subscriptions are accepted only for known push services, because we post to them', async () => {
  const { owner } = await app.createCompany();
  for (const endpoint of [
    'http://fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'https://fcm.googleapis.com.evil.test/x',
    'https://fcm.googleapis.com:8443/x',
    'https://user@fcm.googleapis.com/x',
  ])
    expect(
      (
        await app
          .as(owner)
          .request(contract.subscribeWebPush, { body: { endpoint, keys: browser } })
      ).status,
      endpoint,
    ).toBe(422);
  expect(
    (
      await app.as(owner).request(contract.subscribeWebPush, {
        body: {
          endpoint: 'https://fcm.googleapis.com/fcm/send/x',
          keys: { ...browser, p256dh: 'x'.repeat(30) },
        },
      })
    ).status,
  ).toBe(422);
  expect((await app.as(owner).request(contract.webPushKey, {})).body.data).toMatchObject({
    simulated: true,
    key: expect.stringMatching(/^B[\w-]{86}$/),
  });
});

test('fax emails go to the number’s addresses, except users who muted them', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const other = await app.createPerson(company.id, 'user');
  await app.services.db.transaction({ companyId: company.id }, (tx) =>
    tx
      .updateTable('number')
      .set({ voicemail_emails: [owner.email, other.email, 'desk@elsewhere.test'] })
      .where('company_id', '=', company.id)
      .where('id', '=', number.id)
      .execute(),
  );
  await app.as(other).request(contract.addNotificationBlocks, {
    body: { number_id: number.id, channel_types: ['email'], events: ['fax'] },
  });
  await inbox.inCompany(company.id).transaction((t) =>
    t.publish(
      fax.faxReceived,
      {
        faxId: 5,
        numberId: number.id,
        party: '+12125550147',
        conversationId: null,
        pages: 2,
        fileId: 9,
        contactName: 'Dana Reed',
        quiet: false,
      },
      { numberId: number.id },
    ),
  );
  await app.drainJobs();
  expect(await mails(owner.email)).toMatchObject([
    { subject: 'Fax from Dana Reed', text: expect.stringContaining('2 pages from Dana Reed') },
  ]);
  expect(await mails('desk@elsewhere.test')).toHaveLength(1);
  expect(await mails(other.email)).toEqual([]);
});

test('users with no page open are rung if they have a push device', async () => {
  const { company, owner } = await app.createCompany();
  const [asleep, away] = [
    await app.createPerson(company.id, 'user'),
    await app.createPerson(company.id, 'user'),
  ];
  await phone(asleep);
  await phone(away, 'ef'.repeat(32));
  await app.as(away).request(calls.toggleCallingStatus, { body: { status: 'away' } });
  const reachable = await inbox.inCompany(company.id).transaction((t) => reachableUsers(t));
  expect([reachable.has(asleep.id), reachable.has(away.id), reachable.has(owner.id)]).toEqual([
    true,
    false,
    false,
  ]);
});
