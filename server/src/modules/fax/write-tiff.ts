import UTIF from 'utif2';
import { firstOf, mustBe } from '../../platform/must-be.ts';

type DirectoryEntry = [tag: number, type: number, count: number, value: number];
interface Strip {
  offset: number;
  byteCount: number;
}
const [SHORT, LONG, RATIONAL] = [3, 4, 5];
const headerBytes = 8;
const entryBytes = 12;

/**
 * Joins single-page TIFFs (group 4) into one with many pages: the strips are copied unchanged, the
 * directories are rewritten in the order fax programs expect (RFC 2306, profile F).
 */
export function joinTiffs(
  pages: readonly Buffer[],
  dotsPerInch: { across: number; down: number },
): Buffer {
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  const parts: Buffer[] = [header];
  let size = headerBytes;
  /** Appends bytes at an even offset and returns that offset. */
  const append = (bytes: Buffer): number => {
    const offset = size;
    const padded = bytes.length % 2 ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes;
    parts.push(padded);
    size += padded.length;
    return offset;
  };
  /** Where the next directory's offset is written: in the header, then after each directory. */
  let nextPointer: { part: Buffer; offset: number } = { part: header, offset: 4 };
  pages.forEach((page, index) => {
    const pageNumber = index | (pages.length << 16);
    const directory = encodeDirectory(pageEntries(page, pageNumber, dotsPerInch, append));
    nextPointer.part.writeUInt32LE(append(directory), nextPointer.offset);
    // A directory has an even length, so `append` stored this buffer and not a padded copy.
    nextPointer = { part: directory, offset: directory.length - 4 };
  });
  return Buffer.concat(parts);
}

/** Copies a page's strips with `append` and returns the entries of its new directory. */
function pageEntries(
  page: Buffer,
  pageNumber: number,
  dotsPerInch: { across: number; down: number },
  append: (bytes: Buffer) => number,
): DirectoryEntry[] {
  const [ifd] = UTIF.decode(page);
  const tag = (t: number): number[] => (ifd?.[`t${t}`] as number[] | undefined) ?? [];
  const byteCounts = tag(279);
  const strips: Strip[] = tag(273).map((from, i) => {
    const byteCount = mustBe(byteCounts[i], 'size of a strip');
    return { offset: append(page.subarray(from, from + byteCount)), byteCount };
  });
  const list = (values: number[]) =>
    values.length === 1 ? firstOf(values) : append(encodeLongs(values));
  const ratio = (value: number) => append(encodeLongs([value, 1]));
  return [
    [254, LONG, 1, 2],
    [256, LONG, 1, firstOf(tag(256))],
    [257, LONG, 1, firstOf(tag(257))],
    [258, SHORT, 1, 1],
    [259, SHORT, 1, 4],
    [262, SHORT, 1, tag(262)[0] ?? 0],
    [266, SHORT, 1, tag(266)[0] ?? 1],
    [273, LONG, strips.length, list(strips.map((s) => s.offset))],
    [274, SHORT, 1, 1],
    [277, SHORT, 1, 1],
    [278, LONG, 1, tag(278)[0] ?? firstOf(tag(257))],
    [279, LONG, strips.length, list(strips.map((s) => s.byteCount))],
    [282, RATIONAL, 1, ratio(dotsPerInch.across)],
    [283, RATIONAL, 1, ratio(dotsPerInch.down)],
    [296, SHORT, 1, 2],
    [297, SHORT, 2, pageNumber],
  ];
}

/** A directory whose last four bytes, the offset of the next one, are still zero. */
function encodeDirectory(entries: readonly DirectoryEntry[]): Buffer {
  const directory = Buffer.alloc(2 + entries.length * entryBytes + 4);
  directory.writeUInt16LE(entries.length);
  entries.forEach(([tag, type, count, value], i) => {
    const offset = 2 + i * entryBytes;
    directory.writeUInt16LE(tag, offset);
    directory.writeUInt16LE(type, offset + 2);
    directory.writeUInt32LE(count, offset + 4);
    directory.writeUInt32LE(value >>> 0, offset + 8);
  });
  return directory;
}

function encodeLongs(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32LE(value, i * 4));
  return bytes;
}
