import {
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFRawStream,
  StandardFonts,
  type PDFFont,
} from 'pdf-lib';
import { dotsPerInch, type Bitmap } from './bilevel.ts';

/** The pages as a PDF: one 1-bit image per page, at paper size. */
export class FaxPdf {
  private constructor(private readonly doc: PDFDocument) {}
  static async begin(title: string): Promise<FaxPdf> {
    const doc = await PDFDocument.create();
    doc.setTitle(title);
    doc.setCreator('Trunkline');
    doc.setProducer('Trunkline');
    return new FaxPdf(doc);
  }
  /** One page; `rows` are its dots as produced by `deflateRows`. */
  add(page: Bitmap, rows: Buffer): void {
    const { doc } = this;
    const dict = doc.context.obj({
      Type: 'XObject',
      Subtype: 'Image',
      Width: page.width,
      Height: page.height,
      BitsPerComponent: 1,
      ColorSpace: 'DeviceGray',
      Filter: 'FlateDecode',
      DecodeParms: { Predictor: 15, Colors: 1, BitsPerComponent: 1, Columns: page.width },
    });
    dict.set(PDFName.of('Length'), PDFNumber.of(rows.length));
    const image = doc.context.register(PDFRawStream.of(dict, rows));
    const [width, height] = [
      (page.width / dotsPerInch.across) * 72,
      (page.height / dotsPerInch.down) * 72,
    ];
    const sheet = doc.addPage([width, height]);
    sheet.node.setXObject(PDFName.of('Page'), image);
    const drawing = doc.context.stream(
      `q ${width.toFixed(3)} 0 0 ${height.toFixed(3)} 0 0 cm /Page Do Q`,
    );
    sheet.node.set(PDFName.of('Contents'), doc.context.register(drawing));
  }
  bytes = async (): Promise<Buffer> =>
    Buffer.from(await this.doc.save({ useObjectStreams: false }));
}

export interface Cover {
  to: string;
  from: string;
  subject: string;
  note: string;
  toNumber: string;
  fromNumber: string;
  date: string;
  pages: number;
}
/**
 * The cover page, Letter size. The standard fonts cover Western European characters; others become
 * question marks.
 */
export async function renderCover(c: Cover): Promise<Buffer> {
  const doc = await PDFDocument.create();
  const [plain, bold] = [
    await doc.embedFont(StandardFonts.Helvetica),
    await doc.embedFont(StandardFonts.HelveticaBold),
  ];
  const supported = new Set(plain.getCharacterSet());
  const toPrintable = (text: string) =>
    [...text].map((c) => (supported.has(c.codePointAt(0) ?? -1) ? c : '?')).join('');
  const page = doc.addPage([612, 792]);
  page.drawText('Fax', { x: 60, y: 690, size: 44, font: bold });
  const facts: [string, string][] = [
    ['To', [c.to, c.toNumber].filter(Boolean).join(', ')],
    ['From', [c.from, c.fromNumber].filter(Boolean).join(', ')],
    ['Subject', c.subject],
    ['Date', c.date],
    ['Pages', String(c.pages)],
  ];
  let y = 640;
  for (const [label, value] of facts.filter(([, v]) => v)) {
    page.drawText(label, { x: 60, y, size: 12, font: bold });
    for (const line of wrapText(toPrintable(value), plain, 12, 400)) {
      page.drawText(line, { x: 140, y, size: 12, font: plain });
      y -= 18;
    }
    y -= 6;
  }
  page.drawLine({ start: { x: 60, y: y + 4 }, end: { x: 552, y: y + 4 }, thickness: 1.5 });
  y -= 22;
  for (const line of c.note
    .split('\n')
    .flatMap((p) => wrapText(toPrintable(p), plain, 12, 490))
    .slice(0, 26)) {
    page.drawText(line, { x: 60, y, size: 12, font: plain });
    y -= 18;
  }
  return Buffer.from(await doc.save());
}

function wrapText(text: string, font: PDFFont, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  // Words wider than a line are cut, so that nothing runs off the paper.
  for (const word of text.split(/\s+/).flatMap((w) => w.match(/.{1,60}/g) ?? [])) {
    const longer = line ? `${line} ${word}` : word;
    if (font.widthOfTextAtSize(longer, size) <= width) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = word;
  }
  return [...lines, line];
}
