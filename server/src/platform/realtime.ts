import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Server, type Socket } from 'socket.io';
import type { z } from 'zod';
import type { Services } from './context.ts';
import { EventMasks } from './masking/event-masks.ts';
import { readPublishedAfter, type PublishedEvent } from './outbox-subscription.ts';
import { authorizeChannel, canReceive, channelOf, toEnvelope } from './realtime-channels.ts';
import { clientAddress, createTokenBucket, trackUnauthenticated } from './realtime-limits.ts';
import {
  credentialsIn,
  Handshake,
  onPacket,
  Resume,
  Subscribe,
  Unsubscribe,
  type Acknowledge,
} from './realtime-protocol.ts';
import { inSpan } from './tracing/spans.ts';
import { SocketSessions, type AuthenticateSocket, type Connection } from './realtime-sessions.ts';

const REPLAY_MINUTES = 5;
const MAX_REPLAYED = 1000;
/** Packets that one socket may send: a burst of this many, and this many more per second. */
const PACKETS = { atOnce: 60, perSecond: 20 };
/** Subscriptions refused for lack of credentials before a socket is closed. */
const MAX_REFUSALS = 10;
const SWEEP_MS = 1000;

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
  private readonly sockets: SocketSessions;
  private readonly sweepTimer: NodeJS.Timeout;
  private readonly masks: EventMasks;
  private sweeping: Promise<void> | null = null;
  private readonly addressOf: (request: IncomingMessage) => string;

  constructor(
    app: FastifyInstance,
    private readonly services: Services,
    authenticate: AuthenticateSocket,
  ) {
    this.masks = new EventMasks(services);
    this.addressOf = clientAddress(services.settings.trustProxy);
    const { signInMs, unknownSockets } = services.settings.limits;
    this.unauthenticated = trackUnauthenticated(unknownSockets);
    this.sockets = new SocketSessions(authenticate, (socket) =>
      this.unauthenticated.remove(socket.conn),
    );
    const { addressOf } = this;
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
    // Those whose access changed are checked before any later event is sent, together where a
    // change concerns many.
    const changed = new Set<number>();
    const check = async () => {
      if (changed.size) await this.sockets.revoke(changed);
      changed.clear();
    };
    for (const event of batch) {
      const isRevocation =
        event.event === 'session-revoked' || event.event === 'permissions-changed';
      if (!isRevocation) await check();
      const channel = channelOf(event);
      if (channel) await this.push(event, channel);
      if (isRevocation && event.channelKey) changed.add(event.channelKey);
    }
    await check();
  };

  readonly connectionCount = (): number => this.sockets.connections.size;

  /** Ids of the users with a page open at this process. */
  readonly onlineUserIds = (): Set<number> =>
    new Set(
      [...this.sockets.connections.values()].flatMap(({ sessions }) =>
        [...sessions.values()].map(({ actor }) => actor.userId),
      ),
    );

  close(): Promise<void> {
    clearInterval(this.sweepTimer);
    return new Promise((resolve) => void this.io.close(() => resolve()));
  }

  /** Sends an event as a part of its trace, if it has one. */
  private push(event: PublishedEvent, channel: string): Promise<void> {
    const send = () => this.send(event, channel);
    if (!event.trace) return send();
    const [kind = ''] = channel.split('.');
    const facts = { event: event.event, channel: kind };
    return inSpan(`socket ${event.event}`, facts, send, event.trace);
  }

  private async send(event: PublishedEvent, channel: string): Promise<void> {
    this.io.to(channel).emit(event.event, channel, toEnvelope(event));
    for (const [socket, subscription] of this.sockets.filteredSubscriptions(channel)) {
      if (!canReceive(subscription, event)) continue;
      const shown = await this.masks.shownTo(subscription, event);
      const now = this.sockets.subscriptionOf(socket, channel);
      // Their access may have changed while the event was masked.
      if (now === subscription) socket.emit(event.event, channel, shown);
      else if (now && canReceive(now, event))
        socket.emit(event.event, channel, await this.masks.shownTo(now, event));
    }
  }

  private onConnection(socket: Socket): void {
    const { token } = Handshake.parse(socket.handshake.auth);
    const { cookie, authorization } = socket.handshake.headers;
    const connection: Connection = {
      headers: { cookie, authorization: authorization ?? (token ? `Bearer ${token}` : undefined) },
      ip: this.addressOf(socket.request),
      sessions: new Map(),
      subscriptions: new Map(),
      packets: createTokenBucket(PACKETS.atOnce, PACKETS.perSecond),
      refusals: 0,
      authQueue: Promise.resolve(),
    };
    this.sockets.connections.set(socket, connection);
    socket.use((_, next) => {
      if (connection.packets.take()) next();
      else socket.disconnect(true);
    });
    // Valid credentials are enough to stay, without a subscription.
    const signIn = setTimeout(() => {
      if (connection.sessions.size) return;
      void this.sockets.sessionOf(socket, connection, connection.headers).then((session) => {
        if (!session) socket.disconnect(true);
      });
    }, this.services.settings.limits.signInMs);
    onPacket(socket, this.services.log, 'subscribe', Subscribe, ({ channel, auth }, acknowledge) =>
      this.subscribe(socket, connection, channel, auth?.headers ?? {}, acknowledge),
    );
    onPacket(socket, this.services.log, 'unsubscribe', Unsubscribe, async ({ channel }) =>
      this.sockets.leaveChannel(socket, channel),
    );
    onPacket(socket, this.services.log, 'resume', Resume, (packet, acknowledge) =>
      this.resume(socket, connection, packet, acknowledge),
    );
    socket.on('disconnect', () => {
      clearTimeout(signIn);
      for (const channel of [...connection.subscriptions.keys()])
        void this.sockets.leaveChannel(socket, channel);
      this.sockets.connections.delete(socket);
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
    const lookup = connection.authQueue.then(() =>
      this.sockets.sessionOf(socket, connection, headers),
    );
    connection.authQueue = lookup;
    const session = await lookup;
    const subscription = authorizeChannel(session?.actor ?? null, channel);
    if (!subscription || !session) {
      socket.emit('subscription_error', channel, 403);
      acknowledge({ ok: false });
      if (!session && ++connection.refusals >= MAX_REFUSALS) socket.disconnect(true);
      return;
    }
    await this.sockets.joinChannel(socket, channel, subscription, session);
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
    if (replay !== false)
      for (const p of visible)
        socket.emit(p.event, channel, await this.masks.shownTo(subscription, p));
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

  private sweep(): void {
    const now = this.services.now();
    this.sweeping ??= this.sockets
      .expire(now)
      .catch((error: unknown) =>
        this.services.log.warn({ err: error }, 'realtime connections could not be checked'),
      )
      .finally(() => {
        this.sweeping = null;
      });
  }
}
