import { statSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/support/test-app.ts';
import type { Db } from './db.ts';
import { NICE_INCREMENT } from './connection-priority.ts';

const app = await createTestApp();
const processOf = async (db: Db): Promise<number> =>
  (await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(db.unscoped)).rows[0]!.pid;

test('background work uses the same database through connections of lower priority where the system allows it', async () => {
  const { company } = await app.createCompany();
  const seen = await app.services.db.background.transaction({ companyId: company.id }, (tx) =>
    tx.selectFrom('company').select('id').where('id', '=', company.id).executeTakeFirst(),
  );
  expect(seen?.id).toBe(company.id);
  const [front, behind] = [
    await processOf(app.services.db),
    await processOf(app.services.db.background),
  ];
  expect(behind).not.toBe(front);
  // When the database runs on another machine or as another user, all its processes keep the same
  // priority.
  const ours = (() => {
    try {
      return (
        readFileSync(`/proc/${behind}/cmdline`, 'utf8').startsWith('postgres: ') &&
        [0, statSync(`/proc/${behind}`).uid].includes(process.getuid!())
      );
    } catch {
      return false;
    }
  })();
  expect(getSafely(behind) - getSafely(front)).toBe(
    ours ? Math.min(NICE_INCREMENT, 19 - getSafely(front)) : 0,
  );
});
const getSafely = (pid: number): number => {
  try {
    return getPriority(pid);
  } catch {
    return 0;
  }
};
