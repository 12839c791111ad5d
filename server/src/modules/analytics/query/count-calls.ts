import { callAnalyticsLimits, overlappingGroups } from '#contract/analytics/call-analytics/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { creditsOf } from './attribution.ts';
import { figuresOfQuestion } from './choose-table.ts';
import type { CompanyAsked } from './companies-asked.ts';
import { eachCompany } from './each-company.ts';
import { needsCredit, type Question } from './question.ts';
import { namesOfKeys } from './names-of-keys.ts';
import { placedCompanies, type CompanyPlaced } from './placed-companies.ts';
import { figuresOfCompanies } from './store-companies.ts';
import { spanOf, spread, summed, type FiguresRow, type Sums } from './store-figures-of-calls.ts';

/** A row before it is presented: its sums, and in time. */
export interface CountedRow {
  key: string | null;
  label: string | null;
  /** Whose it is, among those of several companies; null: it is plain. */
  company: string | null;
  sums: Sums;
  points: Map<string, Sums>;
}
export interface Counted {
  rows: Map<string | null, CountedRow>;
  total: Sums;
  /** Whose calls these are. */
  companies: readonly CompanyPlaced[];
}

/** The sums of nothing. */
export const noSums = (): Sums => Object.fromEntries(summed.map((name) => [name, 0])) as Sums;

const addTo = (to: Sums, more: Sums): void => {
  for (const name of [...summed, ...spread]) {
    const amount = more[name];
    if (amount !== undefined) to[name] = (to[name] ?? 0) + amount;
  }
};

/**
 * Counts the calls of a question in each of the companies and adds them up. Whoever calls has
 * checked that the actor can count calls there; `only` are the numbers that they see. Fails with a
 * field error for too many companies of a question that looks at one after another.
 * @param isSpread also by weekday and duration, as files have them
 */
export async function countCalls(
  ctx: TxCtx,
  question: Question,
  companies: readonly CompanyAsked[],
  isSpread = false,
): Promise<Counted> {
  const placed = await placedCompanies(ctx, question, companies);
  const all: Counted = { rows: new Map(), total: noSums(), companies: placed };
  if (areTogether(question, placed)) await addTogether(ctx, question, isSpread, all);
  else {
    if (placed.length > callAnalyticsLimits.oneByOne)
      invalid({ company_ids: `Choose at most ${callAnalyticsLimits.oneByOne} companies.` });
    await eachCompany(ctx, placed, (there, company) =>
      addCompany(there, question, company, isSpread, all),
    );
  }
  return all;
}

/**
 * Whether one statement can count the companies. Not what a model works out call by call, nor data
 * groups, which row-level security keeps apart.
 */
const areTogether = (question: Question, companies: readonly CompanyPlaced[]): boolean =>
  companies.length > 1 && !needsCredit(question) && !question.filters.data_group_ids;

// The system role: row-level security knows one company at a time. These are the ones that the actor
// can count calls in, each with the numbers that they see there.
async function addTogether(
  { db }: Pick<TxCtx, 'db'>,
  question: Question,
  isSpread: boolean,
  all: Counted,
): Promise<void> {
  const { companies } = all;
  const tx = db.unscoped;
  const span = spanOf(question.range, question.tz);
  const found = await figuresOfCompanies(tx, companies, { ...span, question, isSpread });
  await addFound({ tx, db }, companies, question, { found, share: 1 }, all);
}

async function addCompany(
  { tx, db }: Pick<TxCtx, 'tx' | 'db'>,
  question: Question,
  company: CompanyPlaced,
  isSpread: boolean,
  all: Counted,
): Promise<void> {
  const { id, only, organizationId } = company;
  const span = spanOf(question.range, question.tz);
  const credits = needsCredit(question)
    ? await creditsOf({ tx }, id, { ...span, only }, question)
    : null;
  const found = await figuresOfQuestion(tx, {
    companyId: id,
    organizationId,
    only,
    ...span,
    question,
    credits,
    isSpread,
  });
  const share = credits === null ? 1 : 10_000;
  await addFound({ tx, db }, [company], question, { found, share }, all);
}

/** Adds what was found in these companies; `share`: what of a call its credits add up to. */
async function addFound(
  ctx: Pick<TxCtx, 'tx' | 'db'>,
  companies: readonly CompanyPlaced[],
  { group }: Question,
  { found, share }: { found: readonly FiguresRow[]; share: number },
  all: Counted,
): Promise<void> {
  const keys = found.flatMap(({ part, key }) => (part !== 'total' && key !== null ? [key] : []));
  const names = await namesOfKeys(ctx, companies, group, [...new Set(keys)]);
  for (const { part, callers, key, label, at, ...counted } of found) {
    const sums = shared(counted, share);
    if (part === 'total' || (!callers && !overlappingGroups.has(group))) addTo(all.total, sums);
    if (part === 'total') continue;
    const row = rowOf(all, key, (key === null ? null : names.get(key)) ?? named(label));
    if (part === 'row' || !callers) addTo(row.sums, sums);
    if (part === 'point') addPoint(row, at, sums);
  }
}

const named = (name: string | null) => ({ name, company: null });

function rowOf(
  { rows }: Counted,
  key: string | null,
  { name, company }: { name: string | null; company: string | null },
): CountedRow {
  const empty = { key, label: null, company: null, sums: noSums(), points: new Map() };
  const known = rows.get(key) ?? empty;
  known.label ??= name;
  known.company ??= company;
  rows.set(key, known);
  return known;
}

function addPoint({ points }: CountedRow, at: string | null, sums: Sums): void {
  if (at === null) return;
  const point = points.get(at) ?? noSums();
  points.set(at, point);
  addTo(point, sums);
}

/** Sums of credit as sums of calls; callers are whole. */
const shared = (sums: Sums, share: number): Sums =>
  share === 1
    ? sums
    : (Object.fromEntries(
        [...summed, ...spread].flatMap((name) => {
          const amount = sums[name];
          return amount === undefined ? [] : [[name, name === 'unique' ? amount : amount / share]];
        }),
      ) as Sums);
