import { describe, expect, test } from 'vitest';
import { companies, companyRoles, identity, roleRank, users, type CompanyRole } from '#contract';
import { sipLogin } from '../../calls/index.ts';
import { createTestNumber } from '../../../../test/support/call-harness.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { roleProblem } from './rules.ts';
import { tokenOf } from '../../../../test/support/token-of.ts';

const app = await createTestApp();
const PASSWORD = 'trunkline-demo';

const put = (who: TestPerson, userId: number, body: object) =>
  app.as(who).request(companies.updateCompanyUser, {
    params: { companyId: who.companyId, userId },
    body,
  });
const deactivate = (who: TestPerson, userId: number) =>
  app.as(who).request(users.deactivateUser, { body: { companyId: who.companyId, userId } });
const activate = (who: TestPerson, userId: number) =>
  app.as(who).request(users.activateUser, { body: { companyId: who.companyId, userId } });
const remove = (who: TestPerson, userId: number) =>
  app.as(who).request(users.deleteCompanyUser, { params: { companyId: who.companyId, userId } });
const codeOf = (answer: { body: unknown }) => (answer.body as { code?: string }).code;
const rolesIn = async (companyId: number) =>
  (
    await app.services.db.pool.query<{ user_id: string; role: string }>(
      'select user_id, role from membership where company_id = $1',
      [companyId],
    )
  ).rows;
const sessionOf = async (person: TestPerson) =>
  Number(
    (
      await app.services.db.pool.query<{ id: string }>(
        'select id from session where person_id = $1',
        [person.id],
      )
    ).rows[0]!.id,
  );

async function aCompany() {
  const { company, owner } = await app.createCompany();
  const people = { owner } as Record<CompanyRole, TestPerson>;
  for (const role of companyRoles)
    if (role !== 'owner') people[role] = await app.createPerson(company.id, role);
  return { company, owner, people };
}

describe('who may change whom', () => {
  const all = companyRoles.flatMap((actor) =>
    companyRoles.flatMap((target) =>
      companyRoles.map((wanted) => [actor, target, wanted] as const),
    ),
  );

  test('no role gives one above its own, edits a higher one, or makes or unmakes an owner', () => {
    for (const [actorRole, targetRole, wanted] of all) {
      const problem = roleProblem({ actorRoles: [actorRole], targetRole, isSelf: false }, wanted);
      const may = problem === null && wanted !== targetRole;
      if (roleRank[targetRole] > roleRank[actorRole]) expect(problem).toBe('user.above_you');
      if (!may) continue;
      expect(['owner', 'administrator']).toContain(actorRole);
      expect(roleRank[wanted]).toBeLessThanOrEqual(roleRank[actorRole]);
      expect([targetRole, wanted]).not.toContain('owner');
    }
  });

  test('no one changes their own role', () => {
    for (const [actorRole, , wanted] of all)
      if (wanted !== actorRole)
        expect(
          roleProblem({ actorRoles: [actorRole], targetRole: actorRole, isSelf: true }, wanted),
        ).not.toBe(null);
  });

  test('the server answers as the rules say, for every actor, target and role', async () => {
    const { owner, people } = await aCompany();
    for (const actor of ['owner', 'administrator', 'user'] as const)
      for (const target of companyRoles)
        for (const wanted of companyRoles) {
          const answer = await put(people[actor], people[target].id, { role: wanted });
          const isSelf = actor === target;
          const problem =
            actor === 'user'
              ? 'role.forbidden'
              : roleProblem({ actorRoles: [actor], targetRole: target, isSelf }, wanted);
          expect([actor, target, wanted, answer.status < 300 ? null : codeOf(answer)]).toEqual([
            actor,
            target,
            wanted,
            problem,
          ]);
          if (problem === null && wanted !== target)
            expect((await put(owner, people[target].id, { role: target })).status).toBe(200);
        }
  });
});

