import type { PDFDocument, PDFFont, PDFImage, PDFPage, RGB } from 'pdf-lib';
import type { Letter } from './letter.ts';

/** An electronic signature; `hash` is the SHA-256 of the signed text. */
interface Signature {
  name: string;
  /** PNG bytes of a drawn signature; null for a typed one. */ drawing: Buffer | null;
  at: Date;
  ip: string;
  hash: string;
  /** The user who was signed in at the time. */ by: { name: string; email: string };
}
const [pageWidth, pageHeight, margin] = [612, 792, 64]; // US Letter, points

/**
 * The standard fonts only have Western European letters; others lose their accents or become
 * question marks.
 */
function toPrintable(text: string): string {
  const held = /[\x20-\x7e\xa1-\xff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u20ac]/;
  return [...text]
    .map((c) =>
      held.test(c)
        ? c
        : [...c.normalize('NFKD')].filter((part) => held.test(part)).join('') ||
          (/\p{M}/u.test(c) ? '' : '?'),
    )
    .join('');
}
function wrapText(text: string, font: PDFFont, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of toPrintable(text)
    .split(' ')
    .flatMap((w) =>
      font.widthOfTextAtSize(w, size) > width ? (w.match(/.{1,40}/g) ?? []) : [w],
    )) {
    const longer = line ? `${line} ${word}` : word;
    if (line && font.widthOfTextAtSize(longer, size) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** Renders the letter as a PDF: signed, or with a line to sign on. */
export async function renderLetter(
  letter: Letter,
  signature: Signature | null,
  createdAt: Date,
): Promise<Buffer> {
  const { PDFDocument, StandardFonts, rgb } = await import('pdf-lib'); // takes 250 ms the first time
  const pdf = await PDFDocument.create();
  pdf.setTitle(letter.title);
  pdf.setCreationDate(createdAt);
  pdf.setModificationDate(createdAt);
  const style: LetterStyle = {
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
    italic: await pdf.embedFont(StandardFonts.TimesRomanItalic),
    ink: rgb(0.1, 0.1, 0.12),
  };
  const writer = startLetter(pdf, style);
  writeContents(writer, letter);
  writer.ensureSpace(150);
  writer.y -= 60;
  if (signature?.drawing) drawImage(writer, await pdf.embedPng(signature.drawing));
  else if (signature) drawTypedName(writer, signature.name);
  drawSignatureLine(writer);
  if (signature) writeSignatureFacts(writer, signature);
  else writer.write('Signature, name and date', style.plain, 9);
  return Buffer.from(await pdf.save());
}

interface LetterStyle {
  plain: PDFFont;
  bold: PDFFont;
  italic: PDFFont;
  ink: RGB;
}

/** Writes down the page; all lengths are in points. `y` is the current height above the bottom. */
interface LetterWriter {
  style: LetterStyle;
  page: PDFPage;
  y: number;
  /** Starts a new page unless this much space is left. */
  ensureSpace: (points: number) => void;
  /** Writes wrapped text at the current height and moves `y` below it. */
  write: (text: string, font: PDFFont, size: number, x?: number, width?: number) => void;
}

function startLetter(pdf: PDFDocument, style: LetterStyle): LetterWriter {
  const writer: LetterWriter = {
    style,
    page: pdf.addPage([pageWidth, pageHeight]),
    y: pageHeight - margin,
    ensureSpace: (points) => {
      if (writer.y - points >= margin) return;
      writer.page = pdf.addPage([pageWidth, pageHeight]);
      writer.y = pageHeight - margin;
    },
    write: (text, font, size, x = margin, width = pageWidth - margin - x) => {
      for (const line of wrapText(text, font, size, width)) {
        writer.ensureSpace(size * 1.45);
        writer.y -= size * 1.45;
        writer.page.drawText(line, { x, y: writer.y, size, font, color: style.ink });
      }
    },
  };
  return writer;
}

function writeContents(writer: LetterWriter, letter: Letter): void {
  const { bold, plain } = writer.style;
  writer.write(letter.title, bold, 20);
  writer.y -= 12;
  for (const [name, value] of letter.facts) {
    writer.ensureSpace(30);
    const top = writer.y;
    writer.write(name, bold, 9.5, margin, 130);
    const afterName = writer.y;
    writer.y = top;
    writer.write(value || '–', plain, 9.5, margin + 150);
    writer.y = Math.min(writer.y, afterName) - 4;
  }
  writer.y -= 10;
  for (const paragraph of letter.paragraphs) {
    writer.write(paragraph, plain, 10.5);
    writer.y -= 8;
  }
}

function drawImage({ page, y }: LetterWriter, image: PDFImage): void {
  const scale = Math.min(220 / image.width, 54 / image.height, 1);
  page.drawImage(image, {
    x: margin,
    y: y + 4,
    width: image.width * scale,
    height: image.height * scale,
  });
}

function drawTypedName({ page, y, style }: LetterWriter, name: string): void {
  page.drawText(toPrintable(name), {
    x: margin,
    y: y + 8,
    size: 26,
    font: style.italic,
    color: style.ink,
  });
}

function drawSignatureLine({ page, y, style }: LetterWriter): void {
  page.drawLine({
    start: { x: margin, y },
    end: { x: margin + 260, y },
    thickness: 0.7,
    color: style.ink,
  });
}

function writeSignatureFacts(writer: LetterWriter, signature: Signature): void {
  const { plain } = writer.style;
  const signedAt = signature.at.toISOString().replace('T', ' ').slice(0, 19);
  const email = signature.by.email ? ` (${signature.by.email})` : '';
  writer.write(signature.name, plain, 10);
  writer.write(`Signed electronically on ${signedAt} UTC from ${signature.ip}`, plain, 9);
  writer.write(`Signed in as ${signature.by.name}${email}`, plain, 9);
  writer.write(`SHA-256 of the text that was signed: ${signature.hash}`, plain, 7.5);
}
