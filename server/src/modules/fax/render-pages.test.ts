import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { PDFDocument, PDFName, PDFRawStream, StandardFonts } from 'pdf-lib';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';
import UTIF from 'utif2';
import { expect, onTestFinished, test } from 'vitest';
import { readAloud, textOfPdf } from '../../../test/support/read-pdf.ts';
import { renderPages } from './render-pages.ts';
import { renderCover } from './write-pdf.ts';

async function aPdf(pages: number, words = 'Hello'): Promise<Buffer> {
  const doc = await PDFDocument.create();
  const font = await doc.embedFont(StandardFonts.Helvetica);
  for (let i = 1; i <= pages; i++)
    doc.addPage([612, 792]).drawText(`${words} ${i}`, { x: 60, y: 600, size: 40, font });
  return Buffer.from(await doc.save());
}
const title = { title: 'Test' };
const black = async (png: Buffer) =>
  (await sharp(png).greyscale().raw().toBuffer()).reduce((n, dot) => n + (dot < 128 ? 1 : 0), 0);

test('a PDF becomes pages 1,728 dots wide, a TIFF that fax machines read, and a PDF of what is transmitted', async () => {
  const rendered = await renderPages([await aPdf(2)], title);
  if ('errorCode' in rendered) throw new Error(rendered.errorCode);
  expect(rendered.pages.map((p) => [p.width, p.height])).toEqual([
    [1728, 2237],
    [1728, 2237],
  ]);
  expect(await black(rendered.pages[0]!.png)).toBeGreaterThan(2000);
  const sheets = UTIF.decode(rendered.tiff);
  expect(
    sheets.map((s) => [
      (s['t256'] as number[])[0],
      (s['t257'] as number[])[0],
      (s['t259'] as number[])[0],
    ]),
  ).toEqual([
    [1728, 2149, 4],
    [1728, 2149, 4],
  ]);
  // An independent decoder reads both pages of the TIFF and finds the picture's dots.
  const second = await sharp(rendered.tiff, { page: 1 }).greyscale().raw().toBuffer();
  expect(second.reduce((n, dot) => n + (dot < 128 ? 1 : 0), 0)).toBe(
    await black(rendered.pages[1]!.png),
  );
  const pdf = await (await PDFiumLibrary.init()).loadDocument(rendered.pdf);
  expect(pdf.getPageCount()).toBe(2);
  const { originalWidth, originalHeight } = pdf.getPage(0).getOriginalSize();
  expect([Math.round(originalWidth), Math.round(originalHeight)]).toEqual([610, 789]);
  const drawn = await pdf
    .getPage(0)
    .render({ width: 600, height: 777, render: 'bitmap', colorSpace: 'Gray' });
  expect(drawn.data.some((v) => v < 100)).toBe(true);
}, 180_000);

test('a cover page comes first and counts itself, with the letters of its names', async () => {
  const rendered = await renderPages([await aPdf(1)], {
    title: 'x',
    cover: {
      to: 'Dana',
      from: 'Мария',
      subject: 'Forms',
      note: 'As promised.\nBest',
      toNumber: '(212) 555-0147',
      fromNumber: '',
      date: 'November 21, 2026',
    },
  });
  expect('pages' in rendered && rendered.pages.length).toBe(2);
  const cover = { subject: '', toNumber: '', fromNumber: '', date: 'today', pages: 2 };
  const text = await textOfPdf(
    await renderCover({ ...cover, to: 'Łukasz', from: 'Мария', note: 'Chào Nguyễn\n\nΓεια' }),
  );
  expect(text.split('\n').filter(Boolean)).toEqual([
    'Fax',
    'To Łukasz',
    'From Мария',
    'Date today',
    'Pages 2',
    'Chào Nguyễn',
    'Γεια',
  ]);
  // The longest that can be asked for stays one page.
  const [name, line] = ['Wide name '.repeat(8), 'WWWW '.repeat(24)];
  const longest = { ...cover, to: name, from: name, subject: line, note: 'n\n'.repeat(500) };
  const { pages } = await readAloud(
    await renderCover({ ...longest, toNumber: '(212) 555-0147', fromNumber: '(212) 555-0148' }),
  );
  expect(pages).toBe(1);
}, 180_000);

