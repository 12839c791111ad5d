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

/** Bodies up to this size are never refused for what others send: 64 kB. */
const UNCOUNTED_BYTES = 64 * 1024;
/** The text fields of one form together. */
const FIELD_BYTES = 2 * 1024 * 1024;
const FILE_BYTES = 20 * 1024 * 1024;
/** A file left behind by a process that was killed is removed by the next one once it is an hour old. */
const LEFTOVER_MS = 3_600_000;

export interface MultipartForm {
  fields: FormFields;
  files: readonly Upload[];
  /** Remove the files from disk; the form's bytes no longer count. Never throws. */
  remove(): Promise<void>;
}
export interface FormLimits {
  files?: number;
  fileBytes?: number;
}

export interface BodyReader {
  /**
   * Read a multipart request, its files to disk. Refuses: a form that cannot be parsed or is too
   * large (422), too many bytes in flight in this process (503), a full disk (507). Whoever reads
   * calls `remove` when the request has been worked on; after a throw nothing is left on disk.
   */
  readForm(request: FastifyRequest, limits?: FormLimits): Promise<MultipartForm>;
  /** Write and remove a small file where forms are kept; rejects when the disk is full or read-only. */
  checkDisk(): Promise<void>;
}

interface BodyLimits {
  /** Bytes of one form. */ formBytes: number;
  /** Bytes of all bodies this process is receiving or working on. */ inFlightBytes: number;
  /** Milliseconds a body may take to arrive; a form may take ten times as long. */ arrivalMs: number;
}

/**
 * Bounds on every request body of the web process: the time it takes to arrive, and what all of
 * them together take of memory and disk.
 * @param folder where files of forms lie while their request is worked on
 */
export async function limitBodies(
  app: FastifyInstance,
  folder: string,
  limits: BodyLimits,
): Promise<BodyReader> {
  await mkdir(folder, { recursive: true });
  await removeLeftovers(folder);
  let inFlight = 0;
  /** Counts the bytes of one body; `add` refuses what is too much, `free` gives all of them back once. */
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
        // Answered already: whoever sends on does it for nothing.
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
    // Forms are counted as they are read; the length of others is known, or they are counted on their way.
    if (isMultipart(request) || Number(request.headers['content-length']) <= UNCOUNTED_BYTES)
      return payload;
    const bytes = trackBytes();
    reply.raw.once('close', bytes.free);
    // Answered before the body was read: the rest is thrown away, or the connection's next request would wait behind it for ever.
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
    // A body that is refused by its length has no reader who would hear that it was cut off.
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
      // Who was cut off gets no answer, and their files go at once, whatever the parser makes of it.
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
        // What is still on its way is read and thrown away: nobody waits for a parser that has stopped.
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

/** One file of a form to disk; its size in bytes. */
async function writeUpload(
  file: Readable,
  path: string,
  count: (bytes: number) => void,
): Promise<number> {
  let size = 0;
  // Opened before anything can be refused: a stream that is destroyed while it still opens its file makes the file after it was removed.
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
