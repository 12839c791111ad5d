/** A script of a page, with where it stands. */
export interface PageScript {
  src: string | null;
  code: string;
  attributes: Readonly<Record<string, string>>;
  place: 'head' | 'body';
}
/** What of a page matters to the script for websites. */
export interface ReadPage {
  scripts: PageScript[];
  /** The text that people see, a line for each block. */
  text: string;
  /** The same of parts that keep their numbers (`data-dni-noswap`, editable). */
  keptText: string;
  telLinks: string[];
  /** Content of `<meta http-equiv="Content-Security-Policy">`. */
  policies: string[];
}

/** Stands in a line where an element within it begins or ends: a number can go on there. */
export const SEAM = '\u0001';
const TAG = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)(?:>|$)/gi;
const ATTRIBUTE = /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
/** Their content is text, not markup, and ends only with their own end tag. */
const RAW = /^(script|style|textarea|title|noscript|iframe|xmp|template)$/;
const INLINE = /^(a|abbr|b|bdi|bdo|code|em|font|i|label|mark|s|small|span|strong|sub|sup|u|wbr)$/;
const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;

/** What a browser would find in a page's HTML. Never throws, whatever the text. */
export function readHtml(html: string): ReadPage {
  const page: ReadPage = { scripts: [], text: '', keptText: '', telLinks: [], policies: [] };
  const kept: string[] = [];
  let place: PageScript['place'] = 'head';
  let at = 0;
  const addText = (text: string): void => {
    // As browsers show it: space in the source is one space, only blocks end a line.
    const shown =
      text === '\n' || text === SEAM ? text : decoded(text.replace(/[ \t\r\n\f]+/g, ' '));
    if (kept.length > 0) page.keptText += shown;
    else page.text += shown;
  };
  const tag = new RegExp(TAG);
  for (let match = tag.exec(html); match; match = tag.exec(html)) {
    addText(html.slice(at, match.index));
    at = tag.lastIndex;
    const name = match[2]?.toLowerCase();
    if (name === undefined) continue;
    const isEnd = match[1] === '/';
    const attributes = isEnd ? {} : attributesOf(match[3] ?? '');
    if (name === 'body' || (isEnd && name === 'head')) place = 'body';
    if (!isEnd && RAW.test(name)) {
      const end = new RegExp(`</${name}[\\s/>]`, 'gi');
      end.lastIndex = at;
      const found = end.exec(html);
      const code = html.slice(at, found?.index ?? html.length);
      // A script that never ends isn't run.
      if (name === 'script' && found)
        page.scripts.push({ src: attributes['src'] ?? null, code, attributes, place });
      at = found?.index ?? html.length;
      tag.lastIndex = at;
      continue;
    }
    addText(INLINE.test(name) ? SEAM : '\n');
    takeTag(page, name, attributes);
    if (isEnd ? kept.at(-1) === name : isKept(attributes, kept.at(-1) === name, name)) {
      if (isEnd) kept.pop();
      else if (!VOID.test(name)) kept.push(name);
    }
  }
  addText(html.slice(at));
  return page;
}

/** Whether an element keeps its numbers, or is inside one of the same name that does. */
const isKept = (
  attributes: Readonly<Record<string, string>>,
  isInside: boolean,
  name: string,
): boolean =>
  'data-dni-noswap' in attributes ||
  ('contenteditable' in attributes && attributes['contenteditable'] !== 'false') ||
  (isInside && !VOID.test(name));

function takeTag(page: ReadPage, name: string, attributes: Readonly<Record<string, string>>): void {
  const { href, content } = attributes;
  if (name === 'a' && href && /^(tel|sms):/i.test(href)) page.telLinks.push(decoded(href));
  const isPolicy = /^content-security-policy$/i.test(attributes['http-equiv'] ?? '');
  if (name === 'meta' && isPolicy && content) page.policies.push(decoded(content));
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE))
    attributes[name.toLowerCase()] ??= double ?? single ?? bare ?? '';
  return attributes;
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ndash: '–',
  mdash: '—',
  shy: '\u00ad',
};
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : null;
    if (code !== null) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    return entities[String(name).toLowerCase()] ?? whole;
  });
