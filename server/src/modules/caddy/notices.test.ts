import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { caddy, notifications } from '#contract';
import { caddyHelpers } from '../../../test/support/caddy.ts';
import { inboxHelpers, uniquePhone } from '../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';

const app = await createTestApp();
const { withNumber } = caddyHelpers(app);
const { text } = inboxHelpers(app);
const keys = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
};
const register = (person: TestPerson) =>
  app.as(person).request(notifications.subscribeWebPush, {
    body: { endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`, keys },
  });
const choose = (person: TestPerson, body: Parameters<typeof updateBody>[0]) =>
  app.as(person).request(caddy.updateCaddyProfile, { body: updateBody(body) });
const updateBody = (body: {
  notifications?: { texts?: boolean };
  doNotDisturb?: { from: string; to: string } | null;
}) => body;
const pushesTo = async ({ companyId }: TestPerson) =>
  (
    await app.services.db.pool.query<{ kind: string; body: string; url: string }>(
      `select kind, body, url from sandbox.push p
        join caddy_account a on a.person_id = p.person_id
        where a.company_id = $1 order by p.id`,
      [companyId],
    )
  ).rows;

test('a device is told of texts, in the person’s own app, as they chose and when they want', async () => {
  const [{ person, mine }, other] = [await withNumber(), await withNumber()];
  expect((await register(person)).status).toBe(201);
  expect((await register(other.person)).status).toBe(201);
  const tell = async (words: string) => {
    await text(uniquePhone(), mine.number, words);
    await app.drainJobs();
    return (await pushesTo(person)).map(({ body }) => body);
  };
  expect(await tell('One')).toEqual(['One']);
  const [first] = await pushesTo(person);
  expect(first?.url).toMatch(/^\/caddy\/threads\/\d+$/);
  await choose(person, { notifications: { texts: false } });
  expect(await tell('Two')).toEqual(['One']);
  await choose(person, { notifications: { texts: true } });
  expect(await tell('Three')).toEqual(['One', 'Three']);
  // All day.
  await choose(person, { doNotDisturb: { from: '08:00', to: '08:00' } });
  expect(await tell('Four')).toEqual(['One', 'Three']);
  await choose(person, { doNotDisturb: null });
  expect(await tell('Five')).toEqual(['One', 'Three', 'Five']);
  expect(await pushesTo(other.person)).toEqual([]);
});
