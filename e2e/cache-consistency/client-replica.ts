import { eventByName, type AnyEndpoint, type CompanyRole } from '#contract';
import { queryKeyOf, createQueryClient, session } from '#ui';
import {
  connectLive,
  flushInvalidations,
  handleEvent,
  type SocketLike,
} from '../../ui/src/live.ts';
import '../../web/src/features/conversations/cache-updates.ts';
import type { Actor } from '../../server/src/platform/context.ts';
import {
  toEnvelope,
  canReceive,
  authorizeChannel,
  channelOf,
} from '../../server/src/platform/realtime-channels.ts';
import type { PublishedEvent } from '../../server/src/platform/outbox-relay.ts';
import type { TestPerson, TestApp } from '../../server/test/support/test-app.ts';
import type { recordTablesRead } from './tables-read.ts';

/** One read a screen may hold: an endpoint with its input. */
export interface ReadRequest {
  endpoint: AnyEndpoint;
  input: { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };
}
/** What stands on the screen after the news was taken in; `again`: the news said to read it again. */
export interface CachedRead {
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
/**
 * A person before a screen that holds every answer they may read, heard over the real client: the same cache, the same
 * folds, the same list of what an event touches. Nothing reaches the screen but events the server would send this person.
 */
export async function createClientReplica(
  app: TestApp,
  listen: Awaited<ReturnType<typeof recordTablesRead>>,
  person: TestPerson,
  role: CompanyRole,
  numberIds: number[] = [],
) {
  const cache = createQueryClient();
  const actor = {
    userId: person.id,
    staff: false,
    adminMode: false,
    memberships: [{ companyId: person.companyId, role, numberIds, switches: {} }],
  } as unknown as Actor;
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
  const refetch = async (read: ReadRequest): Promise<unknown> => {
    const now = await fetchRead(read);
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
    /** Can what was written in these tables have changed this answer? */
    concerned: isAffected,
    /** Put this on the screen, as the server answers it now; what was read before and is untouched is as it was. */
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
    /** Hear what the server would send this person of these events; true for those that were heard. */
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
        // Two witnesses share this process; each hears for itself.
        handleEvent(p.event, channel, { ...toEnvelope(p), id: `${person.id}.${p.seq}` });
      }
      flushInvalidations();
      return heard;
    },
    cachedRead: (read: ReadRequest): CachedRead => ({
      name: nameOf(read),
      answer: cache.getQueryData(keyFor(read)),
      isInvalidated: cache.getQueryState(keyFor(read))?.isInvalidated ?? false,
    }),
    /** What is known may have changed by time alone. */
    clearKnown: (): void => known.clear(),
    /** A copy of what is known now, and back to it. */
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
