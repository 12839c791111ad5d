import { fields } from '#contract';
import type { OwnedCall } from './expected-calls.ts';
import { inboxHelpers } from './inbox.ts';
import { randomCalls } from './random-calls.ts';
import type { TestApp } from './test-app.ts';

/** A company with two numbers, two people, three tags, and random calls of 26 days in 2026. */
export async function companyWithCalls(app: TestApp, seed: number, count = 300) {
  const inbox = inboxHelpers(app);
  const { company, owner } = await app.createCompany();
  const numbers = [await inbox.number(company.id), await inbox.number(company.id)].map((n) => n.id);
  const users = [owner, await app.createPerson(company.id, 'user')];
  const made = await app.as(owner).request(fields.createTags, {
    params: { companyId: company.id },
    body: { tags: ['Hot', 'Cold', 'Again'] },
  });
  const tags = made.body.data.map(({ id }) => id);
  const material = {
    numbers,
    users: users.map(({ id }) => id),
    tags,
    from: '2026-10-19T00:00:00Z',
    days: 26,
  };
  const calls = await randomCalls(app, company.id, material, { count, seed });
  const owned = calls.map((call): OwnedCall => ({ ...call, company: company.id, unit: null }));
  return { company, owner, numbers, users, tags, calls: owned };
}
