import { sql, type Expression, type RawBuilder } from 'kysely';
import { fold } from '#contract/fold';

/** Text for SQL `like` in which `%`, `_` and backslashes mean themselves. */
const escapeLike = (text: string): string => text.replace(/[%_\\]/g, '\\$&');
/** The pattern of a text anywhere in what `folded` makes of a column (`#contract/fold`). */
export const foldedPattern = (text: string): string => `%${escapeLike(fold(text))}%`;
/** Whether a text or column has these words anywhere, in whatever writing; null where it is null. */
export const hasFolded = (text: Expression<unknown>, words: string): RawBuilder<boolean> =>
  sql`folded(${text}) like ${foldedPattern(words)}`;
/**
 * Whether a row's text has the words of a folded pattern: for walks through thousands of rows. An
 * ASCII text is only compared, which folding it would cost several times.
 */
export const rowHasFolded = (text: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> =>
  sql`(${text} ilike ${pattern}
    or octet_length(${text}) <> length(${text}) and folded(${text}) like ${pattern})`;
