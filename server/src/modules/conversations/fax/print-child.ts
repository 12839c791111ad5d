/**
 * Prints documents as a fax: pages of dots as pictures, one TIFF and one PDF. Runs as a process of its own, because
 * documents come from strangers: whatever one does to the libraries that read it, this process dies of it and nobody else.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp, { type Sharp } from 'sharp';
import UTIF from 'utif2';
import type { FaxTrouble } from '#contract/fax';
import {
  dither,
  dotsAcross,
  dotsPerInch,
  rowsFor,
  sharpen,
  squareHeight,
  type Dots,
} from './bilevel.ts';
import { kindOfDocument } from './kind-of-document.ts';
import { deflateRows, pngOf } from './write-png.ts';
import { joinTiffs } from './write-tiff.ts';
import { coverPdf, PagesPdf, type Cover } from './write-pdf.ts';

export interface PrintOrder {
  folder: string;
  documents: string[];
  title: string;
  cover: Omit<Cover, 'pages'> | null;
  mostPages: number;
  mostBytes: number;
}
export type Printed = { pages: { width: number; height: number }[] } | { trouble: FaxTrouble };

/** More dots than this is a bomb, not a page (a 600 dpi A3 sheet has 70 million). */
const mostDots = 80_000_000;

class Trouble extends Error {
  constructor(readonly because: FaxTrouble) {
    super(because);
  }
}

