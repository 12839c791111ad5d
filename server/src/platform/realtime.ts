import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Server, type Socket } from 'socket.io';
import { z } from 'zod';
import type { Actor, Services } from './context.ts';
import { readPublishedAfter, type PublishedEvent } from './outbox-relay.ts';
import {
  authorizeChannel,
  canReceive,
  channelOf,
  toEnvelope,
  type Subscription,
} from './realtime-channels.ts';
import {
  clientAddress,
  createTokenBucket,
  limitConcurrency,
  trackUnauthenticated,
  type TokenBucket,
} from './realtime-limits.ts';

/**
 * Authenticates a socket by its headers. `until`: when its session expires unless it is used
 * meanwhile. Null: nobody.
 */
export type AuthenticateSocket = (
  headers: Headers,
) => Promise<{ actor: Actor; until: Date } | null>;
type Headers = Record<string, string | undefined>;

/**
 * Credentials that a socket presented, and their owner. A socket may present several; each channel
 * depends on those it was joined with.
 */
interface SocketSession {
  headers: Headers;
  actor: Actor;
  until: Date;
}
interface Connection {
  headers: Headers;
  sessions: Map<string, SocketSession>;
  subscriptions: Map<string, { subscription: Subscription; session: SocketSession }>;
  packets: TokenBucket;
  refusals: number;
  authQueue: Promise<unknown>;
}
type Acknowledge = (value: unknown) => void;

const REPLAY_MINUTES = 5;
const MAX_REPLAYED = 1000;
/** Packets that one socket may send: a burst of this many, and this many more per second. */
const PACKETS = { atOnce: 60, perSecond: 20 };
/** Subscriptions refused for lack of credentials before a socket is closed. */
const MAX_REFUSALS = 10;
/** Concurrent look-ups for unauthenticated sockets: the database has few system connections. */
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
 * Socket.IO as laravel-echo's socket.io connector uses it: `subscribe {channel, auth:{headers}}`,
 * `unsubscribe`; events arrive as (event, channel, envelope). `resume {channel, seq}` replays up to
 * 5 minutes, otherwise sends `resync`; with `replay: false` it sends `resync` if there was any
 * event (`seq` is then the `live-seq` of a response). Every process reads the published events
 * itself, so there is no message bus between processes.
 * Packets of clients are parsed and never throw out of a handler. A socket that does not sign in is
 * closed after `signInMs`; one whose credentials expire is disconnected within a second, and may
 * reconnect with new ones.
 */
export const startRealtime = (
  app: FastifyInstance,
  services: Services,
  authenticate: AuthenticateSocket,
): RealtimeServer => new RealtimeServer(app, services, authenticate);

class RealtimeServer {
  private readonly io: Server;
  private readonly unauthenticated: ReturnType<typeof trackUnauthenticated>;
  private readonly connections = new Map<Socket, Connection>();
  /**
   * Subscribers limited to some numbers, by channel. All others are in Socket.IO's room, which
   * encodes an event only once.
   */
  private readonly filteredListeners = new Map<string, Set<Socket>>();
  /** Counts revocations: a look-up that started before one is repeated. */
  private revocations = 0;
  private readonly limitLookups = limitConcurrency(MAX_LOOKUPS);
  private readonly sweepTimer: NodeJS.Timeout;
  private sweeping: Promise<void> | null = null;

  constructor(
    app: FastifyInstance,
    private readonly services: Services,
    private readonly authenticate: AuthenticateSocket,
  ) {
    const { signInMs, unknownSockets } = services.settings.limits;
    this.unauthenticated = trackUnauthenticated(unknownSockets);
    const addressOf = clientAddress(services.settings.trustProxy);
    this.io = new Server(app.server as HttpServer, {
      serveClient: false,
      cors: { origin: false },
      transports: ['websocket', 'polling'],
      maxHttpBufferSize: 1e5,
      connectTimeout: signInMs,
      allowRequest: (request, decide) =>
        decide(null, this.unauthenticated.hasCapacity(addressOf(request))),
    });
    this.io.engine.on(
      'connection',
      (raw: { request: IncomingMessage; once(event: 'close', then: () => void): void }) => {
        this.unauthenticated.add(raw, addressOf(raw.request));
        raw.once('close', () => this.unauthenticated.remove(raw));
      },
    );
    this.io.on('connection', (socket) => this.onConnection(socket));
    this.sweepTimer = setInterval(() => this.sweep(), SWEEP_MS);
  }

  /**
   * Sends events to the subscribers that may receive them. An arrow function, because it is passed
   * on as a callback.
   */
  readonly broadcast = async (batch: PublishedEvent[]): Promise<void> => {
    for (const event of batch) {
      const channel = channelOf(event);
      if (channel) this.send(event, channel);
      const isRevocation =
        event.event === 'session-revoked' || event.event === 'permissions-changed';
      if (!isRevocation || !event.channelKey) continue;
      this.revocations++;
      await this.reauthenticate(({ actor }) => actor.userId === event.channelKey, {
        isRevoked: true,
      });
    }
  };

  readonly connectionCount = (): number => this.connections.size;

