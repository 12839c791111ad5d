import { statSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aWorld } from '../../test/world.ts';
import type { Db } from './db.ts';
import { steps } from './precedence.ts';

const world = await aWorld();
const processOf = async (db: Db): Promise<number> =>
  (await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(db.directory)).rows[0]!.pid;

test('what nobody waits for asks the same database, through processes that stand back where the system lets them', async () => {
  const { company } = await world.company();
  const seen = await world.house.db.behind.within({ companyId: company.id }, (tx) =>
    tx.selectFrom('company').select('id').where('id', '=', company.id).executeTakeFirst(),
  );
  expect(seen?.id).toBe(company.id);
  const [front, behind] = [await processOf(world.house.db), await processOf(world.house.db.behind)];
  expect(behind).not.toBe(front);
  // A database on another machine, or of another user, keeps all its processes equal.
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
    ours ? Math.min(steps, 19 - getSafely(front)) : 0,
  );
});
const getSafely = (pid: number): number => {
  try {
    return getPriority(pid);
  } catch {
    return 0;
  }
};
