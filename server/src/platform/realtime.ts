import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { all as addressesOf, compile as trusted } from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import { Server, type Socket } from 'socket.io';
import { z } from 'zod';
import { eventNamed, grantOf, type Channel, type Envelope } from '#contract';
import type { Actor, House } from './context.ts';
import { publishedAfter, type Published } from './relay.ts';

/** Who is behind a socket's headers, and until when unless their session is used meanwhile; null = nobody. */
export type Recognize = (headers: Headers) => Promise<{ actor: Actor; until: Date } | null>;
type Headers = Record<string, string | undefined>;

const CHANNEL = /^private-(conversations|bulk-purchase|companies|caddy|campaigns|users)\.(\d+)$/;
const REPLAY_MINUTES = 5;
/** What a listener of a channel must be allowed to see. */
const needs = {
  conversations: 'inbox.view',
  'bulk-purchase': 'numbers.buy',
  campaigns: 'campaigns.view',
} as const;

/** May this person listen, and to which numbers? `null` = no; `numbers: null` = every number. */
export function mayListen(actor: Actor | null, channel: string): Room | null {
  const match = CHANNEL.exec(channel);
  if (!match || !actor) return null;
  const kind = match[1] as Channel;
  const key = Number(match[2]);
  if (kind === 'users') return actor.userId === key ? { kind, key, numbers: null } : null;
  if (kind === 'caddy') return null; // consumer accounts have sessions of their own
  const membership = actor.memberships.find((m) => m.companyId === key);
  if (!membership) return actor.staff && actor.adminMode ? { kind, key, numbers: null } : null;
  if (membership.role === 'deactivated') return null;
  const need = kind === 'companies' ? null : needs[kind as keyof typeof needs];
  const grant = need ? grantOf(membership.role, need, membership.switches) : 'all';
  if (grant === 'none') return null;
  const limited =
    membership.numberIds.length > 0 &&
    grantOf(membership.role, 'inbox.view', membership.switches) !== 'all';
  return { kind, key, numbers: limited ? new Set(membership.numberIds) : null };
}

export interface Room {
  kind: Channel;
  key: number;
  numbers: ReadonlySet<number> | null;
}
/** Credentials that were shown, and who that is. A socket may show several: each channel stands on those it was joined with. */
interface Pass {
  headers: Headers;
  actor: Actor;
  until: Date;
}
interface Seat {
  headers: Headers;
  passes: Map<string, Pass>;
  rooms: Map<string, { room: Room; pass: Pass }>;
  packets: Bucket;
  refused: number;
  turn: Promise<unknown>;
}

/** The channel an event is broadcast on; null = none. */
export const roomOf = (p: Published): string | null => {
  const kind = eventNamed.get(p.event);
  if (!kind?.channel) return null;
  const key = kind.channel === 'users' || kind.channel === 'caddy' ? p.channelKey : p.companyId;
  return key === null ? null : `private-${kind.channel}.${key}`;
};
/** The server filters: a person limited to some numbers never receives another number's items. */
export const hears = (room: Room, p: Published): boolean =>
  !room.numbers || p.numberId === null || room.numbers.has(p.numberId);
const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const inBase32 = (n: number, length: number): string => {
  let text = '';
  for (let left = n; text.length < length; left = Math.floor(left / 32))
    text = base32[left % 32] + text;
  return text;
};
/**
 * The event's ULID (A27): its moment in milliseconds, then its place in place of chance. So every process that tells
 * of it, and every replay, gives it the same one.
 */
export const ulidOf = ({ at, seq }: Pick<Published, 'at' | 'seq'>): string =>
  inBase32(at.getTime(), 10) + inBase32(seq, 16);
export const envelopeOf = (p: Published): Envelope => ({
  event: p.event,
  id: ulidOf(p),
  at: p.at.toISOString(),
  companyId: p.companyId,
  seq: p.seq,
  data: p.data,
});

/** Packets one socket may send: this many at once, and so many more a second. */
const PACKETS = { atOnce: 60, perSecond: 20 };
/** Subscriptions refused for want of credentials before a socket is closed. */
const REFUSALS = 10;
/** Look-ups for sockets that have not signed in, at the same time: the database's system connections are few. */
const LOOKUPS = 2;
const SWEEP_MS = 1000;