  /** Ids of the users with a page open at this process. */
  readonly onlineUserIds = (): Set<number> =>
    new Set(
      [...this.connections.values()].flatMap(({ sessions }) =>
        [...sessions.values()].map(({ actor }) => actor.userId),
      ),
    );

  close(): Promise<void> {
    clearInterval(this.sweepTimer);
    return new Promise((resolve) => void this.io.close(() => resolve()));
  }

  private send(event: PublishedEvent, channel: string): void {
    const envelope = toEnvelope(event);
    this.io.to(channel).emit(event.event, channel, envelope);
    for (const socket of this.filteredListeners.get(channel) ?? []) {
      const entry = this.connections.get(socket)?.subscriptions.get(channel);
      if (entry && canReceive(entry.subscription, event))
        socket.emit(event.event, channel, envelope);
    }
  }

  private onConnection(socket: Socket): void {
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
    this.connections.set(socket, connection);
    socket.use((_, next) => {
      if (connection.packets.take()) next();
      else socket.disconnect(true);
    });
    // Valid credentials are enough to stay, without a subscription.
    const signIn = setTimeout(() => {
      if (connection.sessions.size) return;
      void this.sessionOf(socket, connection, connection.headers).then((session) => {
        if (!session) socket.disconnect(true);
      });
    }, this.services.settings.limits.signInMs);
    this.onPacket(socket, 'subscribe', Subscribe, ({ channel, auth }, acknowledge) =>
      this.subscribe(socket, connection, channel, auth?.headers ?? {}, acknowledge),
    );
    this.onPacket(socket, 'unsubscribe', Unsubscribe, async ({ channel }) =>
      this.leaveChannel(socket, channel),
    );
    this.onPacket(socket, 'resume', Resume, (packet, acknowledge) =>
      this.resume(socket, connection, packet, acknowledge),
    );
    socket.on('disconnect', () => {
      clearTimeout(signIn);
      for (const channel of [...connection.subscriptions.keys()])
        void this.leaveChannel(socket, channel);
      this.connections.delete(socket);
    });
  }

  /**
   * Handles one kind of packet. A malformed packet is refused and a failure is logged; neither
   * throws.
   */
  private onPacket<T>(
    socket: Socket,
    event: string,
    schema: z.ZodType<T>,
    handler: (packet: T, acknowledge: Acknowledge) => Promise<unknown>,
  ): void {
    socket.on(event, async (sent: unknown, done: unknown) => {
      try {
        const packet = schema.safeParse(sent);
        const acknowledge = (value: unknown) => {
          if (typeof done === 'function') (done as Acknowledge)(value);
        };
        if (packet.success) await handler(packet.data, acknowledge);
        else {
          socket.emit('subscription_error', '', 422);
          acknowledge({ ok: false });
        }
      } catch (error) {
        this.services.log.warn({ err: error, event }, 'a realtime packet could not be handled');
      }
    });
  }

  private async subscribe(
    socket: Socket,
    connection: Connection,
    channel: string,
    sentHeaders: Record<string, unknown>,
    acknowledge: Acknowledge,
  ): Promise<void> {
    const headers = { ...connection.headers, ...credentialsIn(sentHeaders) };
    // One after the other, so that a burst of subscriptions makes one look-up at a time.
    const lookup = connection.authQueue.then(() => this.sessionOf(socket, connection, headers));
    connection.authQueue = lookup;
    const session = await lookup;
    const subscription = authorizeChannel(session?.actor ?? null, channel);
    if (!subscription || !session) {
      socket.emit('subscription_error', channel, 403);
      acknowledge({ ok: false });
      if (!session && ++connection.refusals >= MAX_REFUSALS) socket.disconnect(true);
      return;
    }
    await this.joinChannel(socket, channel, subscription, session);
    acknowledge({ ok: true });
    socket.emit('subscription_succeeded', channel);
  }

  private async resume(
    socket: Socket,
    { subscriptions }: Connection,
    { channel, seq, replay }: z.infer<typeof Resume>,
    acknowledge: Acknowledge,
  ): Promise<void> {
    const subscription = subscriptions.get(channel)?.subscription;
    if (!subscription) return;
    const { kind, key } = subscription;
    const scope = kind === 'users' ? { channelKey: key } : { companyId: key };
    const missed = await readPublishedAfter(this.services.db, seq, scope, MAX_REPLAYED + 1);
    const visible = missed.filter((p) => channelOf(p) === channel && canReceive(subscription, p));
    // A client that has just read may have seen some of these events: it reads again rather than
    // counting them twice.
    const isGap = replay === false ? visible.length > 0 : !(await this.isRetained(seq));
    const since = new Date(this.services.now().getTime() - REPLAY_MINUTES * 60_000);
    const isTooMuch = missed.length > MAX_REPLAYED || (missed[0] && missed[0].at < since);
    if (isGap || isTooMuch) {
      socket.emit('resync', channel, { channel });
      acknowledge({ resync: true });
      return;
    }
    if (replay !== false) for (const p of visible) socket.emit(p.event, channel, toEnvelope(p));
    acknowledge({ resync: false });
  }

