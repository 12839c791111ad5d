import { expect, test } from 'vitest';
import { calls as contract, conversations } from '#contract';
import type { CallerLookupResult, CallerLookup } from '../../../gateways/caller-identity.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { simulateIdentity, simulatedIdentities } from '../../../adapters/sandbox/identities.ts';
import { uniquePhone, inboxHelpers } from '../../../../test/support/inbox.ts';

const asked: CallerLookup[] = [];
let next: ((q: CallerLookup) => Promise<CallerLookupResult>) | null = null;
const simulated = simulatedIdentities(false);
const app = await createTestApp({
  clock: 'still',
  ports: {
    callerIdentity: {
      name: 'test',
      lookUp: async (q) => {
        asked.push(q);
        return (next ?? simulated.lookUp)(q);
      },
    },
  },
});
const inbox = inboxHelpers(app);
const lookUp = (who: TestPerson, body: { phone: string; name_hint?: string; zip_hint?: string }) =>
  app.as(who).request(contract.lookUpNumber, { params: { companyId: who.companyId }, body });
const testMode = (companyId: number) =>
  app.services.db.systemTransaction((tx) =>
    tx
      .updateTable('company')
      .set({ settings: JSON.stringify({ test_mode: true }) })
      .where('id', '=', companyId)
      .execute(),
  );
const lookups = (companyId: number) =>
  app.services.db.unscoped
    .selectFrom('caller_lookup')
    .select(['number', 'found', 'billable', 'user_id'])
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();

test('identities are cached per company for 30 days, and every provider lookup is one row', async () => {
  const { company, owner } = await app.createCompany();
  await testMode(company.id);
  next = null;
  asked.length = 0;
  const first = await lookUp(owner, {
    phone: '(212) 555-0147',
    name_hint: 'Dana',
    zip_hint: '10001',
  });
  expect(first.status).toBe(200);
  expect(first.body.data).toMatchObject({
    number: '+12125550147',
    type: 'person',
    line_type: 'mobile',
    source: 'simulated',
    emails: [],
    addresses: [],
    business: null,
  });
  expect(asked[0]).toMatchObject({ nameHint: 'Dana', zipHint: '10001' });
  app.clock.advance(29 * 86_400);
  expect((await lookUp(owner, { phone: '+12125550147' })).body).toEqual(first.body);
  expect(asked).toHaveLength(1);
  app.clock.advance(2 * 86_400);
  await lookUp(owner, { phone: '+12125550147' });
  expect(asked).toHaveLength(2);
  expect(await lookups(company.id)).toEqual(
    [1, 2].map(() => ({ number: '+12125550147', found: true, billable: false, user_id: owner.id })),
  );
  const other = await app.createCompany();
  expect((await lookUp(other.owner, { phone: '+12125550147' })).status).toBe(409); // not in test mode, and what others know is theirs
});

test('unknown numbers are looked up again after a day; an unreachable provider caches nothing', async () => {
  const { company, owner } = await app.createCompany();
  await testMode(company.id);
  next = async () => ({ state: 'notFound', source: 'trestle', billable: true });
  asked.length = 0;
  const none = await lookUp(owner, { phone: '+12125550191' });
  expect([none.status, (none.body as unknown as { message: string }).message]).toEqual([
    404,
    'Enhanced Caller ID isn’t available for this number. The number may be withheld, or missing from national databases.',
  ]);
  await lookUp(owner, { phone: '+12125550191' });
  expect(asked).toHaveLength(1);
  app.clock.advance(86_401);
  next = async () => {
    throw new Error('away');
  };
  const away = await lookUp(owner, { phone: '+12125550191' });
  expect([away.status, (away.body as unknown as { code: string }).code]).toEqual([
    409,
    'lookup.away',
  ]);
  expect(await lookups(company.id)).toHaveLength(1);
  next = null;
});

test('the sender of a text is looked up through the item and shown on the conversation', async () => {
  const { company, owner } = await app.createCompany();
  await testMode(company.id);
  next = null;
  const number = await inbox.number(company.id);
  const phone = uniquePhone().replace(/..$/, '05');
  await inbox.text(phone, number.number, 'Hello');
  const [conversation] = (await inbox.list(owner)).data;
  expect(conversation!.enhancedCallerId).toBeNull();
  const found = await app
    .as(owner)
    .request(conversations.lookUpSender, { params: { id: conversation!.latestItem!.id } });
  expect(found.body.data).toMatchObject({
    number: phone,
    ...simulateIdentity(phone),
    source: 'simulated',
  });
  expect((await inbox.list(owner)).data[0]!.enhancedCallerId).toEqual({
    name: simulateIdentity(phone)!.name,
    type: 'person',
    line_type: 'mobile',
  });
});

test('sandbox identities are deterministic by prefix: toll-free numbers are businesses', () => {
  expect(simulateIdentity('+18005550100')).toMatchObject({
    type: 'business',
    line_type: 'toll_free',
  });
  expect(simulateIdentity('+12125550160')).toMatchObject({
    type: 'business',
    line_type: 'landline',
  });
  expect(simulateIdentity('+12125550180')).toMatchObject({
    type: 'unknown',
    line_type: 'voip',
    name: null,
  });
  expect(simulateIdentity('+12125550195')).toBeNull();
  expect(simulateIdentity('+12125550147')).toEqual(simulateIdentity('+12125550147'));
});
