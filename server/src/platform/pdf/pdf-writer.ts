import PDFDocument from 'pdfkit';
import { fontNames, fontFile, missingSign, printable, type FontName } from './fonts.ts';
import { cutText, wrapText } from './fit-text.ts';

/** All lengths are in points. */
interface TextStyle {
  size?: number;
  font?: FontName;
  /** Gray: labels and remarks. */
  quiet?: boolean;
}
interface LineStyle extends TextStyle {
  x?: number;
  /** The right edge instead of the left one; digits get equal widths. */
  right?: number;
  /** Longer text is cut and ends with an ellipsis. */
  width?: number;
}
declare global {
  namespace PDFKit {
    interface PDFStructureElement {
      /** Not in the types of pdfkit. */
      dictionary: { data: { S: string; A?: object } };
    }
  }
}

/** What a part is to a screen reader, in PDF's own names. */
type Tag = 'H1' | 'H2' | 'P' | 'Table' | 'TR' | 'TH' | 'TD' | 'Figure';
interface TagOptions {
  /** What a picture shows. */
  alt?: string;
  /** Which cells a heading is for. */
  scope?: 'Column' | 'Row';
  /** Columns that a cell covers. */
  columns?: number;
}

const [letterWidth, letterHeight] = [612, 792]; // US Letter
export const [ink, gray] = ['#1a1a1f', '#6b6b75'];

/**
 * Writes a document from top to bottom, on as many Letter pages as it takes: letters of Latin, Greek
 * and Cyrillic scripts, a language, a title, and tags, so that it can be read aloud.
 */
export class PdfWriter {
  readonly doc: PDFKit.PDFDocument;
  readonly left: number;
  readonly right: number;
  /** The current baseline, below the top of the page. */
  y: number;
  private readonly chunks: Uint8Array[] = [];
  private readonly open: PDFKit.PDFStructureElement[] = [];
  private readonly pagesWithMissing = new Set<number>();
  private page = 0;
  private decorating = false;
  /** Drawn at the top of each further page, for example the heads of a table's columns. */
  onNewPage: (() => void) | null = null;

  constructor(
    about: { title: string; at: Date },
    private readonly margin = 56,
  ) {
    this.doc = new PDFDocument({
      size: 'LETTER',
      margin: 0,
      pdfVersion: '1.7',
      ...({ subset: 'PDF/UA' } as object), // not in the types of pdfkit yet
      tagged: true,
      lang: 'en-US',
      displayTitle: true,
      bufferPages: true,
      info: { Title: about.title, Creator: 'Trunkline', CreationDate: about.at, ModDate: about.at },
    });
    this.doc.on('data', (chunk: Uint8Array) => this.chunks.push(chunk));
    for (const name of fontNames) this.doc.registerFont(name, fontFile(name));
    const whole = this.doc.struct('Document');
    this.doc.addStructure(whole);
    this.open.push(whole);
    this.left = margin;
    this.right = letterWidth - margin;
    this.y = margin;
  }

  /** Tags what `draw` writes. */
  tag(tag: Tag, draw: () => void, { columns, ...options }: TagOptions = {}): void {
    const element = this.doc.struct(tag, options);
    if (columns && columns > 1)
      element.dictionary.data.A = { O: 'Table', ColSpan: columns, Scope: options.scope };
    this.current().add(element);
    this.open.push(element);
    draw();
    this.open.pop();
    element.end();
  }

  /** Draws what isn't content: lines, page numbers, repeated heads. */
  decoration(draw: () => void): void {
    if (this.decorating) return draw();
    this.decorating = true;
    this.doc.markContent('Artifact', { type: 'Layout' });
    draw();
    this.doc.endMarkedContent();
    this.decorating = false;
  }

  /** One line at the current height. */
  line(text: string, style: LineStyle = {}): void {
    this.content(() => this.drawLine(text, style));
  }

  /** Draws into the current tag. */
  content(draw: () => void): void {
    if (this.decorating) return draw();
    const tag = this.current().dictionary.data.S;
    this.current().add(this.doc.markStructureContent(tag));
    draw();
    this.doc.endMarkedContent();
  }

