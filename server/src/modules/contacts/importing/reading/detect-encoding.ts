import { isUtf8 } from 'node:buffer';
import type { TextEncoding } from '#contract/contacts/importing/encodings';
import { textDecoder } from '../../decode-text.ts';
import { InvalidFile } from '../file-errors.ts';

/** Enough of a file to know its language by. */
const headBytes = 256 * 1024;

/**
 * The encoding of a text file. A byte-order mark says it, UTF-16 shows by its zero bytes, and UTF-8 can
 * be proved; what is left is guessed by the words it gives, and people can choose another. Throws
 * InvalidFile for binary data.
 */
export function detectEncoding(bytes: Buffer): TextEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, 2_000);
  let evenZeros = 0;
  let oddZeros = 0;
  head.forEach((byte, i) => {
    if (byte !== 0) return;
    if (i % 2) oddZeros++;
    else evenZeros++;
  });
  const many = head.length / 5;
  if (oddZeros > many && evenZeros < many / 4) return 'utf-16le';
  if (evenZeros > many && oddZeros < many / 4) return 'utf-16be';
  refuseZeros(bytes);
  if (isUtf8(bytes)) return 'utf-8';
  return guessEncoding(bytes.subarray(0, headBytes));
}

/** Zero bytes don't belong in a text: a few are damage to repair, many are another kind of file. */
function refuseZeros(bytes: Buffer): void {
  const first = bytes.indexOf(0);
  if (first < 0) return;
  const controls = bytes.reduce(
    (sum, byte) => sum + (byte < 9 || (byte > 13 && byte < 32) ? 1 : 0),
    0,
  );
  if (controls > 4 && controls > bytes.length / 100)
    throw new InvalidFile('This isn’t a text file.');
  let row = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < first; at = bytes.indexOf(10, at + 1)) row++;
  throw new InvalidFile(
    `Row ${row} has a NUL character, so the file may be damaged. Remove it, or export the file again.`,
  );
}

/** Bytes as characters of the same value, so that words can be searched by their bytes. */
const asBytes = (bytes: Buffer) => bytes.toString('latin1');
const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte | 32) >= 97 && (byte | 32) <= 122 ? true : byte >= 0x80);
const among = (list: string) => new Set(list.split(' ').map((hex) => parseInt(hex, 16)));
/** Signs of Windows-1252 that follow a word: … ’ ” ™ › ‰ • —. */
const afterWord = among('85 92 94 99 9b 89 95 97');
/** And that begin one: € „ ‘ “ ‹. */
const beforeWord = among('80 84 91 93 8b');
/** Letters of Windows-1250 that are signs in Windows-1252: ł Ł ą Ą ż Ż ľ Ľ ş ť ź. */
const centralLetters = among('b3 a3 b9 a5 bf af be bc ba 9d');

function guessEncoding(bytes: Buffer): TextEncoding {
  const text = asBytes(bytes);
  const runs = text.match(/[\x80-\xff]+/g) ?? [];
  const high = runs.reduce((sum, run) => sum + run.length, 0);
  // Letters of other alphabets stand together; accented Latin ones stand among plain ones.
  const together = runs.reduce((sum, run) => sum + (run.length > 2 ? run.length : 0), 0);
  const lows = text.match(/[\x80-\x9f]/g)?.length ?? 0;
  const japanese = sharesOf(bytes, 'shift_jis', /[\u3040-\u30ff\u4e00-\u9fff]{2,}/gu);
  if (lows > high / 4 && japanese > 0.8) return 'shift_jis';
  if (together > high / 2) {
    const cyrillic = (['windows-1251', 'koi8-r'] as const)
      .map((encoding) => [encoding, wellCased(bytes, encoding)] as const)
      .reduce((best, one) => (one[1] > best[1] ? one : best));
    if (cyrillic[1] > 0.8) return cyrillic[0];
  }
  return eastAsian(bytes, text) ?? latin(bytes);
}

/** The share of the characters beyond ASCII that are of this kind; 0: the bytes aren't valid. */
function sharesOf(bytes: Buffer, encoding: TextEncoding, kind: RegExp): number {
  let text: string;
  try {
    // The end may be cut within a character.
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return 0;
  }
  const others = text.match(/\P{ASCII}/gu)?.length ?? 0;
  return others ? (text.match(kind)?.join('').length ?? 0) / others : 0;
}
/** The share of Cyrillic words written as words are: small, with a capital, or all in capitals. */
function wellCased(bytes: Buffer, encoding: TextEncoding): number {
  const text = textDecoder(encoding)(bytes).replace(/[«»„“”‘’—–№…]/g, ' ');
  const words = text.match(/\P{ASCII}{2,}/gu) ?? [];
  const good = words.filter((word) => /^(?:[А-ЯЁІЇЄҐ]?[а-яёіїєґ’]+|[А-ЯЁІЇЄҐ]+)$/u.test(word));
  return words.length ? good.length / words.length : 0;
}
/** Null: not an encoding of two bytes per character. */
function eastAsian(bytes: Buffer, text: string): TextEncoding | null {
  if (sharesOf(bytes, 'euc-kr', /[\uac00-\ud7a3]/gu) > 0.9) return 'euc-kr';
  const kana = sharesOf(bytes, 'euc-jp', /[\u3040-\u30ff]/gu);
  if (kana > 0.2 && sharesOf(bytes, 'euc-jp', /[\u3040-\u30ff\u4e00-\u9fff]/gu) > 0.9)
    return 'euc-jp';
  const han = /[\u4e00-\u9fff]/gu;
  const isPaired = (text.match(/[\x80-\xff]+/g) ?? []).every((run) => run.length > 1);
  // Common characters of the mainland's encoding have no ASCII byte.
  if (isPaired && sharesOf(bytes, 'gb18030', han) > 0.95) return 'gb18030';
  return sharesOf(bytes, 'big5', han) > 0.95 ? 'big5' : null;
}

function latin(bytes: Buffer): TextEncoding {
  let mac = 0;
  let central = 0;
  let windows = 0;
  bytes.forEach((byte, at) => {
    if (byte < 0x80) return;
    const [before, after] = [isLetter(bytes[at - 1]), isLetter(bytes[at + 1])];
    if (!before && !after) return;
    if (byte === 0xbf && !before) return; // ¿ begins a question, ż ends or goes on
    if (centralLetters.has(byte)) central++;
    // The ß and the ’ of old Macs.
    else if ((byte === 0xa7 && before) || (byte === 0xd5 && isApostrophe(bytes, at))) mac++;
    else if (byte >= 0xc0) windows++;
    else if (byte >= 0xa0 || (byte === 0x92 && isApostrophe(bytes, at))) return;
    else if (before && after) mac++;
    else if (!(before ? afterWord : beforeWord).has(byte)) mac++;
  });
  if (central > 0 && central >= mac && central * 4 >= windows) return 'windows-1250';
  return mac > windows ? 'macintosh' : 'windows-1252';
}
/** O’Brien, D’Angelo, it’s: an apostrophe of Windows, not the í of old Macs. */
const isApostrophe = (bytes: Buffer, at: number): boolean =>
  /(?:^|[^a-z])[a-z]{1,2}[\x92\xd5][A-Z]|[\x92\xd5](?:s|t|d|m|re|ll|ve)(?:[^a-z]|$)/i.test(
    asBytes(bytes.subarray(Math.max(0, at - 3), at + 4)),
  );
