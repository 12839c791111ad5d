import { expect, it } from 'vitest';
import { companies, fieldUpdates as contract, organizations, routing } from '#contract';
import { createTestNumber } from '../../../../test/support/call-harness.ts';
import { fieldFiles } from '../../../../test/support/field-files.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const { createField, upload, uploadFor, list, listFor } = fieldFiles(app);

/** An organization with two companies, a number in each, and a number of a stranger. */
async function aGroup() {
  const { company, owner } = await app.createCompany();
  const second = (
    await app.as(owner).request(companies.createCompany, {
      body: { company_info: { name: 'Second', timezone: 'UTC' } },
    })
  ).body.data;
  const { data } = (
    await app.as(owner).request(organizations.createOrganization, {
      body: { name: 'Group', companyIds: [company.id, second.id] },
    })
  ).body;
  const here = await createTestNumber(app, company.id);
  const there = await createTestNumber(app, second.id);
  const { owner: stranger } = await app.createCompany();
  const foreign = await createTestNumber(app, stranger.companyId);
  return { owner, stranger, id: data.id, here, there, foreign, second: second.id };
}
const valuesOf = async (who: TestPerson, companyId: number, id: number) => {
  const { data } = (
    await app.as({ ...who, companyId }).request(routing.getNumber, { params: { id } })
  ).body;
  return Object.fromEntries((data.eavAttributeValues ?? []).map((v) => [v.key, v.label]));
};

it('a file changes the numbers of all companies of an organization, no others, and is undone', async () => {
  const { owner, stranger, id, here, there, foreign, second } = await aGroup();
  // A company's own field of the same key stays out of it.
  await createField({ ...owner, companyId: second }, 'number', { name: 'Region', key: 'region' });
  const shared = await createField(owner, 'number', { name: 'Region', scope: 'organization' });
  const csv = `number,region\n${here.number},East\n${there.number},West\n${foreign.number},North\n`;
  const answer = await uploadFor(owner, id, csv);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  expect(answer.body.data).toMatchObject({ status: 'running', total: 3, failed: 1 });
  await app.drainJobs();
  const [run] = (await listFor(owner, id)).data;
  expect(run).toMatchObject({
    status: 'finished',
    progress: 100,
    changed: 2,
    processed: 3,
    failed: 1,
    errors: [{ row: 4, field: 'number', message: 'There’s no such number here.' }],
    companies: [
      { company: { id: owner.companyId }, changed: 1 },
      { company: { id: second }, changed: 1 },
    ],
  });
  expect(await valuesOf(owner, owner.companyId, here.id)).toEqual({ region: 'East' });
  expect(await valuesOf(owner, second, there.id)).toEqual({ region: 'West' });
  const { data: seen } = (
    await app
      .as({ ...owner, companyId: second })
      .request(routing.getNumber, { params: { id: there.id } })
  ).body;
  expect(seen.eavAttributeValues).toMatchObject([{ attribute_id: shared.id }]);
  expect(await valuesOf(stranger, stranger.companyId, foreign.id)).toEqual({});
  // A company sees its own part of the file, and nothing of the others'.
  const own = (await list({ ...owner, companyId: second })).data;
  const part = await app.as(null).inject({ method: 'GET', url: own[0]!.file.url! });
  expect(String(part.body)).toBe(`\uFEFFnumber,region\r\n${there.number},West\r\n`);

  const undone = await app.as(owner).request(contract.undoOrganizationFieldUpdate, {
    params: { id, updateId: run!.id },
  });
  expect(undone.body.data).toMatchObject({ status: 'undoing' });
  await app.drainJobs();
  expect(await valuesOf(owner, second, there.id)).toEqual({});
  expect((await listFor(owner, id)).data[0]).toMatchObject({
    status: 'undone',
    undone: { restored: 2, kept: 0 },
  });
});

it('only those who administer the organization run files for it, and only where they administer', async () => {
  const { owner, stranger, id, here } = await aGroup();
  await createField(owner, 'number', { name: 'Region', scope: 'organization' });
  await createField(owner, 'number', { name: 'Own' });
  const csv = `number,region\n${here.number},East\n`;
  const colleague = await app.createPerson(owner.companyId, 'administrator');
  expect((await uploadFor(colleague, id, csv)).status).toBe(403);
  expect((await uploadFor(stranger, id, csv)).status).toBe(404);
  const refused = await uploadFor(owner, id, `number,own\n${here.number},x\n`);
  expect(refused.body).toMatchObject({
    errors: {
      file: [
        'No custom field has the key own. Only fields of the organization are in all companies.',
      ],
    },
  });
  await uploadFor(owner, id, csv);
  await app.drainJobs();
  const [run] = (await listFor(owner, id)).data;
  const other = await aGroup();
  const foreign = await app.as(other.owner).request(contract.undoOrganizationFieldUpdate, {
    params: { id: other.id, updateId: run!.id },
  });
  expect(foreign.status).toBe(404);
});

it('the template has the numbers of all companies with their values, and comes back unchanged', async () => {
  const { owner, id, here, there } = await aGroup();
  await createField(owner, 'number', { name: 'Region', scope: 'organization' });
  await upload(owner, `number,region\n${here.number},"North, east"\n`);
  await app.drainJobs();
  const { template } = await listFor(owner, id, 'number');
  expect(template!.csv.split('\r\n').sort()).toEqual(
    ['\uFEFFnumber,region', `${here.number},"North, east"`, `${there.number},`, ''].sort(),
  );
  await uploadFor(owner, id, template!.csv);
  await app.drainJobs();
  expect((await listFor(owner, id)).data[0]).toMatchObject({ changed: 0, failed: 0 });
});
