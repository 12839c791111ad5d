import { afterAll, describe, expect, test } from 'vitest';
import {
  accessSettings,
  adminMode,
  companies,
  organizations,
  settings,
  users,
  type AnyEndpoint,
  type Input,
} from '#contract';
import { createTestNumber } from './support/call-harness.ts';
import { openSocket, publishProbe, type LiveSocket } from './support/live-socket.ts';
import { createTestApp, type TestPerson } from './support/test-app.ts';

/**
 * Sockets that joined several channels lose every one of them when access ends or shrinks, whatever
 * changed it (A4 rule 3), and get them back when it returns.
 */
const app = await createTestApp();
const address = await app.server.listen({ port: 0, host: '127.0.0.1' });
await app.drainJobs();
const open: LiveSocket[] = [];
afterAll(() => open.forEach((socket) => socket.close()));

interface Scene {
  owner: TestPerson;
  orgAdmin: TestPerson;
  /** A user of this company and of another one, who therefore stays signed in. */
  person: TestPerson;
  companyId: number;
  organizationId: number;
  numbers: [number, number];
  socket: LiveSocket;
  channels: [string, string];
}

/** A company in an organization, with a person whose socket watches two of its channels. */
async function createScene(): Promise<Scene> {
  const { owner, company } = await app.createCompany();
  const elsewhere = await app.createCompany();
  const orgAdmin = await app.createPerson(company.id, 'administrator');
  const numbers = [
    (await createTestNumber(app, company.id)).id,
    (await createTestNumber(app, company.id)).id,
  ] as [number, number];
  const person = await app.createPerson(company.id, 'user', [numbers[0]]);
  const organizationId = await app.services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('organization')
      .values({ name: 'Group', slug: `group-${company.id}`, owner_id: orgAdmin.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('company')
      .set({ organization_id: id })
      .where('id', '=', company.id)
      .execute();
    await tx
      .insertInto('membership')
      .values({ company_id: elsewhere.company.id, user_id: person.id, role: 'user' })
      .execute();
    return id;
  });
  const channels = [`private-conversations.${company.id}`, `private-companies.${company.id}`] as [
    string,
    string,
  ];
  const socket = await openSocket(address, person.token, [
    ...channels,
    `private-users.${person.id}`,
  ]);
  open.push(socket);
  return {
    owner,
    orgAdmin,
    person,
    companyId: company.id,
    organizationId,
    numbers,
    socket,
    channels,
  };
}

/** Asks as this person, and expects it done. */
async function done<E extends AnyEndpoint>(
  as: TestPerson,
  endpoint: E,
  input: Input<E> & { headers?: Record<string, string> },
): Promise<void> {
  const answer = await app.as(as).request(endpoint, input);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
}

const lost = ({ socket, channels }: Scene) =>
  Promise.all(
    channels.map((channel) =>
      socket.hears((one) => one.event === 'subscription_error' && one.channel === channel),
    ),
  );
const regained = ({ socket, channels }: Scene) =>
  Promise.all(
    channels.map((channel) =>
      socket.hears((one) => one.event === 'resync' && one.channel === channel),
    ),
  );

let rounds = 0;
/** Which of the events of now the socket hears: of both numbers, of the company, and its own. */
async function eventsHeard(scene: Scene): Promise<string[]> {
  const { socket, person, companyId, numbers } = scene;
  const round = ++rounds;
  for (const [name, event, about] of [
    ['first number', 'conversation.presence', { companyId, numberId: numbers[0] }],
    ['second number', 'conversation.presence', { companyId, numberId: numbers[1] }],
    ['company', 'company_user.changed', { companyId }],
    ['own', 'organization.changed', { userId: person.id }],
  ] as const)
    await publishProbe(app, `${round} ${name}`, event, about);
  await socket.hears((one) => one.probe === `${round} own`);
  return socket.heard
    .flatMap(({ probe }) =>
      probe?.startsWith(`${round} `) ? [probe.slice(`${round} `.length)] : [],
    )
    .filter((name) => name !== 'own');
}

const setting = (scene: Scene, body: Input<typeof settings.updateGeneralSettings>['body']) =>
  done(scene.owner, settings.updateGeneralSettings, {
    query: { companyId: scene.companyId },
    body,
  });
const change = ({ owner, person, companyId }: Scene, body: object) =>
  done(owner, companies.updateCompanyUser, { params: { companyId, userId: person.id }, body });
const status = (scene: Scene, to: 0 | 1 | 2) =>
  done(scene.orgAdmin, organizations.updateAccountStatus, {
    params: { id: scene.organizationId },
    body: { companyId: scene.companyId, status: to },
  });

/** Everything that ends access to a company, and what gives it back. */
const endings: Record<
  string,
  [end: (s: Scene) => Promise<void>, back?: (s: Scene) => Promise<void>]
