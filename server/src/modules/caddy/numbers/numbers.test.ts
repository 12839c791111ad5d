import { describe, expect, test } from 'vitest';
import { caddy, formatPhone, numbers, type Query } from '#contract';
import { subscribeAccount } from '../../../../test/support/caddy-inputs.ts';
import { caddyHelpers } from '../../../../test/support/caddy.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const { signUp } = caddyHelpers(app);
const { text } = inboxHelpers(app);

const catalog = async (
  person: TestPerson,
  query: Partial<Query<typeof caddy.searchCaddyCatalog>> = {},
) => (await app.as(person).request(caddy.searchCaddyCatalog, { query })).body.data;
/** Free numbers that every plan has. */
const free = async (person: TestPerson, areaCode = '212') => {
  const found = (await catalog(person, { areaCode })).filter(({ tier }) => tier === 'free');
  return found.map(({ number }) => number);
};
const add = (person: TestPerson, number: string, label?: string) =>
  app.as(person).request(caddy.addCaddyNumber, { body: { number, label } });
const replace = (person: TestPerson, id: number, number: string) =>
  app.as(person).request(caddy.replaceCaddyNumber, { body: { id, number } });
const activate = (person: TestPerson, ids: number[]) =>
  app.as(person).request(caddy.activateCaddyNumbers, { body: { ids } });
const stop = (person: TestPerson, id: number) =>
  app.as(person).request(caddy.removeCaddyNumber, { params: { id } });
const held = async (person: TestPerson) =>
  (await app.as(person).request(caddy.listCaddyNumbers)).body.data;
/** One of a plan with three numbers. */
const paying = async () => {
  const person = await signUp();
  await subscribeAccount(app, person.companyId);
  return person;
};
const owned = async (person: TestPerson, count: number) => {
  const wanted = (await free(person)).slice(0, count);
  const added = [];
  for (const number of wanted) added.push((await add(person, number)).body.data);
  return added;
};

describe('the catalog', () => {
  test('shows free numbers of an area, a state and a pattern', async () => {
    const person = await signUp();
    const found = await catalog(person, { areaCode: '212' });
    expect(found).toHaveLength(20);
    for (const { number, formatted } of found) {
      expect(number).toMatch(/^\+1212/);
      expect(formatted).toBe(formatPhone(number));
    }
    expect((await catalog(person, { state: 'ny' })).every(({ region }) => region === 'NY')).toBe(
      true,
    );
    const matching = await catalog(person, { areaCode: '212', contains: '55' });
    expect(matching.every(({ number }) => number.slice(2).includes('55'))).toBe(true);
    const tollFree = await catalog(person, { category: 'toll-free' });
    expect(new Set(tollFree.map(({ tier }) => tier))).toEqual(new Set(['plus']));
    const second = await catalog(person, { areaCode: '212', page: 2 });
    const all = [...found, ...second].map(({ number }) => number);
    expect(new Set(all).size).toBe(40);
    const wrong = await app
      .as(person)
      .inject({ method: 'GET', url: '/api/caddy/catalog?areaCode=12' });
    expect(wrong.status).toBe(422);
  });

  test('offers two people different numbers, at random too', async () => {
    const [one, two] = [await signUp(), await signUp()];
    const theirs = new Set(await free(one, '646'));
    expect((await free(two, '646')).filter((number) => theirs.has(number))).toEqual([]);
    const random = await app
      .as(one)
      .request(caddy.getRandomCaddyNumber, { query: { areaCode: '917' } });
    expect([random.status, random.body.data.number.slice(0, 5)]).toEqual([200, '+1917']);
    expect((await app.as(two).request(caddy.getRandomCaddyNumber)).status).toBe(200);
  });
});

test('numbers at random come with every plan', async () => {
  const person = await signUp();
  const query = { areaCode: '646' };
  for (let n = 0; n < 20; n++) {
    const { status, body } = await app.as(person).request(caddy.getRandomCaddyNumber, { query });
    expect([status, body.data.tier]).toEqual([200, 'free']);
  }
});

