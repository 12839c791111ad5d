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
  /** Why scanning the whole table is cheap. */
  smallBecause?: string;
  /** The least number of days that `RETENTION_DAYS` may set. Undefined: the time cannot be set. */
  atLeastDays?: number;
}

/** Why scanning a table of open apps is cheap. */
export const rowPerPerson = 'one row per person or device';
