import { describe, expect, test } from 'vitest';
import { calls, compliance, conversations as contract } from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
let callId = 500;

async function aLine() {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const say = (work: Parameters<ReturnType<typeof inbox.inCompany>['transaction']>[0]) =>
    inbox.inCompany(company.id).transaction(work);
  const one = (phone: string, outbound = false) => ({
    callId: callId++,
    numberId: number.id,
    party: phone,
    outbound,
    contactId: null,
    startedAt: app.clock.value.toISOString(),
    source: null,
  });
  const ended = (call: ReturnType<typeof one>, status: number, outcome: number, seconds = 30) => ({
    ...call,
    status,
    outcome,
    because: '',
    endedAt: app.clock.value.toISOString(),
    durationSeconds: seconds,
    ringSeconds: 5,
    talkSeconds: 25,
    answeredBy:
      outcome === 1
        ? { type: 'app' as const, id: owner.id, label: 'Olive Owner', number: null }
        : null,
    extensionLabel: null,
    recordingFileId: null,
    alertEmails: [],
  });
  return {
    company,
    owner,
    number,
    say,
    one,
    ended,
    first: async () => (await inbox.list(owner)).data[0],
  };
}

describe('calls in the inbox', () => {
  test('an answered call is read, a missed one is unread, and each is published once', async () => {
    const l = await aLine();
    const [answered, missed] = [l.one(uniquePhone()), l.one(uniquePhone())];
    for (const [call, status, outcome] of [
      [answered, 12, 1],
      [missed, 8, 2],
    ] as const) {
      await l.say((t) => t.publish(calls.callStarted, call));
      await app.drainJobs();
      expect((await l.first())?.latestItem).toMatchObject({ type: 'call', details: { status: 1 } });
      for (let twice = 0; twice < 2; twice++)
        await l.say((t) => t.publish(calls.callEnded, l.ended(call, status, outcome)));
      await app.drainJobs();
    }
    const list = (await inbox.list(l.owner)).data;
    expect(
      list.map((c) => [
        c.recipient,
        c.unread.calls,
        (c.latestItem?.details as { outcome: number } | undefined)?.outcome,
      ]),
    ).toEqual([
      [missed.party, 1, 2],
      [answered.party, 0, 1],
    ]);
    const items = await inbox.items(l.owner, list[1]!.id);
    expect(items).toMatchObject([
      {
        kind: 'call',
        isInbound: true,
        details: { callId: answered.callId, status: 12, duration: 30, answeredBy: 'Olive Owner' },
      },
    ]);
    expect(
      (
        await app.as(l.owner).request(contract.listActivity, {
          body: { companyId: l.company.id, call: true },
        })
      ).body.data.map((r) => r.recipient),
    ).toEqual([missed.party, answered.party]);
  });

  test('a voicemail is unread instead of its call, and its transcript can be searched', async () => {
    const l = await aLine();
    const call = l.one(uniquePhone());
    const voicemail = {
      ...call,
      voicemailId: 9,
      durationSeconds: 12,
      fileId: 77,
      receivedAt: new Date(app.clock.value.getTime() + 10_000).toISOString(),
      alertEmails: [],
    };
    await l.say(async (t) => {
      await t.publish(calls.callStarted, call);
      await t.publish(calls.callEnded, l.ended(call, 4, 3));
      await t.publish(calls.voicemailReceived, voicemail);
    });
    await app.drainJobs();
    expect(await l.first()).toMatchObject({
      unread: { calls: 0, voicemails: 1 },
      numUnreadItems: 1,
      latestItem: { type: 'voicemail' },
    });
    await l.say((t) =>
      t.publish(calls.transcriptionReady, {
        callId: call.callId,
        numberId: l.number.id,
        voicemailId: 9,
        state: 'ready',
        text: 'please call me about the crown',
      }),
    );
    await app.drainJobs();
    const [found] = (await inbox.list(l.owner, { search: 'the crown' })).data;
    const [item] = await inbox.items(l.owner, found!.id, { types: ['voicemail'] });
    expect(item).toMatchObject({
      kind: 'voicemail',
      details: {
        transcription: 'please call me about the crown',
        transcriptionState: 'ready',
        duration: 12,
      },
    });
    expect(item?.kind === 'voicemail' && item.details.url).toContain('/api/files/77');
  });

  test('a blocked caller stays out of the inbox; an outbound call is read', async () => {
    const l = await aLine();
    const [pest, friend] = [uniquePhone(), uniquePhone()];
    await app
      .as(l.owner)
      .request(compliance.addBlock, { body: { company_id: l.company.id, target: pest } });
    const [kept, placed] = [l.one(pest), l.one(friend, true)];
    await l.say(async (t) => {
      await t.publish(calls.callStarted, kept);
      await t.publish(calls.callEnded, l.ended(kept, 13, 4));
      await t.publish(calls.callStarted, placed);
      await t.publish(calls.callEnded, l.ended(placed, 8, 2));
    });
    await app.drainJobs();
    expect((await inbox.list(l.owner)).data.map((c) => [c.recipient, c.numUnreadItems])).toEqual([
      [friend, 0],
    ]);
    expect((await inbox.list(l.owner, { isArchived: 1 })).data.map((c) => c.recipient)).toEqual([
      pest,
    ]);
  });

  test('callers without a number share one conversation per number of ours, which can’t be texted', async () => {
    const l = await aLine();
    for (let i = 0; i < 2; i++) {
      const call = l.one('anonymous');
      await l.say(async (t) => {
        await t.publish(calls.callStarted, call);
        await t.publish(calls.callEnded, l.ended(call, 10, 2));
      });
    }
    await app.drainJobs();
    const { data } = await inbox.list(l.owner);
    expect(data).toMatchObject([
      { recipient: 'anonymous', contact: null, numUnreadItems: 2, whyNotText: 'anonymous' },
    ]);
    const sent = await inbox.send(l.owner, { conversationId: data[0]!.id, message: 'Hello?' });
    expect(sent).toMatchObject({ status: 422, body: { code: 'contact.anonymous' } });
  });
});

