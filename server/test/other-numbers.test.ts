import { expect, test } from 'vitest';
import { contacts as contract, conversations } from '#contract';
import { createTestApp, type TestPerson } from './support/test-app.ts';
import { inboxHelpers } from './support/inbox.ts';

/** A person has several numbers, and is the same person by each of them. */
const app = await createTestApp();
const inbox = inboxHelpers(app);
const create = (
  who: TestPerson,
  body: { number: string; otherNumbers?: string[]; name?: string },
) => app.as(who).request(contract.createContact, { body });
const update = (who: TestPerson, contactId: number, body: object) =>
  app.as(who).request(contract.updateContact, { params: { contactId }, body });
const [own, second, third] = ['+12125550161', '+12125550162', '+12125550163'];

test('a contact with other numbers is found by each of them', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const { status, body } = await create(owner, {
    name: 'Ana',
    number: own,
    otherNumbers: ['(212) 555-0162', '212.555.0163 x9', own],
  });
  expect(status).toBe(201);
  expect(body.data.otherNumbers).toEqual([second, third]);
  await inbox.text(second, number.number, 'hello');
  await app.drainJobs();
  const listed = await app
    .as(owner)
    .request(conversations.listConversations, { params: { companyId: company.id } });
  expect(listed.body.data.map((c) => [c.recipient, c.contact?.id])).toEqual([
    [second, body.data.id],
  ]);
  expect(
    (await app.as(owner).request(contract.listContacts, { query: { search: '5550163' } })).body
      .data,
  ).toHaveLength(1);
  expect((await create(owner, { number: third })).status).toBe(409);
});

test('other numbers are replaced by an update, and stay when it leaves them out', async () => {
  const { owner } = await app.createCompany();
  const { id } = (await create(owner, { number: own, otherNumbers: [second] })).body.data;
  expect((await update(owner, id, { name: 'Ana' })).body.data.otherNumbers).toEqual([second]);
  expect((await update(owner, id, { otherNumbers: [third] })).body.data.otherNumbers).toEqual([
    third,
  ]);
  // Its own number and one of the others change places.
  expect((await update(owner, id, { number: third })).body.data).toMatchObject({
    number: third,
    otherNumbers: [own],
  });
  expect((await update(owner, id, { otherNumbers: [] })).body.data.otherNumbers).toEqual([]);
  expect((await create(owner, { number: own })).status).toBe(201);
});

test('a number of another contact, or no number, is refused', async () => {
  const { owner } = await app.createCompany();
  const ana = (await create(owner, { number: own, otherNumbers: [second] })).body.data;
  const bo = (await create(owner, { number: third })).body.data;
  for (const taken of [own, second]) {
    const refused = await update(owner, bo.id, { otherNumbers: [taken] });
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain(String(ana.id));
  }
  expect((await create(owner, { number: '+12125550169', otherNumbers: [second] })).status).toBe(
    409,
  );
  expect(
    (await app.as(owner).request(contract.listContacts, { query: { search: '5550169' } })).body
      .data,
  ).toEqual([]);
  for (const bad of ['12', 'nope', '', '+1'])
    expect((await update(owner, bo.id, { otherNumbers: [bad] })).status).toBe(422);
  // Another company's contacts have nothing to do with it.
  const elsewhere = (await app.createCompany()).owner;
  expect((await create(elsewhere, { number: second, otherNumbers: [own] })).status).toBe(201);
});

test('many contacts at once name other numbers, too', async () => {
  const { owner } = await app.createCompany();
  await create(owner, { number: own });
  const put = (contacts: Record<string, unknown>[]) =>
    app.as(owner).request(contract.putContacts, {
      params: { companyId: owner.companyId },
      body: { contacts },
    });
  const { body } = await put([
    { number: second, name: 'Bo', otherNumbers: [own, '+12125550164'] },
    { number: third, name: 'Cy', otherNumbers: ['nope'] },
  ]);
  expect(body.data).toMatchObject({ created: 1 });
  expect(body.data.errors.map((e) => [e.row, e.field, e.message])).toEqual([
    [2, 'otherNumbers.0', 'Enter a phone number.'],
    [1, 'otherNumbers', '(212) 555-0161: another contact has this number.'],
  ]);
  const list = async () =>
    (await app.as(owner).request(contract.listContacts, { query: { search: 'Bo' } })).body.data;
  expect((await list())[0]!.otherNumbers).toEqual(['+12125550164']);
  // What was read can be sent back.
  const [bo] = await list();
  expect((await put([{ ...bo! }])).body.data).toMatchObject({ unchanged: 1, errors: [] });
  expect((await put([{ number: second, otherNumbers: [] }])).body.data.updated).toBe(1);
  expect((await list())[0]!.otherNumbers).toEqual([]);
});
