import type { EffectiveRole, EventData, EventKind, Grant, PermissionKey } from '#contract';
import { grantOf, highestRole } from '#contract';
import type { FieldPath } from '#contract/unknown-fields';
import { sql } from 'kysely';
import { systemActor, type Actor, type AdminEntry } from './access.ts';
import { prepared, type Db, type Tx } from './db.ts';
import { overlapGroup, type JobKind } from './job-kind.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';
import type { Gateways } from '../gateways/index.ts';
import type { FileStore } from './files.ts';
import { currentTrace } from './tracing/spans.ts';
import type { ContactDetails } from './masking/contact-details.ts';

export { systemActor, type Actor, type AdminEntry };

/** What the process holds for its whole life. */
export interface Services {
  db: Db;
  log: Log;
  settings: Settings;
  gateways: Gateways;
  files: FileStore;
  contactDetails: ContactDetails<TxCtx>;
  now: () => Date;
}

/** The services for background work: its database has few connections and a low priority. */
export const inBackground = (services: Services): Services => ({
  ...services,
  db: services.db.background,
});

/** Address and browser of a request's sender. */
interface RequestOrigin {
  ip: string;
  userAgent: string | null;
}

/** What every action gets. Dispatch has checked session, company, permission and input. */
export interface Ctx extends Omit<Services, 'now'> {
  /** The company acted in; 0 where the endpoint is about no company. */
  companyId: number;
  /** The organization acted in; 0 where the endpoint is about none. */
  organizationId: number;
  actor: Actor;
  /** All roles that the actor acts in at once. */
  roles: readonly EffectiveRole[];
  /** The highest of `roles`, for ranks and for what screens call them; `may` says what they may do. */
  role: EffectiveRole;
  grant: Grant;
  /** Numbers the actor may see; null = all of the company's. */
  numbers: readonly number[] | null;
  now: Date;
  requestId: string;
  /** Where the request came from, for the audit log. Undefined in jobs. */
  origin?: RequestOrigin | undefined;
  /** Bulk work: subscribers of its events run in the bulk queue. */
  bulk: boolean;
  /** Aborted when the time of a job's attempt is over; undefined in requests. */
  signal?: AbortSignal | undefined;
  /**
   * Reports a field of the request that does not exist (a custom field), by its path. A read names
   * it in its response, a write fails. Without a request nothing happens.
   */
  onUnknownField(path: FieldPath): void;
  /** What the actor may do of this permission. */
  may(key: PermissionKey): Grant;
  /** Runs `work` in a transaction of the company (for actions that call third parties and so have none). */
  transaction<T>(work: (ctx: TxCtx) => Promise<T>): Promise<T>;
  /** Reads in the company without a transaction (`Db.readOnly`). */
  readOnly<T>(work: (ctx: TxCtx) => Promise<T>): Promise<T>;
  /** The same for background work (`Db.background`). */
  inBackground(): Ctx;
  /**
   * The same actor in a company that the request does not name. The caller has checked that they may
   * act there, and in which roles.
   */
  actingIn(companyId: number, roles: readonly EffectiveRole[]): Ctx;
  /** What time it is by now; `now` is when the context was made. */
  clock(): Date;
}

/** How it runs is declared with the job (`JobPolicy`). */
/** What a job is about; its company is the transaction's unless it says another. */
type PayloadOf<Payload> = Omit<Payload, 'companyId'> & { companyId?: number };

interface EnqueueOptions {
  /** When it is due, in the context's time; now by default. */
  runAt?: Date;
  /** Or in how many milliseconds. */
  delayMs?: number;
  /** Replaces a waiting job with the same key. */
  key?: string;
  /** `preserve_run_at`: a waiting job keeps the time at which it is due. */
  keyMode?: 'replace' | 'preserve_run_at' | 'unsafe_dedupe';
}

/** More events than this at once count as bulk work (a change of many contacts). */
const bulkThreshold = 200;

/** A context with an open transaction. */
export interface TxCtx extends Ctx {
  tx: Tx;
  /** Publishes an event after commit, in commit order. `numberId`: only to those who may see that number. */
  publish<K extends EventKind>(
    kind: K,
    data: EventData<K>,
    audience?: { numberId?: number; userId?: number; companyId?: number },
  ): Promise<void>;
  /** Publishes events of one kind, in this order, in one statement. */
  publishMany<K extends EventKind>(
    kind: K,
    many: readonly { data: EventData<K>; about?: EventAudience }[],
  ): Promise<void>;
  /** Publishes events of several kinds, in this order, in one statement. */
  publishAll(events: readonly NamedEvent[]): Promise<void>;
  enqueue<Payload>(
    kind: JobKind<Payload>,
    payload: NoInfer<PayloadOf<Payload>>,
    options?: EnqueueOptions,
  ): Promise<void>;
}

interface EventAudience {
  numberId?: number;
  userId?: number;
}
/** An event to publish, its data checked by `eventsOf`. */
interface NamedEvent {
  name: string;
  data: unknown;
  about: EventAudience | undefined;
}
/** Events of one kind, to be published with those of others. */
export const eventsOf = <K extends EventKind>(
  kind: K,
  many: readonly { data: EventData<K>; about?: EventAudience }[],
): NamedEvent[] => many.map(({ data, about }) => ({ name: kind.name, data, about }));

