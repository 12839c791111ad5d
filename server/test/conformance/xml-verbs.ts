import { XMLParser } from 'fast-xml-parser';

/** A verb of a carrier's call document (TwiML, BXML). */
export interface Verb {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Verb[];
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: true,
  parseTagValue: false,
});

/** The verbs of a call document below the first of these root elements; null when it has none. */
export function readVerbs(xml: string, roots: readonly string[]): Verb[] | null {
  const nodes = parser.parse(xml) as Record<string, unknown>[];
  return verbsOf(nodes).find(({ name }) => roots.includes(name))?.children ?? null;
}

const verbsOf = (nodes: Record<string, unknown>[]): Verb[] =>
  nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ':@');
    if (!name || name.startsWith('#') || name.startsWith('?')) return [];
    const inner = node[name] as Record<string, unknown>[];
    const text = inner.flatMap((one) => ('#text' in one ? [String(one['#text'])] : [])).join('');
    const attributes = (node[':@'] ?? {}) as Record<string, string>;
    return [{ name, attributes, text, children: verbsOf(inner) }];
  });
