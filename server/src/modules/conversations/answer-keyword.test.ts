import { describe, expect, test } from 'vitest';
import { compliance, contacts, numbers, triggers } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const rules = (owner: TestPerson, id: number, upsert: object[], remove: number[] = []) =>
  app.as(owner).request(triggers.updateTriggers, { params: { id }, body: { upsert, remove } });
const errorsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: Record<string, string[]> }).errors;
const said = async (owner: TestPerson, phone: string) => {
  await app.drainJobs();
  const found = (await inbox.list(owner, { perPage: 100 })).data.find((c) => c.recipient === phone);
  return found
    ? (await inbox.items(owner, found.id))
        .filter((i) => i.kind === 'message' && !i.isInbound)
        .map((i) => i.details as { content: string; automatic: string | null })
    : [];
};

describe('a keyword', () => {
  test('is answered at once, once per cooldown, and its users and addresses are notified', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const una = await app.createPerson(company.id, 'user');
    const { status, body } = await rules(owner, number.id, [
      {
        keyword: 'JOIN',
        reply_text: 'Welcome.',
        set_optin: true,
        notify_user_ids: [una.id],
        notify_email: ['desk@example.com'],
        cooldown_minutes: 60,
      },
    ]);
    expect([status, body.data]).toMatchObject([
      200,
      [{ keyword: 'JOIN', match_mode: 'exact', active: true, answered_count: 0 }],
    ]);
    const phone = uniquePhone();
    await inbox.text(phone, number.number, ' join! ');
    expect(await said(owner, phone)).toMatchObject([{ content: 'Welcome.', automatic: 'keyword' }]);
    await inbox.text(phone, number.number, 'Join');
    await inbox.text(phone, number.number, 'Hello');
    expect(await said(owner, phone)).toHaveLength(1);
    app.clock.advance(61 * 60);
    await inbox.text(phone, number.number, 'JOIN');
    expect(await said(owner, phone)).toHaveLength(2);
    const outbox = (
      await app.services.db.pool.query(
        `select event, channel_key, data from outbox where company_id = $1 and event in ('keyword-heard', 'keyword.heard') order by id`,
        [company.id],
      )
    ).rows;
    expect(outbox.map((o) => o.event).sort()).toEqual([
      'keyword-heard',
      'keyword-heard',
      'keyword.heard',
      'keyword.heard',
    ]);
    expect(outbox.find((o) => o.event === 'keyword-heard')).toMatchObject({
      channel_key: una.id,
      data: { keyword: 'JOIN', party: phone },
    });
    expect(
      (
        await app.services.db.pool.query(`select text from optin_proof where company_id = $1`, [
          company.id,
        ])
      ).rows,
    ).toMatchObject([{ text: ' join! ' }, { text: 'JOIN' }]);
    const contactId = (await inbox.list(owner)).data[0]!.contact!.id;
    expect(
      (await app.as(owner).request(contacts.getContact, { params: { contactId } })).body.data,
    ).toMatchObject({ optinType: 'text_to_join' });
    expect((await rules(owner, number.id, [])).body.data[0]!.answered_count).toBe(2);
    expect(
      (
        await app.services.db.pool.query(
          `select count(*)::int n from mail_outbox where to_address = 'desk@example.com'`,
        )
      ).rows[0].n,
    ).toBe(2);
  });

  test('opted-out and blocked contacts get no answer, and STOP is never a keyword', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    await rules(owner, number.id, [
      { keyword: 'JOIN', match_mode: 'contains', reply_text: 'Welcome.', cooldown_minutes: 0 },
    ]);
    for (const word of [
      'STOP',
      'stopall',
      'Unsubscribe',
      'CANCEL',
      'END',
      'QUIT',
      'REVOKE',
      'OPTOUT',
      'START',
      'UNSTOP',
      'YES',
      'HELP',
      'INFO',
    ])
      expect(
        errorsOf(await rules(owner, number.id, [{ keyword: word }]))['upsert.0.keyword']?.[0],
      ).toBe('This keyword is reserved by carriers. Choose another.');
    const gone = uniquePhone();
    await inbox.text(gone, number.number, 'STOP');
    await inbox.text(gone, number.number, 'join');
    expect((await said(owner, gone)).map((m) => m.automatic)).toEqual(['stop']);
    const blocked = uniquePhone();
    await app.as(owner).request(compliance.addBlock, { body: { target: blocked } });
    await inbox.text(blocked, number.number, 'join');
    expect(await said(owner, blocked)).toEqual([]);
    const welcome = uniquePhone();
    await inbox.text(welcome, number.number, 'I want to join');
    expect(await said(owner, welcome)).toHaveLength(1);
  });

  test('is changed by its ID or word, is removed by ID, and answers from its start time on', async () => {
    const { company, owner } = await app.createCompany();
    const [number, other] = [await inbox.number(company.id), await inbox.number(company.id)];
    const [one] = (await rules(owner, number.id, [{ keyword: 'SALE', reply_text: 'Ten percent.' }]))
      .body.data;
    expect(
      (await rules(owner, number.id, [{ keyword: 'sale', cooldown_minutes: 5 }])).body.data,
    ).toMatchObject([{ id: one!.id, reply_text: 'Ten percent.', cooldown_minutes: 5 }]);
    expect(
      (
        await rules(owner, number.id, [
          { id: one!.id, keyword: 'DEALS', active: false },
          { keyword: 'SALE', reply_text: 'New.' },
        ])
      ).body.data.map((t) => [t.keyword, t.active]),
    ).toEqual([
      ['DEALS', false],
      ['SALE', true],
    ]);
    expect(
      errorsOf(await rules(owner, number.id, [{ id: one!.id, keyword: 'sale' }])),
    ).toHaveProperty(['upsert.0.keyword']);
    expect(errorsOf(await rules(owner, number.id, [{ id: 987_654 }]))).toHaveProperty([
      'upsert.0.id',
    ]);
    expect(errorsOf(await rules(owner, number.id, [{ keyword: 'two words' }]))).toHaveProperty([
      'upsert.0.keyword',
    ]);
    expect(
      errorsOf(await rules(owner, number.id, [{ keyword: 'X', group_ids: [5] }])),
    ).toHaveProperty(['upsert.0.group_ids']);
    expect(
      errorsOf(
        await rules(owner, number.id, [
          { keyword: 'X', notify_user_ids: [(await app.createCompany()).owner.id] },
        ]),
      ),
    ).toHaveProperty(['upsert.0.notify_user_ids']);
    expect(
      (await app.as(owner).request(numbers.listNumbers, { query: { search: other.number } })).body
        .data[0]!.triggers,
    ).toEqual([]);
    await rules(owner, number.id, [
      {
        keyword: 'LATER',
        reply_text: 'Now.',
        start_at: new Date(app.clock.value.getTime() + 86_400_000).toISOString(),
      },
    ]);
    const phone = uniquePhone();
    await inbox.text(phone, number.number, 'LATER');
    await inbox.text(phone, number.number, 'DEALS');
    expect(await said(owner, phone)).toEqual([]);
    const ids = (await rules(owner, number.id, [])).body.data.map((t) => t.id);
    expect((await rules(owner, number.id, [], ids)).body.data).toEqual([]);
  });

  test('two texts in one batch and a burst of the same keyword get one answer', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    await rules(owner, number.id, [{ keyword: 'GO', reply_text: 'Gone.' }]);
    const [a, b] = [uniquePhone(), uniquePhone()];
    await Promise.all([a, a, a, b].map((phone) => inbox.text(phone, number.number, 'go')));
    expect([await said(owner, a), await said(owner, b)].map((m) => m.length)).toEqual([1, 1]);
  });
});