describe('editing people', () => {
  test('name, role and numbers change together, with an audit row and live updates', async () => {
    const { company, owner } = await app.createCompany();
    const user = await app.createPerson(company.id, 'user');
    const number = await createTestNumber(app, company.id);
    const { status, body } = await put(owner, user.id, {
      first_name: 'Mara',
      role: 'reporting',
      numbers: [number.id],
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      first_name: 'Mara',
      role: 'reporting',
      all_numbers: false,
      numbers: [{ id: number.id }],
    });
    const { rows } = await app.services.db.pool.query(
      `select data from outbox where channel_key = $1 and event = 'permissions-changed'
        order by id desc limit 1`,
      [user.id],
    );
    expect(rows).toEqual([{ data: { userId: user.id } }]);
  });

  test('another company’s numbers and people are not found', async () => {
    const { company, owner } = await app.createCompany();
    const other = await app.createCompany();
    const user = await app.createPerson(company.id, 'user');
    const foreign = await createTestNumber(app, other.company.id);
    expect((await put(owner, user.id, { numbers: [foreign.id] })).status).toBe(404);
    expect((await put(owner, other.owner.id, { role: 'user' })).status).toBe(404);
    expect((await deactivate(owner, other.owner.id)).status).toBe(404);
    expect((await remove(owner, other.owner.id)).status).toBe(404);
  });

  test('a new address waits for the person, and those known elsewhere change their own', async () => {
    const { company, owner } = await app.createCompany();
    const user = await app.createPerson(company.id, 'user');
    const email = `new.${user.id}@people.test`;
    expect((await put(owner, user.id, { email })).body.data).toMatchObject({
      email: user.email,
      pending_email: email,
    });
    const [mail] = await app.mails(email);
    const code = /\d{6}/.exec(mail!.text)![0];
    const confirm = (given: string) =>
      app.as(user).request(users.updateProfile, {
        params: { userId: user.id },
        body: { email, code: given },
      });
    expect((await confirm(code === '000000' ? '000001' : '000000')).status).toBe(422);
    expect((await confirm(code)).body.data).toMatchObject({ email, pending_email: null });
    expect((await app.mails(user.email)).map((m) => m.subject)).toEqual([
      'Your email address was changed',
    ]);
    const other = await app.createCompany();
    await app.services.db.pool.query(
      `insert into membership (company_id, user_id, role) values ($1, $2, 'user')`,
      [other.company.id, user.id],
    );
    expect(codeOf(await put(owner, user.id, { first_name: 'X' }))).toBe('user.details_own');
  });
});

describe('deactivation', () => {
  test('ends access, sessions, SIP and push at once; activation restores the role', async () => {
    const { company, owner } = await app.createCompany();
    const user = await app.createPerson(company.id, 'reporting');
    const caller = await app.createPerson(company.id, 'user');
    expect(await sipLogin(app.services, `u${caller.id}`, 'test')).not.toBeNull();
    const session = await sessionOf(caller);
    await app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('push_device')
        .values({
          person_id: caller.id,
          session_id: session,
          kind: 'web',
          device_id: 'fcm.googleapis.com',
          token: `https://fcm.googleapis.com/${caller.id}`,
          created_at: new Date(),
          seen_at: new Date(),
        })
        .execute(),
    );
    for (const person of [user, caller]) {
      expect((await deactivate(owner, person.id)).body.data.status).toBe('inactive');
      // At once, before any job has run.
      const asked = await app
        .as(person)
        .request(companies.getCompany, { params: { id: company.id } });
      expect(asked.status).toBe(403);
    }
    expect(await sipLogin(app.services, `u${caller.id}`, 'test')).toBeNull();
    await app.drainJobs();
    expect((await app.as(caller).request(companies.getUser)).status).toBe(401);
    const left = await app.services.db.pool.query(
      'select (select count(*)::int from push_device where person_id = $1) devices, sip_user from person where id = $1',
      [caller.id],
    );
    expect(left.rows).toEqual([{ devices: 0, sip_user: null }]);
    expect((await activate(owner, user.id)).body.data).toMatchObject({
      role: 'reporting',
      status: 'active',
    });
    await activate(owner, caller.id);
    expect(await sipLogin(app.services, `u${caller.id}`, 'test')).not.toBeNull();
  });

  test('a person with another company stays signed in there', async () => {
    const { company, owner } = await app.createCompany();
    const other = await app.createCompany();
    const user = await app.createPerson(company.id, 'user');
    await app.services.db.pool.query(
      `insert into membership (company_id, user_id, role) values ($1, $2, 'user')`,
      [other.company.id, user.id],
    );
    expect((await remove(owner, user.id)).status).toBe(204);
    await app.drainJobs();
    const { body } = await app.as(user).request(companies.getUser);
    expect(body.data.companies.map((c) => c.id)).toEqual([other.company.id]);
  });

  test('neither the owner nor oneself can be deactivated or removed', async () => {
    const { owner, people } = await aCompany();
    expect(codeOf(await deactivate(people.administrator, owner.id))).toBe('user.above_you');
    expect(codeOf(await deactivate(owner, owner.id))).toBe('user.own_role');
    expect(codeOf(await remove(owner, owner.id))).toBe('user.own_role');
    expect(codeOf(await remove(people.administrator, people.administrator.id))).toBe(
      'user.own_role',
    );
  });
});

