import { fold } from '#contract/fold';
import { sql } from 'kysely';
import type { FieldValueType } from '#contract/fields/rules';
import { normalizePhone } from '#contract/phone';
import type { ContactRule } from '#contract/contacts/schemas';
import { mustBe } from '../../platform/must-be.ts';
import { containsPattern, customFieldId, escapeLike, kindOf, type FilterField } from './rules.ts';
import { type Condition, type FilterContext, allOf } from './store-conditions.ts';

/** The SQL condition that `contact c` is in a group of chosen contacts. */
export const inGroup = (id: number) =>
  sql`exists (select from contact_group_member m
      where m.company_id = c.company_id and m.group_id = ${id} and m.contact_id = c.id)`;
/** The SQL condition that `contact c` has a label. */
export const hasLabel = (id: number) =>
  sql`exists (select from contact_label_use u
      where u.company_id = c.company_id and u.label_id = ${id} and u.contact_id = c.id)`;

/** The SQL condition of a virtual group's rule on `contact c`: all its lines. */
export const ruleCondition = (rule: ContactRule, facts: FilterContext): Condition =>
  allOf(rule.all.map((line) => lineCondition(line, facts)));

type RuleLine = ContactRule['all'][number];
const textColumns: Record<string, Condition> = {
  name: sql`c.name`,
  number: sql`c.number`,
  email: sql`c.email`,
  companyName: sql`c.company_name`,
  title: sql`c.title`,
  city: sql`c.city`,
  state: sql`c.state`,
  zip: sql`c.zip`,
  country: sql`c.country`,
  notes: sql`c.notes`,
  areaCode: sql`(case when c.number like '+1%' then substr(c.number, 3, 3) else '' end)`,
};
const choiceColumns: Record<string, Condition> = {
  type: sql`c.type`,
  source: sql`c.source`,
  gender: sql`c.gender`,
  ageRange: sql`c.age_range`,
  optinType: sql`c.optin_type`,
};

function lineCondition(line: RuleLine, facts: FilterContext): Condition {
  const custom = customFieldId(line.field);
  if (custom !== null) return customCondition(line, facts.custom.get(custom), facts);
  const value = line.value ?? null;
  switch (kindOf(line.field, facts.custom)) {
    case 'text':
      return textCondition(
        mustBe(textColumns[line.field], `column of ${line.field}`),
        line,
        line.field === 'number' ? (normalizePhone(String(value)) ?? String(value)) : undefined,
      );
    case 'choice':
      return choiceCondition(mustBe(choiceColumns[line.field], `column of ${line.field}`), line);
    case 'flag':
      return line.field === 'invalid'
        ? sql`c.invalid = ${value === true}`
        : sql`(c.unsubscribed_at is not null) = ${value === true}`;
    case 'member': {
      const has = line.field === 'group' ? inGroup(Number(value)) : hasLabel(Number(value));
      return line.op === 'has' ? has : sql`not ${has}`;
    }
    case 'date':
      return line.field === 'lastCalledAt'
        ? traceCondition(sql`t.last_called_at`, line, facts)
        : line.field === 'lastTextedAt'
          ? traceCondition(sql`t.last_texted_at`, line, facts)
          : dateCondition(
              line.field === 'addedAt' ? sql`c.created_at` : sql`c.updated_at`,
              line,
              facts,
            );
    default:
      return sql`false`;
  }
}

function textCondition(column: Condition, { op, value }: RuleLine, exact?: string): Condition {
  const text = String(value ?? '').trim();
  switch (op) {
    case 'is':
      return sql`folded(${column}) = ${fold(exact ?? text)}`;
    case 'is_not':
      return sql`folded(${column}) <> ${fold(exact ?? text)}`;
    case 'contains':
      return sql`folded(${column}) like ${containsPattern(text)}`;
    case 'not_contains':
      return sql`folded(${column}) not like ${containsPattern(text)}`;
    case 'starts_with':
      return sql`folded(${column}) like ${`${escapeLike(fold(text))}%`}`;
    case 'empty':
      return sql`${column} = ''`;
    default:
      return sql`${column} <> ''`;
  }
}
function choiceCondition(column: Condition, { op, value }: RuleLine): Condition {
  switch (op) {
    case 'is':
      return sql`${column} = ${String(value)}`;
    case 'is_not':
      return sql`${column} is distinct from ${String(value)}`;
    case 'in':
      return sql`${column} = any(${Array.isArray(value) ? value.map(String) : []}::text[])`;
    case 'empty':
      return sql`${column} is null`;
    default:
      return sql`${column} is not null`;
  }
}
/** When the day begins in the company's time zone. */
const dayOf = (value: unknown, facts: FilterContext) =>
  sql`(${String(value).slice(0, 10)}::timestamp at time zone coalesce((select o.timezone
          from company o where o.id = ${facts.companyId}), 'UTC'))`;
