import type { DescribedEndpoint } from '#contract';
import { fieldErrors } from '#contract/problem-sentences';
import { invalid, notFound } from '../errors.ts';
import { unsafeJsonReason } from './request-fields.ts';

/** Parses a value with a schema. @throws ApiError `invalid` at the fields that are wrong */
export function parseField(schema: DescribedEndpoint['query'], value: unknown): unknown {
  const read = schema.safeParse(value ?? {});
  return read.success ? read.data : invalid(fieldErrors(read.error));
}

/** Parses path parameters. @throws ApiError `not_found` for a path that cannot exist */
export function parseParams(e: DescribedEndpoint, value: unknown): Record<string, unknown> {
  const read = e.params.safeParse(value ?? {});
  return read.success ? (read.data as Record<string, unknown>) : notFound();
}

/**
 * Parses query and body as the contract defines them, and reports the errors of both at once.
 * @param also further errors, by field Throws `ApiError` with them.
 */
export function parseInput(
  e: DescribedEndpoint,
  query: unknown,
  body: unknown,
  also: Record<string, string>,
): { query: unknown; body: unknown } {
  const [q, b] = [e.query.safeParse(query), e.body.safeParse(body)];
  if (q.success && b.success && !Object.keys(also).length) return { query: q.data, body: b.data };
  return invalid({
    ...also,
    ...(q.error && fieldErrors(q.error)),
    ...(b.error && fieldErrors(b.error)),
  });
}

/** The raw data of a request. @throws ApiError `invalid` when working with it could throw */
export function requirePlainJson(value: unknown, where: 'query' | 'body'): unknown {
  const reason = unsafeJsonReason(value);
  return reason ? invalid({ [where]: reason }) : value;
}
