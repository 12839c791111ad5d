import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create } from 'fontkit';

/** Latin, Vietnamese, Greek and Cyrillic letters. A document holds only the letters it uses. */
const files = {
  plain: () => import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  bold: () => import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  italic: () =>
    import.meta.resolve('@expo-google-fonts/inter/400Regular_Italic/Inter_400Regular_Italic.ttf'),
};
export type FontName = keyof typeof files;
export const fontNames = Object.keys(files) as FontName[];

const loaded = new Map<FontName, Buffer>();
/**
 * The font's file, read from its package once per process or thread. Each document parses it for
 * itself: a parsed font remembers its letters, and one that was drawn as a part of another (the z of
 * ż) would come without its character, lost to copying and reading aloud.
 */
export function fontFile(name: FontName): Buffer {
  const read = loaded.get(name);
  if (read) return read;
  const bytes = readFileSync(fileURLToPath(files[name]()));
  loaded.set(name, bytes);
  return bytes;
}

function charactersOf(file: Buffer): number[] {
  const font = create(file);
  return 'characterSet' in font ? font.characterSet : []; // a collection, which none of ours is
}

let letters: ReadonlySet<number> | null = null;
/** The characters that all of the fonts have. */
function lettersHeld(): ReadonlySet<number> {
  if (letters) return letters;
  const [first = new Set<number>(), ...others] = fontNames.map(
    (name) => new Set(charactersOf(fontFile(name))),
  );
  return (letters = new Set([...first].filter((c) => others.every((set) => set.has(c)))));
}

/** Stands for a character that no font here has. */
export const missingSign = '□';
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The text as it can be drawn on one line: a character without a letter in the fonts (Chinese,
 * Arabic, emoji) becomes `missingSign` as a whole, never a part of it or another letter.
 * `missing`: whether there was one.
 */
export function printable(text: string): { shown: string; missing: boolean } {
  // Nearly all text: the fonts have every one of these.
  if (/^[\x20-\x7e]*$/.test(text)) return { shown: text, missing: false };
  const held = lettersHeld();
  let missing = false;
  const spaced = text.normalize('NFC').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  const shown = Array.from(clusters.segment(spaced), ({ segment }) => {
    // Direction marks and joiners draw nothing.
    const drawn = segment.replace(/[\p{Cf}\u{fe00}-\u{fe0f}]/gu, '');
    if ([...drawn].every((c) => held.has(c.codePointAt(0) ?? 0))) return drawn;
    missing = true;
    return missingSign;
  }).join('');
  return { shown, missing };
}
