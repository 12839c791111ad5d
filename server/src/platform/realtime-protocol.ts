import type { Socket } from 'socket.io';
import { z } from 'zod';
import type { Log } from './log.ts';

/** The headers of a connection that hold credentials. */
export type Headers = Record<string, string | undefined>;
/** Answers a packet that asked for an acknowledgment; otherwise does nothing. */
export type Acknowledge = (value: unknown) => void;

const channelName = z.string().max(100);
export const Handshake = z
  .object({ token: z.string().max(1000).optional().catch(undefined) })
  .catch({ token: undefined });
export const Subscribe = z.object({
  channel: channelName,
  auth: z
    .object({ headers: z.record(z.string().max(100), z.unknown()).nullish() })
    .nullish()
    .catch(null),
});
export const Unsubscribe = z.object({ channel: channelName });
export const Resume = z.object({
  channel: channelName,
  seq: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  replay: z.unknown().optional(),
});

/** Handles one kind of packet. A malformed packet is refused and a failure is logged; neither throws. */
export function onPacket<T>(
  socket: Socket,
  log: Log,
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
      log.warn({ err: error, event }, 'a realtime packet could not be handled');
    }
  });
}

/** The credentials among the headers that a client sends with a subscription. */
export function credentialsIn(headers: Record<string, unknown>): Headers {
  const given = (name: string) => {
    const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
    return typeof found === 'string' ? found : undefined;
  };
  const [authorization, isadmin] = [given('authorization'), given('isadmin')];
  return { ...(authorization && { authorization }), ...(isadmin && { isadmin }) };
}
