import { afterAll, describe, expect, test } from 'vitest';
import {
  accessTokens,
  archive,
  companies,
  conversations,
  endpoints,
  grantOf,
  importing,
  organizations,
  settings,
  users,
  type AnyEndpoint,
  type DescribedEndpoint,
  type Input,
  type PermissionKey,
} from '#contract';
import { createTestNumber } from './support/call-harness.ts';

import { exampleRequest, toHttpRequest } from './support/endpoint-requests.ts';
import { createFixtures } from './support/fixtures.ts';
import { openSocket, type LiveSocket } from './support/live-socket.ts';
import type { TestPerson } from './support/test-app.ts';

/**
 * Access is one computation, and every door notices when it ends: every read of the contract, a socket
 * with two channels, the link of an archive and of an export, and a key, after each of the ways in
 * which a person's access to a company ends or shrinks.
 */
const fixtures = await createFixtures();
const { app, a } = fixtures;
const pool = app.services.db.pool;
const address = await app.server.listen({ port: 0, host: '127.0.0.1' });
await app.drainJobs();
const open: LiveSocket[] = [];
afterAll(() => open.forEach((socket) => socket.close()));
const own = await createTestNumber(app, a.id);

/** Every read, except of files and redirects. Signing out is a GET that changes state. */
const reads = endpoints.filter(
  (e) =>
    (e.method === 'GET' || e.reads) &&
    e.name !== 'logout' &&
    e.permission !== 'public' &&
    !e.binary &&
    e.status !== 302,
);
/** What is about a company or organization, and so must be refused without access to it. */
const isOfCompany = (e: DescribedEndpoint): boolean => e.company !== 'none';

type Headers = Record<string, string>;
const ask = (who: TestPerson, e: DescribedEndpoint, headers: Headers = {}) => {
  const request = toHttpRequest(e, exampleRequest(e, a.ids));
  return app.as(who).inject({ ...request, headers: { ...request.headers, ...headers } });
};
/** The names of those that answer this person. */
async function answered(
  who: TestPerson,
  of: readonly DescribedEndpoint[],
  headers: Headers = {},
): Promise<string[]> {
  const names = [];
  for (const e of of) if ((await ask(who, e, headers)).status < 300) names.push(e.name);
  return names;
}

/** An administrator of the company, who also belongs to another one and so stays signed in. */
async function createAdministrator(): Promise<TestPerson> {
  const person = await app.createPerson(a.id, 'administrator');
  const elsewhere = await app.createCompany();
  await pool.query(`insert into membership (company_id, user_id, role) values ($1, $2, 'user')`, [
    elsewhere.company.id,
    person.id,
  ]);
  return person;
}
const sample = await createAdministrator();
const readable = reads.filter(isOfCompany);
const byAdministrator = await answered(sample, readable);
const known = readable.filter((e) => byAdministrator.includes(e.name));

/** What a person holds beside their session, all of it in use. */
interface Doors {
  socket: LiveSocket;
  channels: string[];
  archive: string;
  export: string;
  key: TestPerson;
}
async function openDoors(person: TestPerson, headers: Headers = {}): Promise<Doors> {
  const params = { companyId: a.id };
  const as = app.as(person);
  const key = headers['isadmin']
    ? null
    : await as.request(accessTokens.createPersonalAccessToken, {
        body: { company_id: a.id, name: 'Held', scopes: ['read', 'messages:send', 'admin'] },
      });
  const asked = await as.request(archive.startArchive, {
    params,
    body: { password: 'trunkline-demo' },
    headers,
  });
  expect(asked.status, JSON.stringify(asked.body)).toBe(202);
  const begun = await as.request(importing.exportContacts, {
    params,
    body: { all: true },
    headers,
  });
  await app.drainJobs();
  const { body } = await as.request(archive.listArchives, { params, headers });
  const done = await as.request(importing.contactsProgress, {
    params: { ...params, batchId: begun.body.data.batchId },
    headers,
  });
  const channels = [`private-conversations.${a.id}`, `private-companies.${a.id}`];
  const socket = await openSocket(
    address,
    person.token,
    [...channels, `private-users.${person.id}`],
    headers,
  );
  open.push(socket);
  return {
    ...{ socket, channels },
    archive: body.data.find(({ url }) => url !== null)!.url!,
    export: done.body.data.resultUrl!,
    key: { ...person, token: key?.body.data.plain_text_token ?? person.token },
  };
}

