import { describe, expect, test } from 'vitest';
import { calls, oauthIntegrations as contract } from '#contract';
import {
  answerOf,
  createAccountHarness,
  type Rule,
} from '../../../../test/support/account-harness.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import type { OutboundRequest } from '../../../gateways/outbound.ts';

const { app, asked, meddle, loseFirst, company, later } = await createAccountHarness([
  'sandbox.salesforce_record',
]);

interface Stored {
  type: string;
  fields: Record<string, unknown>;
  id: string;
}
const inOrg = async (type: string): Promise<Stored[]> =>
  (
    await app.services.db.pool.query<Stored>(
      `select id::text, type, fields from sandbox.salesforce_record where type = $1 order by id`,
      [type],
    )
  ).rows;
const host = 'harbor.my.salesforce.com';
const org = (config: object = {}, more: Partial<Rule> = {}) =>
  company('salesforce', { instance: host, ...config }, [
    { event: 'call.completed', ...more },
    { event: 'qualified', ...more },
  ]);
const isCreating = (type: string, { method, url }: OutboundRequest): boolean =>
  method === 'POST' && url.endsWith(`/sobjects/${type}`);
const edit = async (owner: TestPerson, id: number, body: object) => {
  await app.as(owner).request(calls.updateCall, { params: { id }, body });
  await app.drainJobs();
};