const daysAgo = (value: unknown, facts: FilterContext) =>
  new Date(facts.now.getTime() - Number(value) * 86_400_000);
function dateCondition(
  column: Condition,
  { op, value }: RuleLine,
  facts: FilterContext,
): Condition {
  switch (op) {
    case 'within_days':
      return sql`${column} >= ${daysAgo(value, facts)}`;
    case 'not_within_days':
      return sql`(${column} is null or ${column} < ${daysAgo(value, facts)})`;
    case 'before':
      return sql`${column} < ${dayOf(value, facts)}`;
    case 'after':
      return sql`${column} >= ${dayOf(value, facts)} + interval '1 day'`;
    case 'empty':
      return sql`${column} is null`;
    default:
      return sql`${column} is not null`;
  }
}
/** Activity of any of the contact's numbers. The subqueries run once, not per contact. */
function traceCondition(column: Condition, line: RuleLine, facts: FilterContext): Condition {
  const positive =
    line.op === 'not_within_days'
      ? { ...line, op: 'within_days' }
      : line.op === 'empty'
        ? { ...line, op: 'filled' }
        : line;
  const heard = sql`select t.number from contact_activity t
    where t.company_id = ${facts.companyId} and ${dateCondition(column, positive, facts)}`;
  const found = sql`(c.number in (${heard}) or c.id in (select n.contact_id
        from contact_number n where n.company_id = ${facts.companyId} and n.number in (${heard})))`;
  return positive === line ? found : sql`not ${found}`;
}
/**
 * A custom field's value (stored by the fields module; entity type 7: contact), else the field's
 * default.
 */
function customCondition(
  line: RuleLine,
  field: FilterField | undefined,
  facts: FilterContext,
): Condition {
  if (!field) return sql`false`;
  const own = (condition: Condition) =>
    sql`exists (select from field_value v where v.company_id = c.company_id and v.entity_type_id = 7
        and v.entity_id = c.id and v.field_id = ${field.id} and ${condition})`;
  const defaultOfField = field.defaultValue;
  if (line.op === 'empty') return defaultOfField === null ? sql`not ${own(sql`true`)}` : sql`false`;
  if (line.op === 'filled') return defaultOfField === null ? own(sql`true`) : sql`true`;
  const negative =
    line.op === 'is_not' || line.op === 'not_contains' || line.op === 'not_within_days';
  const positive: RuleLine = negative
    ? {
        ...line,
        op: line.op === 'is_not' ? 'is' : line.op === 'not_contains' ? 'contains' : 'within_days',
      }
    : line;
  const fits = own(customValueCondition(field, positive, facts, ownValue));
  const found =
    defaultOfField === null
      ? fits
      : sql`(${fits}
          or (${customValueCondition(field, positive, facts, defaultValue(defaultOfField))}
            and not ${own(sql`true`)}))`;
  return negative ? sql`not ${found}` : found;
}
/** SQL for the value by type: the contact's own, or the field's default. */
interface ValueColumns {
  boolean: Condition;
  enum: Condition;
  number: Condition;
  date: Condition;
  text: Condition;
}
const ownValue: ValueColumns = {
  boolean: sql`v.boolean_value`,
  enum: sql`v.choice_id`,
  number: sql`v.number_value`,
  date: sql`v.date_value`,
  text: sql`v.text_value`,
};
const defaultValue = (value: FieldValueType): ValueColumns => {
  const as = (type: Condition): Condition => sql`${String(value)}::${type}`;
  return {
    boolean: as(sql`boolean`),
    enum: as(sql`bigint`),
    number: as(sql`numeric`),
    date: as(sql`date`),
    text: as(sql`text`),
  };
};
function customValueCondition(
  field: FilterField,
  line: RuleLine,
  facts: FilterContext,
  at: ValueColumns,
): Condition {
  switch (field.type) {
    case 'boolean':
      return sql`${at.boolean} = ${line.value === true}`;
    case 'enum': {
      const wanted = (Array.isArray(line.value) ? line.value : [line.value]).map(String);
      return sql`${at.enum} = any(${field.choices.filter((c) => wanted.includes(String(c.id)) || wanted.includes(c.value)).map((c) => c.id)}::bigint[])`;
    }
    case 'number':
      return line.op === 'above'
        ? sql`${at.number} > ${Number(line.value)}`
        : line.op === 'below'
          ? sql`${at.number} < ${Number(line.value)}`
          : sql`${at.number} = ${Number(line.value)}`;
    case 'date':
      return dateCondition(sql`(${at.date}::timestamp at time zone 'UTC')`, line, facts);
    default:
      return textCondition(
        at.text,
        line,
        field.type === 'phone' ? (normalizePhone(String(line.value)) ?? undefined) : undefined,
      );
  }
}
