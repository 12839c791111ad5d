import type { Selectable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { hasFolded } from '../../platform/folded.ts';
import type { Tables } from '../../platform/tables.ts';
import type { BlockRule } from './rules.ts';

export type BlockRow = Selectable<Tables['block']>;

/** Whether any block applies to the company, its own or one for the whole installation. */
export const anyBlockExists = async (tx: Tx, companyId: number): Promise<boolean> =>
  (await tx
    .selectFrom('block')
    .select('id')
    .where((e) => e.or([e('company_id', '=', companyId), e('everywhere', '=', true)]))
    .where('action', '=', 1)
    .limit(1)
    .executeTakeFirst()) !== undefined;
/** The company's and the platform's rules with one of these targets. */
export const blockRules = (
  tx: Tx,
  companyId: number,
  targets: readonly string[],
): Promise<BlockRule[]> =>
  targets.length
    ? tx
        .selectFrom('block')
        .select(['target', 'action', 'number_id', 'everywhere'])
        .where((e) => e.or([e('company_id', '=', companyId), e('everywhere', '=', true)]))
        .where('target', 'in', [...targets])
        .execute()
    : Promise.resolve([]);

const visibleBlocks = (
  tx: Tx,
  companyId: number,
  filter: { numbers: readonly number[] | null; search: string | undefined },
) => {
  let q = tx.selectFrom('block').where('company_id', '=', companyId);
  const { numbers, search } = filter;
  if (numbers)
    q = q.where((e) =>
      e.or([
        e('number_id', 'is', null),
        ...(numbers.length ? [e('number_id', 'in', [...numbers])] : []),
      ]),
    );
  if (search) {
    const typed = search.replace(/[\s().-]/g, '');
    q = q.where((e) => hasFolded(e.ref('target'), typed));
  }
  return q;
};
/** One page of block rules and the total. */
export async function blockPage(
  tx: Tx,
  companyId: number,
  filter: {
    numbers: readonly number[] | null;
    search: string | undefined;
    limit: number;
    offset: number;
  },
) {
  const rows = await visibleBlocks(tx, companyId, filter)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  const { n } = await visibleBlocks(tx, companyId, filter)
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return { rows, total: Number(n) };
}
/** A block of the company. Undefined: none of this ID. */
export const blockById = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('block')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
/** Inserts a rule; `undefined` if the same rule exists. */
export const insertBlock = (
  tx: Tx,
  row: {
    company_id: number;
    target: string;
    action: number;
    everywhere: boolean;
    number_id: number | null;
    created_by: number | null;
    created_by_name: string | null;
    created_at: Date;
  },
): Promise<BlockRow | undefined> =>
  tx
    .insertInto('block')
    .values(row)
    .onConflict((c) =>
      c.columns(['company_id', 'target', 'number_id', 'action', 'everywhere']).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
/** Deletes a block and returns it. Undefined: there was none. */
export const deleteBlock = (tx: Tx, companyId: number, id: number): Promise<BlockRow | undefined> =>
  tx
    .deleteFrom('block')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
/** Rules that block exactly this party, on this number or on all. */
export const blocksOfTarget = (tx: Tx, companyId: number, target: string, numberId: number) =>
  tx
    .selectFrom('block')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('target', '=', target)
    .where('action', '=', 1)
    .where('everywhere', '=', false)
    .where((e) => e.or([e('number_id', 'is', null), e('number_id', '=', numberId)]))
    .execute();

/** Whether a number belongs to the company and is not released. */
export const isOwnNumber = async (tx: Tx, companyId: number, number: string): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('number')
      .select('id')
      .where('company_id', '=', companyId)
      .where('number', '=', number)
      .where('status', '<>', 'released')
      .limit(1)
      .executeTakeFirst(),
  );
/** Whether the company has a number of this ID, in any state. */
export const numberExists = async (tx: Tx, companyId: number, numberId: number): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('number')
      .select('id')
      .where('company_id', '=', companyId)
      .where('id', '=', numberId)
      .executeTakeFirst(),
  );