/** Makes a context. For the platform only: actions receive theirs. */
export function createCtx(
  services: Services,
  identity: {
    companyId: number;
    organizationId?: number | undefined;
    actor: Actor;
    roles: readonly EffectiveRole[];
    grant: Grant;
    numbers: readonly number[] | null;
    requestId: string;
    origin?: RequestOrigin | undefined;
    bulk?: boolean | undefined;
    signal?: AbortSignal | undefined;
    now?: Date;
    onUnknownField?: Ctx['onUnknownField'];
  },
  notifier: OutboxNotifier,
): Ctx {
  const switches =
    identity.actor.memberships.find((m) => m.companyId === identity.companyId)?.switches ?? {};
  const ctx: Ctx = {
    ...services,
    ...identity,
    role: highestRole(identity.roles),
    organizationId: identity.organizationId ?? 0,
    bulk: identity.bulk ?? false,
    now: identity.now ?? services.now(),
    onUnknownField: identity.onUnknownField ?? (() => {}),
    clock: services.now,
    may: (key) =>
      identity.actor.kind === 'system' ? 'all' : grantOf(identity.roles, key, switches),
    inBackground: () => createCtx(inBackground(services), { ...identity, now: ctx.now }, notifier),
    actingIn: (companyId, roles) =>
      createCtx(services, { ...identity, companyId, roles, now: ctx.now }, notifier),
    transaction: async (work) => {
      const result = await services.db.transaction(
        { companyId: identity.companyId, userId: identity.actor.userId },
        (tx) => work(withTx(ctx, tx, notifier)),
      );
      notifier.notify();
      return result;
    },
    readOnly: (work) =>
      services.db.readOnly({ companyId: identity.companyId, userId: identity.actor.userId }, (tx) =>
        work(withTx(ctx, tx, notifier)),
      ),
  };
  return ctx;
}

/** Remembers that an event was published, so that the relay is woken once, after commit. */
export interface OutboxNotifier {
  markDirty(): void;
  notify(): void;
}

/**
 * The context within a transaction: nested transactions join it, and events become visible when it
 * commits.
 */
export function withTx(ctx: Ctx, tx: Tx, notifier: OutboxNotifier): TxCtx {
  const publishAll = async (events: readonly NamedEvent[]): Promise<void> => {
    if (!events.length) return;
    const rows = JSON.stringify(
      events.map(({ name, data, about }) => [
        name,
        data,
        about?.userId ?? null,
        about?.numberId ?? null,
      ]),
    );
    await sql`${prepared}insert into outbox (company_id, event, data,
        channel_key, number_id, bulk)
      select ${ctx.companyId || null}, e.v ->> 0, e.v -> 1, (e.v ->> 2)::bigint,
        (e.v ->> 3)::bigint, ${ctx.bulk || events.length > bulkThreshold}
      from jsonb_array_elements(${rows}::jsonb) with ordinality e(v, n) order by e.n`.execute(tx);
    notifier.markDirty();
  };
  return {
    ...ctx,
    tx,
    transaction: (work) => work(withTx(ctx, tx, notifier)),
    readOnly: (work) => work(withTx(ctx, tx, notifier)),
    publish: async (kind, data, audience = {}) => {
      await publishIn(tx, kind, data, { companyId: ctx.companyId, bulk: ctx.bulk, ...audience });
      notifier.markDirty();
    },
    publishMany: (kind, many) => publishAll(eventsOf(kind, many)),
    publishAll,
    enqueue: (kind, payload, o) =>
      enqueueIn(
        tx,
        kind,
        { companyId: ctx.companyId, ...payload },
        o && { ...o, ...dueOf(ctx, o) },
      ),
  };
}

/** When a job is due by the clock of the machine, which the queue goes by. */
const dueOf = (ctx: Ctx, { runAt, delayMs }: EnqueueOptions): Pick<EnqueueOptions, 'runAt'> =>
  delayMs !== undefined
    ? { runAt: new Date(Date.now() + delayMs) }
    : runAt
      ? { runAt: new Date(Date.now() + runAt.getTime() - ctx.clock().getTime()) }
      : {};

/** Queues a job in a transaction that belongs to no company (the system's). */
export async function enqueueIn<Payload>(
  tx: Tx,
  kind: JobKind<Payload>,
  payload: object,
  o: EnqueueOptions = {},
): Promise<void> {
  const group = overlapGroup(kind, payload);
  // What is due much later is no part of what is done now.
  const trace = o.runAt && o.runAt.getTime() - Date.now() > 60_000 ? null : currentTrace();
  const stored = JSON.stringify(trace ? { ...payload, trace } : payload);
  await sql`select enqueue_job(${kind.name}, ${stored}::json, ${group},
      ${o.runAt ?? null},
    ${kind.policy.retries + 1}, ${o.key ?? null}, ${o.keyMode ?? null})`.execute(tx);
}

/** A context for work without a request: jobs, subscribers, webhooks of carriers. */
export function systemCtx(
  services: Services,
  companyId: number,
  notifier: OutboxNotifier,
  requestId = 'system',
  bulk = false,
  signal?: AbortSignal,
): Ctx {
  return createCtx(
    services,
    {
      companyId,
      actor: systemActor,
      roles: ['platform'],
      grant: 'all',
      numbers: null,
      requestId,
      bulk,
      signal,
    },
    notifier,
  );
}

/** Publishes an event in a transaction without a context. The caller wakes the relay after commit. */
export async function publishIn<K extends EventKind>(
  tx: Tx,
  kind: K,
  data: EventData<K>,
  audience: { numberId?: number; userId?: number; companyId?: number; bulk?: boolean },
): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({
      company_id: audience.companyId || null,
      event: kind.name,
      data: JSON.stringify(data),
      channel_key: audience.userId ?? null,
      number_id: audience.numberId ?? null,
      bulk: audience.bulk ?? false,
    })
    .execute();
}
