import type { z } from 'zod';
import type { DescribedEndpoint } from '#contract';
import { endpoints } from '#contract';
import {
  knownKeys,
  onlyReads,
  unknownField,
  unknownIn,
  type FieldPath,
} from '#contract/unknown-fields';
import type { Ctx } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Handler, Http } from '../routes.ts';
import { withoutSignature } from './etag.ts';
import { parseField } from './parse-input.ts';
import { field } from './request-fields.ts';

interface RawRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/**
 * Fields of a request that the contract does not know (decision 70). Writes, and reads with
 * `strict`, reject them; other reads name them in their response.
 */
export class UnknownFields {
  readonly ignored = new Set<string>();
  private readonly isStrict: boolean;
  private readonly paths: FieldPath[];

  constructor(
    private readonly e: DescribedEndpoint,
    private readonly request: RawRequest,
  ) {
    this.paths = unknownIn(e, request);
    const isTrue = (value: unknown) =>
      value === true || value === 1 || value === '1' || value === 'true';
    this.isStrict =
      !onlyReads(e) || isTrue(request.query['strict']) || isTrue(field(request.body, 'strict'));
  }

  /** Handles one unknown field, found here or by a handler (a custom field that does not exist). */
  readonly report = (path: FieldPath): void => {
    const name = path.join('.');
    if (this.isStrict) invalid({ [name]: unknownField(this.e, path) });
    this.ignored.add(name);
  };

  /** The fields that must be rejected, as a sentence by field; the rest is reported. */
  async rejected(
    ctx: Ctx,
    readDetail: Handler | undefined,
    http: Http,
  ): Promise<Record<string, string>> {
    // An `include` of a response is never dropped without an error (A1).
    const isInclude = ([key]: FieldPath) => key === 'include';
    const rejected = this.isStrict
      ? await this.changed(ctx, readDetail, http)
      : this.paths.filter(isInclude);
    if (!this.isStrict)
      this.paths.filter((path) => !isInclude(path)).forEach((path) => this.report(path));
    return Object.fromEntries(rejected.map((path) => [path.join('.'), unknownField(this.e, path)]));
  }

  /**
   * Unknown fields of a write that the object does not show either, or shows with another value: a
   * client may read an object, change a field and write all of it back.
   */
  private async changed(
    ctx: Ctx,
    readDetail: Handler | undefined,
    http: Http,
  ): Promise<FieldPath[]> {
    const { params, query, body } = this.request;
    if (!this.paths.length) return this.paths;
    const detail = endpoints.find((one) => one.name === this.e.etagOf);
    if (!detail || typeof readDetail !== 'function') return this.paths;
    // The object may belong to a person named in the body (a person's hours), so it is read as that
    // person.
    const owner = Object.fromEntries(
      // The contract's shapes are zod schemas.
      [...(knownKeys(detail.query as z.ZodType) ?? [])]
        .map((key) => [key, query[key] ?? field(body, key)])
        .filter(([, value]) => value !== undefined && value !== null),
    );
    const detailQuery = parseField(detail.query, { ...query, ...owner });
    const shown = field(
      await ctx.transaction((t) => readDetail(t, { params, query: detailQuery, body: {} }, http)),
      'data',
    );
    const text = (value: unknown) => JSON.stringify(value ?? null, withoutSignature);
    const isShown = (path: FieldPath) => {
      const [key] = path;
      if (path.length > 1 || !Object.hasOwn(Object(shown), key)) return false;
      return text(field(shown, key)) === text(field(body, key));
    };
    return this.paths.filter((path) => !isShown(path));
  }
}
