import { PDFDocument, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib';
import { PdfWriter, ink } from '../../platform/pdf/pdf-writer.ts';
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
const lowestLine = 700;

/** The cover page, Letter size. A note longer than the page is cut. */
export async function renderCover(c: Cover): Promise<Buffer> {
  const pdf = new PdfWriter({ title: 'Fax', at: new Date(0) }, 60);
  pdf.y = 102;
  pdf.tag('H1', () => pdf.line('Fax', { size: 44, font: 'bold' }));
  pdf.y = 140;
  const facts: [string, string][] = [
    ['To', [c.to, c.toNumber].filter(Boolean).join(', ')],
    ['From', [c.from, c.fromNumber].filter(Boolean).join(', ')],
    ['Subject', c.subject],
    ['Date', c.date],
    ['Pages', String(c.pages)],
  ];
  for (const [label, value] of facts.filter(([, v]) => v)) {
    const top = pdf.y;
    pdf.paragraph(label, { size: 12, font: 'bold', width: 75 });
    pdf.y = top;
    pdf.paragraph(value, { size: 12, x: 140, width: 400 });
    pdf.y += 6;
  }
  pdf.y += 14;
  pdf.rule(1.5, ink);
  pdf.y += 8;
  const style = { size: 12 };
  for (const line of pdf.wrap(c.note, style, 490)) {
    // One page: it is counted as such, and the rest would be a page of its own.
    if (pdf.y > lowestLine) break;
    pdf.paragraph(line, style);
  }
  return await pdf.finish(null);
}
