import pg from 'pg';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createTestApp } from '../../test/support/test-app.ts';
import { openDb } from './db.ts';
import { createLogger } from './log.ts';
import { migrate } from './migrate.ts';
import { temporaryDatabase, type TemporaryDatabase } from './postgres/index.ts';
import { databaseLogins, type DatabaseLogins } from './roles.ts';

const secret = Buffer.alloc(32, 7);
const log = createLogger('silent', 'test');

describe('an application transaction', () => {
  test('cannot become the system role, the owner or any other role, and neither can the system role’s', async () => {
    const {
      services: { db },
    } = await createTestApp();
    const who = sql<{
      session: string;
      current: string;
    }>`select session_user::text as session, current_user::text as current`;
    const {
      rows: [app],
    } = await db.transaction({ companyId: 1 }, (tx) => who.execute(tx));
    const {
      rows: [system],
    } = await db.systemTransaction((tx) => who.execute(tx));
    expect(app).toMatchObject({
      session: expect.stringMatching(/^trunkline_app_[0-9a-f]{12}$/),
      current: 'trunkline_app',
    });
    expect(system).toMatchObject({
      session: expect.stringMatching(/^trunkline_system_[0-9a-f]{12}$/),
      current: 'trunkline_system',
    });
    // Background work has pools of its own.
    expect(
      (await db.background.transaction({ companyId: 1 }, (tx) => who.execute(tx))).rows[0],
    ).toEqual(app);

    const { username: owner } = new URL(inject('databaseServer'));
    for (const way of [
      'set role trunkline_system',
      `set role ${system!.session}`,
      `set role ${owner}`,
      'reset role; set role trunkline_system',
      'set session authorization trunkline_system',
      `set session authorization ${owner}`,
    ])
      await expect(
        db.transaction({ companyId: 1 }, (tx) => sql.raw(way).execute(tx)),
        way,
      ).rejects.toThrow(/permission denied/);
    // Without its role the login may read nothing at all.
    await expect(
      db.transaction({ companyId: 1 }, async (tx) => {
        await sql`set role none`.execute(tx);
        await sql`select * from membership`.execute(tx);
      }),
    ).rejects.toThrow(/permission denied/);
    expect(
      (
        await db.transaction({ companyId: 1 }, async (tx) => {
          await sql`reset role`.execute(tx);
          return who.execute(tx);
        })
      ).rows[0],
    ).toEqual(app);
    expect((await db.transaction({ companyId: 1 }, (tx) => who.execute(tx))).rows[0]).toEqual(app);
  });

  test('with another secret, gets other logins on the same server, and both installations work', async () => {
    const url = inject('databaseServer');
    const [one, other] = await Promise.all([
      databaseLogins(url, secret),
      databaseLogins(url, Buffer.alloc(32, 8)),
    ]);
    const names = (logins: DatabaseLogins | null) =>
      Object.values(logins!).map((address: string) => new URL(address).username);
    expect(new Set([...names(one), ...names(other)]).size).toBe(4);
    // A password that no longer fits is set again.
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    await owner.query(`alter role ${names(one)[0]} password 'something else'`);
    await owner.end();
    expect(await databaseLogins(url, secret)).toEqual(one);
  });
});

describe('an owner who is not a superuser', () => {
  let server: TemporaryDatabase;
  let admin: pg.Client;
  beforeAll(async () => {
    server = await temporaryDatabase();
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await server.stop();
  });

  /** A database of an owner with these attributes; its URL, as that owner. */
  async function ownedBy(name: string, attributes: string): Promise<string> {
    await admin.query(`create role ${name} login ${attributes} password 'of the owner'`);
    await server.create(`${name}_db`);
    await admin.query(`alter database ${name}_db owner to ${name}`);
    return Object.assign(new URL(server.url), {
      username: name,
      password: 'of the owner',
      pathname: `/${name}_db`,
    }).href;
  }
  const saidBy = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing',
      (error: Error) => error.message,
    );
  const statements = (said: string) => /then try again: (.*)$/.exec(said)![1]!;

  test('gets the statements that an administrator has to run once; then it migrates, starts and shares its login', async () => {
    const url = await ownedBy('plain', 'nosuperuser nocreaterole');
    const said = await saidBy(migrate(url));
    expect(said).toContain('The database role plain can’t create the roles Trunkline uses.');
    expect(statements(said)).toBe(
      'create role trunkline_app nologin; create role trunkline_system nologin; grant trunkline_app, trunkline_system to plain with admin option;',
    );
    await admin.query(statements(said));
    expect((await migrate(url)).applied.length).toBeGreaterThan(0);
    expect((await migrate(url)).applied).toEqual([]);

    expect(await databaseLogins(url, secret)).toBeNull();
    const db = openDb(url, log, { logins: null });
    try {
      const { rows } = await db.transaction({ companyId: 1 }, (tx) =>
        sql<{ role: string }>`select current_user::text as role`.execute(tx),
      );
      expect(rows).toEqual([{ role: 'trunkline_app' }]);
    } finally {
      await db.close();
    }
  });

  test('with the right to create roles, but not to grant those of another installation, needs only that grant, and then has its own logins', async () => {
    const url = await ownedBy('creator', 'nosuperuser createrole');
    const said = await saidBy(migrate(url));
    expect(statements(said)).toBe(
      'grant trunkline_app, trunkline_system to creator with admin option;',
    );
    await admin.query(statements(said));
    await migrate(url);
    const logins = await databaseLogins(url, secret);
    const db = openDb(url, log, { logins });
    try {
      await expect(
        db.transaction({ companyId: 1 }, (tx) => sql`set role trunkline_system`.execute(tx)),
      ).rejects.toThrow(/permission denied/);
      expect(
        (
          await db.systemTransaction((tx) =>
            sql<{ role: string }>`select current_user::text as role`.execute(tx),
          )
        ).rows,
      ).toEqual([{ role: 'trunkline_system' }]);
    } finally {
      await db.close();
    }
  });
});