/** Milliseconds until a request is refused. */
async function untilRefused(who: TestPerson, url: string, headers: Headers): Promise<number> {
  const from = performance.now();
  for (;;) {
    const { status } = await app.as(who).inject({ method: 'GET', url, headers });
    const ms = performance.now() - from;
    if (status >= 400) return ms;
    if (ms > 5000) return Infinity;
  }
}
/** Milliseconds until each door is shut, from now. */
async function timesToRefusal(person: TestPerson, doors: Doors, headers: Headers = {}) {
  const { socket, channels } = doors;
  const lost = channels.map((channel) =>
    socket.hears((one) => one.event === 'subscription_error' && one.channel === channel),
  );
  const [inArchive, inExport, inKey] = await Promise.all([
    untilRefused(person, doors.archive, headers),
    untilRefused(person, doors.export, headers),
    untilRefused(doors.key, `/api/company/${a.id}`, headers),
  ]);
  return {
    socket: Math.max(...(await Promise.all(lost))),
    archive: inArchive,
    export: inExport,
    key: inKey,
  };
}
const report = (by: string, times: Record<string, number>): void => {
  const shown = Object.entries(times).map(([door, ms]) => `${door} ${Math.round(ms)}`);
  process.stdout.write(`refused after ${by} (ms): ${shown.join(', ')}\n`);
  for (const [door, ms] of Object.entries(times))
    expect(ms, `${door} after ${by}`).toBeLessThan(1000);
};

