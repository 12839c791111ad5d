import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { HttpClientError } from './errors.ts';

/**
 * Reads a response body of at most `maxBytes`.
 * @param cut return the beginning of a larger body
 * @throws HttpClientError `TOO_LARGE` unless `cut` is set
 */
export async function readBody(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
  cut: boolean,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  // Leaving the loop closes the connection, so the rest is not read.
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size <= maxBytes) continue;
    if (!cut) throw tooLarge(maxBytes);
    break;
  }
  const bytes = Buffer.concat(parts);
  return bytes.length > maxBytes ? bytes.subarray(0, maxBytes) : bytes;
}

const tooLarge = (maxBytes: number) =>
  new HttpClientError('TOO_LARGE', `The answer is larger than ${maxBytes} bytes`);

const unpackers: Record<string, (b: Buffer, o: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** We accept no compression; a server that compresses anyway is read within the same limit. */
export async function unpack(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (body.length === 0 || !Object.hasOwn(unpackers, name)) return body;
  try {
    // Object.hasOwn was checked above.
    return await unpackers[name]!(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw error;
  }
}

/** Headers by name; one that came several times is joined with commas. */
export const flatHeaders = (headers: Record<string, string | string[] | undefined>) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
    ),
  );

/** Encodes a form, so that it can be sent again; `type` is its content type, else null. */
export async function encodeBody(
  body: string | Buffer | FormData | undefined,
): Promise<{ body: string | Buffer | null; type: string | null }> {
  if (!(body instanceof FormData)) return { body: body ?? null, type: null };
  const encoded = new Response(body);
  const bytes = Buffer.from(await encoded.arrayBuffer());
  return { body: bytes, type: encoded.headers.get('content-type') };
}
