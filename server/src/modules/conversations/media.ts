import { mediaLimits } from '#contract/conversations/rules';
import { isTollFree } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import type { Upload } from '../../platform/routes.ts';
import { fail } from '../../platform/errors.ts';
import { detectMediaType, pictureToConvert } from './detect-media-type.ts';
import type { StoredMedia } from './item-details.ts';

export interface PreparedFile {
  name: string;
  contentType: string;
  bytes: Buffer;
}
/** A file's type by its first bytes. */
interface DetectedFile {
  name: string;
  kind: string;
  bytes: Buffer;
}
/** More pixels than this is a decompression bomb. */
const maxPixels = 50_000_000;
const sizeSteps = [
  [2048, 85],
  [1600, 80],
  [1200, 72],
  [800, 65],
  [480, 55],
  [240, 40],
] as const;

/**
 * Files as they can be sent: at most ten, of types that phones show, determined by their first
 * bytes, and together within the carrier's limit in bytes. Images are always re-encoded (which also
 * removes their location) and resized until everything fits. Runs without a transaction. Fails with
 * `message.media_…`, which names the limit or the file.
 */
export async function prepareMedia(
  files: readonly Upload[],
  ourNumber: string,
): Promise<PreparedFile[]> {
  if (files.length > mediaLimits.files)
    fail('message.media_too_many', { limit: mediaLimits.files });
  const limit = isTollFree(ourNumber) ? mediaLimits.tollFreeBytes : mediaLimits.localBytes;
  const detected: DetectedFile[] = [];
  for (const f of files) {
    const bytes = await f.bytes();
    const name = f.name.slice(0, 80);
    const kind = detectMediaType(bytes) ?? pictureToConvert(bytes);
    if (kind === 'heic') fail('message.media_heic', { name });
    detected.push({ name: f.name, bytes, kind: kind ?? fail('message.media_unknown', { name }) });
  }
  const others = detected.filter((f) => !f.kind.startsWith('image/'));
  const pictures = detected.filter((f) => f.kind.startsWith('image/'));
  const availableBytes = limit - others.reduce((sum, f) => sum + f.bytes.length, 0);
  const tooLarge = () =>
    fail('message.media_too_large', {
      limit: limit === mediaLimits.localBytes ? '3.5 MB' : '525 KB',
    });
  if (availableBytes < 0 || (pictures.length && availableBytes < 2000)) tooLarge();
  const prepared: PreparedFile[] = [];
  for (const f of detected)
    prepared.push(
      f.kind.startsWith('image/')
        ? ((await shrinkPicture(f, Math.floor(availableBytes / pictures.length))) ?? tooLarge())
        : { name: f.name, contentType: f.kind, bytes: f.bytes },
    );
  return prepared;
}

async function shrinkPicture(p: DetectedFile, maxBytes: number): Promise<PreparedFile | null> {
  const name = p.name.slice(0, 120);
  const { default: sharp } = await import('sharp'); // Loaded with the first image.
  try {
    const animated = p.kind === 'image/gif';
    // Starts at a size where a detailed image would about fit: each try costs as much as decoding
    // it.
    for (const [edge, quality] of sizeSteps.filter(
      ([e], i) => i === sizeSteps.length - 1 || (e * e) / 8 <= maxBytes,
    )) {
      const picture = sharp(p.bytes, { limitInputPixels: maxPixels, animated })
        .rotate()
        .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
      // Only PNG and GIF stay what they are; WebP, AVIF and TIFF are shown by few phones.
      const asJpeg = p.kind !== 'image/png' || edge <= 1200;
      const bytes = await (
        animated
          ? picture.gif()
          : p.kind === 'image/png' && !asJpeg
            ? picture.png({ compressionLevel: 9 })
            : picture.flatten({ background: '#fff' }).jpeg({ quality })
      ).toBuffer();
      const contentType = animated
        ? 'image/gif'
        : p.kind === 'image/png' && !asJpeg
          ? 'image/png'
          : 'image/jpeg';
      if (bytes.length <= maxBytes)
        return { name: jpegName(name, contentType), contentType, bytes };
    }
    return null;
  } catch {
    return fail('message.media_unknown', { name }); // Begins like an image but can't be decoded.
  }
}
const jpegName = (name: string, type: string) =>
  type === 'image/jpeg' && !/\.jpe?g$/i.test(name) ? `${name.replace(/\.\w+$/, '')}.jpg` : name;

/** Stores prepared files in the transaction that stores their text. */
export async function storeMedia(
  ctx: TxCtx,
  files: readonly PreparedFile[],
): Promise<StoredMedia[]> {
  const stored: StoredMedia[] = [];
  for (const f of files) {
    const row = await ctx.files.save(
      ctx.tx,
      ctx.companyId,
      { name: f.name, contentType: f.contentType, bytes: f.bytes, purpose: 'message' },
      ctx.now,
    );
    stored.push({ fileId: row.id, type: f.contentType, bytes: f.bytes.length, name: f.name });
  }
  return stored;
}
