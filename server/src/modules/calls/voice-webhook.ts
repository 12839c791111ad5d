import type { FastifyInstance } from 'fastify';
import type { House, Said } from '../../platform/context.ts';
import type { VoiceEvent } from '../../ports/voice.ts';
import { receiveVoice } from './inbound.ts';

/** How one carrier's voice webhooks come in. `read` proves them genuine and throws when they are not. */
export interface VoiceDoor { carrier: string; path: string; read: (house: House, rawBody: Buffer, headers: Record<string, string | string[] | undefined>) => VoiceEvent[] }

/**
 * The address a voice carrier reports to. Answered as soon as everything is stored (aim: 300 ms); what follows for the
 * carrier is performed meanwhile. A report that is not genuine is answered 403 and changes nothing; any trouble of ours
 * is a 503, so the carrier reports again.
 */
export const carrierVoiceRoutes = (door: VoiceDoor) => (house: House, said: Said) => async (app: FastifyInstance): Promise<void> => {
  // A signature covers the bytes as they came.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(door.path, async (request, reply) => {
    let events: VoiceEvent[];
    try {
      events = door.read(house, request.body as Buffer, request.headers);
    } catch (error) {
      house.log.warn({ err: error }, 'a voice report that is not the carrier’s');
      return reply.code(403).send();
    }
    try {
      await receiveVoice(house, said, door.carrier, events);
    } catch (error) {
      house.log.error({ err: error, events: events.map((e) => e.id) }, 'a voice report could not be stored; the carrier will say it again');
      return reply.code(503).send();
    }
    return reply.code(204).send();
  });
};
