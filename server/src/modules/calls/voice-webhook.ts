import type { FastifyInstance } from 'fastify';
import type { House, Said } from '../../platform/context.ts';
import type { VoiceEvent } from '../../ports/voice.ts';
import type { WordsArrived } from '../../ports/transcription.ts';
import { receiveVoice } from './inbound.ts';
import { receiveWords } from './receive-words.ts';

/** How one carrier's voice webhooks come in. `read` proves them genuine and throws when they are not. */
export interface VoiceDoor {
  carrier: string;
  path: string;
  read: (
    house: House,
    rawBody: Buffer,
    headers: Record<string, string | string[] | undefined>,
  ) => VoiceEvent[];
}

/**
 * The address a voice carrier reports to. Answered as soon as everything is stored (aim: 300 ms); what follows for the
 * carrier is performed meanwhile. A report that is not genuine is answered 403 and changes nothing; any trouble of ours
 * is a 503, so the carrier reports again.
 */
export const carrierVoiceRoutes = (door: VoiceDoor) =>
  reports(door, async (house, said, events) => {
    await receiveVoice(house, said, door.carrier, events);
  });
/** Where a carrier sends words of recordings. A recording that is not here yet is a 503, too: they come again. */
export const carrierWordsRoutes = (
  door: Omit<VoiceDoor, 'read'> & {
    read: (
      house: House,
      rawBody: Buffer,
      headers: Record<string, string | string[] | undefined>,
    ) => WordsArrived[];
  },
) => reports(door, (house, said, words) => receiveWords(house, said, door.carrier, words));

const reports =
  <R>(
    door: {
      path: string;
      read: (
        house: House,
        rawBody: Buffer,
        headers: Record<string, string | string[] | undefined>,
      ) => R[];
    },
    hear: (house: House, said: Said, reports: R[]) => Promise<void>,
  ) =>
  (house: House, said: Said) =>
  async (app: FastifyInstance): Promise<void> => {
    // A signature covers the bytes as they came.
    app.removeContentTypeParser('application/json');
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.post(door.path, async (request, reply) => {
      let events: R[];
      try {
        events = door.read(house, request.body as Buffer, request.headers);
      } catch (error) {
        house.log.warn({ err: error }, 'a voice report that is not the carrier’s');
        return reply.code(403).send();
      }
      try {
        await hear(house, said, events);
      } catch (error) {
        house.log.error(
          { err: error, path: door.path },
          'a voice report could not be stored; the carrier will say it again',
        );
        return reply.code(503).send();
      }
      return reply.code(204).send();
    });
  };
