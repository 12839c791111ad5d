import { randomUUID } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Upload } from '../routes.ts';
import { ApiError, invalid, isStorageError } from '../errors.ts';
import type { ByteCount } from './bytes-in-flight.ts';
import { addField, emptyFields, parseJsonField, type FormFields } from './request-fields.ts';

/** Limit for all text fields of one form, in bytes. */
const FIELD_BYTES = 2 * 1024 * 1024;
const FILE_BYTES = 20 * 1024 * 1024;

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

interface FormOptions {
  /** Where files are kept while their request is handled. */
  folder: string;
  /** Bytes of one form. */
  formBytes: number;
  bytes: ByteCount;
}

/**
 * Reads a multipart request, writing its files to disk.
 * @throws ApiError for a form that cannot be parsed or is too large (422), or too many bytes in
 * flight in this process (503); the disk's error when it is full (507). Nothing is left on disk then.
 */
export async function readForm(
  request: FastifyRequest,
  options: FormOptions,
  { files: maxFiles = 20, fileBytes = FILE_BYTES }: FormLimits = {},
): Promise<MultipartForm> {
  const form = new FormParts(request, options);
  // After a disconnect there is no response to send: remove the files at once, whatever the parser
  // does.
  request.raw.once('close', () => {
    if (!request.raw.readableEnded) void form.remove();
  });
  try {
    if (Number(request.headers['content-length']) > options.formBytes + FIELD_BYTES) tooLarge();
    for await (const part of request.parts({
      limits: { fileSize: fileBytes, files: maxFiles, fields: 200, fieldSize: FIELD_BYTES },
    }))
      await form.add(part);
    return { fields: form.fields, files: form.files, remove: () => form.remove() };
  } catch (error) {
    // Discard the rest of the body, because the parser no longer reads it.
    request.raw.unpipe();
    request.raw.resume();
    await form.remove();
    if (error instanceof ApiError || isStorageError(error)) throw error;
    if ((error as { statusCode?: number }).statusCode === 413) tooLarge();
    request.log.debug({ err: error }, 'a form that could not be read');
    return invalid({
      body: 'This form can’t be read because it isn’t complete multipart/form-data.',
    });
  }
}

/** The parts of one form received so far. */
class FormParts {
  readonly fields = emptyFields();
  readonly files: (Upload & { path: string })[] = [];
  private readonly paths: string[] = [];
  private fieldBytes = 0;
  private removed = false;

  constructor(
    private readonly request: FastifyRequest,
    private readonly options: FormOptions,
  ) {}

  async add(part: Multipart): Promise<void> {
    if (this.removed) throw new Error('The request was incomplete.');
    if (part.type === 'file') await this.addFile(part);
    else this.addField(part.fieldname, part.value, part.valueTruncated);
  }

  /** Removes the files from disk and stops counting the form's bytes. Never throws. */
  async remove(): Promise<void> {
    this.removed = true;
    this.options.bytes.free();
    await Promise.all(
      this.paths.map((path) =>
        rm(path, { force: true }).catch((error: unknown) =>
          this.request.log.warn({ err: error }, 'an uploaded file could not be removed'),
        ),
      ),
    );
  }

  private async addFile(part: MultipartFile): Promise<void> {
    const path = join(this.options.folder, randomUUID());
    this.paths.push(path);
    const size = await writeUpload(part.file, path, (bytes) => this.count(bytes));
    if (part.file.truncated) tooLarge();
    this.files.push({
      field: part.fieldname.replace(/\[\d*\]$/, ''),
      name: part.filename ?? 'file',
      contentType: part.mimetype,
      size,
      path,
      bytes: () => readFile(path),
    });
  }

  private addField(name: string, value: unknown, isTruncated: boolean): void {
    const length = typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0);
    this.fieldBytes += length + name.length;
    if (this.fieldBytes > FIELD_BYTES || isTruncated) tooLarge();
    this.count(length);
    addField(this.fields, name, typeof value === 'string' ? parseJsonField(value) : value);
  }

  private count(bytes: number): void {
    if (this.options.bytes.add(bytes) > this.options.formBytes) tooLarge();
  }
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
