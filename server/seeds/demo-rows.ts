import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';
import type { Trade } from './demo-vocabulary.ts';
import type { Rhythm } from './demo-week.ts';

export interface SeedNumber {
  id: number;
  number: string;
  label: string;
}
export interface SeedCompany {
  id: number;
  trade: Trade;
  numbers: SeedNumber[];
  agents: { id: number; name: string }[];
  tags: Map<string, number>;
  contacts: number;
  messages: number;
  calls: number;
  areaCodes: readonly string[];
  rhythm: Rhythm;
  /** On one morning of this week most calls were missed. */
  hasBadMorning?: boolean;
}
export interface SeededCall {
  id: number;
  numberId: number;
  party: string;
  startedAt: Date;
  talkSeconds: number;
  outcome: number;
  outbound: boolean;
  conversationId: number;
  agentId: number | null;
}

let counter = 0;
/**
 * An id as the database would have made it at that time in ms (docs/decisions/0003): newer rows
 * have larger ids.
 */
export const idAt = (at: number) => (at - 1_704_067_200_000) * 4096 + (counter++ & 4095);

/** Inserts many rows of one table, 2,000 per statement. */
export async function insertInBatches(
  tx: Tx,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  for (let i = 0; i < rows.length; i += 2000) {
    const batch = rows.slice(i, i + 2000);
    const columns = Object.keys(batch[0]!);
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((c) => sql.ref(c)))})
      select ${sql.join(columns.map((c) => sql.ref(c)))}
      from json_populate_recordset(null::${sql.table(table)},
        ${JSON.stringify(batch)}::json)`.execute(tx);
  }
}
