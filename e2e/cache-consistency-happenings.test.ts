import { afterAll, expect, test } from 'vitest';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  calls,
  campaigns,
  compliance,
  conversations,
  groups,
  importing,
  numbers,
  routing,
  teamwork,
  triggers,
} from '#contract';
import { writeWav, type Wav } from '../server/src/platform/audio/wav.ts';
import { takeSnapshot } from '../server/test/snapshot.ts';
import { aLineWorld, aNumber } from '../server/src/modules/calls/a-line.ts';
import { giveBackNumber } from '../server/src/modules/numbers/remove-number.ts';
import { aPhone, inboxOf } from '../server/src/modules/conversations/test-inbox.ts';
import { fromOutside, newestOf, readsOf } from './cache-consistency/acts.ts';
import { comparing } from './cache-consistency/compare.ts';
import { listenForTables } from './cache-consistency/tables-read.ts';
import { aWitness } from './cache-consistency/witness.ts';

/**
 * Cache consistency, what comes from outside: texts, calls, jobs. Two people hold every answer of the contract they may read;
 * something happens; the events the server sends each of them are taken in by the client's own code; then what it can have
 * touched is read again and must be the same, unless the news itself said to read it again.
 */
const line = await aLineWorld({ clock: 'real' });
const { world } = line;
const inbox = inboxOf(world);
const { company, owner } = await world.company('Consistent');
const limited = await world.person(company.id, 'user');
// It rings as long as a slow machine takes to read everything.
const a = await aNumber(world, company.id, {
  record: true,
  transcribe: true,
  routes: [{ type: 'in-app-calling', to: [owner, limited], timeout: 600 }],
});
const b = await aNumber(world, company.id, {
  routes: [{ type: 'standard', to: ['+12125550190'] }],
});
await world.house.db.system((tx) =>
  tx
    .updateTable('membership')
    .set({ number_ids: [a.id] })
    .where('user_id', '=', limited.id)
    .execute(),
);
for (const person of [owner, limited]) await line.open(person);
const listen = await listenForTables(world.house.settings.databaseUrl!);
const snapshot = await takeSnapshot(world.house.settings.databaseUrl!);
afterAll(() => snapshot.close());
const witnesses = [
  await aWitness(world, listen, owner, 'owner'),
  await aWitness(world, listen, limited, 'user', [a.id]),
];
const { happens, heard, touchedSince } = comparing(world, snapshot, witnesses);

/** Something happens while both look at everything. */
let seenUpTo = 0;
async function consistent(act: () => Promise<unknown>, afterSeconds = 0.2): Promise<void> {
  world.now.advance(afterSeconds);
  if (afterSeconds > 60) for (const w of witnesses) w.forgetAll();
  // Their apps beat as open apps do: nobody is gone by time alone, however long the reading takes here.
  await there();
  const reads = readsOf(await newestOf(world, company.id, owner.id));
  const touched = await touchedSince(seenUpTo);
  seenUpTo = await snapshot.mark();
  for (const w of witnesses) await w.look(reads, touched);
  await happens(act, reads);
}

const text = (to: { number: string }, said: string, from = '+12125550147') =>
  inbox.text(from, to.number, said);
const conversation = async (body: Record<string, unknown>) => {
  const { conversation: newest } = await newestOf(world, company.id, owner.id);
  return world.as(owner).ask(conversations.bulkUpdateConversations, {
    params: { companyId: company.id },
    body: { ids: [Number(newest)], ...body } as never,
  });
};

