import { compileMessage } from '@lingui/message-utils/compileMessage';
import { readFileSync } from 'node:fs';
import PO from 'pofile';
import type { Plugin } from 'vite';

/**
 * A sentence that needs the compiler: `{n, plural, one {# call} other {# calls}}` or `{n, number}`.
 */
const hasFormat = /\{\w+,\s*(plural|select|selectordinal|number|date|time)\s*[,}]/;
const compiler = '@lingui/message-utils/compileMessage';

interface Node {
  type: string;
  [key: string]: unknown;
}
const isNode = (v: unknown): v is Node =>
  typeof v === 'object' && v !== null && typeof (v as Node).type === 'string';

function collect(node: Node, found: Set<string>): void {
  if (node.type === 'Literal' && typeof node['value'] === 'string' && hasFormat.test(node['value']))
    found.add(node['value']);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) collect(child, found);
}

/**
 * Compiles a catalogue (gettext PO, made from `locales/messages.pot`) for `setLocale`. Messages
 * that are untranslated or fuzzy are in English.
 */
export const compiledCatalogue = (po: string) =>
  Object.fromEntries(
    PO.parse(po).items.map(({ msgid, msgstr, flags }) => [
      msgid,
      compileMessage((!flags['fuzzy'] && msgstr[0]) || msgid),
    ]),
  );

/**
 * Compiles sentences with plurals while bundling and appends them to the code that uses them, so
 * that browsers need no parser (5 kB of the first load).
 */
export function compiledMessages(): Plugin[] {
  const withoutParser: Plugin = {
    name: 'no-message-parser',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source) => (source === compiler ? '\0compiled-already' : null),
    load: (id) =>
      id === '\0compiled-already' ? 'export const compileMessage = (text) => [text];' : null,
  };
  const compiled: Plugin = {
    name: 'compiled-messages',
    apply: 'build',
    enforce: 'post',
    transform(code, file) {
      if (
        !/\/(ui|web|admin|caddy|contract)\/src\/.*\.tsx?$/.test(file.replace(/\?.*/s, '')) ||
        !hasFormat.test(code)
      )
        return null;
      const found = new Set<string>();
      collect(this.parse(code) as unknown as Node, found);
      if (found.size === 0) return null;
      const messages = Object.fromEntries(
        [...found].map((sentence) => [sentence, compileMessage(sentence)]),
      );
      return {
        code: `${code}\nimport { i18n as catalogue } from '@lingui/core';\ncatalogue.load('en', ${JSON.stringify(messages)});\n`,
        map: null,
      };
    },
  };
  const catalogues: Plugin = {
    name: 'message-catalogues',
    enforce: 'pre',
    load: (id) =>
      id.endsWith('.po')
        ? `export default ${JSON.stringify(compiledCatalogue(readFileSync(id, 'utf8')))};`
        : null,
  };
  return [withoutParser, compiled, catalogues];
}
