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
  team,
  tracking,
  triggers,
} from '#contract';
import { writeWav, type Wav } from '../server/src/platform/audio/wav.ts';
import { takeSnapshot } from '../server/test/support/snapshot.ts';
import { createCallHarness, createTestNumber } from '../server/test/support/call-harness.ts';
import { returnToCarrier } from '../server/src/modules/numbers/remove-number.ts';
import { uniquePhone, inboxHelpers } from '../server/test/support/inbox.ts';
import { externalOnlyEndpoints, newestIds, readsOf } from './cache-consistency/writes.ts';
import { createComparison } from './cache-consistency/compare.ts';
import { recordTablesRead } from './cache-consistency/tables-read.ts';
import { createClientReplica } from './cache-consistency/client-replica.ts';

/**
 * Cache consistency for external causes: texts, calls, jobs. Two users hold every response of the
 * contract they may read; something happens; the client's own code applies the events that the
 * server sends to each; then everything that may have changed is read again and must be equal,
 * unless an event invalidated it.
 */
const line = await createCallHarness({ clock: 'real' });
const { world: app } = line;
const inbox = inboxHelpers(app);
const { company, owner } = await app.createCompany('Consistent');
const limited = await app.createPerson(company.id, 'user');
// Long enough for a slow machine to read everything.
const a = await createTestNumber(app, company.id, {
  record: true,
  transcribe: true,
  routes: [{ type: 'in-app-calling', to: [owner, limited], timeout: 600 }],
});
const b = await createTestNumber(app, company.id, {
  routes: [{ type: 'standard', to: ['+12125550190'] }],
});
await app.services.db.systemTransaction((tx) =>
  tx
    .updateTable('membership')
    .set({ number_ids: [a.id] })
    .where('user_id', '=', limited.id)
    .execute(),
);
// Calls to a pool's number are matched to visits.
const pooled = await app.as(owner).request(tracking.createPool, {
  params: { companyId: company.id },
  body: { name: 'Website', numberIds: [a.id], domains: ['consistent.example'] },
});
expect(pooled.status).toBe(201);
for (const person of [owner, limited]) await line.open(person);
const listen = await recordTablesRead(app.services.settings.databaseUrl!);
const snapshot = await takeSnapshot(app.services.settings.databaseUrl!);
afterAll(() => snapshot.close());
const replicas = [
  await createClientReplica(app, listen, owner, 'owner'),
  await createClientReplica(app, listen, limited, 'user', [a.id]),
];
const { happens, heard, touchedSince } = createComparison(app, snapshot, replicas);

/** Something happens while both users hold every response. */
let seenUpTo = 0;
async function expectConsistent(act: () => Promise<unknown>, afterSeconds = 0.2): Promise<void> {
  app.clock.advance(afterSeconds);
  if (afterSeconds > 60) for (const w of replicas) w.clearKnown();
  // Their apps send heartbeats like open apps, so that presence doesn't expire while a slow machine
  // reads.
  await there();
  const reads = readsOf(await newestIds(app, company.id, owner.id));
  const touched = await touchedSince(seenUpTo);
  seenUpTo = await snapshot.mark();
  for (const w of replicas) await w.loadScreens(reads, touched);
  await happens(act, reads);
}

const text = (to: { number: string }, said: string, from = '+12125550147') =>
  inbox.text(from, to.number, said);
const conversation = async (body: Record<string, unknown>) => {
  const { conversation: newest } = await newestIds(app, company.id, owner.id);
  return app.as(owner).request(conversations.bulkUpdateConversations, {
    params: { companyId: company.id },
    body: { ids: [Number(newest)], ...body } as never,
  });
};