  /** Text over as many lines and pages as it takes; `y` ends on the last line. */
  paragraph(text: string, style: LineStyle & { tag?: Tag } = {}): void {
    const { tag = 'P', ...rest } = style;
    const [size, x] = [style.size ?? 10, style.x ?? this.left];
    this.tag(tag, () => {
      for (const line of this.wrap(text, style, style.width ?? this.right - x)) {
        this.down(size * 1.45);
        this.line(line, { ...rest, x });
      }
    });
  }

  /** The text as lines no wider than this. */
  wrap = (text: string, style: LineStyle, width: number): string[] =>
    wrapText(text, width, (part) => this.widthOf(part, style));

  /** Each text is measured when it is wrapped, cut, and set at the right edge. */
  widthOf(text: string, style: LineStyle): number {
    const { font = 'plain', size = 10, right } = style;
    const key = `${font} ${right === undefined ? '' : 'figures'} ${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known * size;
    this.use({ font, size: 1 });
    const width = this.doc.widthOfString(printable(text).shown, this.features(style));
    if (this.widths.size > 20_000) this.widths.clear();
    this.widths.set(key, width);
    return width * size;
  }
  private readonly widths = new Map<string, number>(); // at size 1

  /** A line across the page. */
  rule(thickness = 0.5, color = gray): void {
    this.decoration(() =>
      this.doc
        .moveTo(this.left, this.y)
        .lineTo(this.right, this.y)
        .lineWidth(thickness)
        .stroke(color),
    );
  }

  /** Goes down, onto a new page unless so much is left on this one. */
  down(points: number, needed = 0): void {
    this.y += points;
    if (this.y + needed <= letterHeight - this.margin - 8) return;
    this.doc.addPage();
    this.page++;
    this.y = this.margin;
    this.onNewPage?.();
    this.y += Math.min(points, 24); // the gap before it isn't repeated at the top
  }

  /**
   * The document. `foot` names it beside the number of each page; null for a letter without page
   * numbers.
   */
  async finish(foot: string | null): Promise<Buffer> {
    this.onNewPage = null;
    const pages = this.doc.bufferedPageRange().count;
    for (this.page = 0; this.page < pages; this.page++) {
      this.doc.switchToPage(this.page);
      this.y = letterHeight - this.margin + 16;
      const small = { size: 8, quiet: true };
      this.decoration(() => {
        if (foot !== null)
          this.line(`${foot} – page ${this.page + 1} of ${pages}`, { ...small, width: 270 });
        if (this.pagesWithMissing.has(this.page))
          this.line(`${missingSign} marks a character that can’t be printed here.`, {
            ...small,
            right: this.right,
          });
      });
    }
    for (const element of this.open.splice(0)) element.end();
    const ended = new Promise((resolve) => this.doc.once('end', resolve));
    this.doc.end();
    await ended;
    return Buffer.concat(this.chunks);
  }

  private current(): PDFKit.PDFStructureElement {
    const current = this.open.at(-1);
    if (!current) throw new Error('the document is finished');
    return current;
  }
  private use({ font = 'plain', size = 10 }: TextStyle): void {
    this.doc.font(font).fontSize(size);
  }
  /**
   * Digits of equal width in figures. Without alternates by context, which are most of the time that
   * figures take; pdfkit hands the choice on to fontkit, which takes an object, too.
   */
  private features = ({ right }: LineStyle): PDFKit.Mixins.TextOptions =>
    right === undefined ? {} : { features: { calt: false, tnum: true } as object as [] };

  private drawLine(text: string, style: LineStyle): void {
    const width = style.width ?? this.right - this.left;
    const { shown, missing } = printable(cutText(text, width, (part) => this.widthOf(part, style)));
    if (!shown.trim()) return;
    if (missing) this.pagesWithMissing.add(this.page);
    const x =
      style.right === undefined ? (style.x ?? this.left) : style.right - this.widthOf(shown, style);
    this.use(style);
    // The text itself goes along, for copying and reading aloud.
    if (missing) this.doc.markContent('Span', { actual: text });
    this.doc.fillColor(style.quiet ? gray : ink).text(shown, x, this.y, {
      lineBreak: false,
      baseline: 'alphabetic',
      ...this.features(style),
    });
    if (missing) this.doc.endMarkedContent();
  }
}
