import { expect, test } from 'vitest';
import { caddy, compliance, contacts, conversations, endpoints, type BodyIn } from '#contract';
import { inboxHelpers, uniquePhone } from '../../../test/support/inbox.ts';
import { caddyHelpers } from '../../../test/support/caddy.ts';
import { exampleRequest, toHttpRequest } from '../../../test/support/endpoint-requests.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';

const app = await createTestApp();
const { withNumber } = caddyHelpers(app);
const { text } = inboxHelpers(app);

const threads = async (person: TestPerson) =>
  (
    await app
      .as(person)
      .request(conversations.listConversations, { params: { companyId: person.companyId } })
  ).body.data;
const itemsOf = async (person: TestPerson, id: number) =>
  (
    await app.as(person).request(conversations.listConversationItems, {
      params: { companyId: person.companyId, id },
    })
  ).body.data;
const send = (person: TestPerson, body: BodyIn<typeof conversations.sendMessage>) =>
  app
    .as(person)
    .request(conversations.sendMessage, { body: { company_id: person.companyId, ...body } });

test('a person texts from their number and reads the answer, in threads of their own', async () => {
  const { person, mine } = await withNumber();
  const friend = uniquePhone();
  const sent = await send(person, { numberId: mine.id, to: friend, message: 'Is it still free?' });
  expect([sent.status, sent.body.data]).toMatchObject([201, { isInbound: false }]);
  await app.drainJobs();
  await text(friend, mine.number, 'It is.');
  const [thread] = await threads(person);
  expect(thread).toMatchObject({ recipient: friend, numUnreadItems: 1, whyNotText: null });
  const id = thread?.id ?? 0;
  const items = await itemsOf(person, id);
  expect(items.map(({ details }) => 'content' in details && details.content)).toEqual([
    'It is.',
    'Is it still free?',
  ]);
  const at = { params: { companyId: person.companyId, id } };
  await app.as(person).request(conversations.readConversation, at);
  expect(await threads(person)).toMatchObject([{ numUnreadItems: 0 }]);
  await app.as(person).request(conversations.archiveConversation, { params: { id } });
  await app.as(person).request(conversations.deleteMessages, at);
  await app.drainJobs();
  expect(await itemsOf(person, id)).toEqual([]);
});

test('who texted STOP is texted no more, and a blocked person neither', async () => {
  const { person, mine } = await withNumber();
  const [stopped, blocked] = [uniquePhone(), uniquePhone()];
  await text(stopped, mine.number, 'STOP');
  const refused = await send(person, { numberId: mine.id, to: stopped, message: 'Hello?' });
  expect([refused.status, refused.body]).toMatchObject([422, { code: 'contact.unsubscribed' }]);
  const block = await app.as(person).request(compliance.addBlock, {
    body: { company_id: person.companyId, target: blocked },
  });
  expect(block.status).toBe(201);
  await text(blocked, mine.number, 'Buy now');
  expect((await threads(person)).map(({ recipient }) => recipient)).not.toContain(blocked);
  expect((await send(person, { numberId: mine.id, to: blocked, message: 'No' })).status).toBe(422);
});

test('a contact names whom the person texts with, and can’t be opted in for them', async () => {
  const [{ person, mine }, { person: other }] = [await withNumber(), await withNumber()];
  const friend = uniquePhone();
  await text(friend, mine.number, 'STOP');
  // Who texts is a contact without a name at first.
  const [thread] = await threads(person);
  const contactId = thread?.contact?.id ?? 0;
  const change = (who: TestPerson, body: BodyIn<typeof contacts.updateContact>) =>
    app.as(who).request(contacts.updateContact, { params: { contactId }, body });
  expect((await change(person, { is_unsubscribed: false })).status).toBe(422);
  expect((await send(person, { numberId: mine.id, to: friend, message: 'Hi' })).status).toBe(422);
  expect((await change(other, { name: 'Mine' })).status).toBe(404);
  expect((await change(person, { name: 'Jo Carver' })).status).toBe(200);
  expect(await threads(person)).toMatchObject([{ contact: { name: 'Jo Carver' } }]);
  const added = { name: 'Grace', number: uniquePhone() };
  const made = await app.as(person).request(contacts.createContact, { body: added });
  expect(made.status).toBe(201);
  expect((await app.as(other).request(contacts.listContacts)).body.data).toEqual([]);
});

test('a text reaches the open app on the account’s channel', async () => {
  const [{ person, mine }, { person: other }] = [await withNumber(), await withNumber()];
  await text(uniquePhone(), mine.number, 'Hello');
  await app.drainJobs();
  const { rows } = await app.services.db.pool.query<{ channel_key: number }>(
    `select channel_key from outbox where event = $1 and channel_key = any($2)`,
    [caddy.caddyBillingUsageUpdated.name, [person.companyId, other.companyId]],
  );
  expect(rows.map((row) => Number(row.channel_key))).toContain(person.companyId);
  for (const name of ['listConversations', 'getConversation', 'listConversationItems'])
    expect(caddy.caddyBillingUsageUpdated.invalidates).toContain(name);
});

test('a Caddy session opens its own account only: no other one, and no company', async () => {
  const [{ person }, other, { owner }] = [
    await withNumber(),
    await withNumber(),
    await app.createCompany(),
  ];
  await text(uniquePhone(), other.mine.number, 'Private');
  const [theirs] = await threads(other.person);
  const shared = endpoints.filter((e) => e.audience === 'both' && e.company !== 'none');
  expect(shared.length).toBeGreaterThan(8);
  for (const e of shared)
    for (const companyId of [other.person.companyId, owner.companyId]) {
      const example = exampleRequest(e, { company: companyId });
      const ids = { ...example.params, ...('id' in (example.params ?? {}) && { id: theirs?.id }) };
      const sent = toHttpRequest(e, { ...example, params: ids });
      expect((await app.as(person).inject(sent)).status, `${e.name} ${companyId}`).toBe(404);
    }
  expect(await threads(other.person)).toMatchObject([{ numUnreadItems: 1 }]);
});
