import { expect, test } from 'vitest';
import { contacts, conversations, fields, timeline } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { createTestNumber } from '../../../test/support/call-harness.ts';
import { inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const phone = '+12125550147';

const make = (owner: TestPerson, body: object) =>
  app.as(owner).request(contacts.createContact, { body: { number: phone, name: 'Dana', ...body } });
const change = (owner: TestPerson, contactId: number, body: object) =>
  app.as(owner).request(contacts.updateContact, { params: { contactId }, body });
const seen = async (owner: TestPerson, contactId: number) =>
  (await app.as(owner).request(contacts.getContact, { params: { contactId } })).body.data
    .unsubscribed;

test('users opt a contact out and in again: at once, for all its numbers, with who did it and why', async () => {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id);
  const {
    body: { data: dana },
  } = await make(owner, {});
  const send = () =>
    app.as(owner).request(conversations.sendMessage, {
      body: { companyId: company.id, numberId: number.id, to: phone, message: 'Hello.' },
    });
  const out = await change(owner, dana.id, {
    is_unsubscribed: true,
    unsubscribeNote: 'Asked by phone.',
  });
  expect([out.status, out.body.data.unsubscribed, out.body.data.isUnsubscribed]).toEqual([
    200,
    true,
    true,
  ]);
  expect(await seen(owner, dana.id)).toBe(true);
  expect((await send()).body).toMatchObject({ status: 422, code: 'contact.unsubscribed' });
  await app.drainJobs();
  expect(await seen(owner, dana.id)).toBe(true);
  // Repeating it changes nothing.
  expect((await change(owner, dana.id, { is_unsubscribed: true })).body.data.unsubscribed).toBe(
    true,
  );
  const back = await change(owner, dana.id, {
    is_unsubscribed: false,
    unsubscribeNote: 'Signed the form again.',
  });
  expect(back.body.data.unsubscribed).toBe(false);
  expect((await send()).body).not.toMatchObject({ code: 'contact.unsubscribed' });
  const { data } = (
    await app.as(owner).request(timeline.contactTimeline, { params: { contactId: dana.id } })
  ).body;
  const name = await app.services.db.unscoped
    .selectFrom('person')
    .select(['first_name', 'last_name'])
    .where('id', '=', owner.id)
    .executeTakeFirstOrThrow();
  expect(
    data.filter((e) => e.kind.startsWith('opted')).map((e) => [e.kind, e.text, e.note, e.by]),
  ).toEqual([
    ['opted_in', 'manual', 'Signed the form again.', `${name.first_name} ${name.last_name}`],
    ['opted_out', 'manual', 'Asked by phone.', `${name.first_name} ${name.last_name}`],
  ]);
  // A read-only field of the response can't be used to opt out.
  expect((await change(owner, dana.id, { unsubscribed: true })).status).toBe(422);
});

test('a new contact with an opted-out number is unsubscribed from the first response on', async () => {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id);
  const {
    body: { data: first },
  } = await make(owner, {});
  await inbox.text(phone, number.number, 'STOP');
  expect(await seen(owner, first.id)).toBe(true);
  await app.as(owner).request(contacts.deleteContact, { params: { contactId: first.id } });
  const again = await make(owner, {});
  expect([again.status, again.body.data.unsubscribed]).toEqual([201, true]);
  // A new number isn't opted out; with the first number again the contact is.
  expect(
    (await change(owner, again.body.data.id, { number: '+12125550148' })).body.data.unsubscribed,
  ).toBe(false);
  expect((await change(owner, again.body.data.id, { number: phone })).body.data.unsubscribed).toBe(
    true,
  );
  await inbox.text(phone, number.number, 'START');
  expect(await seen(owner, again.body.data.id)).toBe(false);
  await app.drainJobs();
  expect(await seen(owner, again.body.data.id)).toBe(false);
});

test('creating a contact requires required custom fields', async () => {
  const { company, owner } = await app.createCompany();
  await app.as(owner).request(fields.createField, {
    params: { type: 'contact' },
    body: {
      company_id: company.id,
      name: 'Policy number',
      type: 'stringKeyword',
      is_required: true,
    },
  });
  const without = await make(owner, {});
  expect([without.status, without.body]).toMatchObject([
    422,
    { errors: { 'eavAttributeValues.policy_number': ['Enter Policy number.'] } },
  ]);
  expect(
    (await make(owner, { eavAttributeValues: [{ key: 'policy_number', value: 'A-1' }] })).status,
  ).toBe(201);
});

test('invisible characters are removed from names and addresses; all errors are reported at once', async () => {
  const { owner } = await app.createCompany();
  const made = await make(owner, { name: '\u200bZero\u200bWidth\u202e', email: ' a@x.test ' });
  expect(made.body.data).toMatchObject({ name: 'ZeroWidth', email: 'a@x.test' });
  const wrong = await make(owner, { number: '12', email: 'nobody', gender: 'x' });
  expect(wrong.body).toMatchObject({
    status: 422,
    errors: {
      number: ['Enter a phone number.'],
      email: ['Enter an email address.'],
      gender: ['Choose one of these: Male, Female, Other.'],
    },
  });
});