test('a recording has its own length, whether it is ready before or after the call’s end', async () => {
  const l = await aLine();
  for (const isEarly of [true, false]) {
    const party = uniquePhone();
    const call = l.one(party);
    const ready = { callId: call.callId, numberId: l.number.id, fileId: 77, durationSeconds: 20 };
    await l.say((t) => t.publish(calls.callStarted, call));
    await app.drainJobs();
    if (isEarly) await l.say((t) => t.publish(calls.recordingReady, ready));
    await app.drainJobs();
    await l.say(async (t) => {
      await t.publish(calls.callEnded, l.ended(call, 12, 1, 33));
      if (!isEarly) await t.publish(calls.recordingReady, ready);
    });
    await app.drainJobs();
    const { body } = await app.as(l.owner).request(contract.listActivity, {
      body: { companyId: l.company.id, groups: [[{ field: 'party', value: party }]] },
    });
    expect(body.data.map((row) => row.details)).toMatchObject([
      { duration: 33, recordingSeconds: 20 },
    ]);
  }
});

describe('activity', () => {
  test('any group of filters, all filters within a group; days are the company’s days', async () => {
    const l = await aLine();
    const [a, b] = [uniquePhone(), uniquePhone()];
    await inbox.text(a, l.number.number, 'a question');
    await inbox.text(b, l.number.number, 'another thing');
    await inbox.send(l.owner, { numberId: l.number.id, to: a, message: 'an answer' });
    const call = l.one(b);
    await l.say(async (t) => {
      await t.publish(calls.callStarted, call);
      await t.publish(calls.callEnded, l.ended(call, 12, 1, 95));
    });
    await app.drainJobs();
    const ask = async (body: Record<string, unknown>) =>
      (
        await app
          .as(l.owner)
          .request(contract.listActivity, { body: { companyId: l.company.id, ...body } })
      ).body;
    const texts = (rows: { kind: string; details: unknown }[]) =>
      rows
        .map((r) => (r.kind === 'message' ? (r.details as { content: string }).content : r.kind))
        .sort();
    const all = await ask({});
    expect([all.meta.per_page, all.meta.total, texts(all.data)]).toEqual([
      10,
      4,
      ['a question', 'an answer', 'another thing', 'call'],
    ]);
    expect(texts((await ask({ message: 1 })).data)).toEqual([
      'a question',
      'an answer',
      'another thing',
    ]);
    expect(
      texts(
        (
          await ask({
            groups: [
              [{ field: 'direction', value: 'outbound' }],
              {
                filters: [
                  { field: 'party', value: b },
                  { field: 'text', op: 'contains', value: 'thing' },
                ],
              },
            ],
          })
        ).data,
      ),
    ).toEqual(['an answer', 'another thing']);
    expect(
      texts((await ask({ groups: [[{ field: 'duration', op: 'gte', value: 90 }]] })).data),
    ).toEqual(['call']);
    expect(
      texts(
        (
          await ask({
            groups: [
              [
                { field: 'unread', value: true },
                { field: 'has_media', value: false },
              ],
            ],
          })
        ).data,
      ),
    ).toEqual(['a question', 'another thing']);
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(
      app.clock.value,
    );
    expect(
      (await ask({ tz: 'Pacific/Kiritimati', groups: [[{ field: 'at', op: 'eq', value: day }]] }))
        .meta.total,
    ).toBe(4);
    expect(
      (
        await ask({
          tz: 'Pacific/Kiritimati',
          groups: [[{ field: 'at', op: 'lte', value: '2020-01-01' }]],
        })
      ).meta.total,
    ).toBe(0);
    expect(
      (
        await app.as(l.owner).request(contract.listActivity, {
          body: { companyId: l.company.id, tz: 'Mars/Olympus' },
        })
      ).status,
    ).toBe(422);
  });

  test('reporting sees calls and voicemails, never messages', async () => {
    const l = await aLine();
    await inbox.text(uniquePhone(), l.number.number, 'private');
    const call = l.one(uniquePhone());
    await l.say(async (t) => {
      await t.publish(calls.callStarted, call);
      await t.publish(calls.callEnded, l.ended(call, 12, 1));
    });
    await app.drainJobs();
    const reporter = await app.createPerson(l.company.id, 'reporting');
    const { body } = await app
      .as(reporter)
      .request(contract.listActivity, { body: { companyId: l.company.id } });
    expect(body.data.map((r) => r.kind)).toEqual(['call']);
    const clerk = await app.createPerson(l.company.id, 'billing');
    expect(
      (await app.as(clerk).request(contract.listActivity, { body: { companyId: l.company.id } }))
        .status,
    ).toBe(403);
    expect(
      (
        await app
          .as(reporter)
          .request(contract.listConversations, { params: { companyId: l.company.id } })
      ).status,
    ).toBe(403);
  });
});

test('looking up a number’s owner fails with “not configured” until a provider is connected', async () => {
  const l = await aLine();
  await inbox.text(uniquePhone(), l.number.number, 'Hi');
  const [item] = await inbox.items(l.owner, (await l.first())!.id);
  const answer = await app.as(l.owner).request(contract.lookUpSender, { params: { id: item!.id } });
  expect(answer).toMatchObject({ status: 409, body: { code: 'lookup.not_configured' } });
});