describe('a lead', () => {
  test('is owned by the queue that was chosen, and its task by no one else', async () => {
    const { missedCall, log } = await org({ owner_rule: '00G000000000001' });
    await missedCall();
    expect((await inOrg('Lead'))[0]?.fields['OwnerId']).toBe('00G000000000001');
    // A task is owned by a person.
    expect((await inOrg('Task'))[0]?.fields['OwnerId']).toBeUndefined();
    expect((await log())[0]?.state).toBe('sent');
  });

  test('is made once for three calls of one person that workers deliver at one time', async () => {
    const { missedCall, log, deliverTogether } = await org({}, { delay_minutes: 1 });
    for (let n = 0; n < 3; n++) await missedCall();
    const waiting = await log();
    expect(waiting.map(({ state }) => state)).toEqual(['queued', 'queued', 'queued']);
    app.clock.advance(61);
    await deliverTogether();
    const [lead, ...more] = await inOrg('Lead');
    expect(more).toEqual([]);
    expect(lead?.fields).toMatchObject({
      ...{ Phone: '+12125550147', LastName: 'Unknown Caller', Company: 'Unknown' },
      LeadSource: 'Phone',
    });
    const tasks = await inOrg('Task');
    expect(tasks.map(({ fields }) => fields['WhoId'])).toEqual(
      Array.from({ length: 3 }, () => `00Q${lead?.id}`),
    );
    expect(tasks[0]?.fields).toMatchObject({
      ...{ Subject: 'Inbound call missed', Status: 'Completed', CallType: 'Inbound' },
      TaskSubtype: 'Call',
    });
    const done = await log();
    expect(done.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
    expect(JSON.stringify(done)).not.toMatch(/5550147|sbx_/);
  });

  test('and its call are made once where the answer was lost', async () => {
    const { missedCall, log } = await org();
    loseFirst((request) => isCreating('Lead', request));
    await missedCall();
    expect((await log())[0]).toMatchObject({ state: 'failed', attempts: 1 });
    await later(61);
    loseFirst((request) => isCreating('Task', request));
    await missedCall();
    await later(61);
    expect((await log()).map(({ state }) => state)).toEqual(['sent', 'sent']);
    expect(await inOrg('Lead')).toHaveLength(1);
    expect(await inOrg('Task')).toHaveLength(2);
  });

  test('that is there, also as a contact, is used; one that was deleted is made anew', async () => {
    await app.services.db.pool.query(
      `insert into sandbox.salesforce_record (org, type, fields, created_at, updated_at)
       values ('sandbox-main', 'Contact', '{"Phone": "(212) 555-0147"}', '2026-01-01', '2026-01-01')`,
    );
    const { missedCall } = await org();
    await missedCall();
    const [contact] = await inOrg('Contact');
    expect(await inOrg('Lead')).toEqual([]);
    expect((await inOrg('Task'))[0]?.fields['WhoId']).toBe(`003${contact?.id}`);
    await app.services.db.pool.query('delete from sandbox.salesforce_record');
    await missedCall();
    const [lead] = await inOrg('Lead');
    expect((await inOrg('Task'))[0]?.fields['WhoId']).toBe(`00Q${lead?.id}`);
  });

  test('isn’t made where that is turned off; a field that was renamed is left out and named', async () => {
    const closed = await org({ create_if_missing: false });
    await closed.missedCall();
    expect((await closed.log())[0]).toMatchObject({
      state: 'skipped',
      error: 'No one in Salesforce has this number.',
    });
    const renamed = await org({ field_map: { number_label: 'Line__c', tracking_number: 'City' } });
    await renamed.missedCall();
    expect((await renamed.log())[0]).toMatchObject({
      state: 'sent',
      error: 'Salesforce didn’t take Line__c. Check the fields.',
    });
    expect((await inOrg('Lead'))[0]?.fields['City']).toBe(renamed.number);
  });
});

describe('a call', () => {
  test('that is qualified afterwards changes in Salesforce instead of being logged twice', async () => {
    const { owner, missedCall } = await org();
    const id = await missedCall();
    await edit(owner, id, { qualified: true });
    const tasks = await inOrg('Task');
    expect(tasks).toHaveLength(1);
    expect(tasks[0]?.fields['Description']).toContain('Qualified: Yes');
  });

  test('becomes a case where that is chosen, of the contact that has the number', async () => {
    const { missedCall } = await org({ object: 'Case' });
    await missedCall();
    expect(await inOrg('Lead')).toEqual([]);
    expect((await inOrg('Case'))[0]?.fields).toMatchObject({
      ...{ Origin: 'Phone', SuppliedPhone: '+12125550147' },
    });
  });
});

describe('what Salesforce answers', () => {
  test('that the day’s requests are used up: it waits, which is no failed try', async () => {
    const { missedCall, log } = await org();
    meddle(() => answerOf(403, [{ errorCode: 'REQUEST_LIMIT_EXCEEDED', message: 'm' }]));
    await missedCall();
    const [waiting] = await log();
    expect(waiting).toMatchObject({ state: 'queued', attempts: 0 });
    meddle(null);
    await later(3700);
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('that a duplicate rule found someone: it is them', async () => {
    const { missedCall } = await org();
    await app.services.db.pool.query(
      `insert into sandbox.salesforce_record (id, org, type, fields, created_at, updated_at)
       values (77, 'sandbox-main', 'Lead', '{}', '2026-01-01', '2026-01-01')`,
    );
    meddle((request, answer) =>
      isCreating('Lead', request)
        ? answerOf(400, [
            {
              errorCode: 'DUPLICATES_DETECTED',
              message: 'm',
              duplicateResult: { matchResults: [{ matchRecords: [{ record: { Id: '00Q77' } }] }] },
            },
          ])
        : answer,
    );
    await missedCall();
    expect((await inOrg('Task'))[0]?.fields['WhoId']).toBe('00Q77');
  });

  test('that the person lost access, or revoked the app: it says what to do', async () => {
    const { missedCall, log, account } = await org();
    meddle(() => answerOf(403, [{ errorCode: 'API_DISABLED_FOR_ORG', message: 'm' }]));
    await missedCall();
    expect((await log())[0]).toMatchObject({
      state: 'dead',
      error: 'Salesforce doesn’t allow it. Check the permissions of the connected person.',
    });
    meddle(null);
    await app.services.db.pool.query(`update sandbox.oauth_grant set revoked_at = now()`);
    await missedCall();
    expect(await account()).toMatchObject({ status: 'expired' });
  });
});

test('a token goes to hosts of Salesforce only', async () => {
  const { owner, companyId, id } = await org();
  asked.length = 0;
  for (const instance of ['evil.example', 'salesforce.com.evil.example', 'evilsalesforce.com']) {
    const { status } = await app.as(owner).request(contract.updateOAuthIntegration, {
      params: { companyId, id },
      body: { config: { instance } },
    });
    expect(status, instance).toBe(422);
    await app.as(owner).request(contract.lookUpOAuthIntegration, {
      params: { companyId, id, kind: 'owners' },
      query: { parent: instance },
    });
  }
  expect(asked.filter(({ url }) => !new URL(url).hostname.endsWith('.salesforce.com'))).toEqual([]);
});

test('users, queues and fields of the org are listed, for those who set it up', async () => {
  const { owner, companyId, id } = await org();
  const { owner: other } = await app.createCompany();
  const look = (person: TestPerson, kind: 'owners' | 'properties', parent: string) =>
    app.as(person).request(contract.lookUpOAuthIntegration, {
      params: { companyId: person.companyId, id, kind },
      query: { parent },
    });
  expect((await look(owner, 'owners', host)).body.data[0]).toEqual({
    ...{ id: '005000000000001', name: 'Ann Harbor', detail: 'ann@harbor.example.com' },
  });
  const queues = async (object: string) =>
    (await look(owner, 'owners', `${host}/${object}`)).body.data.filter(
      ({ detail }) => detail === 'Queue',
    );
  expect(await queues('Lead')).toEqual([
    { id: '00G000000000001', name: 'Front desk', detail: 'Queue' },
  ]);
  expect(await queues('Contact'), 'no queue owns a contact').toEqual([]);
  const { data } = (await look(owner, 'properties', `${host}/Lead`)).body;
  expect(data).toContainEqual({ id: 'Campaign__c', name: 'Campaign', detail: 'string' });
  expect(data.map((one) => one.id)).not.toContain('Id');
  expect((await look(other, 'owners', host)).status).toBe(404);
  expect(companyId).not.toBe(other.companyId);
});
