import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, problemBody } from '../errors.ts';
import { countBytesInFlight, UNCOUNTED_BYTES, type ByteCount } from './bytes-in-flight.ts';
import { readForm, type FormLimits, type MultipartForm } from './read-form.ts';

/**
 * A file left behind by a killed process is removed by the next process once it is this old (1
 * hour).
 */
const LEFTOVER_MS = 3_600_000;

export interface BodyReader {
  /**
   * Reads a multipart request, writing its files to disk. Call `remove` when the request has been
   * handled; after an error nothing is left on disk.
   * @throws ApiError for a form that cannot be parsed or is too large (422), or too many bytes in
   * flight in this process (503); the disk's error when it is full (507)
   */
  readForm(request: FastifyRequest, limits?: FormLimits): Promise<MultipartForm>;
  /**
   * Writes and removes a small file in the upload folder; rejects when the disk is full or
   * read-only.
   */
  checkDisk(): Promise<void>;
}

interface BodyLimits {
  /** Bytes of one form. */ formBytes: number;
  /** Bytes of all bodies this process is receiving or working on. */ inFlightBytes: number;
  /** Milliseconds a body may take to arrive; a form may take ten times as long. */ arrivalMs: number;
}

/**
 * Limits every request body of the web process: the time it takes to arrive, and the memory and
 * disk that all of them use together.
 * @param folder where files of forms are kept while their request is handled
 */
export async function limitBodies(
  app: FastifyInstance,
  folder: string,
  limits: BodyLimits,
): Promise<BodyReader> {
  await mkdir(folder, { recursive: true });
  await removeLeftovers(folder);
  const trackBytes = countBytesInFlight(limits.inFlightBytes);
  limitArrivalTime(app, limits.arrivalMs);
  countBodies(app, trackBytes);
  return {
    readForm: (request, formLimits) =>
      readForm(request, { folder, formBytes: limits.formBytes, bytes: trackBytes() }, formLimits),
    checkDisk: async () => {
      const path = join(folder, `try-${randomUUID()}`);
      try {
        await pipeline([Buffer.alloc(4096)], createWriteStream(path, { flags: 'wx' }));
      } finally {
        await rm(path, { force: true }).catch(() => {});
      }
    },
  };
}

/** Ends requests whose body takes too long with a 408; forms may take ten times as long. */
function limitArrivalTime(app: FastifyInstance, arrivalMs: number): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    if (
      raw.headers['transfer-encoding'] === undefined &&
      !(Number(raw.headers['content-length']) > 0)
    )
      return;
    const timer = setTimeout(
      () => {
        if (raw.complete) return;
        // The response was sent already, so there is no reason to keep receiving.
        if (reply.sent || reply.raw.headersSent) {
          raw.destroy();
          return;
        }
        const timeoutError = new ApiError('request.timeout');
        reply.raw.once('finish', () => raw.destroy());
        void reply
          .code(timeoutError.status)
          .header('connection', 'close')
          .send(problemBody(timeoutError, request.id));
      },
      isMultipart(request) ? arrivalMs * 10 : arrivalMs,
    );
    raw.once('end', () => clearTimeout(timer));
    raw.once('close', () => clearTimeout(timer));
  });
}

/** Counts the bytes of bodies that are not forms. */
function countBodies(app: FastifyInstance, trackBytes: () => ByteCount): void {
  app.addHook('preParsing', async (request, reply, payload) => {
    // Forms are counted as they are read. Other bodies announce their length, or are counted as
    // they arrive.
    if (isMultipart(request) || Number(request.headers['content-length']) <= UNCOUNTED_BYTES)
      return payload;
    const bytes = trackBytes();
    reply.raw.once('close', bytes.free);
    // When the response was sent before the body was read, the rest is discarded; otherwise the
    // connection's next request would wait behind it forever.
    reply.raw.once('finish', () => {
      payload.unpipe();
      payload.resume();
    });
    const counting = new Transform({
      transform(chunk: Buffer, _, done) {
        try {
          bytes.add(chunk.length);
          done(null, chunk);
        } catch (error) {
          done(error as Error);
        }
      },
    });
    // A body rejected by its length has no reader, so the error of a cut connection needs a
    // listener.
    counting.on('error', () => {});
    payload.on('error', (error) => counting.destroy(error));
    payload.on('close', () => {
      if (!payload.readableEnded) counting.destroy(new Error('The request was incomplete.'));
    });
    return payload.pipe(counting);
  });
}

const isMultipart = (request: FastifyRequest) =>
  /^multipart\//i.test(request.headers['content-type'] ?? '');

async function removeLeftovers(folder: string): Promise<void> {
  const before = Date.now() - LEFTOVER_MS;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found?.isFile() && found.mtimeMs < before) await rm(path, { force: true }).catch(() => {});
  }
}
