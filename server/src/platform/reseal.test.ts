import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { companies, identity } from '#contract';
import { createTestApp } from '../../test/support/test-app.ts';
import { systemCtx } from './context.ts';
import { resealHourly, resealStoredValues, sealedColumns } from './reseal.ts';
import { databaseLogins, dropLogins } from './roles.ts';
import { keyIdOf, seal, unseal, UnsealError, type KeyRing } from './secrets.ts';

const app = await createTestApp();
const { services } = app;
const owner = new pg.Client({ connectionString: services.settings.databaseUrl! });
await owner.connect();
owner.on('error', () => {});
afterAll(() => owner.end());
const earliest: KeyRing = services.settings.appSecrets;
afterAll(() => useSecrets(earliest));

/** Does what a start with other secrets in the environment would do. */
function useSecrets(secrets: KeyRing) {
  services.settings.appSecret = secrets[0];
  services.settings.appSecrets = secrets;
}
const valuesOf = async ({ table, column }: { table: string; column: string }) => {
  const { rows } = await owner.query<{ sealed: string }>(
    `select ${column} as sealed from ${table} where ${column} is not null`,
  );
  return rows.map((row) => row.sealed);
};
/** A value in every sealed column, and more mails than one statement updates. */
async function fill(secrets: KeyRing, companyId: number) {
  const sealed = (text: string) => seal(secrets, text);
  await owner.query('set session_replication_role = replica');
  await owner.query(
    `insert into push_device (person_id, kind, device_id, token, keys_secret, created_at, seen_at)
     values (1, 'web', 'd', 't', $1, now(), now())`,
    [sealed('{}')],
  );
  await owner.query(
    `insert into port_request (company_id, number_type, pin_sealed, created_at, updated_at)
     values ($1, 1, $2, now(), now())`,
    [companyId, sealed('4321')],
  );
  await owner.query(
    `insert into webhook_retry (path, sealed, next_at) values ('/carriers/x', $1, 'infinity')`,
    [sealed('{}')],
  );
  await owner.query(
    `insert into mail_outbox (to_address, sealed, at, sent_at)
     select 'many@people.test', v, now(), now() from unnest($1::text[]) v`,
    [Array.from({ length: 450 }, (_, n) => sealed(`mail ${n}`))],
  );
  await owner.query(
    `insert into connection (company_id, provider, external_id, account_name, status, tokens_sealed,
       created_at) values ($1, 'test', 'a', 'A', 'connected', $2, now())`,
    [companyId, sealed('{}')],
  );
  await owner.query(
    `insert into connection_attempt (company_id, state_hash, provider, session_id, person_id,
       redirect_uri, verifier_sealed, expires_at) values ($1, 'h', 'test', 1, 1, 'x', $2, now())`,
    [companyId, sealed('verifier')],
  );
  await owner.query(
    `insert into audit_stream (company_id, kind, target, secret_sealed, next_try_at, created_at)
     values ($1, 'webhook', '{}', $2, now(), now())`,
    [companyId, sealed('whsec_')],
  );
  await owner.query(
    `insert into destination (company_id, provider, name, config, secret_sealed, created_at, updated_at)
     values ($1, 'adf', 'CRM', '{}', $2, now(), now())`,
    [companyId, sealed('password')],
  );
  await owner.query(
    `insert into sso_connection (organization_id, issuer, client_id, secret_sealed)
     values (1, 'https://id.test', 'c', $1)`,
    [sealed('secret')],
  );
  await owner.query(`insert into tenant (id, organization_id, dkim_key_sealed) values (1, 1, $1)`, [
    sealed('key'),
  ]);
  await owner.query(
    `insert into tenant_domain (tenant_id, domain, api_host, app_host, auth_token_sealed, started_at)
     values (1, 'a.test', 'api.a.test', 'app.a.test', $1, now())`,
    [sealed('token')],
  );
  await owner.query(
    `insert into mfa_factor (person_id, kind, secret_sealed, pending_sealed)
     values (1, 'totp', $1, $2)`,
    [sealed('secret'), sealed('pending')],
  );
  await owner.query(
    `insert into oauth_client (client_id, name, redirect_uris, is_confidential, secret_sealed)
     values ('c', 'C', '{}', true, $1)`,
    [sealed('client')],
  );
  await owner.query(
    `insert into oauth_record (kind, id_hash, payload_sealed) values ('Grant', 'h', $1)`,
    [sealed('{}')],
  );
  await owner.query(`insert into oauth_signing_key (jwk_sealed) values ($1)`, [sealed('{}')]);
  await owner.query('set session_replication_role = origin');
}