test('pictures and multi-page TIFFs are rendered as they are; a standard-resolution fax keeps its proportions', async () => {
  const photo = await sharp({
    create: { width: 640, height: 480, channels: 3, background: '#808080' },
  })
    .jpeg()
    .toBuffer();
  const one = await renderPages([photo], title);
  if ('errorCode' in one) throw new Error(one.errorCode);
  // A middle gray becomes a pattern of about as many black dots as white ones.
  const share = (await black(one.pages[0]!.png)) / (1728 * Math.round((1296 * 196) / 204));
  expect(share).toBeGreaterThan(0.4);
  expect(share).toBeLessThan(0.6);

  const rendered = await renderPages([await aPdf(3)], title);
  if ('errorCode' in rendered) throw new Error(rendered.errorCode);
  const again = await renderPages([rendered.tiff], title);
  if ('errorCode' in again) throw new Error(again.errorCode);
  expect(again.pages.length).toBe(3);
  // Incoming pages are shown dot by dot as sent.
  expect(again.pages[2]!.png.equals(rendered.pages[2]!.png)).toBe(true);
}, 180_000);

test('hostile and broken documents fail with a named error, in bounded time and memory, and leave no files behind', async () => {
  // Separate temporary directory: other tests render faxes at the same time.
  const previousTmpdir = process.env['TMPDIR'];
  process.env['TMPDIR'] = mkdtempSync(join(tmpdir(), 'print-pages-'));
  onTestFinished(() => {
    rmSync(process.env['TMPDIR']!, { recursive: true, force: true });
    if (previousTmpdir === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = previousTmpdir;
  });
  const remainingFolders = () =>
    readdirSync(tmpdir()).filter((n) => n.startsWith('trunkline-fax-'));
  const errorOf = async (bytes: Buffer, limits?: { seconds: number; memoryBytes: number }) => {
    const result = await renderPages([bytes], title, limits);
    return 'errorCode' in result ? result.errorCode : `rendered ${result.pages.length}`;
  };
  expect(await errorOf(Buffer.from('PK\x03\x04 a zip that calls itself a PDF'))).toBe('kind');
  expect(await errorOf(Buffer.from('%PDF-1.7\nnothing else'))).toBe('broken');
  expect(await errorOf(await aPdf(500))).toBe('too_many_pages');
  expect(await errorOf(encrypted)).toBe('encrypted');
  // 100,000 × 100,000 dots declared in 100 bytes.
  expect(await errorOf(aTiff(100_000, 100_000))).toBe('too_large');
  // A TIFF directory that points to itself as the next one.
  expect(await errorOf(aTiff(10, 10, true), { seconds: 5, memoryBytes: 500_000_000 })).toMatch(
    /broken|too_complex|too_many_pages/,
  );
  expect(
    await errorOf(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)])),
  ).toBe('broken');
  const bomb = performance.now();
  expect(await errorOf(await aBomb(), { seconds: 20, memoryBytes: 350_000_000 })).toBe(
    'too_complex',
  );
  expect(performance.now() - bomb).toBeLessThan(60_000);
  expect(remainingFolders()).toEqual([]);
}, 180_000);

