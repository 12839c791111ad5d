import { reportLimits, noneKey, otherKey } from '#contract/analytics/source-reports/rules';
import type { ReportFigures, ReportRow } from '#contract/analytics/source-reports/schemas';

/** What is known of a call that a report counts. */
interface CallFacts {
  outcome: number;
  first_contact: boolean;
  qualified: boolean;
  lead: boolean;
  talk_seconds: number;
  value_cents: number | null;
}
/** Sums of credit in basis points, so that nothing is rounded until it is shown. */
interface Sums {
  sessions: number;
  forms: number;
  calls: number;
  first: number;
  answered: number;
  missed: number;
  qualified: number;
  leads: number;
  talk: number;
  value: number;
}
const emptySums = (): Sums => ({
  sessions: 0,
  forms: 0,
  calls: 0,
  first: 0,
  answered: 0,
  missed: 0,
  qualified: 0,
  leads: 0,
  talk: 0,
  value: 0,
});
const [ANSWERED, MISSED] = [1, 2];
/** What a row is of; null: the fact is missing. */
export interface RowName {
  key: string | null;
  label: string | null;
}

/** Adds up credit and visits by row. */
export class Tally {
  private readonly rows = new Map<string, Sums>();
  private readonly labels = new Map<string, string>();
  private readonly all = emptySums();

  private sumsOf({ key, label }: RowName): Sums {
    const known = key === null || key === '' ? noneKey : key;
    if (label !== null || !this.labels.has(known))
      this.labels.set(known, known === noneKey ? 'None' : (label ?? known));
    const sums = this.rows.get(known) ?? emptySums();
    this.rows.set(known, sums);
    return sums;
  }

  addSessions(row: RowName, { n, forms }: { n: number; forms: number }): void {
    for (const sums of [this.sumsOf(row), this.all]) {
      sums.sessions += n;
      sums.forms += forms;
    }
  }

  addCredit(row: RowName, basisPoints: number, call: CallFacts): void {
    for (const sums of [this.sumsOf(row), this.all]) {
      sums.calls += basisPoints;
      if (call.first_contact) sums.first += basisPoints;
      if (call.outcome === ANSWERED) {
        sums.answered += basisPoints;
        sums.talk += basisPoints * call.talk_seconds;
      }
      if (call.outcome === MISSED) sums.missed += basisPoints;
      if (call.qualified) sums.qualified += basisPoints;
      if (call.lead) sums.leads += basisPoints;
      sums.value += basisPoints * (call.value_cents ?? 0);
    }
  }

  /**
   * The rows: those of time in their order, others with the most calls first. What is beyond the
   * limit is one row.
   */
  rowsBy(order: 'key' | 'calls'): ReportRow[] {
    const sorted = [...this.rows].sort(
      ([a, x], [b, y]) =>
        (order === 'key' ? 0 : y.calls - x.calls || y.sessions - x.sessions) || (a < b ? -1 : 1),
    );
    const shown = sorted.slice(0, reportLimits.rows);
    const rest = sorted.slice(reportLimits.rows);
    const rows = shown.map(([key, sums]) => ({
      key,
      label: this.labels.get(key) ?? key,
      ...present(sums),
    }));
    if (rest.length === 0) return rows;
    return [...rows, { key: otherKey, label: 'Other', ...present(added(rest.map(([, s]) => s))) }];
  }

  totals(): ReportFigures {
    return present(this.all);
  }
}

function added(many: readonly Sums[]): Sums {
  const all = emptySums();
  for (const sums of many)
    for (const key of Object.keys(all) as (keyof Sums)[]) all[key] += sums[key];
  return all;
}

/** Credit as people read it: calls with one decimal. */
const counted = (basisPoints: number) => Math.round(basisPoints / 1000) / 10;

const present = (sums: Sums): ReportFigures => ({
  sessions: sums.sessions,
  forms: sums.forms,
  calls: counted(sums.calls),
  first_time_callers: counted(sums.first),
  answered: counted(sums.answered),
  missed: counted(sums.missed),
  qualified: counted(sums.qualified),
  leads: counted(sums.leads),
  avg_duration: sums.answered === 0 ? 0 : Math.round(sums.talk / sums.answered),
  value_cents: Math.round(sums.value / 10_000),
  call_rate: sums.sessions === 0 ? null : Math.round(sums.calls / 10 / sums.sessions) / 10,
});
