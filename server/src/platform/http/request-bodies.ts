import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Upload } from '../routes.ts';
import { ApiError, invalid, isStorageError, problemBody, fail } from '../errors.ts';
import { addField, parseJsonField, emptyFields, type FormFields } from './request-fields.ts';

/** Bodies up to this size (64 kB) are never rejected because of other requests. */
const UNCOUNTED_BYTES = 64 * 1024;
/** Limit for all text fields of one form, in bytes. */
const FIELD_BYTES = 2 * 1024 * 1024;
const FILE_BYTES = 20 * 1024 * 1024;
/**
 * A file left behind by a killed process is removed by the next process once it is this old (1
 * hour).
 */
const LEFTOVER_MS = 3_600_000;

export interface MultipartForm {
  fields: FormFields;
  files: readonly Upload[];
  /** Removes the files from disk and stops counting the form's bytes. Never throws. */
  remove(): Promise<void>;
}
export interface FormLimits {
  files?: number;
  fileBytes?: number;
}

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
  let inFlight = 0;
  /**
   * Counts the bytes of one body. `add` throws `busy` beyond the process's limit; `free` releases
   * all of them, once.
   */
  const trackBytes = () => {
    let received = 0;
    let counted = 0;
    let closed = false;
    return {
      add: (bytes: number) => {
        received += bytes;
        if (closed) return received;
        const more = Math.max(0, received - UNCOUNTED_BYTES) - counted;
        if (inFlight + more > limits.inFlightBytes) fail('busy');
        inFlight += more;
        counted += more;
        return received;
      },
      free: () => {
        if (!closed) {
          closed = true;
          inFlight -= counted;
        }
      },
    };
  };

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
      isMultipart(request) ? limits.arrivalMs * 10 : limits.arrivalMs,
    );
    raw.once('end', () => clearTimeout(timer));
    raw.once('close', () => clearTimeout(timer));
  });

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

  return {
    readForm: async (request, { files: maxFiles = 20, fileBytes = FILE_BYTES } = {}) => {
      const bytes = trackBytes();
      const fields = emptyFields();
      const files: (Upload & { path: string })[] = [];
      const paths: string[] = [];
      let fieldBytes = 0;
      let removed = false;
      const remove = async () => {
        removed = true;
        bytes.free();
        await Promise.all(
          paths.map((path) =>
            rm(path, { force: true }).catch((error: unknown) =>
              request.log.warn({ err: error }, 'an uploaded file could not be removed'),
            ),
          ),
        );
      };
      const count = (n: number) => {
        if (bytes.add(n) > limits.formBytes) tooLarge();
      };
      // After a disconnect there is no response to send: remove the files at once, whatever the
      // parser does.
      request.raw.once('close', () => {
        if (!request.raw.readableEnded) void remove();
      });
      try {
        if (Number(request.headers['content-length']) > limits.formBytes + FIELD_BYTES) tooLarge();
        for await (const part of request.parts({
          limits: { fileSize: fileBytes, files: maxFiles, fields: 200, fieldSize: FIELD_BYTES },
        })) {
          if (removed) throw new Error('The request was incomplete.');
          if (part.type === 'file') {
            const path = join(folder, randomUUID());
            paths.push(path);
            const size = await writeUpload(part.file, path, count);
            if (part.file.truncated) tooLarge();
            files.push({
              field: part.fieldname.replace(/\[\d*\]$/, ''),
              name: part.filename ?? 'file',
              contentType: part.mimetype,
              size,
              path,
              bytes: () => readFile(path),
            });
          } else {
            const value = part.value as unknown;
            const length =
              typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0);
            fieldBytes += length + part.fieldname.length;
            if (fieldBytes > FIELD_BYTES || part.valueTruncated) tooLarge();
            count(length);
            addField(
              fields,
              part.fieldname,
              typeof value === 'string' ? parseJsonField(value) : value,
            );
          }
        }
        return { fields, files, remove };
      } catch (error) {
        // Discard the rest of the body, because the parser no longer reads it.
        request.raw.unpipe();
        request.raw.resume();
        await remove();
        if (error instanceof ApiError || isStorageError(error)) throw error;
        if ((error as { statusCode?: number }).statusCode === 413) tooLarge();
        request.log.debug({ err: error }, 'a form that could not be read');
        return invalid({
          body: 'This form can’t be read because it isn’t complete multipart/form-data.',
        });
      }
    },
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

/** Writes one file of a form to disk. Returns its size in bytes. */
async function writeUpload(
  file: Readable,
  path: string,
  count: (bytes: number) => void,
): Promise<number> {
  let size = 0;
  // Opened before anything can fail: a stream that is destroyed while opening creates the file
  // after it was removed.
  const handle = await open(path, 'wx', 0o600);
  async function* counted() {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      count(chunk.length);
      size += chunk.length;
      yield chunk;
    }
  }
  await pipeline(counted, handle.createWriteStream());
  return size;
}

const tooLarge = (): never => invalid({ file: 'The file is too large.' });
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
