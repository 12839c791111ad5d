import { describe, expect, it } from 'vitest';
import {
  audit,
  calls,
  companies,
  contacts,
  numbers,
  routing,
  tracking,
  type BodyIn,
} from '#contract';
import { createTestNumber } from '../../../../test/support/call-harness.ts';
import { fieldFiles } from '../../../../test/support/field-files.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const { createField, upload, list, undo } = fieldFiles(app);

const valuesOf = async (who: TestPerson, id: number) => {
  const { data } = (await app.as(who).request(routing.getNumber, { params: { id } })).body;
  return Object.fromEntries((data.eavAttributeValues ?? []).map((v) => [v.key, v.label]));
};
const setValues = (
  who: TestPerson,
  id: number,
  eavAttributeValues: BodyIn<typeof routing.updateNumber>['eavAttributeValues'],
) => app.as(who).request(routing.updateNumber, { params: { id }, body: { eavAttributeValues } });

async function aCompany() {
  const { owner } = await app.createCompany();
  await createField(owner, 'number', {
    name: 'Stage',
    type: 'enum',
    choices: [{ value: 'New' }, { value: 'Won' }],
  });
  await createField(owner, 'number', { name: 'Cost center' });
  const first = await createTestNumber(app, owner.companyId);
  const second = await createTestNumber(app, owner.companyId);
  return { owner, first, second };
}

/** An ended call of the number. Returns its ID. */
const aCall = async (companyId: number, numberId: number): Promise<number> => {
  const { rows } = await app.services.db.pool.query(
    `insert into call (company_id, number_id, carrier, outbound, from_number, to_number, party, outcome,
       started_at, ended_at, created_at, updated_at)
     values ($1, $2, 'sandbox', false, '+12125550147', '', '+12125550147', 1, now(), now(), now(), now())
     returning id`,
    [companyId, numberId],
  );
  return Number((rows[0] as { id: string }).id);
};