describe('adding', () => {
  test('works within the plan, and says what the plan has beyond it', async () => {
    const person = await signUp();
    const [first = '', second = ''] = await free(person);
    const added = await add(person, first, 'Marketplace');
    expect([added.status, added.body.data]).toMatchObject([
      201,
      { number: first, label: 'Marketplace', isActive: true, willBeRemovedAt: null, unread: 0 },
    ]);
    const refused = await add(person, second);
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { code: 'caddy.limit', errors: [{ used: 1, allowed: 1 }] },
    ]);
  });

  test('two at once take one place of the plan', async () => {
    const person = await signUp();
    const [first = '', second = ''] = await free(person);
    const answers = await Promise.all([add(person, first), add(person, second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403]);
    expect(await held(person)).toHaveLength(1);
  });

  test('a number goes to one of two people', async () => {
    const people = [await signUp(), await signUp()];
    app.clock.advance(700); // Nothing is reserved any more.
    const answers = await Promise.all(people.map((person) => add(person, '+12125550877')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test('numbers easy to remember come with a paid plan', async () => {
    const [one, two] = [await signUp(), await paying()];
    const refused = await add(one, '+12125554444');
    expect([refused.status, refused.body]).toMatchObject([403, { code: 'caddy.plus' }]);
    expect((await add(two, '+12125554444')).status).toBe(201);
  });
});

test('a text to a number counts as unread for its person alone', async () => {
  const [person, other] = [await signUp(), await signUp()];
  const [mine] = await owned(person, 1);
  await owned(other, 1);
  await text('+13125550111', mine?.number ?? '', 'Is it still there?');
  const [number] = await held(person);
  expect(number).toMatchObject({ unread: 1, lastUsedAt: expect.any(String) });
  expect(await held(other)).toMatchObject([{ unread: 0, lastUsedAt: null }]);
});

describe('exchanging', () => {
  test('gives the new number and keeps the old one for 30 days, once in 30 days', async () => {
    const person = await signUp();
    const [old] = await owned(person, 1);
    const [next = '', third = ''] = await free(person, '646');
    const exchanged = await replace(person, old?.id ?? 0, next);
    expect([exchanged.status, exchanged.body.data]).toMatchObject([201, { isActive: true }]);
    const [before] = await held(person);
    expect(before).toMatchObject({ number: old?.number, isActive: false });
    const days = (Date.parse(before?.willBeRemovedAt ?? '') - app.clock.value.getTime()) / 864e5;
    expect(Math.round(days)).toBe(30);
    const again = await replace(person, exchanged.body.data.id, third);
    expect([again.status, again.body]).toMatchObject([403, { code: 'caddy.replaced_lately' }]);
    app.clock.advance(30 * 86_400 + 60);
    const later = await replace(person, exchanged.body.data.id, third);
    expect(later.status).not.toBe(403);
  });

  test('that fails changes nothing', async () => {
    const [person, other] = [await signUp(), await signUp()];
    const [mine] = await owned(person, 1);
    const [theirs] = await owned(other, 1);
    const refused = await replace(person, mine?.id ?? 0, theirs?.number ?? '');
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'numbers.taken' }]);
    expect(await held(person)).toMatchObject([{ id: mine?.id, isActive: true }]);
    const [next = ''] = await free(person, '646');
    expect((await replace(person, mine?.id ?? 0, next)).status).toBe(201);
  });

  test('is allowed three times on a paid plan', async () => {
    const person = await paying();
    let [{ id } = { id: 0 }] = await owned(person, 1);
    const statuses = [];
    for (const next of (await free(person, '332')).slice(0, 4)) {
      const answer = await replace(person, id, next);
      statuses.push(answer.status);
      if (answer.status === 201) ({ id } = answer.body.data);
    }
    expect(statuses).toEqual([201, 201, 201, 403]);
  });
});

describe('activating', () => {
  test('stops the others, and restores what was stopped', async () => {
    const person = await paying();
    const [a, b, c] = (await owned(person, 3)).map(({ id }) => id);
    const chosen = await activate(person, [a ?? 0, c ?? 0]);
    expect(chosen.body.data.map(({ id, isActive }) => [id, isActive])).toEqual([
      [a, true],
      [b, false],
      [c, true],
    ]);
    expect((await stop(person, a ?? 0)).body.data.isActive).toBe(false);
    const restored = await activate(person, [a ?? 0, b ?? 0]);
    expect(restored.body.data.map(({ isActive }) => isActive)).toEqual([true, true, false]);
    expect(restored.body.data[0]?.willBeRemovedAt).toBeNull();
  });

  test('needs at least one number, and no more than the plan has', async () => {
    const person = await paying();
    const ids = (await owned(person, 3)).map(({ id }) => id);
    expect((await activate(person, [])).status).toBe(422);
    await app.services.db.pool.query(
      `update subscription set state = 'expired' where company_id = $1`,
      [person.companyId],
    );
    const refused = await activate(person, ids);
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { code: 'caddy.limit', errors: [{ used: 3, allowed: 1 }] },
    ]);
    expect((await activate(person, ids.slice(0, 1))).status).toBe(200);
  });

  test('a number that was stopped for 30 days is gone', async () => {
    const person = await signUp();
    const [mine] = await owned(person, 1);
    await stop(person, mine?.id ?? 0);
    app.clock.advance(30 * 86_400 + 60);
    expect((await activate(person, [mine?.id ?? 0])).status).toBe(409);
  });
});

test('numbers of another account, or of a company, are as missing ones', async () => {
  const [person, other, { company }] = [await signUp(), await signUp(), await app.createCompany()];
  const [theirs] = await owned(other, 1);
  const { id: ofCompany } = await inboxHelpers(app).number(company.id);
  const [next = ''] = await free(person, '646');
  for (const id of [theirs?.id ?? 0, ofCompany, 8_999_999_999_999]) {
    expect((await stop(person, id)).status).toBe(404);
    expect((await activate(person, [id])).status).toBe(404);
    expect((await replace(person, id, next)).status).toBe(404);
  }
  expect(await held(other)).toMatchObject([{ isActive: true }]);
  expect(numbers.undoHours).toBe(72);
});

test('usage follows what was used, and tells the account’s channel', async () => {
  const person = await signUp();
  const usage = async () => (await app.as(person).request(caddy.getCaddyUsage)).body.data;
  expect(await usage()).toMatchObject({
    plan: 'free',
    renewsAt: null,
    minutes: { used: 0, included: 60 },
    texts: { used: 0, included: 30 },
    numbers: { used: 0, included: 1 },
  });
  const [mine] = await owned(person, 1);
  expect((await usage()).numbers.used).toBe(1);
  await text('+13125550112', mine?.number ?? '', 'Hello');
  await app.drainJobs();
  const { rows } = await app.services.db.pool.query<{ data: { numbers: object } }>(
    `select data from outbox where event = 'caddy-billing-usage-updated' and channel_key = $1 order by id`,
    [person.companyId],
  );
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.at(-1)?.data.numbers).toEqual({ used: 1, included: 1 });
  const onPaid = await paying();
  const paid = (await app.as(onPaid).request(caddy.getCaddyUsage)).body.data;
  expect(paid).toMatchObject({
    plan: 'unlimited_monthly',
    renewsAt: expect.any(String),
    numbers: { used: 0, included: 3 },
  });
});
