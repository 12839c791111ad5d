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

/** A channel that a socket asked for. */
interface JoinedChannel {
  /** The key of the credentials it was joined with. */
  sessionKey: string;
  /** What it receives; null: nothing, until access changes again. */
  subscription: Subscription | null;
}

export interface Connection {
  headers: Headers;
  ip: string;
  /** By key: each has one object, whose actor is replaced when access changes. */
  sessions: Map<string, SocketSession>;
  /** By channel. */
  subscriptions: Map<string, JoinedChannel>;
  packets: TokenBucket;
  refusals: number;
  authQueue: Promise<unknown>;
}

/** Concurrent look-ups for unauthenticated sockets: the database has few system connections. */
const MAX_LOOKUPS = 2;
/** Concurrent look-ups when access changes, so that hundreds of sockets follow within a second. */
const MAX_CHECKS = 8;

/** The open sockets of this process, the sessions they signed in with and the channels they joined. */
export class SocketSessions {
  readonly connections = new Map<Socket, Connection>();
  /**
   * Subscribers limited to some numbers or without contact details, by channel. All others are in Socket.IO's room, which
   * encodes an event only once.
   */
  private readonly filteredListeners = new Map<string, Set<Socket>>();
  /** Counts revocations: a look-up that started before one is repeated. */
  private revocations = 0;
  private readonly limitLookups = limitConcurrency(MAX_LOOKUPS);
  private readonly limitChecks = limitConcurrency(MAX_CHECKS);

  /** @param onSignIn called for each socket that presents valid credentials */
  constructor(
    private readonly authenticate: AuthenticateSocket,
    private readonly onSignIn: (socket: Socket) => void,
  ) {}

  /** Sockets in a channel that may not receive all of its events, with their subscriptions. */
  filteredSubscriptions(channel: string): [Socket, Subscription][] {
    return [...(this.filteredListeners.get(channel) ?? [])].flatMap((socket) => {
      const entry = this.connections.get(socket)?.subscriptions.get(channel);
      return entry?.subscription ? [[socket, entry.subscription] as [Socket, Subscription]] : [];
    });
  }

  /** What a socket receives on a channel now; null: nothing. */
  subscriptionOf(socket: Socket, channel: string): Subscription | null {
    return this.connections.get(socket)?.subscriptions.get(channel)?.subscription ?? null;
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
      const key = sessionKey(headers);
      // One object per key: every channel joined with these credentials follows it.
      const session = Object.assign(connection.sessions.get(key) ?? { headers, ...found }, found);
      if (this.connections.has(socket)) connection.sessions.set(key, session);
      this.onSignIn(socket);
      return session;
    }
    return null;
  }

  /** Joins a channel with what the session may receive on it now; null: nothing. */
  joinChannel(
    socket: Socket,
    channel: string,
    subscription: Subscription | null,
    session: SocketSession,
  ) {
    const connection = this.connections.get(socket);
    if (!connection) return undefined; // Closed while its session was looked up.
    const key = sessionKey(session.headers);
    connection.subscriptions.set(channel, { subscription, sessionKey: key });
    if (subscription && !subscription.isFiltered) {
      this.stopFiltering(socket, channel);
      return socket.join(channel);
    }
    if (subscription) {
      const listeners = this.filteredListeners.get(channel) ?? new Set();
      this.filteredListeners.set(channel, listeners.add(socket));
    } else this.stopFiltering(socket, channel);
    return socket.leave(channel);
  }

  leaveChannel(socket: Socket, channel: string) {
    this.connections.get(socket)?.subscriptions.delete(channel);
    this.stopFiltering(socket, channel);
    return socket.leave(channel);
  }

  private stopFiltering(socket: Socket, channel: string): void {
    const listeners = this.filteredListeners.get(channel);
    listeners?.delete(socket);
    if (!listeners?.size) this.filteredListeners.delete(channel);
  }

  /** Sessions or permissions of these users changed: checks every channel of their sockets. */
  async revoke(userIds: ReadonlySet<number>): Promise<void> {
    this.revocations++;
    await this.reauthenticate(({ actor }) => userIds.has(actor.userId), { isRevoked: true });
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
      const lookup =
        lookups.get(`${ip} ${key}`) ?? this.limitChecks(() => this.authenticate(headers, ip));
      lookups.set(`${ip} ${key}`, lookup);
      return lookup;
    };
    const checks = [...this.connections].flatMap(([socket, connection]) =>
      [...connection.sessions]
        .filter(([, session]) => isAffected(session))
        .map(async ([key, session]) => {
          // While the database is down no session can be looked up: disconnect, and check again
          // when the client reconnects.
          const found = await lookUp(key, session.headers, connection.ip).catch(
            () => 'unavailable' as const,
          );
          if (found === 'unavailable') socket.conn.close();
          else if (found)
            await this.renewSession(socket, connection, key, Object.assign(session, found));
          else await this.endSession(socket, connection, key, { isRevoked });
        }),
    );
    await Promise.all(checks);
  }

  private channelsOf({ subscriptions }: Connection, key: string): string[] {
    return [...subscriptions].filter(([, e]) => e.sessionKey === key).map(([channel]) => channel);
  }

  /**
   * Gives each channel of the session what it may receive now. A channel that gets less says so with
   * an error, one that gets more than before makes its page read again: it missed events.
   */
  private async renewSession(
    socket: Socket,
    connection: Connection,
    key: string,
    session: SocketSession,
  ): Promise<void> {
    for (const channel of this.channelsOf(connection, key)) {
      const before = connection.subscriptions.get(channel)?.subscription ?? null;
      const subscription = authorizeChannel(session.actor, channel);
      await this.joinChannel(socket, channel, subscription, session);
      if (before && !subscription) socket.emit('subscription_error', channel, 403);
      if (!before && subscription) {
        socket.emit('subscription_succeeded', channel);
        socket.emit('resync', channel, { channel });
      }
    }
  }

  private async endSession(
    socket: Socket,
    connection: Connection,
    key: string,
    { isRevoked }: { isRevoked: boolean },
  ): Promise<void> {
    const channels = this.channelsOf(connection, key);
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