const channelSaid = z.string().max(100);
const Handshake = z
  .object({ token: z.string().max(1000).optional().catch(undefined) })
  .catch({ token: undefined });
const Subscribe = z.object({
  channel: channelSaid,
  auth: z
    .object({ headers: z.record(z.string().max(100), z.unknown()).nullish() })
    .nullish()
    .catch(null),
});
const Unsubscribe = z.object({ channel: channelSaid });
const Resume = z.object({
  channel: channelSaid,
  seq: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  replay: z.unknown().optional(),
});

/**
 * Socket.IO spoken as laravel-echo's socket.io connector does: `subscribe {channel, auth:{headers}}`, `unsubscribe`,
 * answers arrive as (event, channel, envelope). `resume {channel, seq}` replays up to 5 minutes, else says `resync`; with
 * `replay: false` it says `resync` as soon as there was anything (`seq` is then the `live-seq` of an answer).
 * Every process tails the published events itself, so no message bus stands between processes.
 *
 * Whatever a client sends is parsed, and nothing it sends throws out of `on`. A socket that does not sign in is closed after
 * `signInMs`; one whose credentials expire loses its connection within a second, and comes back with others if it has any.
 */
export function openRealtime(app: FastifyInstance, house: House, recognize: Recognize) {
  const { signInMs, unknownSockets } = house.settings.limits;
  const unknown = countUnknown(unknownSockets);
  const addressOf = clientAddress(house.settings.trustProxy);
  const io = new Server(app.server as HttpServer, {
    serveClient: false,
    cors: { origin: false },
    transports: ['websocket', 'polling'],
    maxHttpBufferSize: 1e5,
    connectTimeout: signInMs,
    allowRequest: (request, decide) => decide(null, unknown.hasRoom(addressOf(request))),
  });
  io.engine.on(
    'connection',
    (raw: { request: IncomingMessage; once(event: 'close', then: () => void): void }) => {
      unknown.came(raw, addressOf(raw.request));
      raw.once('close', () => unknown.settled(raw));
    },
  );
  const seats = new Map<Socket, Seat>();
  /** Listeners limited to some numbers, by channel; everybody else sits in Socket.IO's room, where one encoding serves all. */
  const limited = new Map<string, Set<Socket>>();
  const seatIn = (socket: Socket, channel: string, room: Room, pass: Pass) => {
    seats.get(socket)?.rooms.set(channel, { room, pass });
    if (!room.numbers) {
      limited.get(channel)?.delete(socket);
      return socket.join(channel);
    }
    if (!limited.has(channel)) limited.set(channel, new Set());
    limited.get(channel)!.add(socket);
    return socket.leave(channel);
  };
  const unseat = (socket: Socket, channel: string) => {
    seats.get(socket)?.rooms.delete(channel);
    limited.get(channel)?.delete(socket);
    if (!limited.get(channel)?.size) limited.delete(channel);
    return socket.leave(channel);
  };

  /** Hear one kind of packet. What does not parse is refused; what fails is logged; neither leaves this function. */
  const on = <T>(
    socket: Socket,
    event: string,
    schema: z.ZodType<T>,
    verb: (said: T, answer: (value: unknown) => void) => Promise<unknown>,
  ) =>
    socket.on(event, async (sent: unknown, done: unknown) => {
      try {
        const said = schema.safeParse(sent);
        const answer = (value: unknown) => {
          if (typeof done === 'function') (done as (v: unknown) => void)(value);
        };
        if (said.success) await verb(said.data, answer);
        else {
          socket.emit('subscription_error', '', 422);
          answer({ ok: false });
        }
      } catch (error) {
        house.log.warn({ err: error, event }, 'a live packet could not be answered');
      }
    });

  /** Revocations heard so far: what was looked up before one is looked up again. */
  let revocations = 0;
  const lookups = turnstile(LOOKUPS);
  /** The pass of these headers; null: nobody's, or they cannot be looked up now. */
  const passOf = async (socket: Socket, seat: Seat, headers: Headers): Promise<Pass | null> => {
    for (let tries = 0; tries < 3; tries++) {
      const before = revocations;
      const look = () => (socket.connected ? recognize(headers) : Promise.resolve(null));
      const found = await (seat.passes.size ? look() : lookups(look)).catch(() => null);
      if (!found) return null;
      if (before !== revocations) continue;
      const pass = { headers, ...found };
      if (seats.has(socket)) seat.passes.set(keyOf(headers), pass);
      unknown.settled(socket.conn);
      return pass;
    }
    return null;
  };

  /** An event that is no longer kept may have had others after it that are not either. */
  const isKept = async (seq: number): Promise<boolean> =>
    (await house.db.directory
      .selectFrom('outbox')
      .select('seq')
      .where('seq', '=', seq)
      .executeTakeFirst()) !== undefined;

  io.on('connection', (socket) => {
    const { token } = Handshake.parse(socket.handshake.auth);
    const { cookie, authorization } = socket.handshake.headers;
    const seat: Seat = {
      headers: { cookie, authorization: authorization ?? (token ? `Bearer ${token}` : undefined) },
      passes: new Map(),
      rooms: new Map(),
      packets: bucket(PACKETS.atOnce, PACKETS.perSecond),
      refused: 0,
      turn: Promise.resolve(),
    };
    seats.set(socket, seat);
    socket.use((_, next) => {
      if (seat.packets.take()) next();
      else socket.disconnect(true);
    });
    // Who shows valid credentials may stay without listening to anything yet.
    const signIn = setTimeout(() => {
      if (seat.passes.size) return;
      void passOf(socket, seat, seat.headers).then((pass) => {
        if (!pass) socket.disconnect(true);
      });
    }, signInMs);
    on(socket, 'subscribe', Subscribe, async ({ channel, auth }, answer) => {
      const given = (name: string) => {
        const found = Object.entries(auth?.headers ?? {}).find(
          ([key]) => key.toLowerCase() === name,
        )?.[1];
        return typeof found === 'string' ? found : undefined;
      };
      const [bearer, isAdmin] = [given('authorization'), given('isadmin')];
      const headers = {
        ...seat.headers,
        ...(bearer ? { authorization: bearer } : {}),
        ...(isAdmin ? { isadmin: isAdmin } : {}),
      };
      // One after the other, so that a burst of subscriptions is one look-up at a time.
      const looked = seat.turn.then(() => passOf(socket, seat, headers));
      seat.turn = looked;
      const pass = await looked;
      const room = mayListen(pass?.actor ?? null, channel);
      if (!room || !pass) {
        socket.emit('subscription_error', channel, 403);
        answer({ ok: false });
        if (!pass && ++seat.refused >= REFUSALS) socket.disconnect(true);
        return;
      }
      await seatIn(socket, channel, room, pass);
      answer({ ok: true });
      socket.emit('subscription_succeeded', channel);
    });
    on(socket, 'unsubscribe', Unsubscribe, async ({ channel }) => unseat(socket, channel));
    on(socket, 'resume', Resume, async ({ channel, seq, replay }, answer) => {
      const room = seat.rooms.get(channel)?.room;
      if (!room) return;
      const since = new Date(house.now().getTime() - REPLAY_MINUTES * 60_000);
      const missed = await publishedAfter(
        house.db,
        seq,
        room.kind === 'users' ? { channelKey: room.key } : { companyId: room.key },
        1001,
      );
      const theirs = missed.filter((p) => roomOf(p) === channel && hears(room, p));
      // Who has just read, and may or may not have seen what came meanwhile, reads once more; told of it, they might count it twice.
      const unsure = replay === false ? theirs.length > 0 : !(await isKept(seq));
      // Is the oldest that was missed older than what is replayed, everything must be read again.
      if (unsure || missed.length > 1000 || (missed[0] && missed[0].at < since)) {
        socket.emit('resync', channel, { channel });
        answer({ resync: true });
        return;
      }
      if (replay !== false) for (const p of theirs) socket.emit(p.event, channel, envelopeOf(p));
      answer({ resync: false });
    });
    socket.on('disconnect', () => {
      clearTimeout(signIn);
      for (const channel of [...seat.rooms.keys()]) void unseat(socket, channel);
      seats.delete(socket);
    });
  });

  /** Look these passes up again. A session that is over takes its channels along; changed permissions open or close them. */
  const recheck = async (asked: (pass: Pass) => boolean, revoked: boolean) => {
    const looked = new Map<string, ReturnType<Recognize>>();
    for (const [socket, seat] of seats)
      for (const [key, pass] of seat.passes) {
        if (!asked(pass)) continue;
        if (!looked.has(key)) looked.set(key, recognize(pass.headers));
        let found: Awaited<ReturnType<Recognize>>;
        // A database that is away cannot say: the client comes back, and is asked again.
        try {
          found = await looked.get(key)!;
        } catch {
          socket.conn.close();
          break;
        }
        const mine = [...seat.rooms].filter(([, seated]) => seated.pass === pass);
        if (found) {
          Object.assign(pass, found);
          for (const [channel] of mine) {
            const room = mayListen(pass.actor, channel);
            if (room) await seatIn(socket, channel, room, pass);
            else await unseat(socket, channel);
          }
          continue;
        }
        seat.passes.delete(key);
        for (const [channel] of mine) await unseat(socket, channel);
        // Expired by time alone: the client reconnects by itself, with what credentials it has by now.
        if (!revoked) {
          socket.conn.close();
          break;
        }
        if (seat.passes.size)
          for (const [channel] of mine) socket.emit('subscription_error', channel, 403);
        else {
          socket.emit('session-revoked');
          socket.disconnect(true);
        }
      }
  };
  let sweeping = false;
  const sweep = setInterval(() => {
    if (sweeping) return;
    sweeping = true;
    const now = house.now();
    void recheck((pass) => pass.until <= now, false)
      .catch((error: unknown) =>
        house.log.warn({ err: error }, 'live connections could not be checked'),
      )
      .finally(() => {
        sweeping = false;
      });
  }, SWEEP_MS);

  return {
    hear: async (batch: Published[]) => {
      for (const p of batch) {
        const channel = roomOf(p);
        if (channel) {
          const envelope = envelopeOf(p);
          io.to(channel).emit(p.event, channel, envelope);
          for (const socket of limited.get(channel) ?? [])
            if (hears(seats.get(socket)!.rooms.get(channel)!.room, p))
              socket.emit(p.event, channel, envelope);
        }
        if ((p.event === 'session-revoked' || p.event === 'permissions-changed') && p.channelKey) {
          revocations++;
          await recheck((pass) => pass.actor.userId === p.channelKey, true);
        }
      }
    },
    count: () => seats.size,
    /** Persons with a page open at this process. */
    who: () =>
      new Set(
        [...seats.values()].flatMap((seat) =>
          [...seat.passes.values()].map((pass) => pass.actor.userId),
        ),
      ),
    close: () =>
      new Promise<void>((resolve) => {
        clearInterval(sweep);
        void io.close(() => resolve());
      }),
  };
}

