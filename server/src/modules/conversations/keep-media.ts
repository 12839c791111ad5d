import { mediaLimits } from '#contract/conversations';
import { isTollFree } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import type { Upload } from '../../platform/answer.ts';
import { refuse } from '../../platform/refuse.ts';
import { kindOfBytes } from './kind-of-bytes.ts';
import type { KeptMedia } from './present.ts';

export interface ReadyFile {
  name: string;
  contentType: string;
  bytes: Buffer;
}
/** What a file is by its first bytes. */
interface Known {
  name: string;
  kind: string;
  bytes: Buffer;
}
/** More pixels than this is a bomb, not a picture. */
const pixels = 50_000_000;
const sizes = [
  [2048, 85],
  [1600, 80],
  [1200, 72],
  [800, 65],
  [480, 55],
  [240, 40],
] as const;

/**
 * Files as they may travel: at most ten, of kinds that phones show, told by their first bytes and not by their name, and
 * together within the carrier's limit. Pictures are always written anew (which also drops where they were taken) and made
 * smaller until everything fits. No transaction is open while this works.
 */
export async function readyMedia(
  files: readonly Upload[],
  ourNumber: string,
): Promise<ReadyFile[]> {
  if (files.length > mediaLimits.files)
    refuse('message.media_too_many', { limit: mediaLimits.files });
  const limit = isTollFree(ourNumber) ? mediaLimits.tollFreeBytes : mediaLimits.localBytes;
  const known: Known[] = [];
  for (const f of files) {
    const bytes = await f.bytes();
    known.push({
      name: f.name,
      bytes,
      kind: kindOfBytes(bytes) ?? refuse('message.media_unknown', { name: f.name.slice(0, 80) }),
    });
  }
  const fixed = known.filter((f) => !f.kind.startsWith('image/'));
  const pictures = known.filter((f) => f.kind.startsWith('image/'));
  const room = limit - fixed.reduce((sum, f) => sum + f.bytes.length, 0);
  const tooLarge = () =>
    refuse('message.media_too_large', {
      limit: limit === mediaLimits.localBytes ? '3.5 MB' : '525 KB',
    });
  if (room < 0 || (pictures.length && room < 2000)) tooLarge();
  const drawn: ReadyFile[] = [];
  for (const p of pictures)
    drawn.push((await draw(p, Math.floor(room / pictures.length))) ?? tooLarge());
  let next = 0;
  return known.map((f) =>
    f.kind.startsWith('image/')
      ? drawn[next++]!
      : { name: f.name, contentType: f.kind, bytes: f.bytes },
  );
}

async function draw(p: Known, room: number): Promise<ReadyFile | null> {
  const name = p.name.slice(0, 120);
  const { default: sharp } = await import('sharp'); // loaded by the first picture
  try {
    const animated = p.kind === 'image/gif';
    // Begin where a busy picture of that size would about fit: each try costs as much as drawing it.
    for (const [edge, quality] of sizes.filter(
      ([e], i) => i === sizes.length - 1 || (e * e) / 8 <= room,
    )) {
      const picture = sharp(p.bytes, { limitInputPixels: pixels, animated })
        .rotate()
        .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
      const flat = p.kind === 'image/jpeg' || p.kind === 'image/webp' || edge <= 1200;
      const bytes = await (
        animated
          ? picture.gif()
          : p.kind === 'image/png' && !flat
            ? picture.png({ compressionLevel: 9 })
            : picture.flatten({ background: '#fff' }).jpeg({ quality })
      ).toBuffer();
      const contentType = animated
        ? 'image/gif'
        : p.kind === 'image/png' && !flat
          ? 'image/png'
          : 'image/jpeg';
      if (bytes.length <= room) return { name: named(name, contentType), contentType, bytes };
    }
    return null;
  } catch {
    return refuse('message.media_unknown', { name }); // begins like a picture, but cannot be drawn
  }
}
const named = (name: string, type: string) =>
  type === 'image/jpeg' && !/\.jpe?g$/i.test(name) ? `${name.replace(/\.\w+$/, '')}.jpg` : name;

/** Keep prepared files in the transaction that stores their text. */
export async function keepMedia(ctx: TxCtx, files: readonly ReadyFile[]): Promise<KeptMedia[]> {
  const kept: KeptMedia[] = [];
  for (const f of files) {
    const row = await ctx.files.keep(
      ctx.tx,
      ctx.companyId,
      { name: f.name, contentType: f.contentType, bytes: f.bytes, purpose: 'message' },
      ctx.now,
    );
    kept.push({ fileId: row.id, type: f.contentType, bytes: f.bytes.length, name: f.name });
  }
  return kept;
}
