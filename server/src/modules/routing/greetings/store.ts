import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { hasFolded } from '../../../platform/folded.ts';

export interface GreetingRow {
  id: number;
  name: string;
  type: string;
  content: string;
  voice: string | null;
  language: string | null;
  file_id: number;
  duration_ms: number;
  source: string;
  is_default: boolean;
  created_at: Date;
  updated_at: Date;
}

/** A page of the library; newest first unless `sort` is given. `search`: in name and content. */
export async function greetingsPage(
  tx: Tx,
  companyId: number,
  query: {
    search?: string | undefined;
    type?: string | undefined;
    sort?: 'name' | 'type' | 'duration_ms' | 'created_at' | 'updated_at' | undefined;
    dir?: 'asc' | 'desc' | undefined;
    page: number;
    perPage: number;
  },
): Promise<{ rows: GreetingRow[]; total: number }> {
  let found = tx.selectFrom('greeting').where('company_id', '=', companyId);
  if (query.type !== undefined) found = found.where('type', '=', query.type);
  if (query.search) {
    const words = query.search;
    found = found.where((w) =>
      w.or([hasFolded(w.ref('name'), words), hasFolded(w.ref('content'), words)]),
    );
  }
  const sort = query.sort ?? 'created_at';
  const dir = query.dir ?? (query.sort === undefined ? 'desc' : 'asc');
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await found
    .selectAll()
    .orderBy(sort, dir)
    .orderBy('id', dir)
    .limit(query.perPage)
    .offset((query.page - 1) * query.perPage)
    .execute();
  return { rows, total: Number(total) };
}

/** A greeting. Undefined: none of this ID. */
export const greetingRow = (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<GreetingRow | undefined> =>
  tx
    .selectFrom('greeting')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
/** A greeting, locked until the transaction ends. Undefined: none of this ID. */
export const lockGreeting = (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<GreetingRow | undefined> =>
  tx
    .selectFrom('greeting')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** These greetings and the defaults of all types. */
export const greetingsForFlow = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<GreetingRow[]> =>
  tx
    .selectFrom('greeting')
    .selectAll()
    .where('company_id', '=', companyId)
    .where((w) =>
      w.or([w('is_default', '=', true), ...(ids.length === 0 ? [] : [w('id', 'in', [...ids])])]),
    )
    .execute();

export interface GreetingValues {
  name: string;
  type: string;
  content: string;
  voice: string | null;
  language: string | null;
  file_id: number;
  duration_ms: number;
  source: string;
  is_default: boolean;
}

/** Stores a greeting and returns its ID. */
export const insertGreeting = async (
  tx: Tx,
  companyId: number,
  values: GreetingValues,
  by: number | null,
  now: Date,
): Promise<number> =>
  (
    await tx
      .insertInto('greeting')
      .values({
        ...values,
        company_id: companyId,
        created_by: by,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
/** Changes columns of a greeting. */
export const patchGreeting = (
  tx: Tx,
  companyId: number,
  id: number,
  values: Partial<GreetingValues>,
  now: Date,
) =>
  tx
    .updateTable('greeting')
    .set({ ...values, updated_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
/** Deletes a greeting. */
export const deleteGreetingRow = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('greeting').where('company_id', '=', companyId).where('id', '=', id).execute();

/**
 * Clears the default of a type; locks the type until the transaction ends, so there is only one.
 */
export async function clearDefault(tx: Tx, companyId: number, type: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`greeting-default:${type}`},
        ${companyId}))`.execute(tx);
  await tx
    .updateTable('greeting')
    .set({ is_default: false })
    .where('company_id', '=', companyId)
    .where('type', '=', type)
    .where('is_default', '=', true)
    .execute();
}

export interface GreetingUse {
  greeting_id: number;
  kind: 'number' | 'menu' | 'route';
  id: number;
  number_id: number;
  number: string;
  label: string;
  as_what: string;
}

/** Where these greetings are used: numbers, menus, routes (voicemail, after hours, hold music). */
export async function greetingUses(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<GreetingUse[]> {
  if (ids.length === 0) return [];
  const wanted = sql`any (${[...ids]}::bigint[])`;
  const { rows } = await sql<GreetingUse>`
    select u.greeting_id, u.kind, u.id, u.number_id, n.number, n.label, u.as_what from (
      select greeting_id, 'number' kind, id, id number_id, 'welcome' as_what
        from number where company_id = ${companyId} and greeting_id = ${wanted}
      union all select voicemail_greeting_id, 'number', id, id, 'voicemail'
        from number where company_id = ${companyId} and voicemail_greeting_id = ${wanted}
      union all select recording_announcement_greeting_id, 'number', id, id, 'recording notice'
        from number
        where company_id = ${companyId} and recording_announcement_greeting_id = ${wanted}
      union all select greeting_id, 'menu', number_id, number_id, 'menu'
        from number_menu where company_id = ${companyId} and greeting_id = ${wanted}
      union all select voicemail_greeting_id, 'route', id, number_id, 'voicemail of a route'
        from route where company_id = ${companyId} and voicemail_greeting_id = ${wanted}
      union all select onhold_music_id, 'route', id, number_id, 'hold music'
        from route where company_id = ${companyId} and onhold_music_id = ${wanted}
      union all select (after_hours ->> 'target')::bigint, 'route', id, number_id, 'after hours'
        from route
        where company_id = ${companyId} and after_hours ->> 'action' = 'greeting'
          and jsonb_typeof(after_hours -> 'target') = 'number'
          and (after_hours ->> 'target')::bigint = ${wanted}
    ) u join number n on n.company_id = ${companyId} and n.id = u.number_id
      and n.status <> 'released'
    order by n.label, n.number, u.as_what`.execute(tx);
  return rows;
}

/** The types of these greetings by id; unknown ids are left out. */
export const typesOf = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, string>> =>
  new Map(
    ids.length === 0
      ? []
      : (
          await tx
            .selectFrom('greeting')
            .select(['id', 'type'])
            .where('company_id', '=', companyId)
            .where('id', 'in', [...ids])
            .execute()
        ).map((row) => [row.id, row.type]),
  );

/** The storage key of a sound's bytes; undefined: no such file. */
export const soundKey = async (
  tx: Tx,
  companyId: number,
  fileId: number,
): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('file')
      .select('key')
      .where('company_id', '=', companyId)
      .where('id', '=', fileId)
      .executeTakeFirst()
  )?.key;
