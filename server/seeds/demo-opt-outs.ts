import type { Tx } from '../src/platform/db.ts';
import type { Item } from './demo-calls.ts';
import { idAt, insertInBatches, type SeedCompany } from './demo-rows.ts';
import type { Person } from './demo-slots.ts';

const DAY = 86_400_000;

/** The people who texted STOP three days ago. */
export async function seedOptOuts(
  tx: Tx,
  company: SeedCompany,
  people: readonly Person[],
  now: Date,
): Promise<void> {
  const company_id = company.id;
  const outs = people.filter((p) => p.out);
  await insertInBatches(
    tx,
    'opt_out',
    outs.map((p) => ({
      company_id,
      number: p.number,
      source: 'keyword',
      number_id: company.numbers[0]!.id,
      opted_out_at: new Date(now.getTime() - 3 * DAY),
    })),
  );
  await insertInBatches(
    tx,
    'opt_out_history',
    outs.map((p) => ({
      company_id,
      id: idAt(now.getTime() - 3 * DAY),
      number: p.number,
      action: 'out',
      source: 'keyword',
      number_id: company.numbers[0]!.id,
      proof: 'STOP',
      at: new Date(now.getTime() - 3 * DAY),
    })),
  );
}

/** A recent text that may be an opt-out. */
export interface Doubt {
  party: string;
  numberId: number;
  text: string;
  at: number;
}
/**
 * Adds a text that may be an opt-out to a recent conversation that an answer of ours ends; undefined:
 * there is none.
 */
export function addDoubtfulText(
  made: ReadonlyMap<Person, Item[]>,
  numberOf: (person: Person) => { id: number },
  now: number,
): Doubt | undefined {
  for (const [person, mine] of made) {
    const last = mine.toSorted((a, b) => a.at - b.at).at(-1)!;
    const at = last.at + 25 * 60_000;
    if (person.out || last.inbound || last.kind !== 'message' || at > now || at < now - DAY)
      continue;
    const text = 'Thanks, but please take me off your list';
    const details = { ...last.details, content: text, errorCode: null, errorText: null };
    mine.push({ ...last, at, text, inbound: true, delivery: 'received', agent: null, details });
    return { party: person.number, numberId: numberOf(person).id, text, at };
  }
  return undefined;
}
/** Notes that text, so that its conversation asks what it meant. */
export const seedPossibleOptOut = (tx: Tx, companyId: number, doubt: Doubt) =>
  insertInBatches(tx, 'possible_opt_out', [
    {
      company_id: companyId,
      party: doubt.party,
      number_id: doubt.numberId,
      text: doubt.text,
      noticed_at: new Date(doubt.at),
    },
  ]);
