import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { contacts, conversations, oauthIntegrations, team } from '#contract';
import { answerOf, createAccountHarness } from '../../../../test/support/account-harness.ts';
import { connectAccount } from '../../../../test/support/connect-account.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { startDueReadings } from './read-crm.ts';

const {
  app,
  asked,
  meddle,
  company: connect,
} = await createAccountHarness(['sandbox.hubspot_object', 'sandbox.salesforce_record']);
const { pool } = app.services.db;
const phone = '+12125550147';
const owners = { hubspot: '7101', salesforce: '005000000000001' } as const;

interface Person {
  first?: string;
  last?: string;
  company?: string;
  phone?: string;
  owner?: string | null;
}
/** What the tests do in a CRM, as its own people would. */
const crms = {
  hubspot: {
    config: {},
    async put(of: Person): Promise<string> {
      const properties = hubspotProperties({ phone, ...of });
      return oneId(
        `insert into sandbox.hubspot_object (portal, type, properties, created_at, updated_at)
         values ('sandbox-main', 'contacts', $1, $2, $2) returning id::text`,
        [JSON.stringify(properties), app.clock.value],
      );
    },
    async change(id: string, of: Person): Promise<void> {
      await pool.query(
        `update sandbox.hubspot_object set properties = properties || $2, updated_at = $3
         where id::text = $1`,
        [id, JSON.stringify(hubspotProperties(of)), app.clock.value],
      );
    },
    remove: (id: string) =>
      pool.query('delete from sandbox.hubspot_object where id::text = $1', [id]),
  },
  salesforce: {
    config: { instance: 'harbor.my.salesforce.com' },
    async put(of: Person): Promise<string> {
      const fields = salesforceFields({ phone, last: 'Unknown Caller', company: 'Unknown', ...of });
      const id = await oneId(
        `insert into sandbox.salesforce_record (org, type, fields, created_at, updated_at)
         select account_id, 'Lead', $1, $2, $2 from (values ('sandbox-main')) a(account_id)
         returning id::text`,
        [JSON.stringify(fields), app.clock.value],
      );
      return id;
    },
    async change(id: string, of: Person): Promise<void> {
      await pool.query(
        `update sandbox.salesforce_record set fields = fields || $2, updated_at = $3
         where id::text = $1`,
        [id, JSON.stringify(salesforceFields(of)), app.clock.value],
      );
    },
    remove: (id: string) =>
      pool.query('delete from sandbox.salesforce_record where id::text = $1', [id]),
  },
} as const;
const given = (fields: Record<string, string | null | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const hubspotProperties = (of: Person) =>
  given({
    ...{ firstname: of.first, lastname: of.last, company: of.company, phone: of.phone },
    hubspot_owner_id: of.owner,
  });
const salesforceFields = (of: Person) =>
  given({
    ...{ FirstName: of.first, LastName: of.last, Company: of.company, Phone: of.phone },
    OwnerId: of.owner,
  });
const oneId = async (statement: string, values: unknown[]): Promise<string> =>
  (await pool.query<{ id: string }>(statement, values)).rows[0]?.id ?? '';

type Provider = keyof typeof crms;
const start = async (provider: Provider, config: object = {}) => {
  const one = await connect(provider, { ...crms[provider].config, ...config }, [
    { event: 'call.completed' },
  ]);
  return { ...one, ...people(one.owner), crm: crms[provider] };
};
/** A company's own contacts. */
const people = (owner: TestPerson) => {
  const add = async (name = '', number = phone) =>
    (
      await app.as(owner).request(contacts.createContact, {
        body: { company_id: owner.companyId, name, number },
      })
    ).body.data;
  const get = async (id: number) =>
    (await app.as(owner).request(contacts.getContact, { params: { contactId: id } })).body.data;
  const type = async (id: number, body: { name?: string; companyName?: string }) => {
    const { status } = await app
      .as(owner)
      .request(contacts.updateContact, { params: { contactId: id }, body });
    expect(status).toBe(200);
  };
  return { add, get, type };
};
/** Everything that is due is read. */
const poll = async (seconds = 400): Promise<void> => {
  app.clock.advance(seconds);
  await startDueReadings(systemCtx(app.services, 0, app.notifier));
  await app.drainJobs();
};
const eventsOf = async (companyId: number, event: string): Promise<number> =>
  Number(
    (
      await pool.query<{ n: string }>(
        'select count(*) n from outbox where company_id = $1 and event = $2',
        [companyId, event],
      )
    ).rows[0]?.n,
  );
const inbox = async (owner: TestPerson) =>
  (
    await app
      .as(owner)
      .request(conversations.listConversations, { params: { companyId: owner.companyId } })
  ).body.data;
// All companies of the demo connect one account: those of earlier tests read nothing any more.
afterEach(async () => {
  await pool.query(
    `update person set email = id || '@gone.test' where email like '%@harbor.example.com'`,
  );
  await pool.query(`update oauth_integration set state = 'inactive'`);
});
/** The person whose address the CRM's first owner has. */
const makeOwner = async (person: TestPerson) => {
  await pool.query(`update person set email = 'ann@harbor.example.com' where id = $1`, [person.id]);
};

describe.each(['hubspot', 'salesforce'] as const)('%s', (provider) => {
  test('gives a name to who has none, in its own company only', async () => {
    const { companyId, add, get, crm, owner } = await start(provider);
    const { owner: stranger } = await app.createCompany();
    const theirs = people(stranger);
    const [mine, other] = [await add(), await theirs.add()];
    await crm.put({ first: 'Ann', last: 'Lee', company: 'Lee & Sons' });
    await poll();
    expect(await get(mine.id)).toMatchObject({
      ...{ name: 'Ann Lee', nameFrom: provider },
      ...{ companyName: 'Lee & Sons', companyNameFrom: provider },
    });
    expect(await theirs.get(other.id)).toMatchObject({ name: '', nameFrom: null });
    const { rows } = await pool.query(
      `select subject, after from audit_log where company_id = $1 and action = 'contact.named_by_crm'`,
      [companyId],
    );
    expect(rows).toEqual([
      {
        subject: `contact:${mine.id}`,
        after: { fields: ['name', 'company_name'], from: provider },
      },
    ]);
    expect(
      (await app.as(stranger).request(contacts.getContact, { params: { contactId: mine.id } }))
        .status,
    ).toBe(404);
    expect(owner.companyId).toBe(companyId);
  });

  test('follows the CRM until a person types, then never again', async () => {
    const { add, get, type, crm } = await start(provider);
    const { id } = await add();
    const record = await crm.put({ first: 'Ann', last: 'Lee' });
    await poll();
    await crm.change(record, { last: 'Lee-Brook' });
    await poll();
    expect(await get(id)).toMatchObject({ name: 'Ann Lee-Brook', nameFrom: provider });
    await type(id, { name: 'Annie' });
    expect(await get(id)).toMatchObject({ name: 'Annie', nameFrom: null });
    // What a person types is theirs, also where it is what the CRM said, or nothing.
    for (const typed of ['Ann Lee-Brook', '']) {
      await type(id, { name: typed });
      await crm.change(record, { last: `Changed after ${typed}` });
      await poll();
      expect(await get(id)).toMatchObject({ name: typed, nameFrom: null });
    }
  });

  test('leaves a name alone that was typed before, or where names don’t come back', async () => {
    const { add, get, crm } = await start(provider);
    const { id } = await add('Bob');
    await crm.put({ first: 'Ann', last: 'Lee' });
    await poll();
    expect(await get(id)).toMatchObject({ name: 'Bob', nameFrom: null });
    const off = await start(provider, { read_names: false });
    const { id: there } = await off.add();
    asked.length = 0;
    await poll();
    expect(await off.get(there)).toMatchObject({ name: '' });
  });

  test('names who called with the call, without waiting for the next look', async () => {
    const { missedCall, crm, owner } = await start(provider);
    await crm.put({ first: 'Ann', last: 'Lee' });
    app.clock.advance(30);
    await missedCall(phone);
    expect((await inbox(owner))[0]?.contact).toMatchObject({ name: 'Ann Lee' });
  });

  test('isn’t written again for what comes back unchanged', async () => {
    const { companyId, add, crm, missedCall } = await start(provider);
    await add();
    const record = await crm.put({ first: 'Ann', last: 'Lee' });
    await poll();
    const before = await eventsOf(companyId, 'contact.changed');
    await crm.change(record, {});
    await poll();
    await poll();
    await missedCall(phone);
    expect(await eventsOf(companyId, 'contact.changed')).toBe(before);
  });

  test('what was written there of someone without a name is none', async () => {
    const { missedCall, owner, companyId } = await start(provider);
    await missedCall(phone);
    await pool.query(`update call set caller_name = 'LEE ANN' where company_id = $1`, [companyId]);
    const table = provider === 'hubspot' ? 'hubspot_object' : 'salesforce_record';
    const column = provider === 'hubspot' ? 'properties' : 'fields';
    const names = provider === 'hubspot' ? ['firstname', 'lastname'] : ['FirstName', 'LastName'];
    await poll();
    expect((await inbox(owner))[0]?.contact).toMatchObject({ name: '', companyName: '' });
    await pool.query(`update sandbox.${table} set ${column} = ${column} || $1, updated_at = $2`, [
      JSON.stringify({ [names[0] ?? '']: 'LEE', [names[1] ?? '']: 'ANN' }),
      app.clock.value,
    ]);
    await poll();
    expect((await inbox(owner))[0]?.contact).toMatchObject({ name: '' });
  });

  test('reads each change once, also those of a time when nothing was read', async () => {
    const { add, get, crm } = await start(provider);
    const { id } = await add();
    await poll();
    await crm.put({ first: 'Ann', last: 'Lee' });
    // Access is refused for a while.
    meddle(() => answerOf(503, {}));
    for (let n = 0; n < 3; n++) await poll();
    expect(await get(id)).toMatchObject({ name: '' });
    meddle(null);
    asked.length = 0;
    await poll();
    expect(await get(id)).toMatchObject({ name: 'Ann Lee' });
    const first = asked.length;
    // No second worker, and no second look before its time.
    await poll(1);
    expect(asked).toHaveLength(first);
  });

  test('waits as long as it is asked to', async () => {
    await start(provider);
    meddle(() =>
      provider === 'hubspot'
        ? answerOf(429, { policyName: 'DAILY' })
        : answerOf(403, [{ errorCode: 'REQUEST_LIMIT_EXCEEDED', message: 'Too many' }]),
    );
    await poll();
    const times = asked.length;
    expect(times).toBe(1);
    await poll(1800);
    expect(asked).toHaveLength(times);
    await poll(2000);
    expect(asked.length).toBeGreaterThan(times);
  });

  test('says on the account what isn’t allowed, until it is', async () => {
    const { owner, add, get, crm, account } = await start(provider);
    const { id } = await add();
    await crm.put({ first: 'Ann', last: 'Lee' });
    meddle(() => answerOf(403, provider === 'hubspot' ? { category: 'MISSING_SCOPES' } : []));
    await poll();
    expect((await account()).last_error).toMatchObject({
      code: 'reading_failed',
      text: expect.stringMatching(
        /^Contacts can’t be read\. (HubSpot|Salesforce) doesn’t allow it\. /,
      ),
    });
    meddle(null);
    asked.length = 0;
    await poll(60);
    expect(asked).toEqual([]);
    // Tried in an hour, or as soon as someone connects the account again.
    await connectAccount(app, owner, provider);
    await app.drainJobs();
    await poll(60);
    expect((await account()).last_error).toBeNull();
    expect(await get(id)).toMatchObject({ name: 'Ann Lee' });
  });

  test('stops where access was revoked, and goes on once it is connected', async () => {
    const { add, get, crm, account } = await start(provider);
    const { id } = await add();
    await crm.put({ first: 'Ann', last: 'Lee' });
    await pool.query(`update sandbox.oauth_grant set revoked_at = now()`);
    await poll(4000);
    expect(await account()).toMatchObject({ status: 'expired' });
    expect(await get(id)).toMatchObject({ name: '' });
    asked.length = 0;
    await poll();
    expect(asked).toEqual([]);
  });

  test('of two records with one number the first stays, until it is deleted', async () => {
    const { add, get, crm } = await start(provider);
    const { id } = await add();
    const first = await crm.put({ first: 'Ann', last: 'Lee' });
    await poll();
    const second = await crm.put({ first: 'Ben', last: 'Brook' });
    await poll();
    expect(await get(id)).toMatchObject({ name: 'Ann Lee' });
    await crm.remove(first);
    await crm.change(second, { first: 'Benjamin' });
    await poll();
    expect(await get(id)).toMatchObject({ name: 'Benjamin Brook', nameFrom: provider });
  });

  test('names the contact that another was merged into, by either number', async () => {
    const { owner, add, get, crm } = await start(provider);
    const [kept, gone] = [await add('', '+12125550111'), await add()];
    const merged = await app.as(owner).request(contacts.mergeContacts, {
      params: { id: kept.id },
      body: { with: gone.id },
    });
    expect(merged.status).toBe(200);
    await crm.put({ first: 'Ann', last: 'Lee' });
    await poll();
    expect(await get(kept.id)).toMatchObject({ name: 'Ann Lee' });
  });

  test('a person’s edit of the same moment wins, whichever is first', async () => {
    const { add, get, type, crm } = await start(provider);
    const { id } = await add();
    const record = await crm.put({ first: 'Ann', last: 'Lee' });
    for (let n = 0; n < 5; n++) {
      await crm.change(record, { last: `Lee ${n}` });
      await Promise.all([poll(), type(id, { name: `Typed ${n}` })]);
      expect(await get(id)).toMatchObject({ name: `Typed ${n}`, nameFrom: null });
    }
  });

  describe('an owner', () => {
    test('gets conversations that no one was assigned to, once they call', async () => {
      const { owner, companyId, missedCall, crm, add, get } = await start(provider, {
        assign_owners: true,
      });
      const ann = await app.createPerson(companyId, 'user');
      await makeOwner(ann);
      const { id } = await add('Bob');
      await crm.put({ last: 'Lee', owner: owners[provider] });
      app.clock.advance(30);
      await missedCall(phone);
      const [first] = await inbox(owner);
      expect(first?.assignee).toMatchObject({ id: ann.id });
      expect(await get(id)).toMatchObject({
        name: 'Bob',
        crmOwner: { name: 'Ann Harbor', provider },
      });
      expect(await eventsOf(companyId, 'team-news')).toBe(1);
      // Taken away by a person: it isn't given back.
      const body = { ids: [first?.id ?? 0], userId: null };
      await app.as(owner).request(team.assignConversations, { params: { companyId }, body });
      await missedCall(phone);
      await poll();
      expect((await inbox(owner))[0]?.assignee).toBeNull();
    });

    test('never takes a conversation from who has it', async () => {
      const { owner, companyId, missedCall, crm } = await start(provider, { assign_owners: true });
      await makeOwner(await app.createPerson(companyId, 'user'));
      await missedCall(phone);
      const [first] = await inbox(owner);
      await app.as(owner).request(team.assignConversations, {
        params: { companyId },
        body: { ids: [first?.id ?? 0], userId: owner.id },
      });
      await crm.put({ last: 'Lee', owner: owners[provider] });
      await poll();
      expect((await inbox(owner))[0]?.assignee).toMatchObject({ id: owner.id });
    });

    test.each(['of another company', 'deactivated', 'without the number'])(
      '%s is only named',
      async (who) => {
        const { owner, companyId, missedCall, crm, add, get } = await start(provider, {
          assign_owners: true,
        });
        const other = await app.createCompany();
        const elsewhere = who === 'of another company' ? other.company.id : companyId;
        const numberIds = who === 'without the number' ? [1] : [];
        const ann = await app.createPerson(elsewhere, 'user', numberIds);
        await makeOwner(ann);
        if (who === 'deactivated')
          await pool.query(`update membership set role = 'deactivated' where user_id = $1`, [
            ann.id,
          ]);
        const { id } = await add();
        await crm.put({ last: 'Lee', owner: owners[provider] });
        app.clock.advance(30);
        await missedCall(phone);
        expect((await inbox(owner))[0]?.assignee).toBeNull();
        expect(await get(id)).toMatchObject({ crmOwner: { name: 'Ann Harbor' } });
      },
    );

    test('is left alone where that isn’t turned on', async () => {
      const { owner, companyId, missedCall, crm } = await start(provider);
      await makeOwner(await app.createPerson(companyId, 'user'));
      await crm.put({ last: 'Lee', owner: owners[provider] });
      app.clock.advance(30);
      await missedCall(phone);
      expect((await inbox(owner))[0]?.assignee).toBeNull();
    });
  });

  test('disconnected, what it named stays and its owners go', async () => {
    const { owner, companyId, id: connection, add, get, crm } = await start(provider);
    const { id } = await add();
    await crm.put({ first: 'Ann', last: 'Lee', owner: owners[provider] });
    await poll();
    await app
      .as(owner)
      .request(oauthIntegrations.removeOAuthIntegration, { params: { companyId, id: connection } });
    await app.drainJobs();
    expect(await get(id)).toMatchObject({ name: 'Ann Lee', crmOwner: null });
    asked.length = 0;
    await poll();
    expect(asked).toEqual([]);
  });

  test('reads more than a page, each person once', async () => {
    const { companyId, crm } = await start(provider);
    const count = 230;
    for (let n = 0; n < count; n++)
      await crm.put({ first: 'Ann', last: `No ${n}`, phone: `+1212556${String(1000 + n)}` });
    await pool.query(
      `insert into contact (company_id, number) select $1, '+1212556' || n from generate_series(1000, ${999 + count}) n`,
      [companyId],
    );
    await poll();
    const { rows } = await pool.query<{ name: string }>(
      `select name from contact where company_id = $1 and name_from = $2 order by number`,
      [companyId, provider],
    );
    expect(rows.map(({ name }) => name)).toEqual(
      Array.from({ length: count }, (_, n) => `Ann No ${n}`),
    );
  });
});

test('whatever is typed, changed in the CRM and read, in any order: what a person typed stays', async () => {
  const { add, get, type, crm, missedCall } = await start('hubspot');
  const words = ['', 'Ann', 'Ben', 'Ann Lee'];
  const step = fc.oneof(
    fc.record({ does: fc.constant('type' as const), name: fc.constantFrom(...words) }),
    fc.record({ does: fc.constant('crm' as const), name: fc.constantFrom(...words) }),
    fc.record({ does: fc.constant('poll' as const), name: fc.constant('') }),
    fc.record({ does: fc.constant('call' as const), name: fc.constant('') }),
  );
  let n = 1000;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      const number = `+1212557${n++}`;
      const { id } = await add('', number);
      const record = await crm.put({ first: 'Ann', phone: number });
      let inCrm = 'Ann';
      // Whose the name is: no one's (and then a CRM's once it is empty), the CRM's or a person's.
      let owner: 'none' | 'crm' | 'person' = 'none';
      for (const { does, name: typed } of steps) {
        const { name: before } = await get(id);
        if (does === 'type') {
          await type(id, { name: typed });
          if (typed !== before && owner === 'crm') owner = 'person';
        } else if (does === 'crm') {
          await crm.change(record, { first: typed });
          inCrm = typed;
        } else if (does === 'poll') await poll();
        else {
          app.clock.advance(30);
          await missedCall(number);
        }
        const { name: after } = await get(id);
        if (does === 'type') expect(after).toBe(typed);
        else if (does === 'crm' || owner === 'person' || (owner === 'none' && before !== ''))
          expect(after).toBe(before);
        else if (does === 'call') expect(after).toBe(inCrm || before);
        else expect([before, inCrm || before]).toContain(after);
        if (after !== before && does !== 'type') owner = 'crm';
      }
    }),
    { numRuns: 10 },
  );
});
