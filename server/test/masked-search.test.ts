import { beforeAll, expect, test } from 'vitest';
import { compliance, contacts, conversations, exporting, settings, type BodyIn } from '#contract';
import { inboxHelpers } from './support/inbox.ts';
import { createTestApp, type TestPerson } from './support/test-app.ts';

/**
 * Whoever may not see contact details can't find them out by searching either: neither the letters of
 * an email nor the digits of a number, one after another. Names and words are still found.
 */
const app = await createTestApp();
const inbox = inboxHelpers(app);
let owner: TestPerson;
let user: TestPerson;
let companyId: number;

beforeAll(async () => {
  const made = await app.createCompany();
  ({ owner } = made);
  companyId = made.company.id;
  user = await app.createPerson(companyId, 'user');
  const line = await inbox.number(companyId, '+14155550101');
  await app.as(owner).request(contacts.createContact, {
    body: {
      companyId,
      name: 'Dana Reed',
      number: '+12125550137',
      email: 'zorblax@quince.example',
    },
  });
  await inbox.text(
    '+12125550137',
    line.number,
    'Write to vexing@mylar.example or call 646 555 0198 about the piano',
  );
  await app.drainJobs();
  await app.as(owner).request(settings.updateGeneralSettings, {
    query: { companyId },
    body: { mask_contact_details_for_users: true },
  });
});

const list = async (who: TestPerson, search: string) =>
  (
    await app.as(who).request(conversations.listConversations, {
      params: { companyId },
      query: { search },
    })
  ).body.data?.length;
const items = async (who: TestPerson, search: string) =>
  (await app.as(who).request(conversations.listInboxItems, { query: { companyId, search } })).body
    .data?.length;
type Groups = NonNullable<BodyIn<typeof conversations.listActivity>['groups']>;
const activity = async (who: TestPerson, groups: Groups) =>
  (
    await app.as(who).request(conversations.listActivity, {
      body: { company_id: companyId, tz: 'UTC', groups },
    })
  ).body.data?.length;
const filter = (
  field: 'text' | 'contact' | 'party',
  value: string,
  op: 'contains' | 'ne' = 'contains',
): Groups => [[{ field, op, value }]];

// Letters of the contact's email and of the one in the text; digits of either number.
const details = ['zorb', 'quince', 'vexi', 'mylar', '37', '98', '46'];

test.each(details)('“%s” is found by the owner only', async (search) => {
  const ofText = ['vexi', 'mylar', '98', '46'].includes(search);
  expect([await list(owner, search), await items(owner, search)]).toEqual([1, ofText ? 1 : 0]);
  expect([await list(user, search), await items(user, search)]).toEqual([0, 0]);
});

test('names and words are found by both, also beside a hidden detail', async () => {
  for (const who of [owner, user]) {
    expect([await list(who, 'dana'), await list(who, 'piano'), await items(who, 'piano')]).toEqual([
      1, 1, 1,
    ]);
    // Two letters are in no index: another way through the same search.
    expect([await list(who, 'da'), await list(who, 'pi'), await items(who, 'pi')]).toEqual([
      1, 1, 1,
    ]);
  }
  expect([await list(owner, 'zo'), await list(user, 'zo'), await items(user, 've')]).toEqual([
    1, 0, 0,
  ]);
});

test('filters of the activity list and of exports tell nothing either', async () => {
  expect(await activity(owner, filter('text', 'mylar'))).toBe(1);
  expect(await activity(user, filter('text', 'mylar'))).toBe(0);
  // Not “which one doesn't have it” either.
  expect(await activity(owner, filter('text', 'mylar', 'ne'))).toBe(0);
  expect(await activity(user, filter('text', 'mylar', 'ne'))).toBe(1);
  expect(await activity(owner, filter('contact', 'quince'))).toBe(1);
  expect(await activity(user, filter('contact', 'quince'))).toBe(0);
  expect(await activity(user, filter('contact', 'dana'))).toBe(1);
  expect(await activity(owner, filter('party', '37'))).toBe(1);
  expect(await activity(user, filter('party', '37'))).toBeUndefined();
  const exported = (who: TestPerson) =>
    app.as(who).request(exporting.exportMessages, {
      body: { companyId, tz: 'UTC', groups: filter('text', 'mylar') },
    });
  expect((await exported(owner)).body.data.total).toBe(1);
  expect((await exported(user)).body.data?.total ?? 0).toBe(0);
});

test('blocked numbers and contacts are no way around', async () => {
  const made = await app.as(owner).request(compliance.addBlock, {
    body: { company_id: companyId, target: '+12125550137' },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const blocked = (who: TestPerson, search: string) =>
    app
      .as(who)
      .request(compliance.listBlocks, { params: { companyId }, query: { companyId, search } });
  expect((await blocked(owner, '37')).body.total).toBe(1);
  expect((await blocked(user, '37')).status).toBe(422);
  await app.as(owner).request(contacts.createContact, {
    body: { companyId, name: 'Kim mirth@hazel.example', number: '+12125550138' },
  });
  const found = async (who: TestPerson, search: string) =>
    (await app.as(who).request(contacts.listContacts, { query: { companyId, search } })).body.data
      .length;
  expect([
    await found(owner, 'mirth'),
    await found(user, 'mirth'),
    await found(user, 'kim'),
  ]).toEqual([1, 0, 1]);
});
