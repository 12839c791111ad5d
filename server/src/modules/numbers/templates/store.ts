import { sql } from 'kysely';
import { oneRow, type Tx } from '../../../platform/db.ts';
import { foldedPattern } from '../../../platform/folded.ts';

interface TemplateRow {
  company_id: number;
  id: number;
  name: string;
  description: string;
  routes: unknown;
  record: boolean;
  call_transcription_enabled: boolean;
  ai_eav_enabled: boolean;
  recording_announcement: string;
  recording_announcement_text: string | null;
  schedule_id: number | null;
  greeting_id: number | null;
  voicemail_greeting_id: number | null;
  voicemail_enabled: boolean;
  voicemail_greeting: string | null;
  voicemail_transcribe: boolean;
  voicemail_emails: string[];
  voicemail_sms_notify: boolean;
  tag_ids: number[];
  sms_enabled: boolean;
  is_default: boolean;
  created_at: Date;
  updated_at: Date;
}
/** A template with its tags and how many numbers use it. */
export interface TemplateView extends TemplateRow {
  used: number;
  tags: { id: number; name: string; color: string }[];
}

const usageCount = sql`(select count(*)::int from number n where n.company_id = t.company_id
    and n.template_id = t.id and n.status not in ('released', 'releasing'))`;
const viewColumns = sql`t.*, ${usageCount} used,
  coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color)
        order by folded(g.name)) from tag g where g.company_id = t.company_id
      and g.id = any (t.tag_ids) and g.deleted_at is null), '[]') tags`;
const sorts = {
  name: sql`folded(t.name)`,
  createdAt: sql`t.created_at`,
  updatedAt: sql`t.updated_at`,
  usage_count: usageCount,
} as const;
type TemplateSort = keyof typeof sorts;

/** `search` looks in name and description; undefined: all. */
export async function templatePage(
  tx: Tx,
  companyId: number,
  search: string | undefined,
  page: { sort: TemplateSort; dir: 'asc' | 'desc'; page: number; perPage: number },
): Promise<{ rows: TemplateView[]; total: number }> {
  const like = foldedPattern(search ?? '');
  const where = sql`t.company_id = ${companyId}
    ${
      search
        ? sql`and (folded(t.name) like ${like}
      or folded(t.description) like ${like})`
        : sql``
    }`;
  const direction = page.dir === 'asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<TemplateView>`select ${viewColumns} from number_template t
      where ${where} order by ${sorts[page.sort]} ${direction}, t.id ${direction}
      limit ${page.perPage} offset ${(page.page - 1) * page.perPage}`.execute(tx);
  return {
    rows,
    total: (
      await oneRow(
        tx,
        sql<{
          n: number;
        }>`select count(*)::int n from number_template t where ${where}`,
      )
    ).n,
  };
}
/** Undefined: the company has no such template. */
export const templateView = async (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<TemplateView | undefined> =>
  (
    await sql<TemplateView>`select ${viewColumns}
      from number_template t where t.company_id = ${companyId} and t.id = ${id}`.execute(tx)
  ).rows[0];
/** The row, locked until the transaction ends. Undefined: the company has no such template. */
export const lockTemplate = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('number_template')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export type TemplateColumns = Partial<
  Omit<TemplateRow, 'company_id' | 'id' | 'routes' | 'created_at'>
> & { routes?: string };
/** Undefined: the name is taken. */
export const insertTemplate = (
  tx: Tx,
  companyId: number,
  row: TemplateColumns & { name: string },
  by: number | null,
  now: Date,
) =>
  tx
    .insertInto('number_template')
    .values({ ...row, company_id: companyId, created_by: by, created_at: now, updated_at: now })
    .onConflict((c) => c.columns(['company_id', 'name_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
/** Changes columns of a number template. */
export const updateTemplate = (tx: Tx, companyId: number, id: number, set: TemplateColumns) =>
  tx
    .updateTable('number_template')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
/** Whether another template than `id` has this name, ignoring case. */
export const isNameTaken = async (
  tx: Tx,
  companyId: number,
  id: number,
  name: string,
): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('number_template')
      .select('id')
      .where('company_id', '=', companyId)
      .where('name_key', '=', name.toLowerCase())
      .where('id', '<>', id)
      .executeTakeFirst(),
  );
/** Only one template is the default: clears the flag of all others. */
export const clearDefault = (tx: Tx, companyId: number, exceptId: number) =>
  tx
    .updateTable('number_template')
    .set({ is_default: false })
    .where('company_id', '=', companyId)
    .where('is_default', '=', true)
    .where('id', '<>', exceptId)
    .execute();
/** Deletes a number template; numbers made from it stay. */
export const deleteTemplate = (tx: Tx, companyId: number, id: number) =>
  tx
    .deleteFrom('number_template')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
/** IDs of numbers in use that have this template. */
export const numbersOfTemplate = async (tx: Tx, companyId: number, id: number): Promise<number[]> =>
  (
    await tx
      .selectFrom('number')
      .select('id')
      .where('company_id', '=', companyId)
      .where('template_id', '=', id)
      .where('status', 'not in', ['released', 'releasing', 'pending'])
      .orderBy('id')
      .execute()
  ).map((row) => row.id);

/** Which of these greetings the company has. */
export const existingGreetings = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Set<number>> =>
  new Set(
    ids.length === 0
      ? []
      : (
          await tx
            .selectFrom('greeting')
            .select('id')
            .where('company_id', '=', companyId)
            .where('id', 'in', [...ids])
            .execute()
        ).map((row) => row.id),
  );
