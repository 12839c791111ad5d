import { PdfWriter, ink } from '../../platform/pdf/pdf-writer.ts';
import type { Letter } from './letter.ts';

/** An electronic signature; `hash` is the SHA-256 of the signed text. */
interface Signature {
  name: string;
  /** PNG bytes of a drawn signature; null for a typed one. */ drawing: Uint8Array | null;
  at: Date;
  ip: string;
  hash: string;
  /** The user who was signed in at the time. */ by: { name: string; email: string };
}

/**
 * Renders the letter as a PDF: signed, or with a line to sign on. Throws when the drawing can't be
 * read.
 */
export async function renderLetter({
  letter,
  signature,
  at,
}: {
  letter: Letter;
  signature: Signature | null;
  at: Date;
}): Promise<Buffer> {
  const pdf = new PdfWriter({ title: letter.title, at }, 64);
  writeContents(pdf, letter);
  pdf.down(60, 90);
  if (signature?.drawing) drawImage(pdf, signature.drawing, signature.name);
  else if (signature) writeTypedName(pdf, signature.name);
  drawSignatureLine(pdf);
  if (signature) writeSignatureFacts(pdf, signature);
  else pdf.paragraph('Signature, name and date', { size: 9 });
  return await pdf.finish(null);
}

function writeContents(pdf: PdfWriter, letter: Letter): void {
  pdf.paragraph(letter.title, { tag: 'H1', font: 'bold', size: 20 });
  pdf.y += 12;
  for (const [name, value] of letter.facts) {
    pdf.down(0, 30);
    const top = pdf.y;
    pdf.paragraph(name, { font: 'bold', size: 9.5, width: 130 });
    const afterName = pdf.y;
    pdf.y = top;
    pdf.paragraph(value || '–', { size: 9.5, x: pdf.left + 150 });
    pdf.y = Math.max(pdf.y, afterName) + 4;
  }
  pdf.y += 10;
  for (const paragraph of letter.paragraphs) {
    pdf.paragraph(paragraph, { size: 10.5 });
    pdf.y += 8;
  }
}

function drawImage(pdf: PdfWriter, bytes: Uint8Array, name: string): void {
  const box: [number, number] = [220, 54];
  const draw = () =>
    pdf.doc.image(Buffer.from(bytes), pdf.left, pdf.y - 4 - box[1], { fit: box, valign: 'bottom' });
  pdf.tag('Figure', () => pdf.content(draw), { alt: `Signature of ${name}` });
}

function writeTypedName(pdf: PdfWriter, name: string): void {
  pdf.y -= 8;
  pdf.tag('P', () => pdf.line(name, { size: 26, font: 'italic' }));
  pdf.y += 8;
}

function drawSignatureLine(pdf: PdfWriter): void {
  pdf.decoration(() =>
    pdf.doc
      .moveTo(pdf.left, pdf.y)
      .lineTo(pdf.left + 260, pdf.y)
      .lineWidth(0.7)
      .stroke(ink),
  );
}

function writeSignatureFacts(pdf: PdfWriter, signature: Signature): void {
  const signedAt = signature.at.toISOString().replace('T', ' ').slice(0, 19);
  const email = signature.by.email ? ` (${signature.by.email})` : '';
  pdf.paragraph(signature.name, { size: 10 });
  pdf.paragraph(`Signed electronically on ${signedAt} UTC from ${signature.ip}`, { size: 9 });
  pdf.paragraph(`Signed in as ${signature.by.name}${email}`, { size: 9 });
  pdf.paragraph(`SHA-256 of the text that was signed: ${signature.hash}`, { size: 7.5 });
}
