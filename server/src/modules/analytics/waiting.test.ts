import { expect, test } from 'vitest';
import { analytics, calls, conversations } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { inboxHelpers, uniquePhone } from '../../../test/support/inbox.ts';
import { appendCampaignMessages, callbackDays, queueText } from '../conversations/index.ts';

const app = await createTestApp({ clock: 'still' });
const inbox = inboxHelpers(app);
const HOUR = 3_600_000;
let nextId = 900;

async function createOffice() {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const publish = (work: Parameters<ReturnType<typeof inbox.inCompany>['transaction']>[0]) =>
    inbox.inCompany(company.id).transaction(work);
  const ago = (hours: number) => new Date(app.clock.value.getTime() - hours * HOUR).toISOString();
  /** A call that ended; outcome 1 answered, 2 missed, 3 voicemail. */
  const call = async (
    party: string,
    hoursAgo: number,
    outcome: 1 | 2 | 3,
    more: { outbound?: boolean; numberId?: number } = {},
  ) => {
    const started = {
      callId: nextId++,
      numberId: more.numberId ?? number.id,
      party,
      outbound: more.outbound ?? false,
      contactId: null,
      startedAt: ago(hoursAgo),
      source: null,
    };
    await publish((t) =>
      t.publish(calls.callEnded, {
        ...started,
        status: outcome === 1 ? 12 : outcome === 2 ? 8 : 4,
        outcome,
        because: '',
        endedAt: ago(hoursAgo),
        durationSeconds: 20,
        ringSeconds: 5,
        talkSeconds: outcome === 1 ? 15 : 0,
        answeredBy: null,
        extensionLabel: null,
        recordingFileId: null,
        alertEmails: [],
      }),
    );
    await app.drainJobs();
    return started;
  };
  const voicemail = async (party: string, hoursAgo: number) => {
    const left = await call(party, hoursAgo, 3);
    await publish((t) =>
      t.publish(calls.voicemailReceived, {
        ...left,
        voicemailId: nextId++,
        durationSeconds: 12,
        fileId: 77,
        receivedAt: left.startedAt,
        alertEmails: [],
      }),
    );
    await app.drainJobs();
  };
  return { company, owner, number, call, voicemail, ago };
}

const waiting = async (who: TestPerson) =>
  (await app.as(who).request(analytics.getWaiting, { query: { company_id: who.companyId } })).body
    .data;
/** What the screens behind the figures list: totals, and whose rows. */
async function listed(who: TestPerson) {
  const activity = async (kind: 'call' | 'voicemail', field: 'callback_due' | 'unread') => {
    const { body } = await app.as(who).request(conversations.listActivity, {
      body: {
        companyId: who.companyId,
        types: [kind],
        groups: [[{ field, op: 'eq', value: true }]],
      },
    });
    return { total: body.meta.total, parties: body.data.map((r) => r.recipient) };
  };
  return {
    unread: (await inbox.list(who, { isArchived: false, isUnread: true })).meta.total,
    missed: await activity('call', 'callback_due'),
    voicemails: await activity('voicemail', 'unread'),
  };
}

test('each figure counts the rows of the list it leads to, and none of another company', async () => {
  const [o, other] = [await createOffice(), await createOffice()];
  await other.call(uniquePhone(), 2, 2);
  await inbox.text(uniquePhone(), other.number.number, 'for someone else');
  expect(await waiting(o.owner)).toMatchObject({
    unread: { total: 0 },
    missed: { total: 0 },
    voicemails: { total: 0 },
    longest_wait: null,
  });
  const [missed, heard] = [uniquePhone(), uniquePhone()];
  await o.call(missed, 5, 2);
  await o.voicemail(heard, 3);
  await inbox.text(uniquePhone(), o.number.number, 'hello', {
    at: app.clock.value.getTime() - HOUR,
  });
  const figures = await waiting(o.owner);
  const lists = await listed(o.owner);
  expect(lists).toEqual({
    unread: 3,
    missed: { total: 1, parties: [missed] },
    voicemails: { total: 1, parties: [heard] },
  });
  expect(figures).toMatchObject({
    unread: { total: lists.unread, total_is_capped: false },
    missed: { total: lists.missed.total },
    voicemails: { total: lists.voicemails.total },
    longest_wait: { kind: 'call', recipient: missed, createdAt: o.ago(5) },
  });
  expect((await waiting(other.owner)).missed).toEqual({ total: 1, total_is_capped: false });
});

