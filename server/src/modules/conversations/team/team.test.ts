import { describe, expect, test } from 'vitest';
import { conversations as inboxContract, team as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const code = (answer: { body: unknown }) => (answer.body as { code?: string }).code;
const inHours = (hours: number) =>
  new Date(app.clock.value.getTime() + hours * 3_600_000).toISOString();

async function aTeam() {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const [ann, ben] = [
    await app.createPerson(company.id, 'user'),
    await app.createPerson(company.id, 'user'),
  ];
  const text = async (words = 'Hello') => {
    const phone = uniquePhone();
    await inbox.text(phone, number.number, words);
    return { phone, id: (await inbox.list(owner)).data[0]!.id };
  };
  const assign = (who: TestPerson, ids: number[], userId: number | null, from?: number | null) =>
    app.as(who).request(contract.assignConversations, {
      params: { companyId: company.id },
      body: { ids, userId, ...(from === undefined ? {} : { from }) },
    });
  const snooze = (who: TestPerson, ids: number[], until: string | null) =>
    app.as(who).request(contract.snoozeConversations, {
      params: { companyId: company.id },
      body: { ids, until },
    });
  const ids = async (who: TestPerson, query: Record<string, unknown>) =>
    (await inbox.list(who, query)).data.map((c) => c.id);
  return { company, owner, number, ann, ben, text, assign, snooze, ids };
}

describe('assignment', () => {
  test('a conversation is assigned and unassigned; Mine, Unassigned and a user’s list show it', async () => {
    const team = await aTeam();
    const [a, b] = [await team.text(), await team.text()];
    expect((await team.assign(team.owner, [a.id, b.id], team.ann.id)).body.data).toEqual({
      updated: [a.id, b.id],
      unchanged: [],
      taken: [],
    });
    expect((await team.assign(team.owner, [a.id], team.ann.id)).body.data.unchanged).toEqual([
      a.id,
    ]);
    await team.assign(team.owner, [b.id], null);
    expect(await team.ids(team.ann, { isArchived: 0, assigned: 'me' })).toEqual([a.id]);
    expect(await team.ids(team.ann, { isArchived: 0, assigned: 'none' })).toEqual([b.id]);
    expect(await team.ids(team.owner, { assigned: team.ann.id })).toEqual([a.id]);
    expect(await team.ids(team.owner, { search: 'assigned:none' })).toEqual([b.id]);
    expect(
      (await inbox.list(team.owner, { assigned: team.ann.id })).data[0]?.assignee,
    ).toMatchObject({ id: team.ann.id });
  });

  test('of two users who assign it to themselves at once one wins, and the other gets the name', async () => {
    const team = await aTeam();
    const { id } = await team.text();
    const answers = await Promise.all([
      team.assign(team.ann, [id], team.ann.id, null),
      team.assign(team.ben, [id], team.ben.id, null),
    ]);
    const holder = (await inbox.list(team.owner)).data[0]!.assignee!.id;
    expect(answers.map((a) => a.body.data.updated.length).sort()).toEqual([0, 1]);
    const loser = answers.find((a) => a.body.data.updated.length === 0)!;
    expect(loser.body.data.taken).toMatchObject([{ id, by: { id: holder } }]);
  });

  test('is possible only to users who see its number', async () => {
    const team = await aTeam();
    const other = await inbox.number(team.company.id);
    const elsewhere = await app.createPerson(team.company.id, 'user', [other.id]);
    const billing = await app.createPerson(team.company.id, 'billing');
    const { id } = await team.text();
    for (const who of [elsewhere, billing])
      expect(code(await team.assign(team.owner, [id], who.id))).toBe('teammate.unknown');
    const names = (
      await app.as(team.owner).request(contract.listTeammates, {
        params: { companyId: team.company.id },
        query: { number_id: team.number.id },
      })
    ).body.data.map((p) => p.id);
    expect(names.sort()).toEqual([team.owner.id, team.ann.id, team.ben.id].sort());
    // A user without the number changes nothing.
    expect((await team.assign(elsewhere, [id], null)).body.data).toMatchObject({
      updated: [],
      unchanged: [id],
    });
  });
});

describe('snoozing', () => {
  test('a snoozed conversation is only in Snoozed, and returns on top when its time has come', async () => {
    const team = await aTeam();
    const [a, b] = [await team.text(), await team.text()];
    expect((await team.snooze(team.ann, [a.id], inHours(2))).body.data.updated).toEqual([a.id]);
    expect(await team.ids(team.owner, { isArchived: 0 })).toEqual([b.id]);
    expect(await team.ids(team.owner, { isArchived: 1 })).toEqual([]);
    expect(await team.ids(team.owner, { isSnoozed: 1 })).toEqual([a.id]);
    await app.drainJobs();
    expect(await team.ids(team.owner, { isArchived: 0 })).toEqual([b.id]);
    app.clock.advance(2 * 3600 + 1);
    const { endSnooze: wakeConversation } = await import('./snooze-conversations.ts');
    for (let twice = 0; twice < 2; twice++)
      await wakeConversation(inbox.inCompany(team.company.id), { conversationId: a.id });
    expect(await team.ids(team.owner, { isArchived: 0 })).toEqual([a.id, b.id]);
    const { rows } = await app.services.db.pool.query(
      `select data from outbox where company_id = $1 and event = 'conversation-updated' and data ->> 'reason' = 'woken'`,
      [team.company.id],
    );
    expect(
      rows.map(
        (r: { data: { conversation: { snoozedUntil: unknown } } }) =>
          r.data.conversation.snoozedUntil,
      ),
    ).toEqual([null]);
  });

  test('an inbound item returns it early, and its old time has no effect', async () => {
    const team = await aTeam();
    const a = await team.text();
    await team.snooze(team.ann, [a.id], inHours(1));
    await inbox.text(a.phone, team.number.number, 'Are you there?');
    expect((await inbox.list(team.owner, { isArchived: 0 })).data[0]).toMatchObject({
      id: a.id,
      snoozedUntil: null,
      isArchived: false,
    });
    await app.as(team.owner).request(inboxContract.archiveConversation, { params: { id: a.id } });
    app.clock.advance(3700);
    const { endSnooze: wakeConversation } = await import('./snooze-conversations.ts');
    await wakeConversation(inbox.inCompany(team.company.id), { conversationId: a.id });
    expect(await team.ids(team.owner, { isArchived: 1 })).toEqual([a.id]);
  });

  test('is possible for one minute to one year', async () => {
    const team = await aTeam();
    const { id } = await team.text();
    expect(code(await team.snooze(team.ann, [id], inHours(0.01)))).toBe('snooze.too_soon');
    expect(code(await team.snooze(team.ann, [id], inHours(366 * 24)))).toBe('snooze.too_late');
    expect((await team.snooze(team.ann, [id], null)).body.data.unchanged).toEqual([id]);
  });
});

describe('presence', () => {
  const tell = (who: TestPerson, id: number, state: 'viewing' | 'replying' | 'away') =>
    app.as(who).request(contract.tellPresence, {
      params: { companyId: who.companyId, id },
      body: { state },
    });
  const said = async (companyId: number) =>
    (
      await app.services.db.pool.query<{ state: string }>(
        `select data ->> 'state' state from outbox where company_id = $1 and event = 'conversation.presence' order by id`,
        [companyId],
      )
    ).rows.map((r) => r.state);

  test('colleagues see each other, one event per change; typing expires to viewing, viewing to nothing', async () => {
    const team = await aTeam();
    const { id } = await team.text();
    await tell(team.ann, id, 'viewing');
    await tell(team.ann, id, 'viewing');
    expect((await tell(team.ben, id, 'replying')).body.data).toMatchObject([
      { id: team.ann.id, state: 'viewing' },
    ]);
    const seenByAnn = async () =>
      (
        await app
          .as(team.ann)
          .request(contract.listPresence, { params: { companyId: team.company.id, id } })
      ).body.data.map((p) => [p.id, p.state]);
    expect(await seenByAnn()).toEqual([[team.ben.id, 'replying']]);
    app.clock.advance(11);
    expect(await seenByAnn()).toEqual([[team.ben.id, 'viewing']]);
    app.clock.advance(60);
    expect(await seenByAnn()).toEqual([]);
    await tell(team.ben, id, 'away');
    expect(await said(team.company.id)).toEqual(['viewing', 'replying', 'away']);
  });
});

describe('canned replies and views', () => {
  const add = (who: TestPerson, body: Record<string, unknown>) =>
    app.as(who).request(contract.addCannedReply, {
      body: {
        company_id: who.companyId,
        shortcut: 'hours',
        title: 'Hours',
        body: 'We open at 9.',
        ...body,
      },
    });
  test('private ones are the user’s; shared ones are everyone’s and changed by their author and administrators', async () => {
    const team = await aTeam();
    const own = (await add(team.ann, {})).body.data;
    const shared = (await add(team.ann, { shared: true })).body.data;
    expect(code(await add(team.ben, { shared: true }))).toBe('canned.exists');
    expect((await add(team.ben, {})).status).toBe(201);
    const seen = async (who: TestPerson) =>
      (
        await app
          .as(who)
          .request(contract.listCannedReplies, { query: { company_id: team.company.id } })
      ).body.data;
    expect((await seen(team.ben)).map((r) => [r.shared, r.mine])).toEqual(
      expect.arrayContaining([
        [true, false],
        [false, true],
      ]),
    );
    expect((await seen(team.ben)).some((r) => r.id === own.id)).toBe(false);
    const change = (who: TestPerson, id: number) =>
      app.as(who).request(contract.updateCannedReply, { params: { id }, body: { title: 'When' } });
    expect([
      (await change(team.ben, own.id)).status,
      code(await change(team.ben, shared.id)),
      (await change(team.owner, shared.id)).status,
    ]).toEqual([404, 'canned.not_yours', 200]);
    expect(
      (await app.as(team.owner).request(contract.removeCannedReply, { params: { id: shared.id } }))
        .status,
    ).toBe(204);
  });

  test('a view stores filters and order under a name, and counts what the requester sees', async () => {
    const team = await aTeam();
    const [a] = [await team.text(), await team.text()];
    await team.assign(team.owner, [a.id], team.ann.id);
    const made = await app.as(team.owner).request(contract.addInboxView, {
      body: {
        company_id: team.company.id,
        name: 'Waiting for me',
        shared: true,
        filters: {
          state: 'unread',
          assigned: 'me',
          types: [],
          numbers: [],
          search: '',
          dir: 'asc',
        },
      },
    });
    expect([made.status, made.body.data.count]).toEqual([201, 0]);
    const views = async (who: TestPerson) =>
      (
        await app
          .as(who)
          .request(contract.listInboxViews, { query: { company_id: team.company.id } })
      ).body;
    expect((await views(team.ann)).data.map((v) => [v.name, v.count, v.can_change])).toEqual([
      ['Waiting for me', 1, false],
    ]);
    expect((await views(team.ann)).meta.counts).toEqual({
      open: 2,
      mine: 1,
      unassigned: 1,
      unread: 2,
      snoozed: 0,
      opt_outs: 0,
    });
    expect(
      code(
        await app.as(team.owner).request(contract.addInboxView, {
          body: {
            company_id: team.company.id,
            name: 'waiting FOR me',
            shared: true,
            filters: {},
          },
        }),
      ),
    ).toBe('view.exists');
    expect(
      (
        await app
          .as(team.ann)
          .request(contract.removeInboxView, { params: { id: made.body.data.id } })
      ).status,
    ).toBe(403);
  });
});

describe('searching', () => {
  test('operators find by label, person, state and time, and old items when asked', async () => {
    const team = await aTeam();
    const [a, b] = [await team.text('about the crown'), await team.text('about the bridge')];
    await app.services.db.transaction({ companyId: team.company.id }, (tx) =>
      tx
        .updateTable('number')
        .set({ label: 'Front desk' })
        .where('company_id', '=', team.company.id)
        .where('id', '=', team.number.id)
        .execute(),
    );
    await app.as(team.owner).request(inboxContract.readConversation, {
      params: { companyId: team.company.id, id: b.id },
    });
    await team.assign(team.owner, [b.id], team.ben.id);
    expect(await team.ids(team.owner, { search: 'is:unread' })).toEqual([a.id]);
    expect(await team.ids(team.owner, { search: 'label:"front desk" crown' })).toEqual([a.id]);
    expect(await team.ids(team.owner, { search: 'label:nowhere' })).toEqual([]);
    expect(await team.ids(team.ben, { search: 'assigned:me' })).toEqual([b.id]);
    expect(await team.ids(team.owner, { search: `from:${a.phone.slice(-4)} crown` })).toEqual([
      a.id,
    ]);
    // Three years ago: outside the default window.
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('conversation_item')
        .set({ created_at: new Date(app.clock.value.getTime() - 3 * 365 * 86_400_000) })
        .where('company_id', '=', team.company.id)
        .where('conversation_id', '=', a.id)
        .execute(),
    );
    expect(await team.ids(team.owner, { search: 'crown' })).toEqual([]);
    expect(await team.ids(team.owner, { search: 'crown', allTime: 1 })).toEqual([a.id]);
  });
});

test('a mentioned user is notified once, if they see the number; no one else is', async () => {
  const team = await aTeam();
  const other = await inbox.number(team.company.id);
  const elsewhere = await app.createPerson(team.company.id, 'user', [other.id]);
  const { id } = await team.text();
  const note = await app.as(team.ann).request(inboxContract.addNote, {
    body: {
      company_id: team.company.id,
      model_type: 'conversation',
      model_id: id,
      body: 'Can you look, @ben?',
      mentions: [team.ben.id, team.ann.id, elsewhere.id],
    },
  });
  await app.as(team.ann).request(inboxContract.updateNote, {
    params: { id: note.body.data.id },
    body: { body: 'Can you look today, @ben?', mentions: [team.ben.id] },
  });
  const { rows } = await app.services.db.pool.query(
    `select channel_key, data from outbox where company_id = $1 and event = 'team-news'`,
    [team.company.id],
  );
  expect(rows).toMatchObject([
    {
      channel_key: team.ben.id,
      data: { kind: 'mention', conversationId: id, text: 'Can you look, @ben?' },
    },
  ]);
});