describe('a file of custom fields', () => {
  it('changes calls by ID, and no other company’s', async () => {
    const { owner, first } = await aCompany();
    const other = await aCompany();
    await createField(owner, 'call', { name: 'Reason' });
    const own = await aCall(owner.companyId, first.id);
    const foreign = await aCall(other.owner.companyId, other.first.id);
    await upload(owner, `entity_id,reason\n${own},Appointment\n${foreign},Spam\n`, 'call');
    await app.drainJobs();
    expect((await list(owner)).data[0]).toMatchObject({
      ...{ entityType: 'call', changed: 1, failed: 1 },
      errors: [{ row: 3, field: 'entity_id' }],
    });
    const shown = await app.as(owner).request(calls.getCall, { params: { id: own } });
    expect(shown.body.data.eavAttributeValues).toMatchObject([
      { key: 'reason', label: 'Appointment' },
    ]);
    await undo(owner, (await list(owner)).data[0]!.id);
    await app.drainJobs();
    const after = await app.as(owner).request(calls.getCall, { params: { id: own } });
    expect(JSON.stringify(after.body.data.eavAttributeValues)).not.toContain('Appointment');
  });

  it('sets, leaves and deletes values, reports wrong rows, and is undone', async () => {
    const { owner, first, second } = await aCompany();
    await setValues(owner, first.id, [{ key: 'cost_center', value: 'A-1' }]);
    await setValues(owner, second.id, [{ key: 'cost_center', value: 'B-1' }]);
    const csv = [
      'Number,Stage,cost_center',
      `${first.number},Won,`,
      `"(${second.number.slice(2, 5)}) ${second.number.slice(5, 8)}-${second.number.slice(8)}",,__clear__`,
      '+12125550100,Won,',
      `${first.number},New,`,
      'nonsense,New,',
    ].join('\n');
    const answer = await upload(owner, csv);
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(answer.body.data).toMatchObject({
      entityType: 'number',
      status: 'running',
      progress: 0,
      total: 5,
    });
    await app.drainJobs();
    expect(await valuesOf(owner, first.id)).toEqual({ stage: 'Won', cost_center: 'A-1' });
    expect(await valuesOf(owner, second.id)).toEqual({});
    const [run] = (await list(owner)).data;
    expect(run).toMatchObject({
      status: 'finished',
      progress: 100,
      processed: 5,
      changed: 2,
      failed: 3,
      errors: [
        { row: 4, field: 'number', message: 'There’s no such number here.' },
        { row: 5, field: 'number', message: 'Row 2 is about the same number.' },
        { row: 6, field: 'number', message: 'Enter a phone number.' },
      ],
      created_by: { id: owner.id },
    });
    const file = await app.as(null).inject({ method: 'GET', url: run!.file.url! });
    expect(String(file.body)).toBe(csv);

    // One value is changed again before the undo: it stays.
    await setValues(owner, second.id, [{ key: 'cost_center', value: 'B-2' }]);
    const undone = await undo(owner, run!.id);
    expect(undone.body.data).toMatchObject({ status: 'undoing', progress: 0 });
    await app.drainJobs();
    expect(await valuesOf(owner, first.id)).toEqual({ cost_center: 'A-1' });
    expect(await valuesOf(owner, second.id)).toEqual({ cost_center: 'B-2' });
    expect((await list(owner)).data[0]).toMatchObject({
      status: 'undone',
      progress: 100,
      undone: { restored: 1, kept: 1 },
      canUndoUntil: null,
    });
    expect((await undo(owner, run!.id)).body).toMatchObject({ code: 'field_update.cannot_undo' });
    const log = await app.as(owner).request(audit.listAuditLog, {
      params: { companyId: owner.companyId },
      query: { group: 'data' },
    });
    expect(log.body.data.map(({ action }) => action)).toEqual([
      'fields.update_undone',
      'fields.updated_by_file',
    ]);
  });

  it('says of values that they came from a file, and of the number who changed it', async () => {
    const { owner, first } = await aCompany();
    await upload(owner, `number,stage\n${first.number},Won\n`);
    await app.drainJobs();
    const { data } = (await app.as(owner).request(routing.getNumber, { params: { id: first.id } }))
      .body;
    expect(data.eavAttributeValues).toMatchObject([{ source: 'import', updated_by: owner.id }]);
    const timeline = await app.as(owner).request(numbers.numberTimelineEvents, {
      params: { companyId: owner.companyId, number: first.number },
    });
    expect(JSON.stringify(timeline.body.data)).toContain('Stage');
  });

  it('is refused with a sentence when its columns are wrong', async () => {
    const { owner, first } = await aCompany();
    const wrong = async (text: string, entityType?: string) => {
      const answer = await upload(owner, text, entityType);
      expect(answer.status).toBe(422);
      return (answer.body as { errors: { file: string[] } }).errors.file[0];
    };
    const row = `\n${first.number},x\n`;
    expect(await wrong(`phone,stage${row}`)).toBe(
      'The file needs a column number, pool_id or entity_id.',
    );
    expect(await wrong(`number,colour${row}`)).toBe('No custom field has the key colour.');
    expect(await wrong(`number,stage,STAGE${row}`)).toMatch(/stage/i);
    expect(await wrong('number\n+12125550100\n')).toBe(
      'The file needs a column for at least one custom field.',
    );
    expect(await wrong('entity_id,stage\n1,x\n')).toBe('Choose what the column entity_id names.');
    expect(await wrong(`number,stage${row}`, 'contact')).toBe(
      'The column number doesn’t name what you chose.',
    );
    expect(await wrong('number,stage\n')).toBe('The file has headers but no rows.');
    const many = Array.from({ length: 10_001 }, (_, n) => `+1212${5_550_000 + n},x\n`).join('');
    expect(await wrong(`number,stage\n${many}`)).toBe(
      'A file can have up to 10,000 rows. Split it into several files.',
    );
    expect((await list(owner)).data).toEqual([]);
  });

  it('changes nothing of another company, and no one else sees the run', async () => {
    const { owner, first } = await aCompany();
    const other = await aCompany();
    await upload(other.owner, `number,stage\n${first.number},Won\n`);
    await upload(other.owner, `entity_id,stage\n${first.id},Won\n`, 'number');
    await app.drainJobs();
    expect(await valuesOf(owner, first.id)).toEqual({});
    const runs = (await list(other.owner)).data;
    expect(runs.map(({ failed, changed }) => [failed, changed])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect((await list(owner)).data).toEqual([]);
    expect((await undo(owner, runs[0]!.id)).status).toBe(404);
    const member = await app.createPerson(owner.companyId, 'user');
    expect((await upload(member, `number,stage\n${first.number},Won\n`)).status).toBe(403);
  });

  it('changes contacts, people, tracking pools and the company by ID', async () => {
    const { owner } = await app.createCompany();
    const at = { params: { companyId: owner.companyId } };
    const colleague = await app.createPerson(owner.companyId, 'user');
    const contact = (
      await app.as(owner).request(contacts.createContact, {
        body: { companyId: owner.companyId, number: '+12125550147', name: 'Dana' },
      })
    ).body.data;
    const pool = (
      await app.as(owner).request(tracking.createPool, {
        ...at,
        body: { name: 'Site', domains: ['shop.example'] },
      })
    ).body.data;
    for (const type of ['contact', 'user', 'tracking-pool', 'company'] as const)
      await createField(owner, type, { name: 'Code' });
    await upload(owner, `entity_id,code\n${contact.id},c1\n`, 'contact');
    await upload(owner, `entity_id,code\n${colleague.id},u1\n${owner.id},u2\n`, 'user');
    await upload(owner, `pool_id,code\n${pool.id},p1\n`);
    await upload(owner, `entity_id,code\n${owner.companyId},=1+1\n`, 'company');
    await app.drainJobs();
    const runs = (await list(owner)).data;
    expect(runs.map(({ entityType, changed }) => [entityType, changed])).toEqual([
      ['company', 1],
      ['tracking-pool', 1],
      ['user', 2],
      ['contact', 1],
    ]);
    const shown = await Promise.all([
      app.as(owner).request(contacts.getContact, { params: { contactId: contact.id } }),
      app.as(owner).request(companies.getCompanyUser, {
        params: { companyId: owner.companyId, userId: colleague.id },
      }),
      app.as(owner).request(tracking.getPool, {
        params: { companyId: owner.companyId, poolId: pool.id },
      }),
    ]);
    expect(shown.map(({ body }) => JSON.stringify(body))).toEqual([
      expect.stringContaining('"c1"'),
      expect.stringContaining('"u1"'),
      expect.stringContaining('"p1"'),
    ]);
    // A deleted pool is in no template.
    expect((await list(owner, 'tracking-pool')).template?.csv).toContain(`${pool.id},p1`);
    await app.as(owner).request(tracking.deletePool, {
      params: { companyId: owner.companyId, poolId: pool.id },
    });
    expect((await list(owner, 'tracking-pool')).template?.csv).toBe('\uFEFFpool_id,code\r\n');
    // A template gives back what a file set, safe for spreadsheets, and changes nothing again.
    const { template } = await list(owner, 'company');
    expect(template?.csv).toBe(`\uFEFFentity_id,code\r\n${owner.companyId},'=1+1\r\n`);
    await upload(owner, template!.csv, 'company');
    await app.drainJobs();
    expect((await list(owner)).data[0]).toMatchObject({
      changed: 0,
      failed: 0,
      canUndoUntil: null,
    });
  });

  it('ends when whoever started it can’t change these anymore, and keeps what was changed', async () => {
    const { owner, first } = await aCompany();
    const administrator = await app.createPerson(owner.companyId, 'administrator');
    await app.stopJobs();
    await upload(administrator, `number,stage\n${first.number},Won\n`);
    await app.as(owner).request(companies.updateCompanyUser, {
      params: { companyId: owner.companyId, userId: administrator.id },
      body: { role: 'user' },
    });
    await app.drainJobs();
    expect(await valuesOf(owner, first.id)).toEqual({});
    expect((await list(owner)).data[0]).toMatchObject({
      status: 'failed',
      failure: 'The person who started this can’t change these anymore.',
      changed: 0,
    });
  });

  it('checks values as a form does: choices, uniqueness and required fields', async () => {
    const { owner, first, second } = await aCompany();
    await createField(owner, 'number', { name: 'Line', is_unique: true });
    await upload(owner, `number,stage,line\n${first.number},Lost,1\n${second.number},Won,2\n`);
    await app.drainJobs();
    await upload(owner, `number,line\n${first.number},2\n`);
    await app.drainJobs();
    const [again, run] = (await list(owner)).data;
    expect(run!.errors).toEqual([
      { row: 2, field: 'stage', message: 'Choose an option from the list.' },
    ]);
    expect(again!.errors).toMatchObject([{ row: 2, field: 'line' }]);
    expect(await valuesOf(owner, first.id)).toEqual({});
    expect(await valuesOf(owner, second.id)).toEqual({ stage: 'Won', line: '2' });
  });
});

it('a file of 120 rows reports its progress step by step', async () => {
  const { owner } = await aCompany();
  const lines: string[] = [];
  for (let n = 0; n < 120; n++)
    lines.push(`${(await createTestNumber(app, owner.companyId)).number},Won`);
  await upload(owner, `number,stage\n${lines.join('\n')}\n`);
  await app.drainJobs();
  const { rows } = await app.services.db.pool.query<{ data: { processed: number } }>(
    `select data from outbox where company_id = $1 and event = 'field_update.changed' order by id`,
    [owner.companyId],
  );
  expect(rows.map(({ data }) => data.processed)).toEqual([0, 50, 100, 120]);
  expect((await list(owner)).data[0]).toMatchObject({ changed: 120, failed: 0 });
});