> = {
  deactivation: [
    (s) =>
      done(s.owner, users.deactivateUser, {
        body: { userId: s.person.id, companyId: s.companyId },
      }),
    (s) =>
      done(s.owner, users.activateUser, { body: { userId: s.person.id, companyId: s.companyId } }),
  ],
  removal: [
    (s) =>
      done(s.owner, users.deleteCompanyUser, {
        params: { companyId: s.companyId, userId: s.person.id },
      }),
  ],
  'a network list': [(s) => networks(s, ['203.0.113.0/24']), (s) => networks(s, [])],
  'a required second factor': [(s) => setting(s, { require_mfa: 'all' })],
  'the company’s deactivation': [(s) => status(s, 2), (s) => status(s, 0)],
};

/** Saved from an address in the list, where the person isn't. */
async function networks({ owner, companyId }: Scene, ranges: string[]): Promise<void> {
  const answer = await app.as(owner).inject({
    method: 'POST',
    url: '/api/general-settings',
    payload: { companyId, allowed_ip_ranges: ranges },
    remoteAddress: '203.0.113.7',
  });
  expect(answer.status).toBe(200);
}

describe('a socket with two channels of a company', () => {
  test.each(Object.entries(endings))('loses both within a second by %s', async (_, [end, back]) => {
    const scene = await createScene();
    expect(await eventsHeard(scene)).toEqual(['first number', 'company']);
    await end(scene);
    for (const ms of await lost(scene)) expect(ms).toBeLessThan(1000);
    expect(await eventsHeard(scene)).toEqual([]);
    expect(scene.socket.isOpen()).toBe(true);
    if (!back) return;
    await back(scene);
    for (const ms of await regained(scene)) expect(ms).toBeLessThan(1000);
    expect(await eventsHeard(scene)).toEqual(['first number', 'company']);
  });

  test('follows a change of numbers within a second', async () => {
    const scene = await createScene();
    expect(await eventsHeard(scene)).toEqual(['first number', 'company']);
    const told = scene.socket.hears((one) => one.event === 'permissions-changed');
    await change(scene, { numbers: [scene.numbers[1]] });
    expect(await told).toBeLessThan(1000);
    expect(await eventsHeard(scene)).toEqual(['second number', 'company']);
    await change(scene, { numbers: [] });
    await scene.socket.hears(() => true);
    await expect
      .poll(() => eventsHeard(scene))
      .toEqual(['first number', 'second number', 'company']);
  });

  test('keeps only what a lesser role may see', async () => {
    const scene = await createScene();
    await change(scene, { role: 'billing' });
    await scene.socket.hears(
      (one) => one.event === 'subscription_error' && one.channel === scene.channels[0],
    );
    expect(await eventsHeard(scene)).toEqual(['company']);
    await change(scene, { role: 'administrator' });
    await scene.socket.hears((one) => one.event === 'resync' && one.channel === scene.channels[0]);
    expect(await eventsHeard(scene)).toEqual(['first number', 'second number', 'company']);
  });

  test('of staff loses both when their admin mode ends', async () => {
    const scene = await createScene();
    const staff = await app.createStaff();
    // A company is opened by a request, which its owner sees.
    const opening = { params: { id: scene.companyId }, headers: { isadmin: '1' } };
    expect((await app.as(staff).request(companies.getCompany, opening)).status).toBe(200);
    const socket = await openSocket(address, staff.token, scene.channels, { isadmin: '1' });
    open.push(socket);
    const inAdminMode = { ...scene, socket };
    await app.as(staff).request(adminMode.leaveAdminMode);
    for (const ms of await lost(inAdminMode)) expect(ms).toBeLessThan(1000);
  });

  test('of an organization’s administrator loses both with the administration', async () => {
    const scene = await createScene();
    const admin = await app.createPerson(scene.companyId, 'user', [scene.numbers[0]]);
    const remains = { params: { id: scene.organizationId }, body: { userId: admin.id } };
    await done(scene.orgAdmin, organizations.addOrganizationAdmin, remains);
    const socket = await openSocket(address, admin.token, [
      ...scene.channels,
      `private-users.${admin.id}`,
    ]);
    open.push(socket);
    const watched = { ...scene, person: admin, socket };
    // The organization's role is not limited to the numbers of their own.
    expect(await eventsHeard(watched)).toEqual(['first number', 'second number', 'company']);
    await done(scene.orgAdmin, organizations.removeOrganizationAdmin, {
      params: { id: scene.organizationId, userId: admin.id },
    });
    await expect.poll(() => eventsHeard(watched)).toEqual(['first number', 'company']);
  });
});

test('every setting that decides about access is told to the people of the company', async () => {
  const { person, companyId, socket } = await createScene();
  for (const key of accessSettings) {
    const before = socket.heard.length;
    await app.services.db.pool.query(
      `update company set settings = settings || jsonb_build_object($2::text, 'other'::text)
        where id = $1`,
      [companyId, key],
    );
    await expect
      .poll(() => socket.heard.slice(before).map(({ event }) => event), { message: key })
      .toContain('permissions-changed');
  }
  expect(person.id).toBeGreaterThan(0);
});
