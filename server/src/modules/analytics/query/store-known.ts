import type { RawBuilder } from 'kysely';

/** A value, or in a statement on several companies the column that has it. */
export type Known<T> = T | RawBuilder<unknown>;
