import { describe, expect, test } from 'vitest';
import { conversations as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const add = (who: TestPerson, body: Record<string, unknown>) =>
  app.as(who).request(contract.addNote, { body: { company_id: who.companyId, ...body } } as never);
async function aConversation() {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  await inbox.text(uniquePhone(), number.number, 'Hi');
  return { company, owner, number, id: (await inbox.list(owner)).data[0]!.id };
}

describe('notes', () => {
  test('are in the thread and on their record, and never the conversation’s latest event', async () => {
    const c = await aConversation();
    const note = await add(c.owner, {
      model_type: 'conversation',
      model_id: c.id,
      body: 'Likes mornings',
    });
    expect(note).toMatchObject({
      status: 201,
      body: { data: { body: 'Likes mornings', edited: false, user: { id: c.owner.id } } },
    });
    expect((await inbox.items(c.owner, c.id))[0]).toMatchObject({
      kind: 'note',
      details: { noteId: note.body.data.id, body: 'Likes mornings' },
    });
    expect((await inbox.list(c.owner)).data[0]!.latestItem).toMatchObject({ type: 'message' });
    expect(
      (
        await app.as(c.owner).request(contract.listNotes, {
          query: { company_id: c.company.id, model_type: 'conversation', model_id: c.id },
        })
      ).body.data,
    ).toHaveLength(1);
    await app.as(c.owner).request(contract.updateNote, {
      params: { id: note.body.data.id },
      body: { body: 'Likes evenings' },
    });
    expect((await inbox.items(c.owner, c.id))[0]!.details).toMatchObject({
      body: 'Likes evenings',
      edited: true,
    });
    expect(
      (await app.as(c.owner).request(contract.deleteNote, { params: { id: note.body.data.id } }))
        .status,
    ).toBe(204);
    expect((await inbox.items(c.owner, c.id)).map((i) => i.kind)).toEqual(['message']);
  });

  test('are changed by their author, and by owners and administrators', async () => {
    const c = await aConversation();
    const [ann, bob] = [
      await app.createPerson(c.company.id, 'user'),
      await app.createPerson(c.company.id, 'user'),
    ];
    const note = (await add(ann, { model_type: 'conversation', model_id: c.id, body: 'by Ann' }))
      .body.data;
    const change = (who: TestPerson) =>
      app.as(who).request(contract.updateNote, {
        params: { id: note.id },
        body: { body: 'changed' },
      });
    expect([
      (await change(bob)).status,
      (await change(ann)).status,
      (await change(c.owner)).status,
    ]).toEqual([403, 200, 200]);
    expect(
      (await app.as(bob).request(contract.deleteNote, { params: { id: note.id } })).status,
    ).toBe(403);
  });

  test('on invisible numbers, in other companies and on missing records are not found', async () => {
    const [c, d] = [await aConversation(), await aConversation()];
    const elsewhere = await inbox.number(c.company.id);
    const user = await app.createPerson(c.company.id, 'user', [elsewhere.id]);
    for (const [who, type, id] of [
      [user, 'conversation', c.id],
      [c.owner, 'conversation', d.id],
      [c.owner, 'call', 12345],
      [c.owner, 'campaign', 1],
      [c.owner, 'contact', 99],
    ] as const)
      expect((await add(who, { model_type: type, model_id: id, body: 'x' })).status).toBe(404);
    expect(
      (await add(c.owner, { model_type: 'number', model_id: c.number.id, body: 'ours' })).status,
    ).toBe(201);
  });
});
