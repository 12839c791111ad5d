import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { NumberFacts } from './plan-row.ts';

/** Opt-outs and blocks of these numbers; one without either is missing. */
export const numberFactsOf = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<Map<string, NumberFacts>> =>
  new Map(
    (
      await sql<{
        number: string;
        opted_out_at: Date | null;
        blocked: boolean;
      }>`select * from contact_import_facts(${companyId}, ${[...numbers]}::text[])`.execute(tx)
    ).rows.map((r) => [
      r.number,
      { optedOutAt: r.opted_out_at && new Date(r.opted_out_at), blocked: r.blocked },
    ]),
  );
/** Those of these numbers that called, texted, or were called or texted. */
export const numbersWithActivity = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<Set<string>> =>
  new Set(
    (
      await sql<{
        number: string;
      }>`select number from numbers_with_activity(${companyId}, ${[...numbers]}::text[])`.execute(
        tx,
      )
    ).rows.map((r) => r.number),
  );
