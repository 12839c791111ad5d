import { z } from 'zod';
import type { Shape } from './operation.ts';

export const id = z.coerce
  .number<number>()
  .int()
  .positive()
  .max(Number.MAX_SAFE_INTEGER)
  .meta({ description: 'Positive integer below 2^53' });
export const instant = z.string().meta({ format: 'date-time', description: 'ISO-8601 UTC with Z' });
/** A flag on a query string or in a multipart body: 1, 0, true, false. */
export const flag = z.preprocess<
  unknown,
  z.ZodBoolean,
  boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | ''
>(
  (v) =>
    v === '1' || v === 'true' || v === 1
      ? true
      : v === '0' || v === 'false' || v === 0 || v === ''
        ? false
        : v,
  z.boolean(),
);

/** Body of one object: `{ data: … }`. */
export const one = <T>(shape: z.ZodType<T>) => z.object({ data: shape });
/** Body of a paged list (A1). Dispatch fills in `links` and the rest of `meta`. */
export const pageOf = <T>(row: z.ZodType<T>) =>
  z.object({
    data: z.array(row),
    links: z.object({
      first: z.string().nullable(),
      last: z.string().nullable(),
      prev: z.string().nullable(),
      next: z.string().nullable(),
    }),
    meta: z.looseObject({
      current_page: z.number(),
      from: z.number().nullable(),
      last_page: z.number(),
      path: z.string(),
      per_page: z.number(),
      to: z.number().nullable(),
      total: z.number(),
      ignored: z.array(z.string()).optional(),
    }),
  });
export const empty = z.undefined().or(z.null()) as unknown as Shape<void>;
export const companyIn = { companyId: id.optional(), company_id: id.optional() };

/**
 * The `include` parameter: names separated by commas, or a list. Endpoints without it refuse
 * `include` (A1).
 */
export const including = (...allowed: string[]) =>
  z
    .preprocess(
      (v) =>
        typeof v === 'string'
          ? v
              .split(',')
              .map((word) => word.trim())
              .filter(Boolean)
          : v,
      z
        .array(z.string())
        .refine((wanted) => wanted.every((one) => allowed.includes(one)), onlyThese(allowed))
        .optional(),
    )
    .meta({ description: `${allowed.join(', ')}; always included` });
const onlyThese = (words: readonly string[]): string => {
  const last = words.at(-1)!; // at least one is allowed
  return words.length === 1
    ? `Only ${last} can be included.`
    : `Only ${words.slice(0, -1).join(', ')} and ${last} can be included.`;
};

/**
 * Fields that a list can be sorted by; any other is refused. A list without it reports `sort` as
 * ignored.
 */
export const sortBy = <const T extends readonly [string, ...string[]]>(...fields: T) =>
  z.enum(fields, `Sort by one of ${fields.join(', ')}.`).optional();

/** Query of a paged list (A1). `perPage`, `per_page` and `size` mean the same. */
export function listQuery<S extends z.ZodRawShape>(
  more: S,
  defaults: { perPage: number; max?: number },
) {
  const size = z.coerce
    .number<number>()
    .int()
    .min(1)
    .transform((n) => Math.min(n, defaults.max ?? 250));
  return z
    .object({
      page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
      perPage: size.optional(),
      per_page: size.optional(),
      size: size.optional(),
      dir: z.enum(['asc', 'desc']).optional(),
      strict: flag.optional(),
      /**
       * Keyset cursor from the previous response's `meta.next_cursor`; faster than `page` on long
       * lists.
       */
      cursor: z.string().max(400).optional(),
      ...companyIn,
      ...more,
    })
    .transform((q) => {
      const said = q as { perPage?: number; per_page?: number; size?: number };
      return { ...q, perPage: said.perPage ?? said.per_page ?? said.size ?? defaults.perPage };
    });
}
