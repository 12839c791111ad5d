import { expect, it } from 'vitest';
import { audit, sourceReports as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { createTestNumber } from '../../../../test/support/call-harness.ts';

const app = await createTestApp();
const save = async (who: TestPerson, name: string) =>
  (
    await app.as(who).request(contract.saveSourceReport, {
      body: {
        company_id: who.companyId,
        name,
        startDate: '2026-11-01',
        endDate: '2026-11-21',
      },
    })
  ).body.data;
const remove = async (who: TestPerson, reportId: number) =>
  (await app.as(who).request(contract.deleteSourceReport, { params: { reportId } })).status;
const names = async (who: TestPerson) =>
  (
    await app.as(who).request(contract.listSourceReports, {
      query: { company_id: who.companyId },
    })
  ).body.data.map(({ name }) => name);

it('a saved report is deleted with its file, by whoever made it or sets up tracking, and logged', async () => {
  const { owner } = await app.createCompany();
  const reader = await app.createPerson(owner.companyId, 'reporting');
  const [ofOwner, first, second] = [
    await save(owner, 'Owner'),
    await save(reader, 'First'),
    await save(reader, 'Second'),
  ];
  expect(await remove(reader, ofOwner.id)).toBe(403);
  expect(await remove(reader, first.id)).toBe(204);
  expect(await remove(owner, second.id)).toBe(204);
  expect(await remove(owner, second.id)).toBe(404);
  expect(await names(owner)).toEqual(['Owner']);
  const file = await app.as(null).inject({ method: 'GET', url: first.file_url ?? '' });
  expect(file.status).toBe(404);
  const log = await app.as(owner).request(audit.listAuditLog, {
    params: { companyId: owner.companyId },
    query: { group: 'tracking' },
  });
  expect(log.body.data.map(({ action }) => action)).toEqual([
    'source_report.deleted',
    'source_report.deleted',
  ]);
});

it('another company’s report, and one of numbers that aren’t seen, is as if it weren’t there', async () => {
  const { owner } = await app.createCompany();
  const { owner: stranger } = await app.createCompany();
  const report = await save(owner, 'Owner');
  expect(await remove(stranger, report.id)).toBe(404);
  const number = await createTestNumber(app, owner.companyId);
  const limited = await app.createPerson(owner.companyId, 'user', [number.id]);
  expect(await remove(limited, report.id)).toBe(404);
  expect(await names(owner)).toEqual(['Owner']);
});
