import type { FastifyRequest } from 'fastify';
import type { DescribedEndpoint, PageAnswer } from '#contract';
import { field } from './request-fields.ts';

/** A list's envelope (A1): rows, links to other pages, and counts. */
export function pageEnvelope(
  answer: PageAnswer<unknown>,
  request: FastifyRequest,
  { page = 1, perPage = 25 }: { page?: number; perPage?: number },
): Record<string, unknown> {
  const { rows, total } = answer;
  const [path = '', search = ''] = request.url.split('?');
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  // A capped total stops counting: after a full page there are more rows.
  const isMoreBehind = answer.meta?.['total_is_capped'] === true && rows.length === perPage;
  const link = (n: number) => {
    const params = new URLSearchParams(search);
    params.set('page', String(n));
    return `${path}?${params}`;
  };
  return {
    data: rows,
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(page - 1) : null,
      next: page < lastPage || isMoreBehind ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from: rows.length ? (page - 1) * perPage + 1 : null,
      last_page: lastPage,
      path,
      per_page: perPage,
      to: rows.length ? (page - 1) * perPage + rows.length : null,
      total,
      ...answer.meta,
    },
  };
}

/** A response that lists in `meta.ignored` the fields of the request that are unknown (A1). */
export const withIgnoredFields = (body: unknown, ignored: readonly string[]): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? { ...body, meta: { ...(field(body, 'meta') as object | undefined), ignored } }
    : body;

/** Outside production, a response that violates its contract fails, so that a test finds it. */
export function checkResponse(e: DescribedEndpoint, body: unknown): void {
  const read = e.answer.safeParse(JSON.parse(JSON.stringify(body ?? null)));
  if (read.success) return;
  const issues = JSON.stringify(read.error.issues.slice(0, 5));
  throw new Error(`${e.name} answered outside its contract: ${issues}`);
}