  /** Whether the event is still stored. Otherwise later ones may have been deleted, too. */
  private async isRetained(seq: number): Promise<boolean> {
    const row = await this.services.db.unscoped
      .selectFrom('outbox')
      .select('seq')
      .where('seq', '=', seq)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** The session of these headers; null: nobody's, or the look-up failed. */
  private async sessionOf(
    socket: Socket,
    connection: Connection,
    headers: Headers,
  ): Promise<SocketSession | null> {
    for (let tries = 0; tries < 3; tries++) {
      const before = this.revocations;
      const lookUp = () => (socket.connected ? this.authenticate(headers) : Promise.resolve(null));
      const found = await (connection.sessions.size ? lookUp() : this.limitLookups(lookUp)).catch(
        () => null,
      );
      if (!found) return null;
      if (before !== this.revocations) continue;
      const session = { headers, ...found };
      if (this.connections.has(socket)) connection.sessions.set(sessionKey(headers), session);
      this.unauthenticated.remove(socket.conn);
      return session;
    }
    return null;
  }

  private joinChannel(
    socket: Socket,
    channel: string,
    subscription: Subscription,
    session: SocketSession,
  ) {
    this.connections.get(socket)?.subscriptions.set(channel, { subscription, session });
    if (!subscription.numbers) {
      this.filteredListeners.get(channel)?.delete(socket);
      return socket.join(channel);
    }
    const listeners = this.filteredListeners.get(channel) ?? new Set();
    this.filteredListeners.set(channel, listeners.add(socket));
    return socket.leave(channel);
  }

  private leaveChannel(socket: Socket, channel: string) {
    this.connections.get(socket)?.subscriptions.delete(channel);
    const listeners = this.filteredListeners.get(channel);
    listeners?.delete(socket);
    if (!listeners?.size) this.filteredListeners.delete(channel);
    return socket.leave(channel);
  }

  private sweep(): void {
    const now = this.services.now();
    this.sweeping ??= this.reauthenticate(({ until }) => until <= now, { isRevoked: false })
      .catch((error: unknown) =>
        this.services.log.warn({ err: error }, 'realtime connections could not be checked'),
      )
      .finally(() => {
        this.sweeping = null;
      });
  }

  /**
   * Looks these sessions up again. Sessions that ended lose their channels; changed permissions
   * open or close channels.
   */
  private async reauthenticate(
    isAffected: (session: SocketSession) => boolean,
    { isRevoked }: { isRevoked: boolean },
  ): Promise<void> {
    const lookups = new Map<string, ReturnType<AuthenticateSocket>>();
    const lookUp = (key: string, headers: Headers) => {
      const lookup = lookups.get(key) ?? this.authenticate(headers);
      lookups.set(key, lookup);
      return lookup;
    };
    for (const [socket, connection] of this.connections)
      for (const [key, session] of connection.sessions) {
        if (!isAffected(session)) continue;
        // While the database is down no session can be looked up: disconnect, and check again when
        // the client reconnects.
        const found = await lookUp(key, session.headers).catch(() => 'unavailable' as const);
        const isOver = found === 'unavailable' || (!found && !isRevoked);
        if (found === 'unavailable') socket.conn.close();
        else if (found) await this.renewSession(socket, connection, Object.assign(session, found));
        else await this.endSession(socket, connection, key, session, { isRevoked });
        if (isOver) break;
      }
  }

  private channelsOf({ subscriptions }: Connection, session: SocketSession): string[] {
    return [...subscriptions].filter(([, e]) => e.session === session).map(([channel]) => channel);
  }

  private async renewSession(
    socket: Socket,
    connection: Connection,
    session: SocketSession,
  ): Promise<void> {
    for (const channel of this.channelsOf(connection, session)) {
      const subscription = authorizeChannel(session.actor, channel);
      if (subscription) await this.joinChannel(socket, channel, subscription, session);
      else await this.leaveChannel(socket, channel);
    }
  }

  private async endSession(
    socket: Socket,
    connection: Connection,
    key: string,
    session: SocketSession,
    { isRevoked }: { isRevoked: boolean },
  ): Promise<void> {
    const channels = this.channelsOf(connection, session);
    connection.sessions.delete(key);
    for (const channel of channels) await this.leaveChannel(socket, channel);
    // Expired: the client reconnects with its current credentials.
    if (!isRevoked) socket.conn.close();
    else if (connection.sessions.size)
      for (const channel of channels) socket.emit('subscription_error', channel, 403);
    else {
      socket.emit('session-revoked');
      socket.disconnect(true);
    }
  }
}

/** The credentials among the headers that a client sends with a subscription. */
function credentialsIn(headers: Record<string, unknown>): Headers {
  const given = (name: string) => {
    const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
    return typeof found === 'string' ? found : undefined;
  };
  const [authorization, isadmin] = [given('authorization'), given('isadmin')];
  return { ...(authorization && { authorization }), ...(isadmin && { isadmin }) };
}

const sessionKey = (headers: Headers): string =>
  JSON.stringify([headers['authorization'], headers['cookie'], headers['isadmin']]);
