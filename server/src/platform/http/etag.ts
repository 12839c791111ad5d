import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { FastifyRequest } from 'fastify';
import type { DescribedEndpoint } from '#contract';
import { endpoints } from '#contract';
import type { Ctx, TxCtx } from '../context.ts';
import { fail } from '../errors.ts';
import type { Handler, HandlerInput, Http } from '../routes.ts';
import { parseField } from './parse-input.ts';
import { field, parseId } from './request-fields.ts';

const signedFileUrl = '"/api/files/';

/**
 * The ETag of a response. File URLs are signed anew each minute; they are left out, so that a write
 * with `If-Match` is not rejected for that.
 */
export const etagOf = (body: unknown): string =>
  `W/"${createHash('sha1').update(JSON.stringify(body, withoutSignature)).digest('base64url')}"`;

/** JSON.stringify replacer: leaves out signatures of file URLs and when they expire. */
export function withoutSignature(this: unknown, key: string, value: unknown): unknown {
  const isSigned = (one: unknown): one is string =>
    typeof one === 'string' && one.startsWith(signedFileUrl.slice(1));
  if (key === 'expires_at' && isSigned(field(this, 'url'))) return undefined;
  return isSigned(value) ? value.split('?')[0] : value;
}

/**
 * Whether the client's copy is current and may be kept (304): never one with file URLs, which
 * expire.
 */
export const isClientCopyCurrent = (request: FastifyRequest, tag: string, body: unknown): boolean =>
  request.headers['if-none-match'] === tag && !JSON.stringify(body).includes(signedFileUrl);

/**
 * A write with `If-Match` happens only while its detail endpoint (`etagOf`) would answer that ETag.
 * The row is locked first, in the transaction that writes, so of several writers with one ETag
 * exactly one succeeds; the others fail with `precondition_failed`.
 * @param readDetail the handler of the detail endpoint
 * @param asShown a response as this person sees it, to which ETags belong
 */
export function withIfMatch(
  e: DescribedEndpoint,
  handler: Handler,
  readDetail: Handler | undefined,
  request: FastifyRequest,
  rawQuery: unknown,
  asShown: <T>(value: T) => Promise<T>,
): Handler {
  const header = request.headers['if-match'];
  if (!header || !e.etagOf || header.trim() === '*' || 'readOnly' in handler) return handler;
  const detail = endpoints.find((one) => one.name === e.etagOf);
  // `registerRoutes` has checked that both are there.
  if (!detail || typeof readDetail !== 'function') return handler;
  const wanted = header.split(/,\s*(?=W\/"|")/).map((tag) => tag.trim());
  const isUnchanged = async (t: TxCtx, input: HandlerInput<DescribedEndpoint>, http: Http) => {
    const query = parseField(detail.query, rawQuery);
    const shown = await readDetail(t, { params: input.params, query, body: {} }, http);
    return wanted.includes(etagOf(await asShown(shown)));
  };
  const requireUnchanged: typeof isUnchanged = async (t, input, http) => {
    await lockRow(e, t, input.params as Record<string, unknown>);
    return (await isUnchanged(t, input, http)) || fail('precondition_failed');
  };
  if (typeof handler === 'function')
    return async (t, input, http) => {
      await requireUnchanged(t, input, http);
      return handler(t, input, http);
    };
  return {
    withoutTransaction: (ctx, input, http) => {
      // With several transactions, each is compared until one has changed the object itself.
      let hasWritten = false;
      const transaction: Ctx['transaction'] = (work) =>
        ctx.transaction(async (t) => {
          if (hasWritten) return work(t);
          await requireUnchanged(t, input, http);
          const result = await work(t);
          hasWritten = !(await isUnchanged(t, input, http));
          return result;
        });
      return handler.withoutTransaction({ ...ctx, transaction }, input, http);
    },
  };
}

/** Locks the object's row, or its company's. References to it may still be inserted meanwhile. */
async function lockRow(
  e: DescribedEndpoint,
  t: TxCtx,
  params: Record<string, unknown>,
): Promise<void> {
  const { object } = e;
  const row = object
    ? sql`select from ${sql.table(object.table)}
        where company_id = ${t.companyId}
          and id = ${parseId(params[object.param])} for no key update`
    : sql`select from company where id = ${t.companyId} for no key update`;
  await row.execute(t.tx);
}