async function print(order: PrintOrder): Promise<Printed> {
  sharp.cache(false);
  sharp.concurrency(1);
  const tiffs: Buffer[] = [];
  const pages: { width: number; height: number }[] = [];
  const pdf = await PagesPdf.begin(order.title);
  const add = async (page: Dots): Promise<void> => {
    if (pages.length >= order.mostPages) throw new Trouble('too_many_pages');
    const raw = { raw: { width: page.width, height: page.height, channels: 1 as const } };
    const rows = deflateRows(page);
    await writeFile(join(order.folder, `page-${pages.length + 1}.png`), pngOf(page, rows));
    tiffs.push(
      await sharp(page.dots, raw)
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
  for (const bytes of documents) counts.push(await pagesOf(bytes));
  // Counted before the first page is drawn: a long document is refused at once.
  const inAll = counts.reduce((sum, n) => sum + n, order.cover ? 1 : 0);
  if (inAll > order.mostPages) throw new Trouble('too_many_pages');
  if (order.cover) await printPdf(await coverPdf({ ...order.cover, pages: inAll }), add);
  for (const bytes of documents) {
    const kind = kindOfDocument(bytes);
    if (kind === 'pdf') await printPdf(bytes, add);
    else if (kind === 'tiff') await printTiff(bytes, add);
    else await add(await picture(sharp(bytes, { limitInputPixels: mostDots }).rotate(), dither));
  }
  if (!pages.length) throw new Trouble('empty');
  await writeFile(join(order.folder, 'fax.tiff'), joinTiffs(tiffs, dotsPerInch));
  await writeFile(join(order.folder, 'fax.pdf'), await pdf.bytes());
  return { pages };
}

let pdfium: Promise<PDFiumLibrary> | null = null;
async function openPdf(bytes: Buffer) {
  try {
    return await (await (pdfium ??= PDFiumLibrary.init())).loadDocument(bytes);
  } catch (error) {
    throw new Trouble(/password|security/i.test((error as Error).message) ? 'encrypted' : 'broken');
  }
}

async function pagesOf(bytes: Buffer): Promise<number> {
  const kind = kindOfDocument(bytes);
  if (!kind) throw new Trouble('kind');
  if (kind === 'picture') return 1;
  if (kind === 'tiff') return sheetsOf(bytes).length;
  const doc = await openPdf(bytes);
  const n = doc.getPageCount();
  doc.destroy();
  if (n < 1) throw new Trouble('empty');
  return n;
}

async function printPdf(bytes: Buffer, add: (page: Dots) => Promise<void>): Promise<void> {
  const doc = await openPdf(bytes);
  for (const page of doc.pages()) {
    const { originalWidth: w, originalHeight: h } = page.getOriginalSize();
    if (!(w > 0 && h > 0)) throw new Trouble('broken');
    const height = rowsFor(w, h);
    const drawn = await page.render({
      width: dotsAcross,
      height,
      render: 'bitmap',
      colorSpace: 'Gray',
      renderFormFields: true,
    });
    await add(sharpen(drawn.data, dotsAcross, height));
  }
  doc.destroy();
}

interface Sheet {
  n: number;
  width: number;
  height: number;
  bits: number;
  shape: number;
}
/** A TIFF's pages from its directories alone: nothing is unpacked before its size is known. */
function sheetsOf(bytes: Buffer): Sheet[] {
  let read: ReturnType<typeof UTIF.decode>;
  try {
    read = UTIF.decode(bytes);
  } catch {
    throw new Trouble('broken');
  }
  const of = (ifd: (typeof read)[number], tag: number, otherwise = 0) => {
    const first = (ifd[`t${tag}`] as (number | number[])[] | undefined)?.[0] ?? otherwise;
    return Array.isArray(first) ? Number(first[0]) / (Number(first[1]) || 1) : Number(first);
  };
  const sheets = read.map((ifd, n) => ({
    n,
    width: of(ifd, 256),
    height: of(ifd, 257),
    bits: of(ifd, 258, 1),
    shape: (of(ifd, 282) || 1) / (of(ifd, 283) || 1),
  }));
  if (!sheets.length) throw new Trouble('broken');
  for (const s of sheets) {
    if (!(s.width > 0 && s.height > 0)) throw new Trouble('broken');
    if (s.width * s.height > mostDots) throw new Trouble('too_large');
  }
  return sheets;
}

async function printTiff(bytes: Buffer, add: (page: Dots) => Promise<void>): Promise<void> {
  // Dots of a fax in standard resolution are twice as high as wide: `shape` makes such a page as high as it is.
  for (const s of sheetsOf(bytes))
    await add(
      await picture(
        sharp(bytes, { page: s.n, limitInputPixels: mostDots, failOn: 'truncated' }),
        s.bits === 1 ? sharpen : dither,
        s.shape > 0.2 && s.shape < 5 ? s.shape : 1,
      ),
    );
}

async function picture(from: Sharp, dots: typeof dither, shape = 1): Promise<Dots> {
  try {
    const { width = 0, height = 0, orientation = 1 } = await from.metadata();
    const [w, h] = orientation >= 5 ? [height, width] : [width, height];
    const rows = rowsFor(w, h * shape);
    const { data } = await from
      .flatten({ background: '#fff' })
      .greyscale()
      .resize({ width: dotsAcross, height: rows, fit: 'fill', kernel: 'linear' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return dots(new Uint8Array(data.buffer, data.byteOffset, dotsAcross * rows), dotsAcross, rows);
  } catch (error) {
    throw new Trouble(
      /pixel limit|too large/i.test((error as Error).message) ? 'too_large' : 'broken',
    );
  }
}

/** The main thread may be busy in WebAssembly for seconds; another one watches the memory and ends the process. */
const watch = (mostBytes: number) =>
  new Worker(
    `setInterval(() => { if (process.memoryUsage.rss() > ${mostBytes}) process.kill(process.pid, 'SIGKILL'); }, 40)`,
    { eval: true, execArgv: [] },
  ).unref();

process.once('message', (order: PrintOrder) => {
  watch(order.mostBytes);
  print(order)
    .catch((error: unknown): Printed => ({
      trouble: error instanceof Trouble ? error.because : 'broken',
    }))
    .then(
      (printed) => {
        process.send?.(printed, () => process.exit(0));
      },
      () => process.exit(1),
    );
});
