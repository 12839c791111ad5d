import { eventNamed, type AnyEndpoint, type CompanyRole } from '#contract';
import { keyOf, makeCache, session } from '#ui';
import { connectLive, flush, hear, type Wire } from '../../ui/src/live.ts';
import '../../web/src/features/conversations/fold.ts';
import type { Actor } from '../../server/src/platform/context.ts';
import { envelopeOf, hears, mayListen, roomOf } from '../../server/src/platform/realtime.ts';
import type { Published } from '../../server/src/platform/relay.ts';
import type { TestPerson, World } from '../../server/test/world.ts';
import type { listenForTables } from './tables-read.ts';

/** One read a screen may hold: an endpoint with its input. */
export interface Read {
  endpoint: AnyEndpoint;
  input: { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };
}
/** What stands on the screen after the news was taken in; `again`: the news said to read it again. */
export interface Screen {
  name: string;
  answer: unknown;
  again: boolean;
}
interface Known {
  answer: unknown;
  tables: ReadonlySet<string>;
}

const quietWire: Wire = {
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
export async function aWitness(
  world: World,
  listen: Awaited<ReturnType<typeof listenForTables>>,
  person: TestPerson,
  role: CompanyRole,
  numberIds: number[] = [],
) {
  const cache = makeCache();
  const actor = {
    userId: person.id,
    staff: false,
    adminMode: false,
    memberships: [{ companyId: person.companyId, role, numberIds, switches: {} }],
  } as unknown as Actor;
  const keyFor = (read: Read) => keyOf(read.endpoint, person.companyId, read.input);
  const known = new Map<string, Known>();
  const nameOf = (read: Read) => `${read.endpoint.name} ${JSON.stringify(read.input)}`;

  const ask = async (read: Read): Promise<Known> => {
    const {
      result: { status, body },
      tables,
    } = await listen(() => world.as(person).ask(read.endpoint, read.input as never));
    if (status >= 500)
      throw new Error(`${nameOf(read)} was answered ${status}: ${JSON.stringify(body)}`);
    return { answer: status < 300 ? body : { refused: status }, tables };
  };
  const readAgain = async (read: Read): Promise<unknown> => {
    const now = await ask(read);
    known.set(nameOf(read), now);
    return now.answer;
  };
  const concerned = (read: Read, touched: ReadonlySet<string>): boolean => {
    const tables = known.get(nameOf(read))?.tables;
    return !tables?.size || [...tables].some((table) => touched.has(table));
  };
  return {
    person,
    nameOf,
    readAgain,
    /** Can what was written in these tables have changed this answer? */
    concerned,
    /** Put this on the screen, as the server answers it now; what was read before and is untouched is as it was. */
    look: async (reads: readonly Read[], touched: ReadonlySet<string> = new Set()) => {
      cache.clear();
      await Promise.all(
        reads.map(async (read) =>
          cache.setQueryData(
            keyFor(read),
            concerned(read, touched) ? await readAgain(read) : known.get(nameOf(read))!.answer,
          ),
        ),
      );
    },
    /** Hear what the server would send this person of these events; true for those that were heard. */
    hear: async (news: readonly Published[]): Promise<string[]> => {
      session.set({ selectedCompanyId: person.companyId });
      await connectLive({
        cache,
        headers: () => ({}),
        open: () => Promise.resolve(quietWire),
        eventNamed,
        companyId: () => person.companyId,
      });
      const heard: string[] = [];
      for (const p of news) {
        const channel = roomOf(p);
        const room = channel ? mayListen(actor, channel) : null;
        if (!channel || !room || !hears(room, p)) continue;
        heard.push(p.event);
        // Two witnesses share this process; each hears for itself.
        hear(p.event, channel, { ...envelopeOf(p), id: `${person.id}.${p.seq}` });
      }
      flush();
      return heard;
    },
    screenOf: (read: Read): Screen => ({
      name: nameOf(read),
      answer: cache.getQueryData(keyFor(read)),
      again: cache.getQueryState(keyFor(read))?.isInvalidated ?? false,
    }),
    /** What is known may have changed by time alone. */
    forgetAll: (): void => known.clear(),
    /** A copy of what is known now, and back to it. */
    keep: (): (() => void) => {
      const kept = new Map(known);
      return () => {
        known.clear();
        for (const [name, one] of kept) known.set(name, one);
      };
    },
  };
}
export type Witness = Awaited<ReturnType<typeof aWitness>>;