test('after a change of the secret every value opens, is sealed again, and then opens without the earlier secret', async () => {
  const { company, owner: person } = await app.createCompany();
  await fill(earliest, company.id);
  const asPerson = app.as(person);
  const tokens = {
    body: { device_name: 'app' },
    headers: { 'idempotency-key': 'before the change' },
  };
  const password = async () => (await asPerson.request(companies.getUser)).body.data.sip_password;
  const [before, first] = [
    await password(),
    await asPerson.request(identity.createTokenSession, tokens),
  ];
  const link = services.files.signUrl(company.id, 7, app.clock.value);
  const opensLink = () => {
    const query = new URL(link, 'http://x').searchParams;
    const expires = Number(query.get('expires'));
    const signature = query.get('signature') ?? '';
    return services.files.verifyUrl(company.id, 7, expires, signature, app.clock.value);
  };
  // Sealed before secrets had ids.
  await owner.query(
    `update person set sip_password_secret = regexp_replace(sip_password_secret, '^[^.]+', 'k1')
     where id = $1`,
    [person.id],
  );

  const newest = randomBytes(32);
  useSecrets([newest, ...earliest]);
  expect(await password()).toBe(before);
  expect((await asPerson.request(identity.createTokenSession, tokens)).body).toEqual(first.body);
  expect(opensLink(), 'a link that was signed before').toBe(true);

  const stale: number[] = [];
  for (const at of sealedColumns) stale.push((await valuesOf(at)).length);
  expect(
    stale.every((n) => n > 0),
    'every column holds something',
  ).toBe(true);
  const result = await resealStoredValues(services.db.unscoped, services.settings.appSecrets);
  expect(result).toEqual({ resealed: stale.reduce((sum, n) => sum + n, 0), unreadable: 0 });

  useSecrets([newest]);
  for (const at of sealedColumns)
    for (const value of await valuesOf(at)) {
      expect(() => unseal([newest], value), at.table).not.toThrow();
      expect(() => unseal(earliest, value), at.table).toThrow(UnsealError);
    }
  expect(await password()).toBe(before);
  expect((await asPerson.request(identity.createTokenSession, tokens)).status).toBe(422);
  expect(opensLink(), 'signatures end with their secret').toBe(false);
});

test('a value of an unknown secret is kept and counted, and its error names the secrets', async () => {
  const [mine, lost, newest] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  for (const { table } of sealedColumns.filter(({ table }) => table !== 'person'))
    await owner.query(`delete from ${table}`);
  for (const text of [seal([mine], 'readable'), seal([lost], 'lost'), 'no sealed value'])
    await owner.query(
      `insert into mail_outbox (to_address, sealed, at, sent_at) values ('a@b.test', $1, now(), now())`,
      [text],
    );
  await owner.query('update person set sip_password_secret = null');
  useSecrets([newest, mine]);
  await resealHourly(systemCtx(services, 0, app.notifier));
  const ids = (await valuesOf({ table: 'mail_outbox', column: 'sealed' })).map(
    (value) => value.split('.')[0],
  );
  expect(ids.sort()).toEqual([keyIdOf(newest), keyIdOf(lost), 'no sealed value'].sort());
  expect(() => unseal([newest, mine], seal([lost], 'lost'))).toThrow(
    `Sealed with the secret ${keyIdOf(lost)}, which is neither APP_SECRET nor in APP_SECRET_PREVIOUS (known: ${keyIdOf(newest)}, ${keyIdOf(mine)})`,
  );
  // Not the last character: its low bits are padding.
  const changed = seal([mine], 'text').replace(/.(?=.{8}$)/, (one) => (one === 'A' ? 'B' : 'A'));
  expect(() => unseal([mine], changed)).toThrow(UnsealError);
});

test('every sealed column of the schema is on the list', async () => {
  const { rows } = await sql<{ at: string }>`
    select table_name || '.' || column_name as at from information_schema.columns
    where table_schema = 'public' and column_name ~ '(^|_)(sealed|secret)$' order by 1`.execute(
    services.db.unscoped,
  );
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map((row) => row.at)).toEqual([...listed].sort());
});

test('the database logins of an earlier secret are revoked', async () => {
  const url = services.settings.databaseUrl!;
  const secret = randomBytes(32);
  const logins = await databaseLogins(url, secret);
  const client = () => new pg.Client({ connectionString: logins!.trunkline_app });
  const canSignIn = async () => {
    const login = client();
    return login.connect().then(
      () => login.end().then(() => true),
      () => false,
    );
  };
  expect(await canSignIn()).toBe(true);
  await dropLogins(url, secret);
  expect(await canSignIn()).toBe(false);
  await dropLogins(url, secret);
});
