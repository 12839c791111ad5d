import { expect, test } from 'vitest';
import { companies, endpoints } from '#contract';
import { allJobs } from '../src/app.ts';
import { systemCtx } from '../src/platform/context.ts';
import { exampleRequest, idSlotsOf } from './support/endpoint-requests.ts';
import { sendRequest } from './support/cross-tenant-probes.ts';
import { createTestApp } from './support/test-app.ts';

const app = await createTestApp();

test('a company that was only looked at can be deleted days later', async () => {
  const { owner } = await app.createCompany();
  const made = await app.as(owner).request(companies.createCompany, {
    body: { company_info: { name: 'Soon gone', timezone: 'America/New_York' } },
  });
  const { id } = made.body.data;
  const person = { ...owner, companyId: id };
  const ids = { company: id, user: owner.id };
  const screens = endpoints.filter(
    (e) =>
      e.method === 'GET' &&
      e.company !== 'none' &&
      e.permission !== 'public' &&
      // They make a file, which is kept for its time.
      !['marketplaceReport', 'exportNumbers'].includes(e.name) &&
      idSlotsOf(e).every((slot) => slot.where !== 'params' || slot.kind in ids),
  );
  expect(screens.length).toBeGreaterThan(50);
  let answered = 0;
  for (const e of screens)
    if ((await sendRequest(app, e, person, exampleRequest(e, ids))).status < 300) answered++;
  expect(answered).toBeGreaterThan(50);

  const recurring = (await allJobs()).filter((job) => job.recurring);
  for (const hours of [0, 25]) {
    app.clock.advance(hours * 3600);
    for (const job of recurring)
      await job.handler(systemCtx(app.services, 0, app.notifier), {}, { number: 1, last: true });
    await app.drainJobs();
  }
  const gone = await app.as(owner).request(companies.deleteCompany, { params: { id } });
  expect(gone.status, JSON.stringify(gone.body)).toBe(204);
});
