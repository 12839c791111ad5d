import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/support/test-database.ts';
import { compiledServer } from '../start/server-build.ts';
import { checkSecret, SecretMismatchError } from './secret-check.ts';
import { seal } from './secrets.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-secret-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test('afterwards only the secret of the first start is accepted', async () => {
  const url = await createTestDatabase();
  const [first, other] = [randomBytes(32), randomBytes(32)];
  await Promise.all([checkSecret(url, [first]), checkSecret(url, [first])]);
  await checkSecret(url, [first]);
  await expect(checkSecret(url, [other])).rejects.toThrow(SecretMismatchError);
});

test('a secret is changed by naming the earlier one, which is then no longer accepted', async () => {
  const url = await createTestDatabase();
  const [first, next] = [randomBytes(32), randomBytes(32)];
  await checkSecret(url, [first]);
  await checkSecret(url, [next, first]);
  await checkSecret(url, [next]);
  await expect(checkSecret(url, [first])).rejects.toThrow(/APP_SECRET_PREVIOUS/);
});

test('in a database from before the check, a sealed value decides', async () => {
  const url = await createTestDatabase();
  const [first, other] = [randomBytes(32), randomBytes(32)];
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(
    `insert into person (email, password_hash, sip_password_secret) values ('old@people.test', 'x', $1)`,
    [seal([first], 'a password')],
  );
  await owner.end();
  await expect(checkSecret(url, [other])).rejects.toThrow(SecretMismatchError);
  await checkSecret(url, [first]);
});

test('a process with another secret does not start, and explains why', async () => {
  const url = await createTestDatabase();
  await checkSecret(url, [randomBytes(32)]);
  const code = (await compiledServer(() => {}))();
  const env = {
    ...process.env,
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    ROLES: 'worker',
    APP_SECRET: 'ab'.repeat(32),
  };
  const { status, stderr } = spawnSync(process.execPath, [...code.nodeArgs, code.file('main')], {
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(stderr.trim()).toMatch(/^APP_SECRET isn’t the one this database was set up with/);
  expect(status).toBe(1);
});
