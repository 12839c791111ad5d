import { overlappingGroups } from '#contract/analytics/call-analytics/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { creditsOf } from './attribution.ts';
import { figuresOfQuestion } from './choose-table.ts';
import type { CompanyAsked } from './companies-asked.ts';
import { eachCompany } from './each-company.ts';
import { needsCredit, type Question } from './question.ts';
import { spanOf, spread, summed, type Sums } from './store-figures-of-calls.ts';
import { namesOfKeys } from './names-of-keys.ts';
import { unitOf } from './store-names.ts';

/** A row before it is presented: its sums, and in time. */
export interface CountedRow {
  key: string | null;
  label: string | null;
  sums: Sums;
  points: Map<string, Sums>;
}
export interface Counted {
  rows: Map<string | null, CountedRow>;
  total: Sums;
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
 * checked that the actor can count calls there; `only` are the numbers that they see.
 * @param isSpread also by weekday and duration, as files have them
 */
export async function countCalls(
  ctx: TxCtx,
  question: Question,
  companies: readonly CompanyAsked[],
  isSpread = false,
): Promise<Counted> {
  const all: Counted = { rows: new Map(), total: noSums() };
  await eachCompany(ctx, companies, (there, company) =>
    addCompany(there, question, company, isSpread, all),
  );
  return all;
}

async function addCompany(
  { tx, db }: Pick<TxCtx, 'tx' | 'db'>,
  question: Question,
  { id, only }: CompanyAsked,
  isSpread: boolean,
  all: Counted,
): Promise<void> {
  const organizationId = await unitOf(tx, id);
  const { businessUnitIds } = question;
  if (businessUnitIds.length && !businessUnitIds.includes(organizationId ?? 0)) return;
  const span = await spanOf(tx, question.range, question.tz);
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
  const keys = found.flatMap(({ part, key }) => (part !== 'total' && key !== null ? [key] : []));
  const names = await namesOfKeys({ tx, db }, { id, organizationId }, question.group, keys);
  const share = credits === null ? 1 : 10_000;
  for (const { part, callers, key, label, at, ...counted } of found) {
    const sums = shared(counted, share);
    if (part === 'total' || (!callers && !overlappingGroups.has(question.group)))
      addTo(all.total, sums);
    if (part === 'total') continue;
    const row = rowOf(all, key, (key === null ? null : names.get(key)) ?? label);
    if (part === 'row' || !callers) addTo(row.sums, sums);
    if (part === 'point') addPoint(row, at, sums);
  }
}

function rowOf({ rows }: Counted, key: string | null, label: string | null): CountedRow {
  const known = rows.get(key) ?? { key, label: null, sums: noSums(), points: new Map() };
  known.label ??= label;
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
