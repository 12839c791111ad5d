import { sql } from 'kysely';
import type { DescribedEndpoint } from '#contract';
import type { Ctx, TxCtx } from '../context.ts';
import { fail } from '../errors.ts';
import type { Handler, HandlerInput, Http } from '../routes.ts';
import { madeWithOneOf, seal, sign, unseal } from '../secrets.ts';

const KEPT_MS = 86_400_000;
/** A request that has been running for longer belonged to a process that died. */
const RUNNING_MS = 20_000;

interface StoredResponse {
  fingerprint: string;
  /** Null while the request runs. */
  status: number | null;
  body_sealed: string | null;
}

/**
 * Runs the handler. With an Idempotency-Key (A1) the same key and input get the first response
 * again; another input fails with `idempotency.mismatch`, a request that still runs with
 * `idempotency.running`.
 */
export function withIdempotency(
  e: DescribedEndpoint,
  ctx: Ctx,
  handler: Handler,
  input: HandlerInput<DescribedEndpoint>,
  http: Http,
): Promise<unknown> {
  if ('readOnly' in handler) return ctx.readOnly((t) => handler.readOnly(t, input, http));
  const key = http.request.headers['idempotency-key'];
  const isKeyed = e.method === 'POST' && typeof key === 'string' && key && ctx.actor.userId !== 0;
  if (!isKeyed)
    return typeof handler === 'function'
      ? ctx.transaction((t) => handler(t, input, http))
      : handler.withoutTransaction(ctx, input, http);
  const call = new IdempotentCall(e, ctx, input, http, key.slice(0, 200));
  return typeof handler === 'function'
    ? call.runInTransaction((t) => handler(t, input, http))
    : call.runWithoutTransaction((c) => handler.withoutTransaction(c, input, http));
}

/** One request under its key, which is scoped to the person and the company acted in. */
class IdempotentCall {
  private readonly id: { company_id: number; person_id: number; key: string };
  private readonly fingerprint: string;
  /** The response that was last stored in a transaction of the handler's. */
  private last: { result: unknown; status: number } | null = null;

  constructor(
    private readonly e: DescribedEndpoint,
    private readonly ctx: Ctx,
    private readonly input: HandlerInput<DescribedEndpoint>,
    private readonly http: Http,
    key: string,
  ) {
    this.id = { company_id: ctx.companyId, person_id: ctx.actor.userId, key };
    this.fingerprint = this.fingerprintBy(ctx.settings.appSecrets[0]);
  }

  runInTransaction(handle: (t: TxCtx) => Promise<unknown>): Promise<unknown> {
    return this.ctx.transaction(async (t) => {
      await this.lock(t);
      const seen = await this.read(t);
      if (seen) return this.replay(seen);
      const result = await handle(t);
      await this.storeResult(t, result);
      return result;
    });
  }

  /**
   * A handler that calls third parties holds no transaction meanwhile, so the key is marked as
   * running first. A request whose process died is run again; the handler's own idempotency key at
   * the third party keeps it from taking effect twice.
   */
  async runWithoutTransaction(handle: (ctx: Ctx) => Promise<unknown>): Promise<unknown> {
    const seen = await this.ctx.transaction(async (t) => {
      await this.lock(t);
      const found = await this.read(t);
      if (found && !this.isAbandoned(found)) return found;
      await this.store(t, { status: null, body_sealed: null });
      return null;
    });
    if (seen) return this.replay(seen);
    try {
      const result = await handle(this.storingCtx());
      if (!this.isStored(result))
        await this.ctx.transaction((t) => this.store(t, this.responseOf(result)));
      return result;
    } catch (error) {
      await this.ctx.transaction((t) => this.unmark(t)).catch(() => {});
      throw error;
    }
  }

  /**
   * Stores the response in the transaction that makes it: if the process dies before it answers, a
   * repeated request gets it, and nothing is done twice.
   */
  private storingCtx(): Ctx {
    return {
      ...this.ctx,
      transaction: (work) =>
        this.ctx.transaction(async (t) => {
          const result = await work(t);
          if (typeof result === 'object' && result !== null && 'data' in result) {
            await this.storeResult(t, result);
            this.last = { result, status: this.http.reply.statusCode };
          }
          return result;
        }),
    };
  }

  private isStored(result: unknown): boolean {
    return this.last?.result === result && this.last?.status === this.http.reply.statusCode;
  }

  /** An HMAC, so that the input (perhaps a password) cannot be guessed from it. */
  private fingerprintBy(secret: Buffer): string {
    const files = this.http.files.map((file) => [file.name, file.size]);
    return sign(secret, JSON.stringify([this.e.name, this.input, files]));
  }

  private async lock(t: TxCtx): Promise<void> {
    const name = `${this.id.person_id}:${this.id.company_id}:${this.id.key}`;
    const { rows } = await sql<{ got: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${name}, 7)) got`.execute(t.tx);
    if (!rows[0]?.got) fail('idempotency.running');
  }

  private read(t: TxCtx) {
    return t.tx
      .selectFrom('idempotency_key')
      .selectAll()
      .where('company_id', '=', this.id.company_id)
      .where('person_id', '=', this.id.person_id)
      .where('key', '=', this.id.key)
      .where('at', '>', new Date(this.ctx.now.getTime() - KEPT_MS))
      .executeTakeFirst();
  }

  private isAbandoned(found: StoredResponse & { at: Date }): boolean {
    return (
      found.status === null &&
      found.fingerprint === this.fingerprint &&
      found.at.getTime() < this.ctx.now.getTime() - RUNNING_MS
    );
  }

  private replay(seen: StoredResponse): unknown {
    const { appSecrets } = this.ctx.settings;
    const isSame = madeWithOneOf(appSecrets, seen.fingerprint, (one) => this.fingerprintBy(one));
    if (!isSame) fail('idempotency.mismatch');
    if (seen.status === null || seen.body_sealed === null) return fail('idempotency.running');
    void this.http.reply.header('idempotency-replayed', 'true').code(seen.status);
    return JSON.parse(unseal(appSecrets, seen.body_sealed));
  }

  /** Sealed, because a response may hold tokens. */
  private responseOf(result: unknown): Omit<StoredResponse, 'fingerprint'> {
    const { statusCode } = this.http.reply;
    return {
      status: statusCode === 200 ? this.e.status : statusCode,
      body_sealed: seal(this.ctx.settings.appSecrets, JSON.stringify(result ?? null)),
    };
  }

  /**
   * A handler may have acted in another company within its transaction (a buyer in the seller's);
   * the response belongs to the caller's company.
   */
  private async storeResult(t: TxCtx, result: unknown): Promise<void> {
    const companyId = this.id.company_id ? String(this.id.company_id) : '';
    await sql`select set_config('app.company_id', ${companyId}, true)`.execute(t.tx);
    await this.store(t, this.responseOf(result));
  }

  private async store(t: TxCtx, response: Omit<StoredResponse, 'fingerprint'>): Promise<void> {
    const row = { fingerprint: this.fingerprint, ...response, at: this.ctx.now };
    await t.tx
      .insertInto('idempotency_key')
      .values({ ...this.id, ...row })
      .onConflict((c) => c.columns(['company_id', 'person_id', 'key']).doUpdateSet(row))
      .execute();
  }

  /** Frees the key after a failure, unless a response was stored. */
  private async unmark(t: TxCtx): Promise<void> {
    await t.tx
      .deleteFrom('idempotency_key')
      .where('company_id', '=', this.id.company_id)
      .where('person_id', '=', this.id.person_id)
      .where('key', '=', this.id.key)
      .where('status', 'is', null)
      .execute();
  }
}
