/**
 * Renders documents into fax pages: PNG pages, one TIFF and one PDF. Runs as a separate process
 * because documents are untrusted: if one crashes a parsing library, only this process dies.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp, { type Sharp } from 'sharp';
import UTIF from 'utif2';
import type { FaxErrorCode } from '#contract/fax/rules';
import {
  dither,
  pixelsAcross,
  dotsPerInch,
  isLandscape,
  isScannedLandscape,
  rowsFor,
  turn,
  threshold,
  squareHeight,
  type Bitmap,
} from './bilevel.ts';
import { detectDocumentKind } from './detect-document-kind.ts';
import { deflateRows, encodePng } from './write-png.ts';
import { joinTiffs } from './write-tiff.ts';
import { renderCover, FaxPdf, type Cover } from './write-pdf.ts';

export interface RenderRequest {
  folder: string;
  documents: string[];
  title: string;
  cover: Omit<Cover, 'pages'> | null;
  maxPages: number;
  maxBytes: number;
}
export type RenderReply =
  | { pages: { width: number; height: number }[] }
  | { errorCode: FaxErrorCode };

/** Larger pages are treated as decompression bombs (a 600 dpi A3 sheet has 70 million dots). */
const maxPixels = 80_000_000;

class RenderError extends Error {
  constructor(readonly code: FaxErrorCode) {
    super(code);
  }
}

async function renderDocuments(order: RenderRequest): Promise<RenderReply> {
  sharp.cache(false);
  sharp.concurrency(1);
  const tiffs: Buffer[] = [];
  const pages: { width: number; height: number }[] = [];
  const pdf = await FaxPdf.begin(order.title);
  const add = async (page: Bitmap): Promise<void> => {
    if (pages.length >= order.maxPages) throw new RenderError('too_many_pages');
    const raw = { raw: { width: page.width, height: page.height, channels: 1 as const } };
    const rows = deflateRows(page);
    await writeFile(join(order.folder, `page-${pages.length + 1}.png`), encodePng(page, rows));
    tiffs.push(
      await sharp(page.pixels, raw)
        .toColourspace('b-w')
        .tiff({ compression: 'ccittfax4', bitdepth: 1, miniswhite: true })
        .toBuffer(),
    );
    pdf.add(page, rows);
    pages.push({ width: page.width, height: squareHeight(page.height) });
  };
  const documents: Buffer[] = [];
  for (const path of order.documents) documents.push(await readFile(path));
  const counts: number[] = [];
  for (const bytes of documents) counts.push(await countPages(bytes));
  // Counted before the first page is drawn, so that a long document is rejected at once.
  const pageCount = counts.reduce((sum, n) => sum + n, order.cover ? 1 : 0);
  if (pageCount > order.maxPages) throw new RenderError('too_many_pages');
  if (order.cover) await renderPdf(await renderCover({ ...order.cover, pages: pageCount }), add);
  for (const bytes of documents) {
    const kind = detectDocumentKind(bytes);
    if (kind === 'pdf') await renderPdf(bytes, add);
    else if (kind === 'tiff') await renderTiff(bytes, add);
    else
      await add(
        await renderPicture(
          sharp(bytes, { limitInputPixels: maxPixels }).rotate(),
          dither,
          isScannedLandscape,
        ),
      );
  }
  if (!pages.length) throw new RenderError('empty');
  await writeFile(join(order.folder, 'fax.tiff'), joinTiffs(tiffs, dotsPerInch));
  await writeFile(join(order.folder, 'fax.pdf'), await pdf.bytes());
  return { pages };
}

let pdfium: Promise<PDFiumLibrary> | null = null;
async function openPdf(bytes: Buffer) {
  try {
    return await (await (pdfium ??= PDFiumLibrary.init())).loadDocument(bytes);
  } catch (error) {
    throw new RenderError(
      /password|security/i.test((error as Error).message) ? 'encrypted' : 'broken',
    );
  }
}

async function countPages(bytes: Buffer): Promise<number> {
  const kind = detectDocumentKind(bytes);
  if (!kind) throw new RenderError('kind');
  if (kind === 'picture') return 1;
  if (kind === 'tiff') return readTiffPages(bytes).length;
  const doc = await openPdf(bytes);
  const pages = doc.getPageCount();
  doc.destroy();
  if (pages < 1) throw new RenderError('empty');
  return pages;
}

