import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type PossibleOptOutRow = Selectable<Tables['possible_opt_out']>;

/**
 * Notes that a text to one of our numbers may be an opt-out, to be decided (again). Of someone who
 * is opted out there is nothing to decide.
 */
export const notePossibleOptOut = async (
  tx: Tx,
  row: { companyId: number; party: string; numberId: number; text: string; at: Date },
): Promise<void> => {
  await sql`insert into possible_opt_out (company_id, party, number_id, text, noticed_at)
    select ${row.companyId}, ${row.party}, ${row.numberId}, ${row.text.slice(0, 500)}, ${row.at}
    where not exists (select from opt_out o
      where o.company_id = ${row.companyId} and o.number = ${row.party})
    on conflict (company_id, party, number_id) do update set text = excluded.text,
      noticed_at = excluded.noticed_at, decision = null, decided_at = null, decided_by = null,
      decided_by_name = null`.execute(tx);
};
/** Those of the numbers (E.164) whose possible opt-out no one has decided yet. */
export const undecidedNumbers = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<Set<string>> =>
  new Set(
    numbers.length
      ? (
          await tx
            .selectFrom('possible_opt_out')
            .select('party')
            .where('company_id', '=', companyId)
            .where('party', 'in', [...numbers])
            .where('decided_at', 'is', null)
            .execute()
        ).map((row) => row.party)
      : [],
  );
/** What a person's text to one of our numbers may have meant, decided or not. Undefined: none. */
export const possibleOptOutOf = (
  tx: Tx,
  companyId: number,
  party: string,
  numberId: number,
): Promise<PossibleOptOutRow | undefined> =>
  tx
    .selectFrom('possible_opt_out')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('party', '=', party)
    .where('number_id', '=', numberId)
    .forUpdate()
    .executeTakeFirst();
/** Stores who decided, and what; null takes the decision back. */
export const updatePossibleOptOut = (
  tx: Tx,
  key: { companyId: number; party: string; numberId: number },
  decided: { decision: 'opted_out' | 'kept'; at: Date; by: number | null; name: string } | null,
) =>
  tx
    .updateTable('possible_opt_out')
    .set({
      decision: decided?.decision ?? null,
      decided_at: decided?.at ?? null,
      decided_by: decided?.by ?? null,
      decided_by_name: decided?.name ?? null,
    })
    .where('company_id', '=', key.companyId)
    .where('party', '=', key.party)
    .where('number_id', '=', key.numberId)
    .execute();