const threeDaysLater = 'three days later it is gone';
/** What comes from outside, and what no single example shows. */
const happenings: Record<string, () => Promise<unknown>> = {
  'a stranger texts': () => text(a, 'about the crown'),
  'the same stranger texts again': () => text(a, 'hello?'),
  'another texts the other number': () => text(b, 'is this sales?', '+12125550148'),
  'we answer and it is delivered': async () => {
    await inbox.send(owner, {
      conversationId: (await inbox.list(owner)).data[0]!.id,
      message: 'Noon is fine.',
    });
  },
  'the stranger opts out': () => text(a, 'STOP'),
  'and in again': () => text(a, 'START'),
  'a call rings': async () => {
    await there();
    call = line.aCall(a.number);
    await call.tell(call.inbound);
  },
  'one answers': async () => {
    await call!.says(line.ringing(call!, owner), { type: 'legAnswered' });
    await call!.says(line.ringing(call!, limited), { type: 'legEnded', cause: 'cancelled' });
  },
  'they hang up': async () => {
    world.now.advance(30);
    await call!.says(call!.leg, { type: 'legEnded', cause: 'hangup' });
    await call!.says(line.ringing(call!, owner), { type: 'legEnded', cause: 'hangup' });
  },
  'what was said comes later': () =>
    recorded(line.commands(call!, 'startRecording').at(-1)!.recordingId, 2),
  'another call finds nobody': async () => {
    await there();
    call = line.aCall(a.number, '+12125550149');
    await call.tell(call.inbound);
    for (const person of [owner, limited])
      await call.says(line.ringing(call, person), { type: 'legEnded', cause: 'declined' });
    await call.says(call.leg, {
      type: 'promptEnded',
      commandId: line.commands(call, 'play').at(-1)!.id,
      reason: 'done',
      digits: '',
    });
    world.now.advance(9);
    await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  },
  'and leaves a message': () => recorded(line.commands(call!, 'record').at(-1)!.recordingId, 1),
  'a third gives up': async () => {
    await there();
    call = line.aCall(a.number, '+12125550149');
    await call.tell(call.inbound);
    await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
    for (const person of [owner, limited])
      await call.says(line.ringing(call, person), { type: 'legEnded', cause: 'cancelled' });
  },
  'a colleague is given a conversation': async () => {
    const { conversation: newest } = await newestOf(world, company.id, owner.id);
    await world.as(owner).ask(teamwork.assignConversations, {
      params: { companyId: company.id },
      body: { ids: [Number(newest)], userId: limited.id },
    });
  },
  ...Object.fromEntries(
    ['archive', 'restore', 'unread', 'read', 'block', 'unblock', 'delete'].map((type) => [
      `many are told to ${type}`,
      () => conversation({ type }),
    ]),
  ),
  'a stranger comes back after being deleted': () => text(a, 'me again', aPhone()),
  'a number gets a name': () =>
    world
      .as(owner)
      .ask(routing.updateNumber, { params: { id: b.id }, body: { label: 'Sales' } as never }),
  'a number is given back': () =>
    world.as(owner).ask(numbers.removeNumber, { params: { id: b.id }, body: {} as never }),
  'and kept after all': () =>
    world
      .as(owner)
      .ask(numbers.removeNumber, { params: { id: b.id }, body: { undo: true } as never }),
  'and given back again': () =>
    world.as(owner).ask(numbers.removeNumber, { params: { id: b.id }, body: {} as never }),
  [threeDaysLater]: async () => {
    await giveBackNumber(inbox.inCompany(company.id), { numberId: b.id });
  },
  'many numbers are bought': async () => {
    await world.house.db.system((tx) =>
      tx
        .insertInto('number_limit')
        .values({ company_id: company.id, max_numbers: 49 })
        .onConflict((c) => c.column('company_id').doUpdateSet({ max_numbers: 49 }))
        .execute(),
    );
    const found = (
      await world
        .as(owner)
        .ask(numbers.locateNumbers, { body: { category: 2, areaCode: '415', limit: 22 } as never })
    ).body.data;
    await world
      .as(owner)
      .ask(numbers.buyNumbers, { body: { numbers: found.map((f) => f.number) } as never });
  },
  'a keyword is set': () =>
    world.as(owner).ask(triggers.updateTriggers, {
      params: { id: a.id },
      body: {
        remove: [],
        upsert: [{ keyword: 'JOIN', reply_text: 'You are in.', notify_user_ids: [owner.id] }],
      } as never,
    }),
  'and texted': () => text(a, 'JOIN', aPhone()),
  'many numbers change at once': () =>
    world.as(owner).ask(numbers.updateNumbersInBulk, {
      body: { ids: [a.id], patch: { label: 'Many' } } as never,
    }),
  'a list of contacts is brought': async () => {
    const payload =
      '--line\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\nContent-Type: text/csv\r\n\r\nname,number,email,groups,unsubscribed\nAda Reed,2125550147,ada@example.com,Regulars,\nBo,2125550171,,Regulars,yes\nCy,nobody,,,\n\r\n--line--\r\n';
    const read = (await world.as(owner).raw({
      method: 'POST',
      url: `/api/companies/${company.id}/contacts/imports`,
      payload,
      headers: { 'content-type': 'multipart/form-data; boundary=line' },
    })) as { body: { data: { id: number } } };
    importId = read.body.data.id;
    expect(
      (
        await world.as(owner).ask(importing.startContactImport, {
          params: { companyId: company.id, importId },
          body: {} as never,
        })
      ).status,
    ).toBe(202);
  },
  'and taken back': async () => {
    expect(
      (
        await world
          .as(owner)
          .ask(importing.undoContactImport, { params: { companyId: company.id, importId } })
      ).status,
    ).toBe(202);
  },
  'a campaign goes out': async () => {
    const group = await world
      .as(owner)
      .ask(groups.createGroup, { body: { companyId: company.id, name: 'Called lately' } as never });
    await world.house.db.within({ companyId: company.id }, async (tx) => {
      await tx
        .updateTable('company')
        .set({
          settings: JSON.stringify({
            quiet_hours: { start: '00:00', end: '00:00', mode: 'recipient' },
            texting_requires_verification: false,
          }),
        })
        .where('id', '=', company.id)
        .execute();
      const made = await tx
        .selectFrom('contact')
        .select('id')
        .where('number', 'in', ['+12125550147', '+12125550149'])
        .where('deleted_at', 'is', null)
        .execute();
      await tx
        .insertInto('contact_group_member')
        .values(
          made.map((c) => ({
            company_id: company.id,
            group_id: group.body.data.id,
            contact_id: c.id,
          })),
        )
        .execute();
    });
    const { body } = await world.as(owner).ask(campaigns.createCampaign, {
      body: {
        company_id: company.id,
        title: 'Whitening week',
        text: 'Hi {{first_name}}',
        groups: [group.body.data.id],
        number_id: a.id,
        state: 'queued',
      } as never,
    });
    expect(body).toMatchObject({ data: { state: 'queued' } });
    const now = async () => {
      await world.settle();
      return world.house.db.within({ companyId: company.id }, (tx) =>
        tx
          .selectFrom('campaign')
          .select(['state', 'delivered_count', 'tell_due'])
          .where('id', '=', body.data.id)
          .executeTakeFirstOrThrow(),
      );
    };
    await expect
      .poll(now, { timeout: 30_000 })
      .toMatchObject({ state: 'sent', delivered_count: 2, tell_due: null });
  },
  'and is answered': async () => {
    await text(a, 'Yes please', '+12125550149');
    await world.settle();
    await expect
      .poll(
        async () => {
          await world.settle();
          return (
            await world.house.db.directory
              .selectFrom('campaign')
              .select('tell_due')
              .where('company_id', '=', company.id)
              .where('tell_due', 'is not', null)
              .execute()
          ).length;
        },
        { timeout: 30_000 },
      )
      .toBe(0);
  },
  'a number is blocked by hand': () =>
    world.as(owner).ask(compliance.addBlock, {
      body: { company_id: company.id, target: '+12125550147', number_id: null } as never,
    }),
};
let importId = 0;
let call: ReturnType<typeof line.aCall> | null = null;
/** Both have their apps open. */
const there = async () => {
  for (const person of [owner, limited])
    await world
      .as(person)
      .ask(calls.beatCalling, { body: { device: 'app-1', company_id: company.id } as never });
};
/** The carrier has the recording; its bytes are fetched from a shelf of ours. */
async function recorded(recordingId: string, channels: 1 | 2): Promise<void> {
  const bytes = writeWav({
    sampleRate: 8000,
    channels: Array.from({ length: channels }, () =>
      Int16Array.from({ length: 9 * 8000 }, (_, i) => Math.sin(i / 4) * 9000),
    ),
  } as Wav);
  const shelf = createServer((_, reply) =>
    reply.setHeader('content-type', 'audio/wav').end(bytes),
  ).listen(0, '127.0.0.1');
  await once(shelf, 'listening');
  try {
    await call!.says(call!.leg, {
      type: 'recordingReady',
      recordingId,
      url: `http://127.0.0.1:${(shelf.address() as AddressInfo).port}/`,
      contentType: 'audio/wav',
      durationMs: 9000,
      channels,
      speech: [{ leg: call!.leg, text: 'about the crown', startMs: 100 }],
    });
    await world.settle();
  } finally {
    shelf.close();
  }
}

test.each(Object.entries(happenings))('%s', async (name, act) => {
  await consistent(act, name === threeDaysLater ? 73 * 3600 : 0.2);
});

test('every event that comes from outside was heard', () => {
  expect(fromOutside.filter((name) => !heard.has(name))).toEqual([]);
});