const { owner } = a.people;
// Stays signed in while the company is deactivated.
await pool.query(`insert into membership (company_id, user_id, role) values ($1, $2, 'user')`, [
  (await app.createCompany()).company.id,
  owner.id,
]);
async function done<E extends AnyEndpoint>(
  who: TestPerson,
  e: E,
  input: Input<E> & { headers?: Headers },
): Promise<void> {
  const answer = await app.as(who).request(e, input);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
}
/** Saved from an address in the list, where the person isn't. */
async function setNetworks(allowed_ip_ranges: string[]): Promise<void> {
  const answer = await app.as(owner).inject({
    method: 'POST',
    url: '/api/general-settings',
    payload: { companyId: a.id, allowed_ip_ranges },
    remoteAddress: '203.0.113.7',
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}
const setCompany = (status: 0 | 1 | 2) =>
  done(a.people['org-administrator'], organizations.updateAccountStatus, {
    params: { id: Number(a.ids.organization) },
    body: { companyId: a.id, status },
  });
const setFactorPolicy = (require_mfa: 'off' | 'admins' | 'all') =>
  done(owner, settings.updateGeneralSettings, {
    query: { companyId: a.id },
    body: { require_mfa },
  });
const ofPerson = (person: TestPerson) => ({ companyId: a.id, userId: person.id });

/** Ways in which the whole company is lost, and what gives it back to the next test. */
const endings: Record<
  string,
  { end: (person: TestPerson) => Promise<void>; restore?: () => Promise<void> }
> = {
  deactivation: {
    end: (person) => done(owner, users.deactivateUser, { body: ofPerson(person) }),
  },
  removal: {
    end: (person) => done(owner, users.deleteCompanyUser, { params: ofPerson(person) }),
  },
  'a network list': {
    end: () => setNetworks(['203.0.113.0/24']),
    restore: () => setNetworks([]),
  },
  'a required factor': {
    end: () => setFactorPolicy('all'),
    restore: async () => {
      await pool.query(`update company set settings = settings - 'require_mfa' where id = $1`, [
        a.id,
      ]);
    },
  },
  'the company’s deactivation': { end: () => setCompany(2), restore: () => setCompany(0) },
};

test('an administrator can make nearly every read of a company', () => {
  expect(known.length).toBeGreaterThan(100);
});

describe.each(Object.entries(endings))('after %s', (by, { end, restore }) => {
  test('every door is shut within a second, and every read of the company', async () => {
    const person = await createAdministrator();
    const doors = await openDoors(person);
    await end(person);
    try {
      report(by, await timesToRefusal(person, doors));
      expect(await answered(person, known)).toEqual([]);
    } finally {
      await restore?.();
    }
  });
});

test('after a lesser role: what it doesn’t have, at every door', async () => {
  const person = await createAdministrator();
  const doors = await openDoors(person);
  await done(owner, companies.updateCompanyUser, {
    params: ofPerson(person),
    body: { role: 'billing' },
  });
  const { socket } = doors;
  const inSocket = socket.hears(
    (one) => one.event === 'subscription_error' && one.channel === doors.channels[0],
  );
  report('a lesser role', {
    socket: await inSocket,
    archive: await untilRefused(person, doors.archive, {}),
    export: await untilRefused(person, doors.export, {}),
    key: await untilRefused(doors.key, `/api/company/${a.id}`, {}),
  });
  const lost = known.filter(
    ({ permission }) =>
      permission !== 'session' && grantOf('billing', permission as PermissionKey) === 'none',
  );
  expect(lost.length).toBeGreaterThan(60);
  expect(await answered(person, lost)).toEqual([]);
});

test('after a change of numbers: nothing of the others, at every door', async () => {
  const person = await createAdministrator();
  const doors = await openDoors(person);
  const told = doors.socket.hears((one) => one.event === 'permissions-changed');
  await done(owner, companies.updateCompanyUser, {
    params: ofPerson(person),
    body: { role: 'user', numbers: [own.id] },
  });
  report('a change of numbers', {
    socket: await told,
    archive: await untilRefused(person, doors.archive, {}),
    export: await untilRefused(person, doors.export, {}),
  });
  const foreign = await pool.query<{ id: number; number: string }>(
    'select id, number from number where company_id = $1 and id <> $2',
    [a.id, own.id],
  );
  const secrets = foreign.rows.flatMap(({ id, number }) => [String(id), number]);
  const leaks = [];
  for (const who of [person, doors.key])
    for (const e of known) {
      const { status, body } = await ask(who, e);
      const text = status < 300 ? JSON.stringify(body) : '';
      if (secrets.some((secret) => new RegExp(`\\b${secret.replace('+', '\\+')}\\b`).test(text)))
        leaks.push(e.name);
    }
  expect(leaks).toEqual([]);
});

test('after the company was parked: nothing goes out, by session or key', async () => {
  const person = await createAdministrator();
  const doors = await openDoors(person);
  await setCompany(1);
  const from = performance.now();
  for (const who of [person, doors.key]) {
    const answer = await app.as(who).request(conversations.sendMessage, {
      body: {
        companyId: a.id,
        numberId: Number(a.ids.number),
        to: '+12125550147',
        message: 'Hello.',
      },
    });
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'company.inactive' }]);
  }
  report('parking', { session: performance.now() - from });
  // People work on.
  expect((await answered(person, known)).length).toBeGreaterThan(known.length - 3);
  await setCompany(0);
});

test('after admin mode ended: every door that only it opened', async () => {
  const staff = { ...(await app.createStaff()), companyId: a.id };
  const headers = { isadmin: '1' };
  const before = await answered(staff, known, headers);
  expect(before.length).toBeGreaterThan(100);
  const doors = await openDoors(staff, headers);
  await pool.query('update session set admin_mode = false where person_id = $1', [staff.id]);
  report('the end of admin mode', await timesToRefusal(staff, doors, headers));
  expect(await answered(staff, known, headers)).toEqual([]);
});

test('after somebody stopped administering the organization: its reads, and its companies’', async () => {
  const person = await app.createPerson(a.id, 'user');
  const params = { id: Number(a.ids.organization) };
  const boss = a.people['org-administrator'];
  await done(boss, organizations.addOrganizationAdmin, { params, body: { userId: person.id } });
  const ofOrganization = reads.filter((e) => e.company === 'organization');
  const before = await answered(person, ofOrganization);
  expect(before.length).toBeGreaterThan(3);
  const doors = await openDoors(person);
  await done(boss, organizations.removeOrganizationAdmin, {
    params: { ...params, userId: person.id },
  });
  report('the end of the administration', {
    archive: await untilRefused(person, doors.archive, {}),
    export: await untilRefused(person, doors.export, {}),
  });
  expect(await answered(person, ofOrganization)).toEqual([]);
});