/** A picture of 400 million dots in a megabyte or two. */
async function aBomb(): Promise<Buffer> {
  const doc = await PDFDocument.create();
  const page = doc.addPage([612, 792]);
  const side = 20_000;
  const bytes = deflateSync(Buffer.alloc(side * side), { level: 1 });
  const image = doc.context.register(
    PDFRawStream.of(
      doc.context.obj({
        Type: 'XObject',
        Subtype: 'Image',
        Width: side,
        Height: side,
        BitsPerComponent: 8,
        ColorSpace: 'DeviceGray',
        Filter: 'FlateDecode',
        Length: bytes.length,
      }),
      bytes,
    ),
  );
  page.node.setXObject(PDFName.of('Bomb'), image);
  page.node.set(
    PDFName.of('Contents'),
    doc.context.register(doc.context.stream('q 612 0 0 792 0 0 cm /Bomb Do Q')),
  );
  return Buffer.from(await doc.save());
}
function aTiff(width: number, height: number, circle = false): Buffer {
  const tags: [number, number][] = [
    [256, width],
    [257, height],
    [258, 1],
    [259, 1],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, height],
    [279, 1],
  ];
  const bytes = Buffer.alloc(10 + 2 + tags.length * 12 + 4);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(10, 4);
  bytes.writeUInt16LE(tags.length, 10);
  tags.forEach(([tag, value], i) => {
    bytes.writeUInt16LE(tag, 12 + i * 12);
    bytes.writeUInt16LE(4, 14 + i * 12);
    bytes.writeUInt32LE(1, 16 + i * 12);
    bytes.writeUInt32LE(value, 20 + i * 12);
  });
  if (circle) bytes.writeUInt32LE(10, bytes.length - 4);
  return bytes;
}
/** A PDF with text encrypted (RC4, 40 bits) under an unknown password. */
const encrypted = Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>endobj
4 0 obj<</Filter/Standard/V 1/R 2/Length 40/P -64/O<${'a1'.repeat(32)}>/U<${'b2'.repeat(32)}>>>endobj
trailer<</Root 1 0 R/Encrypt 4 0 R/ID[<${'00'.repeat(16)}><${'00'.repeat(16)}>]/Size 5>>
%%EOF`);

/** Dots of a page's left, right, top and bottom quarter. */
async function inkOf(png: Buffer) {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const ink = { left: 0, right: 0, top: 0, bottom: 0 };
  data.forEach((dot, i) => {
    if (dot >= 128) return;
    const [x, y] = [(i % info.width) / info.width, Math.floor(i / info.width) / info.height];
    if (x < 0.25) ink.left++;
    if (x > 0.75) ink.right++;
    if (y < 0.25) ink.top++;
    if (y > 0.75) ink.bottom++;
  });
  return ink;
}
async function landscapePdf(width: number, height: number): Promise<Buffer> {
  const doc = await PDFDocument.create();
  const page = doc.addPage([width, height]);
  // A bar along the upper edge.
  page.drawRectangle({ x: 0, y: height * 0.9, width, height: height * 0.1 });
  return Buffer.from(await doc.save());
}
const barPicture = (width: number, height: number, format: 'png' | 'tiff') =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .composite([
      {
        input: {
          create: { width, height: Math.round(height / 10), channels: 3, background: '#000' },
        },
        gravity: 'north',
      },
    ])
    .toFormat(format)
    .toBuffer();

test.each([
  ['a letter', () => landscapePdf(792, 612), 2237],
  ['A4', () => landscapePdf(842, 595), 2445],
  ['a tabloid sheet', () => landscapePdf(1224, 792), 2670],
  ['a scanned picture', () => barPicture(1100, 850, 'png'), 2237],
  ['a scanned A4 picture', () => barPicture(1404, 993, 'png'), 2445],
  ['a scanned TIFF', () => barPicture(1100, 850, 'tiff'), 2237],
])(
  'a landscape page is turned to fill the paper: %s',
  async (_, make, height) => {
    const rendered = await renderPages([await make()], title);
    if ('errorCode' in rendered) throw new Error(rendered.errorCode);
    const [page] = rendered.pages;
    expect(page!.width).toBe(1728);
    expect(Math.abs(page!.height - height)).toBeLessThan(8);
    const ink = await inkOf(page!.png);
    expect(ink.right).toBeGreaterThan(ink.left * 10);
    expect(Math.abs(ink.top - ink.bottom)).toBeLessThan(ink.right / 10);
  },
  60_000,
);

test.each([
  ['a square', () => landscapePdf(600, 600)],
  ['a page a little wider than high', () => landscapePdf(620, 600)],
  ['a photograph', () => barPicture(640, 480, 'png')],
  ['a wide photograph', () => barPicture(1600, 900, 'png')],
  ['a banner', () => landscapePdf(900, 200)],
  ['half a page of a fax machine', () => barPicture(1728, 1100, 'tiff')],
])(
  'stays upright: %s',
  async (_, make) => {
    const rendered = await renderPages([await make()], title);
    if ('errorCode' in rendered) throw new Error(rendered.errorCode);
    const ink = await inkOf(rendered.pages[0]!.png);
    expect(ink.top).toBeGreaterThan(ink.bottom * 2);
    expect(Math.abs(ink.left - ink.right)).toBeLessThan(ink.top / 5);
  },
  60_000,
);
