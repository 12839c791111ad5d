import { sql } from 'kysely';
import { oneRow, type Tx } from './db.ts';
import { defineRecurring } from './jobs.ts';

/**
 * Refreshes the statistics of tables in which a company has many rows that they don't know, each in a
 * transaction of its own (384_unknown_companies.sql). Returns their names.
 */
export async function analyzeForNewCompanies(db: Tx): Promise<string[]> {
  const analyzed: string[] = [];
  for (;;) {
    const { name } = await oneRow(
      db,
      sql<{ name: string | null }>`select analyze_next_table(${analyzed.at(-1) ?? ''}) as name`,
    );
    if (name === null) return analyzed;
    analyzed.push(name);
  }
}

export const statisticsJob = defineRecurring(
  'statistics.knowCompanies',
  {
    cron: '* * * * *',
    does: 'lets the database count rows of companies that have grown (docs/decisions/0050)',
    queue: 'default',
    timeoutSeconds: 300,
  },
  async (ctx) => {
    const tables = await analyzeForNewCompanies(ctx.db.unscoped);
    if (tables.length) ctx.log.info({ tables }, 'statistics of new companies collected');
  },
);
