/** The verbs and attributes that Bandwidth's own SDK declares for BXML, read from its types. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';

let knownAttributes: Map<string, Map<string, string>> | null = null;

/** Verb → attribute → `string`, `number` or `boolean`. */
function declaredAttributes(): Map<string, Map<string, string>> {
  if (knownAttributes) return knownAttributes;
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('bandwidth-sdk')),
    'models/bxml/verbs',
  );
  knownAttributes = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.d.ts') && name !== 'index.d.ts')
      .map((name) => {
        const text = readFileSync(join(folder, name), 'utf8');
        const inside = /export interface \w+Attributes \{([^}]*)\}/.exec(text)?.[1] ?? '';
        return [
          name.replace('.d.ts', ''),
          new Map([...inside.matchAll(/(\w+)\??: (\w+);/g)].map((m) => [m[1]!, m[2]!])),
        ];
      }),
  );
  knownAttributes.set('Bxml', new Map());
  return knownAttributes;
}

/** What is unknown to Bandwidth in a document, one line each; empty when all is valid. */
export function invalidBxml(xml: string): string[] {
  const wrong: string[] = [];
  const walk = (nodes: Record<string, unknown>[]): void => {
    for (const node of nodes) {
      const name = Object.keys(node).find((key) => key !== ':@');
      if (!name || name.startsWith('#') || name.startsWith('?')) continue;
      const allowed = declaredAttributes().get(name);
      if (!allowed) wrong.push(`there is no verb <${name}>`);
      for (const [key, value] of Object.entries((node[':@'] ?? {}) as Record<string, string>)) {
        const type = allowed?.get(key);
        if (allowed && type === undefined) wrong.push(`<${name}> has no attribute ${key}`);
        else if (
          (type === 'number' && !/^\d+(\.\d+)?$/.test(value)) ||
          (type === 'boolean' && value !== 'true' && value !== 'false')
        )
          wrong.push(`<${name} ${key}> cannot be "${value}"`);
      }
      walk(node[name] as Record<string, unknown>[]);
    }
  };
  walk(
    new XMLParser({
      preserveOrder: true,
      ignoreAttributes: false,
      attributeNamePrefix: '',
      parseAttributeValue: false,
    }).parse(xml) as Record<string, unknown>[],
  );
  return wrong;
}