test('a missed call waits until someone calls or texts back, or answers the next call', async () => {
  const o = await createOffice();
  const parties = Array.from({ length: 8 }, uniquePhone);
  const [called, texted, rang, automatic, archived, cold, twice, before] = parties as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  for (const party of [called, texted, rang, automatic, archived]) await o.call(party, 4, 2);
  await o.call(cold, callbackDays * 24 + 1, 2);
  await o.call(twice, 4, 2);
  await o.call(twice, 3, 2);
  await o.call(before, 6, 1, { outbound: true });
  await o.call(before, 4, 2);
  await o.call('anonymous', 4, 2);
  expect((await waiting(o.owner)).missed?.total).toBe(8);

  await o.call(called, 2, 2, { outbound: true });
  await inbox.send(o.owner, { numberId: o.number.id, to: texted, message: 'Sorry we missed you' });
  await o.call(rang, 2, 1);
  await inbox.text(automatic, o.number.number, 'START');
  const list = (await inbox.list(o.owner, { perPage: 25 })).data;
  await app.as(o.owner).request(conversations.archiveConversation, {
    params: {
      companyId: o.company.id,
      id: list.find((c) => c.recipient === archived)!.id,
    },
  } as never);
  await app.drainJobs();
  const { missed } = await listed(o.owner);
  expect(missed.total).toBe(4);
  expect(missed.parties.toSorted()).toEqual([twice, twice, before, automatic].toSorted());
  expect((await waiting(o.owner)).missed?.total).toBe(4);
});

test('automatic texts and campaigns answer no one; the latest leaves out what campaigns sent', async () => {
  const o = await createOffice();
  const caller = uniquePhone();
  await o.call(caller, 4, 2);
  await inbox.inCompany(o.company.id).transaction(async (t) => {
    await appendCampaignMessages(t, {
      numberId: o.number.id,
      carrier: 'sandbox',
      actor: { id: o.owner.id, name: 'Olive Owner' },
      skipInbox: false,
      texts: [
        {
          party: caller,
          content: 'Time for your check-up',
          media: [],
          at: new Date(o.ago(2)),
          state: 'delivered',
          code: null,
          reason: null,
          source: 'campaign:1',
        },
      ],
    });
    await queueText(t, {
      numberId: o.number.id,
      party: caller,
      content: 'Sorry we missed your call.',
      media: [],
      automatic: 'text_back',
    });
  });
  expect((await waiting(o.owner)).missed?.total).toBe(1);
  const latest = await app.as(o.owner).request(conversations.listActivity, {
    body: {
      companyId: o.company.id,
      groups: [[{ field: 'campaign', op: 'eq', value: false }]],
    },
  });
  expect(latest.body.data.map((r) => (r.details as { content?: string }).content)).toEqual([
    'Sorry we missed your call.',
    undefined,
  ]);
});

test('figures depend on roles and on visible numbers', async () => {
  const o = await createOffice();
  const second = await inbox.number(o.company.id);
  await o.call(uniquePhone(), 2, 2);
  const theirs = uniquePhone();
  await o.call(theirs, 1, 2, { numberId: second.id });
  const limited = await app.createPerson(o.company.id, 'user', [second.id]);
  expect(await waiting(limited)).toMatchObject({
    unread: { total: 1 },
    missed: { total: 1 },
    longest_wait: { recipient: theirs },
  });
  const reporting = await app.createPerson(o.company.id, 'reporting');
  expect(await waiting(reporting)).toMatchObject({ unread: null, missed: { total: 2 } });
  const billing = await app.createPerson(o.company.id, 'billing');
  expect(
    (
      await app
        .as(billing)
        .inject({ method: 'GET', url: `/api/analytics/waiting?company_id=${o.company.id}` })
    ).status,
  ).toBe(403);
});
