import { isUtf8 } from 'node:buffer';
import { textDecoder } from '../decode-text.ts';
import { isQuotedPrintable, parameterOf, type CardProperty } from './card-lines.ts';

/** `=C3=A9` as the bytes it stands for; a broken escape stays as it is. */
const unquote = (text: string): string =>
  text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** Bytes (one per character) as text. `fallback`: the encoding of the file. */
function decode(value: string, charset: string | undefined, fallback: string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  // Valid UTF-8 is no accident, whatever the card says.
  if (isUtf8(bytes)) return bytes.toString('utf8');
  for (const encoding of [charset, fallback])
    try {
      if (encoding && !/^utf-?8$/.test(encoding)) return textDecoder(encoding)(bytes, true);
    } catch {
      // An encoding that no one knows: the file's is the next best.
    }
  return textDecoder('windows-1252')(bytes, true);
}

const unescape = (text: string): string =>
  text
    .replace(/\\([\\;,:nN])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign))
    .replace(/\r\n?/g, '\n')
    .trim();

/** Parts of a text between separators that no backslash escapes. */
function splitAt(text: string, separator: ';' | ','): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++)
    if (text[at] === '\\') at++;
    else if (text[at] === separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  return [...parts, text.slice(from)];
}

/** Decodes the values of the properties of one file. */
export function valueReader(fallback: string) {
  const read = (property: CardProperty, raw: string): string => {
    const bytes = isQuotedPrintable(property) ? unquote(raw) : raw;
    return unescape(decode(bytes, parameterOf(property, 'CHARSET')[0]?.toLowerCase(), fallback));
  };
  return {
    /** The whole value as one text. */
    text: (property: CardProperty): string => read(property, property.value),
    /** The parts of a value with several ("N", "ADR", "ORG"). */
    parts: (property: CardProperty): string[] =>
      splitAt(property.value, ';').map((part) => read(property, part)),
    /** The entries of a list ("NICKNAME"). */
    list: (property: CardProperty): string[] =>
      splitAt(property.value, ',').map((part) => read(property, part)),
  };
}
