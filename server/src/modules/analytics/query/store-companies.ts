import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { CompanyPlaced } from './placed-companies.ts';
import type { Question } from './question.ts';
import { rollupQuestion } from './rollup-question.ts';
import {
  figuresQuery,
  spread,
  summed,
  type CallsAsked,
  type FiguresRow,
} from './store-figures-of-calls.ts';
import { isCounted } from './store-rollups.ts';

/**
 * Several companies as the table `a` of a statement: each with its organization, whether all of its
 * numbers are counted, and its sums, of calls or of items, that have all of a question's days by a
 * dimension (null: none).
 */
export function companiesTable(
  companies: readonly CompanyPlaced[],
  { tz, range }: Pick<Question, 'tz' | 'range'>,
  { sums = 'call', dimension = 0 }: { sums?: 'call' | 'item'; dimension?: number | undefined } = {},
): RawBuilder<unknown> {
  return sql`asked as materialized (
    select p.*, case when p.is_whole then s.edition end edition
    from unnest(${companies.map(({ id }) => id)}::bigint[],
      ${companies.map(({ organizationId }) => organizationId)}::bigint[],
      ${companies.map(({ only }) => only === null)}::boolean[])
      p (company_id, organization_id, is_whole)
    left join ${sql.table(`${sums}_rollup_company`)} s on s.company_id = p.company_id and s.timezone = ${tz}
      and ${isCounted('s', dimension, range)})`;
}

/** Whether a number is among those that are counted in the company `a`, as SQL. */
export function onNumbersOf(
  companies: readonly CompanyPlaced[],
  numberId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const limited = companies.flatMap(({ id, only }) =>
    (only ?? []).map((number) => ({ id, number })),
  );
  if (companies.every(({ only }) => only === null)) return sql`true`;
  return sql`(a.is_whole or exists (
    select from unnest(${limited.map(({ id }) => id)}::bigint[],
      ${limited.map(({ number }) => number)}::bigint[]) l (company_id, number_id)
    where l.company_id = a.company_id and l.number_id = ${numberId}))`;
}

/**
 * What `figuresOfCalls` says of each of these companies, added up: one statement, however many they
 * are. Needs the system role, since row-level security knows one company at a time: the companies
 * are those that the actor can count calls in. Calls of companies that were added up by day in the
 * question's zone are read from there, others call by call.
 */
export async function figuresOfCompanies(
  db: Tx,
  companies: readonly CompanyPlaced[],
  asked: Pick<CallsAsked, 'from' | 'to' | 'question' | 'isSpread'>,
): Promise<FiguresRow[]> {
  const { question, isSpread } = asked;
  const said = {
    ...asked,
    companyId: sql`a.company_id`,
    organizationId: sql`a.organization_id`,
    only: onNumbersOf(companies, sql`c.number_id`),
    credits: null,
  };
  const rollup = rollupQuestion(question, null, isSpread);
  const called = figuresQuery(said, null);
  const each = rollup
    ? sql`select r.* from asked a
        cross join lateral (${figuresQuery(said, { ...rollup, edition: sql`a.edition` })}) r
        where a.edition is not null
      union all
      select r.* from asked a cross join lateral (${called}) r where a.edition is null`
    : sql`select r.* from asked a cross join lateral (${called}) r`;
  const names = [...summed, ...(isSpread ? spread : [])].map((name) => sql.ref(name));
  const { rows } = await sql<FiguresRow>`
    with ${companiesTable(companies, question, { dimension: rollup?.dimension })}
    select part, callers, "key", max(label) "label", "at",
      ${sql.join(names.map((name) => sql`sum(${name}) ${name}`))}
    from (${each}) each_company group by part, callers, "key", "at"`.execute(db);
  return rows;
}