const keyOf = (headers: Headers): string =>
  JSON.stringify([headers['authorization'], headers['cookie'], headers['isadmin']]);

interface Bucket {
  /** False when there is nothing left. */ take(): boolean;
}
function bucket(size: number, perSecond: number): Bucket {
  let [left, at] = [size, performance.now()];
  return {
    take: () => {
      const now = performance.now();
      left = Math.min(size, left + ((now - at) / 1000) * perSecond);
      at = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

/** Runs what it is given, so many at a time, the others in the order they came. */
function turnstile(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** Connections that have not signed in: so many in all, a tenth of them from one address. */
function countUnknown(most: number) {
  const addressOfOne = new Map<object, string>();
  const perAddress = new Map<string, number>();
  const mostOfOne = Math.max(1, Math.ceil(most / 10));
  return {
    hasRoom: (address: string) =>
      addressOfOne.size < most && (perAddress.get(address) ?? 0) < mostOfOne,
    came: (one: object, address: string) => {
      addressOfOne.set(one, address);
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    },
    /** It signed in, or is gone. */
    settled: (one: object) => {
      const address = addressOfOne.get(one);
      if (!addressOfOne.delete(one) || address === undefined) return;
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left) perAddress.set(address, left);
      else perAddress.delete(address);
    },
  };
}

/**
 * The address a connection counts for: the one Fastify gives a request as `request.ip`, so that `X-Forwarded-For`
 * is believed only from the proxies that TRUST_PROXY names.
 */
function clientAddress(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  if (!trustProxy.length) return (request) => request.socket.remoteAddress ?? '';
  const trust = trusted([...trustProxy]);
  return (request) => addressesOf(request, trust).at(-1) ?? '';
}
