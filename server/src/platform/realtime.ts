import type { Server as HttpServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Server, type Socket } from 'socket.io';
import { eventNamed, grantOf, type Channel, type Envelope } from '#contract';
import type { Actor, House } from './context.ts';
import { publishedAfter, type Published } from './relay.ts';

/** Who is behind a socket's or a request's headers; null = nobody. The same rule serves POST /broadcasting/auth. */
export type Recognize = (headers: Record<string, string | undefined>) => Promise<Actor | null>;

const CHANNEL = /^private-(conversations|bulk-purchase|companies|caddy|campaigns|users)\.(\d+)$/;
const REPLAY_MINUTES = 5;
/** What a listener of a channel must be allowed to see. */
const needs = { conversations: 'inbox.view', 'bulk-purchase': 'numbers.buy', campaigns: 'campaigns.view' } as const;

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
  const limited = membership.numberIds.length > 0 && grantOf(membership.role, 'inbox.view', membership.switches) !== 'all';
  return { kind, key, numbers: limited ? new Set(membership.numberIds) : null };
}

export interface Room { kind: Channel; key: number; numbers: ReadonlySet<number> | null }
interface Seat { actor: Actor; headers: Record<string, string | undefined>; rooms: Map<string, Room> }

/** The channel an event is broadcast on; null = none. */
export const roomOf = (p: Published): string | null => {
  const kind = eventNamed.get(p.event);
  if (!kind?.channel) return null;
  const key = kind.channel === 'users' || kind.channel === 'caddy' ? p.channelKey : p.companyId;
  return key === null ? null : `private-${kind.channel}.${key}`;
};
/** The server filters: a person limited to some numbers never receives another number's items. */
export const hears = (room: Room, p: Published): boolean => !room.numbers || p.numberId === null || room.numbers.has(p.numberId);
export const envelopeOf = (p: Published): Envelope => ({ event: p.event, id: `e${p.seq}`, at: p.at.toISOString(), companyId: p.companyId, seq: p.seq, data: p.data });

/**
 * Socket.IO spoken as laravel-echo's socket.io connector does: `subscribe {channel, auth:{headers}}`, `unsubscribe`,
 * answers arrive as (event, channel, envelope). `resume {channel, seq}` replays up to 5 minutes, else says `resync`; with
 * `replay: false` it says `resync` as soon as there was anything (`seq` is then the `live-seq` of an answer).
 * Every process tails the published events itself, so no message bus stands between processes.
 */
