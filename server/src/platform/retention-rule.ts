/**
 * How long the rows of a table are kept. Several rules may name the same table: a row is deleted as
 * soon as one of them allows it.
 */
export interface RetentionRule {
  table: string;
  /** When a row's age begins: a column, or an expression with an index. */
  ageColumn: string;
  /** A PostgreSQL interval; '0' where `ageColumn` is an expiry. */
  keepFor: string;
  /** SQL: only these rows are deleted. */
  where?: string;
  reason: string;
  /**
   * Deletes in this order, which roughly follows `ageColumn`, so that an existing index serves
   * instead of one by age.
   */
  orderBy?: string;
  /**
   * The table is partitioned by day: this function drops the days that ended before its argument.
   * A row then lives up to a day longer.
   */
  dropsDays?: string;
  /** Why scanning the whole table is cheap. */
  smallBecause?: string;
  /** The least number of days that `RETENTION_DAYS` may set. Undefined: the time cannot be set. */
  atLeastDays?: number;
}

/** The tables of one owner: those whose rows are deleted by age, and those whose rows are not. */
export interface Retention {
  rules: readonly RetentionRule[];
  /** When the rows of the other tables are deleted instead. */
  kept: readonly { until: string; tables: readonly string[] }[];
}

/** The tables of several owners as one. */
export const mergeRetention = (parts: readonly Retention[]): Retention => ({
  rules: parts.flatMap(({ rules }) => rules),
  kept: parts.flatMap(({ kept }) => kept),
});

/** The tables that an owner says how long it keeps. */
export const tablesOf = ({ rules, kept }: Retention): readonly string[] => [
  ...new Set([...rules.map(({ table }) => table), ...kept.flatMap(({ tables }) => tables)]),
];

/** Why scanning a table of open apps is cheap. */
export const rowPerPerson = 'one row per person or device';