const threeDaysLater = 'three days later it is gone';
/** External causes, and cases that a single example doesn't show. */
const scenarios: Record<string, () => Promise<unknown>> = {
  'an unknown number texts': () => text(a, 'about the crown'),
  'the same number texts again': () => text(a, 'hello?'),
  'another texts the other number': () => text(b, 'is this sales?', '+12125550148'),
  'we answer and it is delivered': async () => {
    await inbox.send(owner, {
      conversationId: (await inbox.list(owner)).data[0]!.id,
      message: 'Noon is fine.',
    });
  },
  'the number opts out': () => text(a, 'STOP'),
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
    app.clock.advance(30);
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
    app.clock.advance(9);
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
    const { conversation: newest } = await newestIds(app, company.id, owner.id);
    await app.as(owner).request(team.assignConversations, {
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
  'a deleted contact texts again': () => text(a, 'me again', uniquePhone()),
  'a number gets a name': () =>
    app.as(owner).request(routing.updateNumber, { params: { id: b.id }, body: { label: 'Sales' } }),
  'a number is given back': () =>
    app.as(owner).request(numbers.removeNumber, { params: { id: b.id }, body: {} }),
  'and kept after all': () =>
    app.as(owner).request(numbers.removeNumber, { params: { id: b.id }, body: { undo: true } }),
  'and given back again': () =>
    app.as(owner).request(numbers.removeNumber, { params: { id: b.id }, body: {} }),
  [threeDaysLater]: async () => {
    await returnToCarrier(inbox.inCompany(company.id), { numberId: b.id });
  },
  'many numbers are bought': async () => {
    await app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('number_limit')
        .values({ company_id: company.id, max_numbers: 49 })
        .onConflict((c) => c.column('company_id').doUpdateSet({ max_numbers: 49 }))
        .execute(),
    );
    const found = (
      await app.as(owner).request(numbers.locateNumbers, {
        body: { category: 2, areaCode: '415', limit: 22 },
      })
    ).body.data;
    await app
      .as(owner)
      .request(numbers.buyNumbers, { body: { numbers: found.map((f) => f.number) } });
  },
  'a keyword is set': () =>
    app.as(owner).request(triggers.updateTriggers, {
      params: { id: a.id },
      body: {
        remove: [],
        upsert: [{ keyword: 'JOIN', reply_text: 'You are in.', notify_user_ids: [owner.id] }],
      },
    }),
  'and texted': () => text(a, 'JOIN', uniquePhone()),
  'many numbers change at once': () =>
    app.as(owner).request(numbers.updateNumbersInBulk, {
      body: { ids: [a.id], patch: { label: 'Many' } },
    }),
  'a list of contacts is brought': async () => {
    const payload =
      '--line\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\nContent-Type: text/csv\r\n\r\nname,number,email,groups,unsubscribed\nAda Reed,2125550147,ada@example.com,Regulars,\nBo,2125550171,,Regulars,yes\nCy,nobody,,,\n\r\n--line--\r\n';
    const read = (await app.as(owner).inject({
      method: 'POST',
      url: `/api/companies/${company.id}/contacts/imports`,
      payload,
      headers: { 'content-type': 'multipart/form-data; boundary=line' },
    })) as { body: { data: { id: number } } };
    importId = read.body.data.id;
    expect(
      (
        await app.as(owner).request(importing.startContactImport, {
          params: { companyId: company.id, importId },
          body: {},
        })
      ).status,
    ).toBe(202);
  },
  'and taken back': async () => {
    expect(
      (
        await app
          .as(owner)
          .request(importing.undoContactImport, { params: { companyId: company.id, importId } })
      ).status,
    ).toBe(202);
  },
  'a campaign goes out': async () => {
    const group = await app.as(owner).request(groups.createGroup, {
      body: { companyId: company.id, name: 'Called lately' },
    });
    await app.services.db.transaction({ companyId: company.id }, async (tx) => {
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
    const { body } = await app.as(owner).request(campaigns.createCampaign, {
      body: {
        company_id: company.id,
        title: 'Whitening week',
        text: 'Hi {{first_name}}',
        groups: [group.body.data.id],
        number_id: a.id,
        state: 'queued',
      },
    });
    expect(body).toMatchObject({ data: { state: 'queued' } });
    const now = async () => {
      await app.drainJobs();
      return app.services.db.transaction({ companyId: company.id }, (tx) =>
        tx
          .selectFrom('campaign')
          .select(['state', 'delivered_count', 'publish_due'])
          .where('id', '=', body.data.id)
          .executeTakeFirstOrThrow(),
      );
    };
    await expect
      .poll(now, { timeout: 30_000 })
      .toMatchObject({ state: 'sent', delivered_count: 2, publish_due: null });
  },
  'and is answered': async () => {
    await text(a, 'Yes please', '+12125550149');
    await app.drainJobs();
    await expect
      .poll(
        async () => {
          await app.drainJobs();
          return (
            await app.services.db.unscoped
              .selectFrom('campaign')
              .select('publish_due')
              .where('company_id', '=', company.id)
              .where('publish_due', 'is not', null)
              .execute()
          ).length;
        },
        { timeout: 30_000 },
      )
      .toBe(0);
  },
  'a number is blocked by hand': () =>
    app.as(owner).request(compliance.addBlock, {
      body: { company_id: company.id, target: '+12125550147', number_id: null },
    }),
};
let importId = 0;
let call: ReturnType<typeof line.aCall> | null = null;
/** Both users have their apps open. */
const there = async () => {
  for (const person of [owner, limited])
    await app
      .as(person)
      .request(calls.beatCalling, { body: { device: 'app-1', company_id: company.id } });
};
/** The carrier has the recording; its bytes come from our own server. */
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
    await app.drainJobs();
  } finally {
    shelf.close();
  }
}

test.each(Object.entries(scenarios))('%s', async (name, act) => {
  await expectConsistent(act, name === threeDaysLater ? 73 * 3600 : 0.2);
});

test('every event with an external cause was received', () => {
  expect(externalOnlyEndpoints.filter((name) => !heard.has(name))).toEqual([]);
});