async function renderPdf(bytes: Buffer, add: (page: Bitmap) => Promise<void>): Promise<void> {
  const doc = await openPdf(bytes);
  for (const page of doc.pages()) {
    const { originalWidth: w, originalHeight: h } = page.getOriginalSize();
    if (!(w > 0 && h > 0)) throw new RenderError('broken');
    const turned = isLandscape(w, h);
    const rows = turned ? rowsFor(h, w) : rowsFor(w, h);
    const [width, height] = turned ? [rows, pixelsAcross] : [pixelsAcross, rows];
    const { data } = await page.render({
      width,
      height,
      render: 'bitmap',
      colorSpace: 'Gray',
      renderFormFields: true,
    });
    await add(threshold(turned ? turn(data, width, height) : data, pixelsAcross, rows));
  }
  doc.destroy();
}

interface TiffPage {
  n: number;
  width: number;
  height: number;
  bits: number;
  shape: number;
}
/**
 * Reads a TIFF's pages from its directories alone: nothing is decompressed before its size is
 * known.
 */
function readTiffPages(bytes: Buffer): TiffPage[] {
  let read: ReturnType<typeof UTIF.decode>;
  try {
    read = UTIF.decode(bytes);
  } catch {
    throw new RenderError('broken');
  }
  const tagValue = (ifd: (typeof read)[number], tag: number, otherwise = 0) => {
    const first = (ifd[`t${tag}`] as (number | number[])[] | undefined)?.[0] ?? otherwise;
    return Array.isArray(first) ? Number(first[0]) / (Number(first[1]) || 1) : Number(first);
  };
  const sheets = read.map((ifd, n) => ({
    n,
    width: tagValue(ifd, 256),
    height: tagValue(ifd, 257),
    bits: tagValue(ifd, 258, 1),
    shape: (tagValue(ifd, 282) || 1) / (tagValue(ifd, 283) || 1),
  }));
  if (!sheets.length) throw new RenderError('broken');
  for (const s of sheets) {
    if (!(s.width > 0 && s.height > 0)) throw new RenderError('broken');
    if (s.width * s.height > maxPixels) throw new RenderError('too_large');
  }
  return sheets;
}

async function renderTiff(bytes: Buffer, add: (page: Bitmap) => Promise<void>): Promise<void> {
  // Dots of a standard-resolution fax are twice as high as wide; `shape` scales the page to its
  // true height.
  for (const s of readTiffPages(bytes))
    await add(
      await renderPicture(
        sharp(bytes, { page: s.n, limitInputPixels: maxPixels, failOn: 'truncated' }),
        s.bits === 1 ? threshold : dither,
        isLandscape,
        s.shape > 0.2 && s.shape < 5 ? s.shape : 1,
      ),
    );
}

async function renderPicture(
  from: Sharp,
  dots: typeof dither,
  liesOnItsSide: typeof isLandscape,
  shape = 1,
): Promise<Bitmap> {
  try {
    const { width = 0, height = 0, orientation = 1 } = await from.metadata();
    const [w, h] = orientation >= 5 ? [height, width] : [width, height];
    // A page as wide as a fax is one: it came upright.
    const turned = w !== pixelsAcross && liesOnItsSide(w, h * shape);
    const rows = turned ? rowsFor(h * shape, w) : rowsFor(w, h * shape);
    const [across, down] = turned ? [rows, pixelsAcross] : [pixelsAcross, rows];
    const { data } = await from
      .flatten({ background: '#fff' })
      .greyscale()
      .resize({ width: across, height: down, fit: 'fill', kernel: 'linear' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const grey = new Uint8Array(data.buffer, data.byteOffset, pixelsAcross * rows);
    return dots(turned ? turn(grey, across, down) : grey, pixelsAcross, rows);
  } catch (error) {
    throw new RenderError(
      /pixel limit|too large/i.test((error as Error).message) ? 'too_large' : 'broken',
    );
  }
}

/**
 * The main thread may be busy in WebAssembly for seconds, so a worker thread watches the memory and
 * ends the process.
 */
const limitMemory = (maxBytes: number) =>
  new Worker(
    `setInterval(() => { if (process.memoryUsage.rss() > ${maxBytes}) process.kill(process.pid, 'SIGKILL'); }, 40)`,
    { eval: true, execArgv: [] },
  ).unref();

process.once('message', (order: RenderRequest) => {
  limitMemory(order.maxBytes);
  renderDocuments(order)
    .catch((error: unknown): RenderReply => ({
      errorCode: error instanceof RenderError ? error.code : 'broken',
    }))
    .then(
      (rendered) => {
        process.send?.(rendered, () => process.exit(0));
      },
      () => process.exit(1),
    );
});
