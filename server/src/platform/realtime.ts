import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { all as addressesOf, compile as trusted } from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import { Server, type Socket } from 'socket.io';
import { z } from 'zod';
import { eventByName, grantOf, type Channel, type Envelope } from '#contract';
import type { Actor, Services } from './context.ts';
import { readPublishedAfter, type PublishedEvent } from './outbox-relay.ts';

/** Who is behind a socket's headers, and until when unless their session is used meanwhile; null = nobody. */
export type AuthenticateSocket = (
  headers: Headers,
) => Promise<{ actor: Actor; until: Date } | null>;
type Headers = Record<string, string | undefined>;

const CHANNEL = /^private-(conversations|bulk-purchase|companies|caddy|campaigns|users)\.(\d+)$/;
const REPLAY_MINUTES = 5;
/** What a listener of a channel must be allowed to see. */
const requiredPermissions = {
  conversations: 'inbox.view',
  'bulk-purchase': 'numbers.buy',
  campaigns: 'campaigns.view',
} as const;

/** May this person listen, and to which numbers? `null` = no; `numbers: null` = every number. */
export function authorizeChannel(actor: Actor | null, channel: string): Subscription | null {
  const match = CHANNEL.exec(channel);
  if (!match || !actor) return null;
  const kind = match[1] as Channel;
  const key = Number(match[2]);
  if (kind === 'users') return actor.userId === key ? { kind, key, numbers: null } : null;
  if (kind === 'caddy') return null; // consumer accounts have sessions of their own
  const membership = actor.memberships.find((m) => m.companyId === key);
  if (!membership) return actor.staff && actor.adminMode ? { kind, key, numbers: null } : null;
  if (membership.role === 'deactivated') return null;
  const need =
    kind === 'companies' ? null : requiredPermissions[kind as keyof typeof requiredPermissions];
  const grant = need ? grantOf(membership.role, need, membership.switches) : 'all';
  if (grant === 'none') return null;
  const limited =
    membership.numberIds.length > 0 &&
    grantOf(membership.role, 'inbox.view', membership.switches) !== 'all';
  return { kind, key, numbers: limited ? new Set(membership.numberIds) : null };
}

export interface Subscription {
  kind: Channel;
  key: number;
  numbers: ReadonlySet<number> | null;
}
/** Credentials that were shown, and who that is. A socket may show several: each channel stands on those it was joined with. */
interface SocketSession {
  headers: Headers;
  actor: Actor;
  until: Date;
}
interface Connection {
  headers: Headers;
  sessions: Map<string, SocketSession>;
  subscriptions: Map<string, { room: Subscription; pass: SocketSession }>;
  packets: TokenBucket;
  refusals: number;
  authQueue: Promise<unknown>;
}

/** The channel an event is broadcast on; null = none. */
export const channelOf = (p: PublishedEvent): string | null => {
  const kind = eventByName.get(p.event);
  if (!kind?.channel) return null;
  const key = kind.channel === 'users' || kind.channel === 'caddy' ? p.channelKey : p.companyId;
  return key === null ? null : `private-${kind.channel}.${key}`;
};
/** The server filters: a person limited to some numbers never receives another number's items. */
export const canReceive = (subscription: Subscription, p: PublishedEvent): boolean =>
  !subscription.numbers || p.numberId === null || subscription.numbers.has(p.numberId);
const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const toBase32 = (n: number, length: number): string => {
  let text = '';
  for (let left = n; text.length < length; left = Math.floor(left / 32))
    text = base32[left % 32] + text;
  return text;
};
/**
 * The event's ULID (A27): its moment in milliseconds, then its place in place of chance. So every process that tells
 * of it, and every replay, gives it the same one.
 */
export const eventUlid = ({ at, seq }: Pick<PublishedEvent, 'at' | 'seq'>): string =>
  toBase32(at.getTime(), 10) + toBase32(seq, 16);
export const toEnvelope = (p: PublishedEvent): Envelope => ({
  event: p.event,
  id: eventUlid(p),
  at: p.at.toISOString(),
  companyId: p.companyId,
  seq: p.seq,
  data: p.data,
});

