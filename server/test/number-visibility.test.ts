import { io } from 'socket.io-client';
import { afterAll, expect, test } from 'vitest';
import { companies, endpoints, grantOf, type CompanyRole } from '#contract';
import { createTestNumber } from './support/call-harness.ts';
import { sendRequest } from './support/cross-tenant-probes.ts';
import { exampleRequest } from './support/endpoint-requests.ts';
import { createFixtures } from './support/fixtures.ts';
import type { TestPerson } from './support/test-app.ts';

/**
 * People limited to certain numbers (A4): every read of the contract is asked as such a person, and
 * its response searched for numbers and items of other numbers. IDs are unique in the whole
 * database, so finding one anywhere in a response is enough.
 */
const fixtures = await createFixtures();
const { app, a } = fixtures;
const pool = app.services.db.pool;
const own = await createTestNumber(app, a.id);

const rowsOf = async <T>(query: string) => (await pool.query(query, [a.id])).rows as T[];
const foreignNumbers = (
  await rowsOf<{ id: string; number: string }>(
    'select id, number from number where company_id = $1',
  )
).filter((n) => Number(n.id) !== own.id);
const foreignItems = (
  await Promise.all(
    ['conversation', 'conversation_item', 'call'].map((table) =>
      rowsOf<{ id: string }>(
        `select id from ${table} where company_id = $1 and number_id is not null`,
      ),
    ),
  )
).flat();
const foreignIds = new Set([...foreignNumbers, ...foreignItems].map((row) => Number(row.id)));
const foreignPhones = new Set(foreignNumbers.map((n) => n.number));

/** Where a response names a number or an item that isn't the person's. */
function foreignPaths(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((v) => foreignPaths(v, `${path}[]`));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, v]) => foreignPaths(v, `${path}.${key}`));
  const isForeign =
    (typeof value === 'number' && foreignIds.has(value)) ||
    (typeof value === 'string' && foreignPhones.has(value));
  return isForeign ? [path] : [];
}

/** The matrix lets reporting read all campaigns, whatever numbers the person has. */
const isOfAllNumbers = (role: CompanyRole, name: string) =>
  role === 'reporting' && ['listCampaigns', 'getCampaign'].includes(name);

// Signing out is a GET that changes state.
const reads = endpoints.filter(
  (e) =>
    e.method === 'GET' &&
    e.name !== 'logout' &&
    e.permission !== 'public' &&
    !e.binary &&
    e.status !== 302,
);

async function leaksOf(person: TestPerson, role: CompanyRole): Promise<string[]> {
  const leaks: string[] = [];
  for (const e of reads) {
    if (isOfAllNumbers(role, e.name)) continue;
    const { permission } = e;
    if (permission !== 'session' && permission !== 'public' && grantOf(role, permission) === 'none')
      continue;
    const answer = await sendRequest(app, e, person, exampleRequest(e, a.ids));
    if (answer.status >= 300) continue;
    leaks.push(...[...new Set(foreignPaths(answer.body))].map((path) => `${e.name}${path}`));
  }
  return leaks;
}

const limit = (person: TestPerson, numbers: number[]) =>
  app.as(a.people.owner).request(companies.updateCompanyUser, {
    params: { companyId: a.id, userId: person.id },
    body: { numbers },
  });

test.each(['user', 'reporting'] as const)(
  'no read shows a %s anything of a number that isn’t theirs',
  async (role) => {
    const person = a.people[role];
    expect((await leaksOf(person, role)).length).toBeGreaterThan(0);
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('membership')
        .set({ number_ids: [own.id] })
        .where('company_id', '=', a.id)
        .where('user_id', '=', person.id)
        .execute(),
    );
    expect(await leaksOf(person, role)).toEqual([]);
  },
);

test('open sockets follow a change of numbers within a second', async () => {
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' });
  await app.drainJobs();
  const person = a.people.user;
  const socket = io(address, {
    transports: ['websocket'],
    auth: { token: person.token },
    forceNew: true,
  });
  afterAll(() => void socket.disconnect());
  const channel = `private-conversations.${a.id}`;
  for (const name of [channel, `private-users.${person.id}`])
    expect(await socket.emitWithAck('subscribe', { channel: name })).toEqual({ ok: true });
  // The quickest of three: beside other tests a busy machine may stand still for a second.
  const other = Number(foreignNumbers[0]!.id);
  const took: number[] = [];
  for (const numbers of [[own.id, other], [own.id], [own.id, other]]) {
    const changed = new Promise<number>((resolve) => {
      const at = performance.now();
      socket.once('permissions-changed', () => resolve(performance.now() - at));
    });
    await limit(person, numbers);
    took.push(await changed);
  }
  expect(Math.min(...took)).toBeLessThan(1000);
});
