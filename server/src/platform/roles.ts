import { createHmac } from 'node:crypto';
import pg from 'pg';
import { sign } from './secrets.ts';

/** The roles that the product works as; both have rights and no login. */
const roles = ['trunkline_app', 'trunkline_system'] as const;

/** A role lacks rights that the product needs, and an administrator has to grant them once. */
export class MissingRolesError extends Error {
  override name = 'MissingRoles';
  constructor(
    readonly owner: string,
    readonly statements: string,
  ) {
    super(
      `The database role ${owner} can’t create the roles Trunkline uses. Have a database administrator run this once, then try again: ${statements}`,
    );
  }
}

/**
 * What is missing before this connection's role can own the product's tables and work as its two
 * roles.
 * @param client connected as the owner of the database
 * @returns the statements an administrator has to run; null when nothing is missing
 */
export async function missingRoles(client: pg.Client): Promise<MissingRolesError | null> {
  const {
    rows: [me],
  } = await client.query<{
    name: string;
    quoted: string;
    superuser: boolean;
    creates: boolean;
    version: number;
    migrated: boolean;
  }>(`
    select current_user as name, quote_ident(current_user) as quoted, rolsuper as superuser,
      rolcreaterole as creates, current_setting('server_version_num')::int as version,
      to_regclass('public.outbox') is not null as migrated
    from pg_roles where rolname = current_user`);
  if (!me || me.superuser) return null;
  const { rows: there } = await client.query<{ name: string; member: boolean; admin: boolean }>(
    `
    select rolname as name, pg_has_role(oid, 'MEMBER') as member,
      pg_has_role(oid, 'MEMBER WITH ADMIN OPTION') as admin from pg_roles where rolname = any($1)`,
    [roles],
  );
  const absent = roles.filter((name) => !there.some((role) => role.name === name));
  // The first migration grants the roles to itself; from PostgreSQL 16 on only an administrator of
  // a role may grant it.
  const granted = (role: { member: boolean; admin: boolean }) =>
    me.migrated ? role.member : role.admin || (me.creates && me.version < 160_000);
  if ((me.creates || absent.length === 0) && there.every(granted)) return null;
  const create = absent.map((name) => `create role ${name} nologin;`);
  return new MissingRolesError(
    me.name,
    [...create, `grant ${roles.join(', ')} to ${me.quoted} with admin option;`].join(' '),
  );
}

/**
 * Creates the product's roles before tables that name them are loaded; the first migration does it
 * otherwise.
 * @param client connected as the owner of the database
 * @throws MissingRolesError when the owner may not
 */
export async function createRoles(client: pg.Client): Promise<void> {
  const missing = await missingRoles(client);
  if (missing) throw missing;
  for (const role of roles)
    if (!(await client.query('select from pg_roles where rolname = $1', [role])).rowCount)
      await client.query(`create role ${role} nologin`);
  await client.query(`grant ${roles.join(', ')} to current_user`);
}

/** Connection URLs for the two kinds of work, each with a login that can assume only one role. */
export interface DatabaseLogins {
  trunkline_app: string;
  trunkline_system: string;
}

/**
 * Creates two logins beside the owner's: a company's transaction must not be able to become the
 * system role, even by injected SQL, and a session of the owner could. The logins and their
 * passwords derive from APP_SECRET, because roles belong to the whole server: installations on one
 * server keep separate logins.
 * @param url of a migrated database, as its owner
 * @returns null where the owner may not create logins, or the server does not accept them: then all
 * work uses the owner's
 * @throws when the database cannot be reached
 */
export async function databaseLogins(url: string, secret: Buffer): Promise<DatabaseLogins | null> {
  const logins = roles.map((role) => {
    const [name, password] = [loginName(secret, role), sign(secret, `database login ${role}`)];
    const address = new URL(url);
    [address.username, address.password] = [name, password];
    return { role, name, password, url: address.href };
  });
  const answer = Object.fromEntries(
    logins.map((login) => [login.role, login.url]),
  ) as unknown as DatabaseLogins;
  const canLogIn = () =>
    Promise.all(logins.map(({ role, url: address }) => canConnect(address, role))).then((all) =>
      all.every(Boolean),
    );
  // A second try: processes of several databases on one server may create the same logins at the
  // same time.
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    if (await canLogIn()) return answer;
    await createLogins(url, logins);
  }
  return (await canLogIn()) ? answer : null;
}

const loginName = (secret: Buffer, role: string): string => {
  const hash = createHmac('sha256', secret).update('name of database logins').digest('hex');
  return `${role}_${hash.slice(0, 12)}`;
};

/**
 * Revokes the logins of an earlier secret, so that its holder cannot sign in to the database.
 * Processes that still use them fail at their next connection.
 * @param url of the database, as its owner
 */
export async function dropLogins(url: string, secret: Buffer): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  owner.on('error', () => {});
  await owner.connect();
  try {
    for (const role of roles) {
      const name = loginName(secret, role);
      if (!(await owner.query('select from pg_roles where rolname = $1', [name])).rowCount)
        continue;
      const login = owner.escapeIdentifier(name);
      // Its right to connect to this database; it owns nothing.
      await owner.query(`drop owned by ${login}`);
      await owner.query(`drop role ${login}`);
    }
  } finally {
    await owner.end();
  }
}

/**
 * Creates or repairs the logins, as far as the owner may. Throws when the database cannot be
 * reached.
 */
async function createLogins(
  url: string,
  logins: readonly { role: string; name: string; password: string }[],
): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  owner.on('error', () => {});
  await owner.connect();
  try {
    // All in one transaction, so that other processes see them complete or not at all.
    await owner.query('begin');
    const {
      rows: [at],
    } = await owner.query<{ database: string }>('select current_database() as database');
    for (const { role, name, password } of logins) {
      const exists = (await owner.query('select from pg_roles where rolname = $1', [name]))
        .rowCount;
      const identifier = owner.escapeIdentifier(name);
      await owner.query(
        `${exists ? 'alter' : 'create'} role ${identifier} login noinherit password ${owner.escapeLiteral(password)}`,
      );
      await owner.query(`grant ${role} to ${identifier}`);
      await owner.query(
        // A select without a table has one row.
        `grant connect on database ${owner.escapeIdentifier(at!.database)} to ${identifier}`,
      );
    }
    await owner.query('commit');
  } catch {
    // Not allowed, or somebody else was quicker: whether the logins work is asked next.
  } finally {
    await owner.end().catch(() => {});
  }
}

/** Whether a login can work as its role, and as no other. */
async function canConnect(url: string, role: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    options: `-c role=${role}`,
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ ok: boolean }>(
      `select current_user = $1
        and not exists (select from pg_roles r where pg_has_role(session_user, r.oid, 'MEMBER')
          and r.rolname not in (session_user, $1)) as ok`,
      [role],
    );
    return rows[0]?.ok ?? false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