/** Packets one socket may send: this many at once, and so many more a second. */
const PACKETS = { atOnce: 60, perSecond: 20 };
/** Subscriptions refused for want of credentials before a socket is closed. */
const MAX_REFUSALS = 10;
/** Look-ups for sockets that have not signed in, at the same time: the database's system connections are few. */
const MAX_LOOKUPS = 2;
const SWEEP_MS = 1000;

const channelName = z.string().max(100);
const Handshake = z
  .object({ token: z.string().max(1000).optional().catch(undefined) })
  .catch({ token: undefined });
const Subscribe = z.object({
  channel: channelName,
  auth: z
    .object({ headers: z.record(z.string().max(100), z.unknown()).nullish() })
    .nullish()
    .catch(null),
});
const Unsubscribe = z.object({ channel: channelName });
const Resume = z.object({
  channel: channelName,
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
export function startRealtime(
  app: FastifyInstance,
  services: Services,
  authenticate: AuthenticateSocket,
) {
  const { signInMs, unknownSockets } = services.settings.limits;
  const unauthenticated = trackUnauthenticated(unknownSockets);
  const addressOf = clientAddress(services.settings.trustProxy);
  const io = new Server(app.server as HttpServer, {
    serveClient: false,
    cors: { origin: false },
    transports: ['websocket', 'polling'],
    maxHttpBufferSize: 1e5,
    connectTimeout: signInMs,
    allowRequest: (request, decide) =>
      decide(null, unauthenticated.hasCapacity(addressOf(request))),
  });
  io.engine.on(
    'connection',
    (raw: { request: IncomingMessage; once(event: 'close', then: () => void): void }) => {
      unauthenticated.add(raw, addressOf(raw.request));
      raw.once('close', () => unauthenticated.remove(raw));
    },
  );
  const connections = new Map<Socket, Connection>();
  /** Listeners limited to some numbers, by channel; everybody else sits in Socket.IO's room, where one encoding serves all. */
  const filteredListeners = new Map<string, Set<Socket>>();
  const joinChannel = (
    socket: Socket,
    channel: string,
    subscription: Subscription,
    session: SocketSession,
  ) => {
    connections.get(socket)?.subscriptions.set(channel, { room: subscription, pass: session });
    if (!subscription.numbers) {
      filteredListeners.get(channel)?.delete(socket);
      return socket.join(channel);
    }
    if (!filteredListeners.has(channel)) filteredListeners.set(channel, new Set());
    filteredListeners.get(channel)!.add(socket);
    return socket.leave(channel);
  };
  const leaveChannel = (socket: Socket, channel: string) => {
    connections.get(socket)?.subscriptions.delete(channel);
    filteredListeners.get(channel)?.delete(socket);
    if (!filteredListeners.get(channel)?.size) filteredListeners.delete(channel);
    return socket.leave(channel);
  };

  /** Hear one kind of packet. What does not parse is refused; what fails is logged; neither leaves this function. */
  const onPacket = <T>(
    socket: Socket,
    event: string,
    schema: z.ZodType<T>,
    handler: (said: T, answer: (value: unknown) => void) => Promise<unknown>,
  ) =>
    socket.on(event, async (sent: unknown, done: unknown) => {
      try {
        const said = schema.safeParse(sent);
        const answer = (value: unknown) => {
          if (typeof done === 'function') (done as (v: unknown) => void)(value);
        };
        if (said.success) await handler(said.data, answer);
        else {
          socket.emit('subscription_error', '', 422);
          answer({ ok: false });
        }
      } catch (error) {
        services.log.warn({ err: error, event }, 'a realtime packet could not be handled');
      }
    });

  /** Revocations heard so far: what was looked up before one is looked up again. */
  let revocations = 0;
  const limitLookups = limitConcurrency(MAX_LOOKUPS);
  /** The pass of these headers; null: nobody's, or they cannot be looked up now. */
  const sessionOf = async (
    socket: Socket,
    connection: Connection,
    headers: Headers,
  ): Promise<SocketSession | null> => {
    for (let tries = 0; tries < 3; tries++) {
      const before = revocations;
      const look = () => (socket.connected ? authenticate(headers) : Promise.resolve(null));
      const found = await (connection.sessions.size ? look() : limitLookups(look)).catch(
        () => null,
      );
      if (!found) return null;
      if (before !== revocations) continue;
      const session = { headers, ...found };
      if (connections.has(socket)) connection.sessions.set(sessionKey(headers), session);
      unauthenticated.remove(socket.conn);
      return session;
    }
    return null;
  };

  /** An event that is no longer kept may have had others after it that are not either. */
  const isRetained = async (seq: number): Promise<boolean> =>
    (await services.db.unscoped
      .selectFrom('outbox')
      .select('seq')
      .where('seq', '=', seq)
      .executeTakeFirst()) !== undefined;

  io.on('connection', (socket) => {
    const { token } = Handshake.parse(socket.handshake.auth);
    const { cookie, authorization } = socket.handshake.headers;
    const connection: Connection = {
      headers: { cookie, authorization: authorization ?? (token ? `Bearer ${token}` : undefined) },
      sessions: new Map(),
      subscriptions: new Map(),
      packets: createTokenBucket(PACKETS.atOnce, PACKETS.perSecond),
      refusals: 0,
      authQueue: Promise.resolve(),
    };
    connections.set(socket, connection);
    socket.use((_, next) => {
      if (connection.packets.take()) next();
      else socket.disconnect(true);
    });
    // Who shows valid credentials may stay without listening to anything yet.
    const signIn = setTimeout(() => {
      if (connection.sessions.size) return;
      void sessionOf(socket, connection, connection.headers).then((session) => {
        if (!session) socket.disconnect(true);
      });
    }, signInMs);
    onPacket(socket, 'subscribe', Subscribe, async ({ channel, auth }, answer) => {
      const given = (name: string) => {
        const found = Object.entries(auth?.headers ?? {}).find(
          ([key]) => key.toLowerCase() === name,
        )?.[1];
        return typeof found === 'string' ? found : undefined;
      };
      const [bearer, isAdmin] = [given('authorization'), given('isadmin')];
      const headers = {
        ...connection.headers,
        ...(bearer ? { authorization: bearer } : {}),
        ...(isAdmin ? { isadmin: isAdmin } : {}),
      };
      // One after the other, so that a burst of subscriptions is one look-up at a time.
      const lookup = connection.authQueue.then(() => sessionOf(socket, connection, headers));
      connection.authQueue = lookup;
      const session = await lookup;
      const subscription = authorizeChannel(session?.actor ?? null, channel);
      if (!subscription || !session) {
        socket.emit('subscription_error', channel, 403);
        answer({ ok: false });
        if (!session && ++connection.refusals >= MAX_REFUSALS) socket.disconnect(true);
        return;
      }
      await joinChannel(socket, channel, subscription, session);
      answer({ ok: true });
      socket.emit('subscription_succeeded', channel);
    });
    onPacket(socket, 'unsubscribe', Unsubscribe, async ({ channel }) =>
      leaveChannel(socket, channel),
    );
    onPacket(socket, 'resume', Resume, async ({ channel, seq, replay }, answer) => {
      const subscription = connection.subscriptions.get(channel)?.room;
      if (!subscription) return;
      const since = new Date(services.now().getTime() - REPLAY_MINUTES * 60_000);
      const missed = await readPublishedAfter(
        services.db,
        seq,
        subscription.kind === 'users'
          ? { channelKey: subscription.key }
          : { companyId: subscription.key },
        1001,
      );
      const visible = missed.filter((p) => channelOf(p) === channel && canReceive(subscription, p));
      // Who has just read, and may or may not have seen what came meanwhile, reads once more; told of it, they might count it twice.
      const mustResync = replay === false ? visible.length > 0 : !(await isRetained(seq));
      // Is the oldest that was missed older than what is replayed, everything must be read again.
      if (mustResync || missed.length > 1000 || (missed[0] && missed[0].at < since)) {
        socket.emit('resync', channel, { channel });
        answer({ resync: true });
        return;
      }
      if (replay !== false) for (const p of visible) socket.emit(p.event, channel, toEnvelope(p));
      answer({ resync: false });
    });
    socket.on('disconnect', () => {
      clearTimeout(signIn);
      for (const channel of [...connection.subscriptions.keys()])
        void leaveChannel(socket, channel);
      connections.delete(socket);
    });
  });

  /** Look these passes up again. A session that is over takes its channels along; changed permissions open or close them. */
  const reauthenticate = async (asked: (session: SocketSession) => boolean, revoked: boolean) => {
    const lookup = new Map<string, ReturnType<AuthenticateSocket>>();
    for (const [socket, connection] of connections)
      for (const [key, session] of connection.sessions) {
        if (!asked(session)) continue;
        if (!lookup.has(key)) lookup.set(key, authenticate(session.headers));
        let found: Awaited<ReturnType<AuthenticateSocket>>;
        // A database that is away cannot say: the client comes back, and is asked again.
        try {
          found = await lookup.get(key)!;
        } catch {
          socket.conn.close();
          break;
        }
        const mine = [...connection.subscriptions].filter(([, entry]) => entry.pass === session);
        if (found) {
          Object.assign(session, found);
          for (const [channel] of mine) {
            const subscription = authorizeChannel(session.actor, channel);
            if (subscription) await joinChannel(socket, channel, subscription, session);
            else await leaveChannel(socket, channel);
          }
          continue;
        }
        connection.sessions.delete(key);
        for (const [channel] of mine) await leaveChannel(socket, channel);
        // Expired by time alone: the client reconnects by itself, with what credentials it has by now.
        if (!revoked) {
          socket.conn.close();
          break;
        }
        if (connection.sessions.size)
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
    const now = services.now();
    void reauthenticate((session) => session.until <= now, false)
      .catch((error: unknown) =>
        services.log.warn({ err: error }, 'realtime connections could not be checked'),
      )
      .finally(() => {
        sweeping = false;
      });
  }, SWEEP_MS);

  return {
    broadcast: async (batch: PublishedEvent[]) => {
      for (const p of batch) {
        const channel = channelOf(p);
        if (channel) {
          const envelope = toEnvelope(p);
          io.to(channel).emit(p.event, channel, envelope);
          for (const socket of filteredListeners.get(channel) ?? [])
            if (canReceive(connections.get(socket)!.subscriptions.get(channel)!.room, p))
              socket.emit(p.event, channel, envelope);
        }
        if ((p.event === 'session-revoked' || p.event === 'permissions-changed') && p.channelKey) {
          revocations++;
          await reauthenticate((session) => session.actor.userId === p.channelKey, true);
        }
      }
    },
    connectionCount: () => connections.size,
    /** Persons with a page open at this process. */
    onlineUserIds: () =>
      new Set(
        [...connections.values()].flatMap((connection) =>
          [...connection.sessions.values()].map((session) => session.actor.userId),
        ),
      ),
    close: () =>
      new Promise<void>((resolve) => {
        clearInterval(sweep);
        void io.close(() => resolve());
      }),
  };
}

const sessionKey = (headers: Headers): string =>
  JSON.stringify([headers['authorization'], headers['cookie'], headers['isadmin']]);

interface TokenBucket {
  /** False when there is nothing left. */ take(): boolean;
}
function createTokenBucket(size: number, perSecond: number): TokenBucket {
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
function limitConcurrency(most: number) {
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
function trackUnauthenticated(most: number) {
  const addresses = new Map<object, string>();
  const perAddress = new Map<string, number>();
  const maxPerAddress = Math.max(1, Math.ceil(most / 10));
  return {
    hasCapacity: (address: string) =>
      addresses.size < most && (perAddress.get(address) ?? 0) < maxPerAddress,
    add: (one: object, address: string) => {
      addresses.set(one, address);
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    },
    /** It signed in, or is gone. */
    remove: (one: object) => {
      const address = addresses.get(one);
      if (!addresses.delete(one) || address === undefined) return;
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
