/** Characters that XML 1.0 has no place for, lone surrogates included. */
const unprintable =
  /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]|[\u{7F}-\u{9F}]/gu;

/** The text without characters that no document can hold. */
export const printable = (text: string): string => text.replaceAll(unprintable, '');

const reference = (character: string): string =>
  `&#x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()};`;
/** Everything beyond ASCII as references, so that no mail program can damage it. */
const inAscii = (text: string): string => text.replaceAll(/[\u{80}-\u{10FFFF}]/gu, reference);

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Text of an element or attribute. Line breaks become spaces: these fields have one line. */
export const escaped = (text: string): string =>
  inAscii(
    printable(text)
      .replaceAll(/\s+/g, ' ')
      .trim()
      .replaceAll(/[&<>"']/g, (character) => named[character] ?? ''),
  );

/**
 * Text of several lines in CDATA sections. What would end a section, and what isn't ASCII, stands
 * between two.
 */
export const cdata = (text: string): string => {
  const safe = printable(text)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(']]>', ']]]]><![CDATA[>')
    .replaceAll(/[\u{80}-\u{10FFFF}]+/gu, (run) => `]]>${inAscii(run)}<![CDATA[`);
  return `<![CDATA[${safe}]]>`.replaceAll('<![CDATA[]]>', '');
};

/** An element with its content as it is; without attributes of no value. */
export function element(
  name: string,
  content: string,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const said = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join('');
  return content === '' ? `<${name}${said}/>` : `<${name}${said}>${content}</${name}>`;
}
/** The same on lines of its own. */
export const block = (
  name: string,
  parts: readonly string[],
  attributes: Readonly<Record<string, string>> = {},
): string => element(name, `\n${parts.filter(Boolean).join('\n')}\n`, attributes);
