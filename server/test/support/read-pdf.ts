import { PDFiumLibrary } from '@hyzyla/pdfium';
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFString,
  decodePDFRawStream,
} from 'pdf-lib';

let library: Promise<PDFiumLibrary> | null = null;

/** The text of all pages, as someone would copy it. */
export async function textOfPdf(bytes: Uint8Array): Promise<string> {
  const pdf = await (await (library ??= PDFiumLibrary.init())).loadDocument(bytes);
  const text = [...pdf.pages()].map((page) => page.getText()).join('\n');
  pdf.destroy();
  return text.replaceAll('\r', '');
}

/** What a screen reader is told about a document. */
interface ReadAloud {
  pages: number;
  title: string | undefined;
  language: string | undefined;
  marked: boolean;
  /** Nested tags, for example `['Document', ['H1'], ['P']]`. */
  tags: unknown;
  /** The texts told instead of pictures. */
  alternatives: string[];
  /** Texts drawn that belong to no tag and aren't decoration; there should be none. */
  untagged: number;
}

export async function readAloud(bytes: Uint8Array): Promise<ReadAloud> {
  const pdf = await PDFDocument.load(bytes);
  const { catalog } = pdf;
  const alternatives: string[] = [];
  const kids = (dict: PDFDict): PDFDict[] => {
    const found = dict.lookup(PDFName.of('K'));
    const list = found instanceof PDFArray ? found.asArray() : found ? [found] : [];
    return list
      .map((kid) => pdf.context.lookup(kid))
      .filter((kid): kid is PDFDict => kid instanceof PDFDict && kid.has(PDFName.of('S')));
  };
  const tree = (dict: PDFDict): unknown => {
    const alternative = textOf(dict.lookup(PDFName.of('Alt')));
    if (alternative) alternatives.push(alternative);
    return [dict.lookup(PDFName.of('S'), PDFName).decodeText(), ...kids(dict).map(tree)];
  };
  const root = catalog.lookupMaybe(PDFName.of('StructTreeRoot'), PDFDict);
  const mark = catalog.lookupMaybe(PDFName.of('MarkInfo'), PDFDict);
  return {
    pages: pdf.getPageCount(),
    title: pdf.getTitle(),
    language: textOf(catalog.lookup(PDFName.of('Lang'))),
    marked: String(mark?.lookup(PDFName.of('Marked'))) === 'true',
    tags: root && kids(root).map(tree)[0],
    alternatives,
    untagged: pdf
      .getPages()
      .map((page) => page.node.Contents())
      .flatMap((contents) =>
        contents instanceof PDFArray
          ? contents.asArray().map((part) => pdf.context.lookup(part))
          : [contents],
      )
      .map((part) =>
        part instanceof PDFRawStream ? untaggedTexts(decodePDFRawStream(part).decode()) : 0,
      )
      .reduce((sum, count) => sum + count, 0),
  };
}

const textOf = (value: unknown): string | undefined =>
  value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : undefined;

/** Texts and lines drawn outside of marked content. */
function untaggedTexts(content: Uint8Array): number {
  let [depth, count] = [0, 0];
  for (const line of Buffer.from(content).toString('latin1').split('\n')) {
    if (/ (BDC|BMC)$/.test(line)) depth++;
    else if (line === 'EMC') depth--;
    else if (depth === 0 && /(^| )(Tj|TJ|S|Do|f)$/.test(line)) count++;
  }
  return count + Math.abs(depth);
}