describe('transfer of ownership', () => {
  const start = (who: TestPerson, userId: number, password = PASSWORD) =>
    app.as(who).request(users.startOwnershipTransfer, {
      params: { companyId: who.companyId },
      body: { user_id: userId, password },
    });
  const accept = (who: TestPerson) =>
    app.as(who).request(users.acceptOwnershipTransfer, { params: { companyId: who.companyId } });

  test('the new owner accepts, roles swap, and both are mailed', async () => {
    const { company, owner, people } = await aCompany();
    const next = people.administrator;
    expect((await start(owner, next.id, 'wrong')).status).toBe(422);
    expect(codeOf(await start(owner, people.user.id))).toBe('transfer.needs_administrator');
    expect((await start(owner, next.id)).status).toBe(201);
    expect(codeOf(await start(owner, next.id))).toBe('transfer.pending');
    expect(codeOf(await accept(owner))).toBe('transfer.not_yours');
    expect((await accept(next)).status).toBe(200);
    const roles = new Map((await rolesIn(company.id)).map((m) => [Number(m.user_id), m.role]));
    expect([roles.get(owner.id), roles.get(next.id)]).toEqual(['administrator', 'owner']);
    for (const person of [owner, next])
      expect((await app.mails(person.email)).map((m) => m.subject).at(-1)).toMatch(/now the owner/);
    expect(codeOf(await accept(next))).toBe('transfer.gone');
  });

  test('it expires after seven days, either side cancels, and a demotion cancels it', async () => {
    const { owner, people } = await aCompany();
    const next = people.administrator;
    await start(owner, next.id);
    expect(
      (
        await app
          .as(next)
          .request(users.cancelOwnershipTransfer, { params: { companyId: next.companyId } })
      ).status,
    ).toBe(204);
    await start(owner, next.id);
    await put(owner, next.id, { role: 'user' });
    expect(
      (
        await app
          .as(owner)
          .request(users.getOwnershipTransfer, { params: { companyId: owner.companyId } })
      ).body.data,
    ).toBeNull();
    await put(owner, next.id, { role: 'administrator' });
    await start(owner, next.id);
    app.clock.advance(7 * 86_400 + 1);
    expect(codeOf(await accept(next))).toBe('transfer.gone');
    expect((await start(owner, next.id)).status).toBe(201);
  });

  test('of concurrent starts one wins, and there is always one owner', async () => {
    const { company, owner, people } = await aCompany();
    const second = await app.createPerson(company.id, 'administrator');
    const next = people.administrator;
    const started = await Promise.all([start(owner, next.id), start(owner, second.id)]);
    expect(started.map((a) => a.status).toSorted()).toEqual([201, 409]);
    const winner = started[0].status === 201 ? next : second;
    await Promise.all([accept(winner), deactivate(owner, winner.id), accept(winner)]);
    const roles = await rolesIn(company.id);
    expect(roles.filter((m) => m.role === 'owner')).toHaveLength(1);
  });
});

describe('one’s own profile', () => {
  test('a new password ends the other sessions and answers a new token', async () => {
    const { owner } = await app.createCompany();
    const login = await app.as(null).request(identity.login, {
      body: { email: owner.email, password: PASSWORD },
    });
    const other = { ...owner, token: tokenOf(login.body).access_token };
    const change = (current_password: string) =>
      app.as(owner).request(users.updatePassword, {
        params: { userId: owner.id },
        body: { current_password, password: 'a long enough sentence' },
      });
    expect((await change('wrong')).status).toBe(422);
    const { body, status } = await change(PASSWORD);
    expect([status, body.data.message]).toEqual([200, 'Your password was successfully changed']);
    expect((await app.as(other).request(companies.getUser)).status).toBe(401);
    expect((await app.as(owner).request(companies.getUser)).status).toBe(401);
    const renewed = { ...owner, token: body.new_token };
    expect((await app.as(renewed).request(companies.getUser)).status).toBe(200);
  });

  test('names and time zone are one’s own, and a new address needs the password', async () => {
    const { owner } = await app.createCompany();
    const other = await app.createCompany();
    const change = (who: TestPerson, body: object) =>
      app.as(who).request(users.updateProfile, { params: { userId: owner.id }, body });
    expect((await change(other.owner, { first_name: 'X' })).status).toBe(404);
    expect((await change(owner, { timezone: 'Mars/Base' })).status).toBe(422);
    expect((await change(owner, { first_name: 'Ona', timezone: null })).body.data).toMatchObject({
      first_name: 'Ona',
      timezone: null,
    });
    expect((await change(owner, { email: `x.${owner.email}` })).status).toBe(422);
  });
});
