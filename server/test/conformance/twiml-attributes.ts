/** The verbs and attributes that Twilio's own SDK declares for TwiML, read from its types. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { XMLParser } from 'fast-xml-parser';
import ts from 'typescript';

type Allowed = Map<string, Set<string> | null>;
let knownAttributes: Map<string, Allowed> | null = null;

/** Verb → attribute → allowed values (null: any). */
function declaredAttributes(): Map<string, Allowed> {
  if (knownAttributes) return knownAttributes;
  const path = createRequire(import.meta.url).resolve('twilio/lib/twiml/VoiceResponse.d.ts');
  const source = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const unions = new Map<string, Set<string>>();
  const verbs = new Map<string, Allowed>();
  const literals = (node: ts.TypeNode): Set<string> | null => {
    const parts = ts.isUnionTypeNode(node) ? [...node.types] : [node];
    const values = parts.map((part) =>
      ts.isLiteralTypeNode(part) && ts.isStringLiteral(part.literal) ? part.literal.text : null,
    );
    return values.every((v) => v !== null) ? new Set(values as string[]) : null;
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeAliasDeclaration(node)) {
      const values = literals(node.type);
      if (values) unions.set(node.name.text, values);
    }
    ts.forEachChild(node, visit);
  };
  const attributes = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) && node.name.text.endsWith('Attributes')) {
      const verb = node.name.text.slice(0, -'Attributes'.length);
      const allowed = verbs.get(verb) ?? new Map<string, Set<string> | null>();
      for (const member of node.members)
        if (ts.isPropertySignature(member) && member.type)
          allowed.set(
            member.name.getText(source).replace(/['"]/g, ''),
            ts.isTypeReferenceNode(member.type)
              ? (unions.get(member.type.getText(source)) ?? null)
              : literals(member.type),
          );
      verbs.set(verb, allowed);
    }
    ts.forEachChild(node, attributes);
  };
  visit(source);
  attributes(source);
  // Verbs without attributes have no interface of their own.
  for (const bare of ['Response', 'Hangup']) if (!verbs.has(bare)) verbs.set(bare, new Map());
  return (knownAttributes = verbs);
}

/** What is unknown to Twilio in a document, one line each; empty when all is valid. */
export function invalidTwiml(xml: string): string[] {
  const wrong: string[] = [];
  const walk = (nodes: Record<string, unknown>[]): void => {
    for (const node of nodes) {
      const name = Object.keys(node).find((key) => key !== ':@');
      if (!name || name.startsWith('#') || name.startsWith('?')) continue;
      const allowed = declaredAttributes().get(name);
      if (!allowed) wrong.push(`there is no verb <${name}>`);
      for (const [key, value] of Object.entries((node[':@'] ?? {}) as Record<string, string>)) {
        const values = allowed?.get(key);
        if (allowed && values === undefined) wrong.push(`<${name}> has no attribute ${key}`);
        else if (
          values &&
          !String(value)
            .split(' ')
            .every((one) => values.has(one))
        )
          wrong.push(`<${name} ${key}> cannot be "${value}"`);
      }
      walk(node[name] as Record<string, unknown>[]);
    }
  };
  walk(
    new XMLParser({ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '' }).parse(
      xml,
    ) as Record<string, unknown>[],
  );
  return wrong;
}
