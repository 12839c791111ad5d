import sharp from 'sharp';

export type PictureKind = 'logo' | 'logo_dark' | 'favicon';

/** The largest sides of what is kept, in pixels: sharp at twice the size it is shown in. */
const sizes: Record<PictureKind, { width: number; height: number }> = {
  logo: { width: 480, height: 160 },
  logo_dark: { width: 480, height: 160 },
  favicon: { width: 64, height: 64 },
};
const formats = new Set(['png', 'jpeg', 'svg']);

/**
 * Draws an uploaded picture anew as PNG, so that no script, link or metadata of it stays. What it is
 * says its content, not its name. Null: it isn't a PNG, JPEG or SVG, or can't be drawn.
 */
export async function drawPicture(bytes: Buffer, kind: PictureKind): Promise<Buffer | null> {
  // Entities can multiply without end; no logo needs them.
  if (/<!(?:doctype|entity)/i.test(bytes.toString('latin1'))) return null;
  try {
    const options = { limitInputPixels: 25_000_000, failOn: 'error', animated: false } as const;
    const { format, width, height } = await sharp(bytes, options).metadata();
    if (!format || !formats.has(format) || !width || !height) return null;
    const box = sizes[kind];
    // A drawing has no size of its own: it is drawn in the size it is kept in.
    const density =
      format === 'svg'
        ? Math.min(2400, Math.max(72, 72 * Math.min(box.width / width, box.height / height)))
        : 72;
    return await sharp(bytes, { ...options, density })
      .rotate()
      .resize({
        ...box,
        fit: kind === 'favicon' ? 'contain' : 'inside',
        withoutEnlargement: kind !== 'favicon',
        background: { r: 0, g: 0, b: 0, alpha: 0 },
      })
      .png({ compressionLevel: 9 })
      .timeout({ seconds: 5 })
      .toBuffer();
  } catch {
    return null;
  }
}
