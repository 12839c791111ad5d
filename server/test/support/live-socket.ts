import { io } from 'socket.io-client';
import { expect } from 'vitest';
import type { TestApp } from './test-app.ts';

/** What a socket heard of one channel. */
interface Heard {
  event: string;
  channel: string;
  /** Of a probe: its name. */
  probe?: string | undefined;
  data?: unknown;
}

/** A socket that joined channels, as an app that is not ours would have it. */
export interface LiveSocket {
  heard: Heard[];
  /** Milliseconds from now until this is heard. */
  hears(what: (one: Heard) => boolean): Promise<number>;
  isOpen(): boolean;
  close(): void;
}

/** Opens a socket with a token and joins these channels in their order. */
export async function openSocket(
  address: string,
  token: string,
  channels: readonly string[],
  headers: Record<string, string> = {},
): Promise<LiveSocket> {
  const socket = io(address, {
    transports: ['websocket'],
    auth: { token },
    reconnection: false,
    forceNew: true,
  });
  const heard: Heard[] = [];
  const waiting = new Set<() => void>();
  const hear = (one: Heard) => {
    heard.push(one);
    for (const check of waiting) check();
  };
  socket.onAny((event: string, channel: string, envelope?: { data?: { probe?: string } }) =>
    hear({ event, channel, probe: envelope?.data?.probe, data: envelope?.data }),
  );
  socket.on('disconnect', () => hear({ event: 'disconnect', channel: '' }));
  for (const channel of channels)
    expect(
      await socket.emitWithAck('subscribe', { channel, auth: { headers } }),
      `joins ${channel}`,
    ).toEqual({ ok: true });
  return {
    heard,
    hears: (what) => {
      const from = performance.now();
      return new Promise((resolve) => {
        const check = () => {
          if (!heard.some(what)) return;
          waiting.delete(check);
          resolve(performance.now() - from);
        };
        waiting.add(check);
        check();
      });
    },
    isOpen: () => socket.connected,
    close: () => socket.disconnect(),
  };
}

/** Publishes a probe on a channel, as anything that happens there would be. */
export async function publishProbe(
  app: TestApp,
  probe: string,
  event: string,
  about: { companyId?: number; userId?: number; numberId?: number },
): Promise<void> {
  await app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('outbox')
      .values({
        company_id: about.companyId ?? null,
        channel_key: about.userId ?? null,
        number_id: about.numberId ?? null,
        event,
        data: JSON.stringify({ probe }),
      })
      .execute(),
  );
}
