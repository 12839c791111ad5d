import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';

const DAY = 86_400_000;
interface Choice {
  id: number;
  value: string;
  sort_order: number;
  description: string;
}
const choices = (from: number, ...words: string[]): Choice[] =>
  words.map((value, i) => ({ id: from + i, value, sort_order: i + 1, description: '' }));

const reasons = choices(9001, 'Appointment', 'Emergency', 'Billing', 'Question');
const languages = choices(9011, 'English', 'Spanish', 'French');

interface FieldDefinition {
  entity_type_id: number;
  key: string;
  name: string;
  type: string;
  description?: string;
  choices?: Choice[];
  is_visible_in_list?: boolean;
  ai?: object;
}
interface Company {
  id: number;
  by: number;
  name: string;
}
/** The ids of the fields that have values. */
type FieldIds = Record<'reason' | 'cost' | 'where' | 'since' | 'language', number>;

/**
 * Custom fields of the first company with values, a field of the whole organization, and a shared
 * column preset.
 */
export async function seedFields(
  tx: Tx,
  company: Company,
  organizationId: number,
  now: Date,
): Promise<void> {
  const made = new Date(now.getTime() - 60 * DAY);
  const fields = await insertFields(tx, company, made);
  const language = await insertLanguageField(tx, organizationId, made);
  await insertCallAndNumberValues(tx, company, { ...fields, language }, now);
  await insertContactValues(tx, company, { ...fields, language }, now);
  await insertPreset(tx, company, made);
}

async function insertFields(tx: Tx, company: Company, made: Date) {
  const define = (f: FieldDefinition) => insertField(tx, company, f, made);
  const reason = await define({
    entity_type_id: 6,
    key: 'reason',
    name: 'Reason for calling',
    type: 'enum',
    choices: reasons,
    is_visible_in_list: true,
    ai: {
      enabled: true,
      prompt: 'Why is the client calling?',
      allow_null: true,
      with_reason: true,
    },
  });
  await define({ entity_type_id: 6, key: 'follow_up', name: 'Follow up on', type: 'date' });
  const cost = await define({
    entity_type_id: 1,
    key: 'advertising_cost',
    name: 'Ad cost ($)',
    type: 'number',
    description: 'US dollars per month',
    is_visible_in_list: true,
  });
  const where = await define({
    entity_type_id: 1,
    key: 'advertised_in',
    name: 'Advertised in',
    type: 'stringKeyword',
  });
  const since = await define({
    entity_type_id: 7,
    key: 'patient_since',
    name: 'Patient since',
    type: 'date',
  });
  return { reason, cost, where, since };
}

/** Creates a field with its history; returns its id. */
async function insertField(
  tx: Tx,
  company: Company,
  f: FieldDefinition,
  made: Date,
): Promise<number> {
  const { id } = await tx
    .insertInto('field')
    .values({
      company_id: company.id,
      ...f,
      choices: JSON.stringify(f.choices ?? []),
      ai: JSON.stringify(f.ai ?? {}),
      created_by: company.by,
      created_at: made,
      updated_at: made,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('field_history')
    .values({
      company_id: company.id,
      field_id: id,
      at: made,
      actor_id: company.by,
      actor_name: company.name,
      action: 'created',
      detail: `${f.name} (${f.type})`,
    })
    .execute();
  return id;
}

/** Creates the organization's field for a contact's language; returns its id. */
async function insertLanguageField(tx: Tx, organizationId: number, made: Date): Promise<number> {
  const { id } = await tx
    .insertInto('organization_field')
    .values({
      organization_id: organizationId,
      entity_type_id: 7,
      key: 'preferred_language',
      name: 'Preferred language',
      description: 'The language we reply in',
      type: 'enum',
      choices: JSON.stringify(languages),
      default_value: JSON.stringify(languages[0]!.id),
      created_at: made,
      updated_at: made,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Values of a field from `rows`: an entity's id and its value. */
const insertValues = (
  tx: Tx,
  company: Company,
  now: Date,
  { entity, field, column }: { entity: number; field: number; column: string },
  rows: ReturnType<typeof sql>,
) =>
  sql`insert into field_value (company_id, entity_type_id, entity_id, field_id,
      ${sql.ref(column)}, updated_at, updated_by) select ${company.id}, ${entity}, x.id, ${field},
    x.value, ${now}, ${company.by} from (${rows}) x`.execute(tx);

async function insertCallAndNumberValues(
  tx: Tx,
  company: Company,
  fields: FieldIds,
  now: Date,
): Promise<void> {
  await insertValues(
    tx,
    company,
    now,
    { entity: 6, field: fields.reason, column: 'choice_id' },
    sql`select c.id, ${reasons[0]!.id}::bigint + c.n % 4 "value"
      from (select id, row_number() over (order by id) n
        from call where company_id = ${company.id} and outcome = 1) c where c.n % 3 <> 0`,
  );
  await insertValues(
    tx,
    company,
    now,
    { entity: 1, field: fields.cost, column: 'number_value' },
    sql`select n.id, (array[450, 120, 80, 0])[1 + n.n % 4]::numeric "value" from (select id,
        row_number() over (order by id) n from number where company_id = ${company.id}) n
      where n.n % 4 <> 3`,
  );
  await insertValues(
    tx,
    company,
    now,
    { entity: 1, field: fields.where, column: 'text_value' },
    sql`select n.id, (array['Radio', 'Website', 'Google Ads'])[1 + n.n % 3] "value" from (select id,
        row_number() over (order by id) n from number where company_id = ${company.id}) n
      where n.n % 4 <> 3`,
  );
}

async function insertContactValues(
  tx: Tx,
  company: Company,
  fields: FieldIds,
  now: Date,
): Promise<void> {
  await insertValues(
    tx,
    company,
    now,
    { entity: 7, field: fields.since, column: 'date_value' },
    sql`select k.id, (date '2019-01-07' + (k.n * 37 % 2500)::int) "value"
      from (select id, row_number() over (order by id) n
        from contact where company_id = ${company.id}) k where k.n % 2 = 0`,
  );
  await insertValues(
    tx,
    company,
    now,
    { entity: 7, field: fields.language, column: 'choice_id' },
    sql`select k.id, ${languages[1]!.id}::bigint "value"
      from (select id, row_number() over (order by id) n
        from contact where company_id = ${company.id}) k where k.n % 9 = 0`,
  );
}

async function insertPreset(tx: Tx, company: Company, made: Date): Promise<void> {
  await tx
    .insertInto('column_preset')
    .values({
      company_id: company.id,
      user_id: company.by,
      entity: 'numbers',
      name: 'Advertising',
      shared: true,
      created_at: made,
      updated_at: made,
      columns: JSON.stringify(
        ['number', 'label', 'eav:advertised_in', 'eav:advertising_cost', 'tags', 'last_call_at']
          .map((key, order) => ({ key, width: null, pinned: order === 0, order, hidden: false }))
          .concat(
            ['status', 'category', 'place', 'routingType', 'texts', 'purchased_at'].map(
              (key, i) => ({ key, width: null, pinned: false, order: 6 + i, hidden: true }),
            ),
          ),
      ),
    })
    .execute();
}
