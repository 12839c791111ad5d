import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

interface FavoriteRow extends Selectable<Tables['favorite_report']> {
  user_name: string;
}

/**
 * The organization that a favorite `f` is of, as SQL; null: none. By its text, since one that is no
 * JSON must not keep others from what they are due.
 */
export const organizationIn = sql`substring(f.value from '"organization": *"?([0-9]+)')`;

/** A person’s own favorites and shared ones, their own first. */
export async function favoriteRows(
  tx: Tx,
  companyId: number,
  userId: number,
  id: number | null = null,
): Promise<FavoriteRow[]> {
  const { rows } = await sql<FavoriteRow>`
    select f.*, coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email, '') user_name
    from favorite_report f left join person p on p.id = f.user_id
    where f.company_id = ${companyId} and (f.user_id = ${userId} or f.shared)
      and ${id === null ? sql`true` : sql`f.id = ${id}`}
    order by (f.user_id = ${userId}) desc, folded(f.name), f.id`.execute(tx);
  return rows;
}

/** How many favorites a person has. */
export const countFavorites = async (
  tx: Tx,
  companyId: number,
  userId: number,
): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int n from favorite_report
    where company_id = ${companyId} and user_id = ${userId}`.execute(tx);
  return rows[0]?.n ?? 0;
};

/** Adds a favorite and returns its ID. Undefined: the person has one of this name. */
export const insertFavorite = async (
  tx: Tx,
  values: {
    company_id: number;
    user_id: number;
    name: string;
    value: string;
    shared: boolean;
    schedule: string | null;
    created_at: Date;
    updated_at: Date;
  },
): Promise<number | undefined> =>
  (
    await tx
      .insertInto('favorite_report')
      .values(values)
      .onConflict((c) => c.doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id;

/** Changes a favorite. False: another one of its person has this name. */
export async function patchFavorite(
  tx: Tx,
  { company_id, id, user_id }: FavoriteRow,
  change: {
    name?: string;
    value?: string;
    shared?: boolean;
    schedule?: string | null;
    updated_at: Date;
  },
): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select exists (select from favorite_report
    where company_id = ${company_id} and user_id = ${user_id} and id <> ${id}
      and lower(name) = lower(${change.name ?? null})) taken`.execute(tx);
  if (rows[0]?.taken) return false;
  await tx
    .updateTable('favorite_report')
    .set(change)
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute();
  return true;
}

/** Removes a favorite. */
export const removeFavorite = (tx: Tx, companyId: number, id: number) =>
  tx
    .deleteFrom('favorite_report')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