export function openRealtime(app: FastifyInstance, house: House, recognize: Recognize) {
  const io = new Server(app.server as HttpServer, { serveClient: false, cors: { origin: false }, transports: ['websocket', 'polling'], maxHttpBufferSize: 1e5 });
  const seats = new Map<Socket, Seat>();
  /** Listeners limited to some numbers, by channel; everybody else sits in Socket.IO's room, where one encoding serves all. */
  const limited = new Map<string, Set<Socket>>();
  const seatIn = (socket: Socket, channel: string, room: Room) => {
    seats.get(socket)?.rooms.set(channel, room);
    if (!room.numbers) { limited.get(channel)?.delete(socket); return socket.join(channel); }
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

  /** An event that is no longer kept may have had others after it that are not either. */
  const isKept = async (seq: number): Promise<boolean> => (await house.db.directory.selectFrom('outbox').select('seq').where('seq', '=', seq).executeTakeFirst()) !== undefined;

  io.on('connection', (socket) => {
    const cookie = socket.handshake.headers.cookie;
    const seat: Seat = { actor: null as unknown as Actor, headers: { cookie, authorization: bearerOf(socket) }, rooms: new Map() };
    seats.set(socket, seat);
    socket.on('subscribe', async (said: { channel?: unknown; auth?: { headers?: Record<string, string> } }, done?: unknown) => {
      const channel = String(said?.channel ?? '');
      const given = Object.fromEntries(Object.entries(said?.auth?.headers ?? {}).map(([k, v]) => [k.toLowerCase(), String(v)]));
      const headers = { ...seat.headers, ...(given['authorization'] ? { authorization: given['authorization'] } : {}), ...(given['isadmin'] ? { isadmin: given['isadmin'] } : {}) };
      const actor = await recognize(headers).catch(() => null);
      const room = mayListen(actor, channel);
      if (!room || !actor) { socket.emit('subscription_error', channel, 403); answer(done, { ok: false }); return; }
      seat.actor = actor;
      seat.headers = headers;
      await seatIn(socket, channel, room);
      answer(done, { ok: true });
      socket.emit('subscription_succeeded', channel);
    });
    socket.on('unsubscribe', (said: { channel?: unknown }) => void unseat(socket, String(said?.channel ?? '')));
    socket.on('resume', async (said: { channel?: unknown; seq?: unknown; replay?: unknown }, done?: unknown) => {
      const channel = String(said?.channel ?? '');
      const room = seat.rooms.get(channel);
      const seq = Number(said?.seq);
      if (!room || !Number.isSafeInteger(seq)) return;
      const since = new Date(house.now().getTime() - REPLAY_MINUTES * 60_000);
      const missed = await publishedAfter(house.db, seq, room.kind === 'users' ? { channelKey: room.key } : { companyId: room.key }, 1001);
      const theirs = missed.filter((p) => roomOf(p) === channel && hears(room, p));
      // Who has just read, and may or may not have seen what came meanwhile, reads once more; told of it, they might count it twice.
      const unsure = said.replay === false ? theirs.length > 0 : !(await isKept(seq));
      // Is the oldest that was missed older than what is replayed, everything must be read again.
      if (unsure || missed.length > 1000 || (missed[0] && missed[0].at < since)) { socket.emit('resync', channel, { channel }); answer(done, { resync: true }); return; }
      if (said.replay !== false) for (const p of theirs) socket.emit(p.event, channel, envelopeOf(p));
      answer(done, { resync: false });
    });
    socket.on('disconnect', () => { for (const channel of [...seat.rooms.keys()]) void unseat(socket, channel); seats.delete(socket); });
  });

  /** Revoked sessions and changed permissions end within a second: every seat is asked again. */
  const recheck = async (userId: number) => {
    for (const [socket, seat] of seats) {
      if (seat.actor?.userId !== userId) continue;
      const actor = await recognize(seat.headers).catch(() => null);
      if (!actor) { socket.emit('session-revoked'); socket.disconnect(true); continue; }
      seat.actor = actor;
      for (const channel of [...seat.rooms.keys()]) {
        const room = mayListen(actor, channel);
        if (room) await seatIn(socket, channel, room);
        else await unseat(socket, channel);
      }
    }
  };

  return {
    hear: async (batch: Published[]) => {
      for (const p of batch) {
        const channel = roomOf(p);
        if (channel) {
          const envelope = envelopeOf(p);
          io.to(channel).emit(p.event, channel, envelope);
          for (const socket of limited.get(channel) ?? []) if (hears(seats.get(socket)!.rooms.get(channel)!, p)) socket.emit(p.event, channel, envelope);
        }
        if ((p.event === 'session-revoked' || p.event === 'permissions-changed') && p.channelKey) await recheck(p.channelKey);
      }
    },
    count: () => seats.size,
    /** Persons with a page open at this process. */
    who: () => new Set([...seats.values()].flatMap((seat) => seat.actor?.userId ?? [])),
    close: () => new Promise<void>((resolve) => { void io.close(() => resolve()); }),
  };
}
const answer = (done: unknown, value: unknown) => { if (typeof done === 'function') (done as (v: unknown) => void)(value); };
function bearerOf(socket: Socket): string | undefined {
  const auth = socket.handshake.auth as { token?: string };
  return socket.handshake.headers.authorization ?? (auth.token ? `Bearer ${auth.token}` : undefined);
}
