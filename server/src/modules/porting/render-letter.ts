import type { PDFFont, PDFPage } from 'pdf-lib';
import type { Letter } from './letter.ts';

export interface Signature {
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
  const [plain, bold, italic] = [
    await pdf.embedFont(StandardFonts.Helvetica),
    await pdf.embedFont(StandardFonts.HelveticaBold),
    await pdf.embedFont(StandardFonts.TimesRomanItalic),
  ];
  const ink = rgb(0.1, 0.1, 0.12);
  let page: PDFPage = pdf.addPage([pageWidth, pageHeight]);
  let y = pageHeight - margin;
  const ensureSpace = (points: number): void => {
    if (y - points < margin) {
      page = pdf.addPage([pageWidth, pageHeight]);
      y = pageHeight - margin;
    }
  };
  const write = (
    text: string,
    font: PDFFont,
    size: number,
    x = margin,
    width = pageWidth - margin - x,
  ): void => {
    for (const line of wrapText(text, font, size, width)) {
      ensureSpace(size * 1.45);
      y -= size * 1.45;
      page.drawText(line, { x, y, size, font, color: ink });
    }
  };
  write(letter.title, bold, 20);
  y -= 12;
  for (const [name, value] of letter.facts) {
    ensureSpace(30);
    const top = y;
    write(name, bold, 9.5, margin, 130);
    const left = y;
    y = top;
    write(value || '–', plain, 9.5, margin + 150);
    y = Math.min(y, left) - 4;
  }
  y -= 10;
  for (const paragraph of letter.paragraphs) {
    write(paragraph, plain, 10.5);
    y -= 8;
  }
  ensureSpace(150);
  y -= 60;
  if (signature?.drawing) {
    const image = await pdf.embedPng(signature.drawing);
    const scale = Math.min(220 / image.width, 54 / image.height, 1);
    page.drawImage(image, {
      x: margin,
      y: y + 4,
      width: image.width * scale,
      height: image.height * scale,
    });
  } else if (signature)
    page.drawText(toPrintable(signature.name), {
      x: margin,
      y: y + 8,
      size: 26,
      font: italic,
      color: ink,
    });
  page.drawLine({
    start: { x: margin, y },
    end: { x: margin + 260, y },
    thickness: 0.7,
    color: ink,
  });
  if (signature) {
    write(signature.name, plain, 10);
    write(
      `Signed electronically on ${signature.at.toISOString().replace('T', ' ').slice(0, 19)} UTC from ${signature.ip}`,
      plain,
      9,
    );
    write(
      `Signed in as ${signature.by.name}${signature.by.email ? ` (${signature.by.email})` : ''}`,
      plain,
      9,
    );
    write(`SHA-256 of the text that was signed: ${signature.hash}`, plain, 7.5);
  } else write('Signature, name and date', plain, 9);
  return Buffer.from(await pdf.save());
}
