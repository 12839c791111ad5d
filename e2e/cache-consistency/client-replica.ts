import { eventByName, type AnyEndpoint, type CompanyRole } from '#contract';
import { queryKeyOf, createQueryClient, session } from '#ui';
import {
  connectLive,
  flushInvalidations,
  handleEvent,
  type SocketLike,
} from '../../ui/src/live.ts';
import '../../web/src/features/conversations/cache-updates.ts';
import { createConcurrencyLimit } from '../../server/src/platform/concurrency-limit.ts';
import { systemActor, type Actor } from '../../server/src/platform/context.ts';
import {
  toEnvelope,
  canReceive,
  authorizeChannel,
  channelOf,
} from '../../server/src/platform/realtime-channels.ts';
import type { PublishedEvent } from '../../server/src/platform/outbox-subscription.ts';
import type { TestPerson, TestApp } from '../../server/test/support/test-app.ts';
import type { recordTablesRead } from './tables-read.ts';

/** One read a screen may hold: an endpoint with its input. */
export interface ReadRequest {
  endpoint: AnyEndpoint;
  input: { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };
}
/** A cached response after the events were applied; `again`: an event invalidated it. */
interface CachedRead {
  name: string;
  answer: unknown;
  isInvalidated: boolean;
}
interface KnownResponse {
  answer: unknown;
  tables: ReadonlySet<string>;
}

const silentSocket: SocketLike = {
  connected: true,
  on: () => {},
  emit: () => {},
  disconnect: () => {},
  connect: () => {},
};
/** As a browser does: all at once, the last would wait in its lane until it is refused. */
const perBrowser = { slots: 6, waiting: Number.POSITIVE_INFINITY };

/**
 * A user whose client caches every response they may read, fed by the real client: the same cache,
 * cache updates and invalidation. Only events that the server would send to this user reach it.
 */
export async function createClientReplica(
  app: TestApp,
  listen: Awaited<ReturnType<typeof recordTablesRead>>,
  person: TestPerson,
  role: CompanyRole,
  numberIds: number[] = [],
) {
  const cache = createQueryClient();
  const actor: Actor = {
    ...systemActor,
    kind: 'user',
    userId: person.id,
    memberships: [{ companyId: person.companyId, role, roles: [role], numberIds, switches: {} }],
  };
  const keyFor = (read: ReadRequest) => queryKeyOf(read.endpoint, person.companyId, read.input);
  const known = new Map<string, KnownResponse>();
  const nameOf = (read: ReadRequest) => `${read.endpoint.name} ${JSON.stringify(read.input)}`;

  const fetchRead = async (read: ReadRequest): Promise<KnownResponse> => {
    const {
      result: { status, body },
      tables,
    } = await listen(() => app.as(person).request(read.endpoint, read.input as never));
    if (status >= 500)
      throw new Error(`${nameOf(read)} was answered ${status}: ${JSON.stringify(body)}`);
    return { answer: status < 300 ? body : { refused: status }, tables };
  };
  const requests = createConcurrencyLimit(perBrowser);
  const refetch = async (read: ReadRequest): Promise<unknown> => {
    const now = await requests.run(null, () => fetchRead(read));
    known.set(nameOf(read), now);
    return now.answer;
  };
  const isAffected = (read: ReadRequest, touched: ReadonlySet<string>): boolean => {
    const tables = known.get(nameOf(read))?.tables;
    return !tables?.size || [...tables].some((table) => touched.has(table));
  };
  return {
    person,
    nameOf,
    readAgain: refetch,
    /** The next screen reads this anew. */
    forget: (read: ReadRequest): void => void known.delete(nameOf(read)),
    /** Whether writes to these tables can have changed this response. */
    concerned: isAffected,
    /** Caches the current responses to these reads; those cached before and unaffected are kept. */
    loadScreens: async (
      reads: readonly ReadRequest[],
      touched: ReadonlySet<string> = new Set(),
    ) => {
      cache.clear();
      await Promise.all(
        reads.map(async (read) =>
          cache.setQueryData(
            keyFor(read),
            isAffected(read, touched) ? await refetch(read) : known.get(nameOf(read))!.answer,
          ),
        ),
      );
    },
    /**
     * Applies those of these events that the server would send to this user. Returns true for each
     * applied one.
     */
    receive: async (news: readonly PublishedEvent[]): Promise<string[]> => {
      session.set({ selectedCompanyId: person.companyId });
      await connectLive({
        cache,
        headers: () => ({}),
        open: () => Promise.resolve(silentSocket),
        eventsByName: eventByName,
        companyId: () => person.companyId,
      });
      const heard: string[] = [];
      for (const p of news) {
        const channel = channelOf(p);
        const room = channel ? authorizeChannel(actor, channel) : null;
        if (!channel || !room || !canReceive(room, p)) continue;
        heard.push(p.event);
        // Two replicas share this process; each has its own handlers.
        handleEvent(p.event, channel, { ...toEnvelope(p), id: `${person.id}.${p.seq}` });
      }
      flushInvalidations();
      return heard;
    },
    cachedRead: (read: ReadRequest): CachedRead => ({
      name: nameOf(read),
      answer: cache.getQueryData(keyFor(read)),
      // What was removed is read anew when a screen shows it.
      isInvalidated:
        cache.getQueryData(keyFor(read)) === undefined ||
        (cache.getQueryState(keyFor(read))?.isInvalidated ?? true),
    }),
    /** Cached responses may have changed by time alone. */
    clearKnown: (): void => known.clear(),
    /** A snapshot of the cache, and how to restore it. */
    saveKnown: (): (() => void) => {
      const kept = new Map(known);
      return () => {
        known.clear();
        for (const [name, one] of kept) known.set(name, one);
      };
    },
  };
}
export type ClientReplica = Awaited<ReturnType<typeof createClientReplica>>;
