import { sql, type RawBuilder } from 'kysely';
import type { ContactRule } from '#contract/contacts/schemas';
import { type FilterField } from './rules.ts';

/** The contact's ID in filter conditions. */
export const contactIdColumn = sql`c.id`;

/**
 * Filters and rules as SQL on `contact c`, the same for lists, bulk actions, groups with a rule and
 * exports. What they refer to was checked before (`resolve-filter.ts`).
 */
export type Condition = RawBuilder<unknown>;
export interface FilterContext {
  companyId: number;
  now: Date;
  /** The user can't see personal details, so searches don't match them. */
  masked: boolean;
  custom: ReadonlyMap<number, FilterField>;
  /** Rules of the groups that the filters name. */
  rules: ReadonlyMap<number, ContactRule>;
  /** Conditions on custom fields. */
  eav: readonly Condition[];
}

/** All conditions together; none is always true. */
export const allOf = (parts: readonly Condition[]): Condition =>
  parts.length ? sql`${sql.join([...parts], sql` and `)}` : sql`true`;
