import type { Socket } from 'socket.io';
import type { Actor } from './context.ts';
import { authorizeChannel, type Subscription } from './realtime-channels.ts';
import { limitConcurrency, type TokenBucket } from './realtime-limits.ts';
import type { Headers } from './realtime-protocol.ts';

/**
 * Authenticates a socket by its headers; `ip` is where it comes from. `until`: when its session expires unless it is used
 * meanwhile. Null: nobody.
 */
export type AuthenticateSocket = (
  headers: Headers,
  ip: string,
) => Promise<{ actor: Actor; until: Date } | null>;

/**
 * Credentials that a socket presented, and their owner. A socket may present several; each channel
 * depends on those it was joined with.
 */
interface SocketSession {
  headers: Headers;
  actor: Actor;
  until: Date;
}

export interface Connection {
  headers: Headers;
  ip: string;
  sessions: Map<string, SocketSession>;
  subscriptions: Map<string, { subscription: Subscription; session: SocketSession }>;
  packets: TokenBucket;
  refusals: number;
  authQueue: Promise<unknown>;
}

/** Concurrent look-ups for unauthenticated sockets: the database has few system connections. */
const MAX_LOOKUPS = 2;

/** The open sockets of this process, the sessions they signed in with and the channels they joined. */
export class SocketSessions {
  readonly connections = new Map<Socket, Connection>();
  /**
   * Subscribers limited to some numbers, by channel. All others are in Socket.IO's room, which
   * encodes an event only once.
   */
  private readonly filteredListeners = new Map<string, Set<Socket>>();
  /** Counts revocations: a look-up that started before one is repeated. */
  private revocations = 0;
  private readonly limitLookups = limitConcurrency(MAX_LOOKUPS);

  /** @param onSignIn called for each socket that presents valid credentials */
  constructor(
    private readonly authenticate: AuthenticateSocket,
    private readonly onSignIn: (socket: Socket) => void,
  ) {}

  /** Sockets in a channel that may not receive all of its events, with their subscriptions. */
  filteredSubscriptions(channel: string): [Socket, Subscription][] {
    return [...(this.filteredListeners.get(channel) ?? [])].flatMap((socket) => {
      const entry = this.connections.get(socket)?.subscriptions.get(channel);
      return entry ? [[socket, entry.subscription] as [Socket, Subscription]] : [];
    });
  }

  /** The session of these headers; null: nobody's, or the look-up failed. */
  async sessionOf(
    socket: Socket,
    connection: Connection,
    headers: Headers,
  ): Promise<SocketSession | null> {
    for (let tries = 0; tries < 3; tries++) {
      const before = this.revocations;
      const lookUp = () =>
        socket.connected ? this.authenticate(headers, connection.ip) : Promise.resolve(null);
      const found = await (connection.sessions.size ? lookUp() : this.limitLookups(lookUp)).catch(
        () => null,
      );
      if (!found) return null;
      if (before !== this.revocations) continue;
      const session = { headers, ...found };
      if (this.connections.has(socket)) connection.sessions.set(sessionKey(headers), session);
      this.onSignIn(socket);
      return session;
    }
    return null;
  }

  joinChannel(socket: Socket, channel: string, subscription: Subscription, session: SocketSession) {
    this.connections.get(socket)?.subscriptions.set(channel, { subscription, session });
    if (!subscription.numbers) {
      this.filteredListeners.get(channel)?.delete(socket);
      return socket.join(channel);
    }
    const listeners = this.filteredListeners.get(channel) ?? new Set();
    this.filteredListeners.set(channel, listeners.add(socket));
    return socket.leave(channel);
  }

  leaveChannel(socket: Socket, channel: string) {
    this.connections.get(socket)?.subscriptions.delete(channel);
    const listeners = this.filteredListeners.get(channel);
    listeners?.delete(socket);
    if (!listeners?.size) this.filteredListeners.delete(channel);
    return socket.leave(channel);
  }

  /** A user's sessions or permissions changed: checks the user's sockets. */
  async revoke(userId: number): Promise<void> {
    this.revocations++;
    await this.reauthenticate(({ actor }) => actor.userId === userId, { isRevoked: true });
  }

  /** Checks sessions that have expired by `now`. */
  expire(now: Date): Promise<void> {
    return this.reauthenticate(({ until }) => until <= now, { isRevoked: false });
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
    const lookUp = (key: string, headers: Headers, ip: string) => {
      const lookup = lookups.get(`${ip} ${key}`) ?? this.authenticate(headers, ip);
      lookups.set(`${ip} ${key}`, lookup);
      return lookup;
    };
    for (const [socket, connection] of this.connections)
      for (const [key, session] of connection.sessions) {
        if (!isAffected(session)) continue;
        // While the database is down no session can be looked up: disconnect, and check again when
        // the client reconnects.
        const found = await lookUp(key, session.headers, connection.ip).catch(
          () => 'unavailable' as const,
        );
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

const sessionKey = (headers: Headers): string =>
  JSON.stringify([headers['authorization'], headers['cookie'], headers['isadmin']]);
