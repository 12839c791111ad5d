import UTIF from 'utif2';

/**
 * One TIFF of many pages out of TIFFs of one page each (group 4): their strips are copied as they are, their directories
 * written anew, in the order fax programs expect (RFC 2306, profile F).
 */
export function joinTiffs(
  pages: readonly Buffer[],
  dotsPerInch: { across: number; down: number },
): Buffer {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])];
  let size = 8;
  const append = (bytes: Buffer): number => {
    const place = size;
    const padded = bytes.length % 2 ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes;
    parts.push(padded);
    size += padded.length;
    return place;
  };
  /** Where the next directory's place is to be written: first in the header, then at each directory's end. */
  let nextPointer: { part: Buffer; offset: number } = { part: parts[0]!, offset: 4 };
  pages.forEach((page, n) => {
    const [ifd] = UTIF.decode(page);
    const tag = (t: number): number[] => (ifd?.[`t${t}`] as number[] | undefined) ?? [];
    const from = tag(273),
      bytes = tag(279);
    const strips = from.map((offset, i) => ({
      place: append(page.subarray(offset, offset + bytes[i]!)),
      bytes: bytes[i]!,
    }));
    const longs = (values: number[]) =>
      Buffer.concat(
        values.map((v) => {
          const b = Buffer.alloc(4);
          b.writeUInt32LE(v);
          return b;
        }),
      );
    const list = (values: number[]) => (values.length === 1 ? values[0]! : append(longs(values)));
    const ratio = (v: number) => append(longs([v, 1]));
    const [SHORT, LONG, RATIONAL] = [3, 4, 5];
    const entries: [tag: number, type: number, count: number, value: number][] = [
      [254, LONG, 1, 2],
      [256, LONG, 1, tag(256)[0]!],
      [257, LONG, 1, tag(257)[0]!],
      [258, SHORT, 1, 1],
      [259, SHORT, 1, 4],
      [262, SHORT, 1, tag(262)[0] ?? 0],
      [266, SHORT, 1, tag(266)[0] ?? 1],
      [273, LONG, strips.length, list(strips.map((s) => s.place))],
      [274, SHORT, 1, 1],
      [277, SHORT, 1, 1],
      [278, LONG, 1, tag(278)[0] ?? tag(257)[0]!],
      [279, LONG, strips.length, list(strips.map((s) => s.bytes))],
      [282, RATIONAL, 1, ratio(dotsPerInch.across)],
      [283, RATIONAL, 1, ratio(dotsPerInch.down)],
      [296, SHORT, 1, 2],
      [297, SHORT, 2, n | (pages.length << 16)],
    ];
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length);
    entries.forEach(([t, type, count, value], i) => {
      const at = 2 + i * 12;
      directory.writeUInt16LE(t, at);
      directory.writeUInt16LE(type, at + 2);
      directory.writeUInt32LE(count, at + 4);
      directory.writeUInt32LE(value >>> 0, at + 8);
    });
    const place = append(directory);
    nextPointer.part.writeUInt32LE(place, nextPointer.offset);
    // `put` may have padded a copy; a directory has an even length, so it is the part itself.
    nextPointer = { part: parts.at(-1)!, offset: directory.length - 4 };
  });
  return Buffer.concat(parts);
}
