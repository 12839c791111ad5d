import type { Plugin } from 'vite';
import * as catalogue from '../../../contract/src/catalogue.ts';
import * as kit from '../../../contract/src/kit.ts';
import * as permissions from '../../../contract/src/permissions.ts';
import * as phone from '../../../contract/src/phone.ts';
import * as refusals from '../../../contract/src/refusals.ts';
import * as sentences from '../../../contract/src/sentences.ts';

const { contracts, events } = catalogue;
/** Where the index has its other names from. */
const fileOfEndpoint = new Map(
  Object.entries({ kit, permissions, phone, refusals, sentences, catalogue }).flatMap(
    ([file, names]) => Object.keys(names).map((name) => [name, file] as const),
  ),
);

/**
 * The contract as browsers need it: names, methods, addresses and permissions. Shapes, examples and summaries (nine tenths of the text)
 * are for the server and for documents and are cut out while bundling; endpoints that no screen uses fall away.
 * Without this the first load grows with every endpoint the product will ever have.
 */
const kept = new Set([
  'name',
  'method',
  'path',
  'permission',
  'company',
  'multipart',
  'skipsSessionCheck',
  'paged',
  'channel',
  'touches',
]);
const schemaMakers = ['z', 'one', 'pageOf', 'listQuery', 'id', 'instant', 'flag'];
/** Files of plain facts and functions: never touched, and what is imported from them is no shape. */
const plain =
  /\/(kit|phone|contact-rules|permissions|refusals|sentences|field-rules|setting-rules|notification-rules|vanity|states|area-codes|area-codes\.data|routing-rules|registration-lists|registration-rules|porting-rules|marketplace-rules|schedule-rules|greeting-rules|flow-sentences|campaign-rules|importing-rules|export-columns|index)\.ts$/;
/**
 * The connection must know every event from the first moment. Their names are written out here, so that the first load holds
 * them and not the contract files they stand in, which come with the screens that use them.
 */
const everyEvent = `export const eventByName = new Map(${JSON.stringify(events.map(({ name, channel, touches: invalidates }) => ({ name, channel, touches: invalidates })))}.map((e) => [e.name, e]));`;

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}
const isNode = (v: unknown): v is Node =>
  typeof v === 'object' && v !== null && typeof (v as Node).type === 'string';
const children = (node: Node): Node[] =>
  Object.values(node)
    .flatMap((v) => (Array.isArray(v) ? v : [v]))
    .filter(isNode);
const isFunction = (n: Node): boolean =>
  n.type === 'ArrowFunctionExpression' || n.type === 'FunctionExpression';

/** The identifier a chain of calls and members begins with: `z` of `z.string().max(5)`. */
function rootOf(node: Node): string | null {
  if (node.type === 'Identifier') return node['name'] as string;
  const inner = node['callee'] ?? node['object'];
  return isNode(inner) ? rootOf(inner) : null;
}
const makesSchema = (node: Node, makers: ReadonlySet<string>): boolean =>
  (node.type === 'CallExpression' && makers.has(rootOf(node) ?? '')) ||
  children(node).some((child) => makesSchema(child, makers));

type Program = { body: Node[] };
/**
 * `import { calls } from '#contract'` becomes an import of that one contract file: through the index every file would be within
 * reach of the first load, and so be part of it.
 */
function direct(code: string, program: Program): { code: string; map: null } | null {
  let out = code;
  for (const statement of program.body
    .filter(
      (s) =>
        s.type === 'ImportDeclaration' && (s['source'] as { value: string }).value === '#contract',
    )
    .reverse()) {
    const said = (
      statement['specifiers'] as { imported?: { name: string }; local: { name: string } }[]
    ).map((s) => ({ name: s.imported?.name ?? '', local: s.local.name }));
    const lines = said.map(({ name, local }) =>
      name in contracts
        ? `import * as ${local} from '#contract/${name}';`
        : `import { ${name} as ${local} } from '#contract/${fileOfEndpoint.get(name)}';`,
    );
    out = out.slice(0, statement.start) + lines.join(' ') + out.slice(statement.end);
  }
  return out === code ? null : { code: out, map: null };
}

/** What several endpoints have in common may stand in an object of its own: its plain facts stay, its shapes go. */
function endpointFacts(init: Node, makers: ReadonlySet<string>, code: string): string {
  if (init.type !== 'ObjectExpression') return '{}';
  const facts = (init['properties'] as (Node & { key?: { name?: string }; value?: Node })[]).filter(
    (p) =>
      p.type === 'Property' &&
      kept.has(p.key?.name ?? '') &&
      p.value &&
      !makesSchema(p.value, makers),
  );
  return `{ ${facts.map((p) => code.slice(p.start, p.end)).join(', ')} }`;
}

export function contractForBrowsers(): Plugin {
  return {
    name: 'contract-for-browsers',
    enforce: 'post',
    transform(code, file) {
      const path = file.split('?')[0]!;
      if (/\/(ui|web|admin|caddy)\/src\/.*\.tsx?$/.test(path))
        return direct(code, this.parse(code) as unknown as Program);
      if (!/\/contract\/src\/[\w-]+\.ts$/.test(path)) return null;
      if (path.endsWith('/catalogue.ts')) return { code: everyEvent, map: null };
      if (plain.test(path)) return null;
      const program = this.parse(code) as unknown as Program;
      const makers = new Set(schemaMakers);
      const cuts: { start: number; end: number; text: string }[] = [];
      for (const statement of program.body) {
        if (statement.type === 'ImportDeclaration') {
          const from = (statement['source'] as { value: string }).value;
          if (from.startsWith('.') && !plain.test(`/${from.split('/').pop()!.split('?')[0]}`))
            for (const s of statement['specifiers'] as { local: { name: string } }[])
              makers.add(s.local.name);
          continue;
        }
        const declared = isNode(statement['declaration']) ? statement['declaration'] : statement;
        if (declared.type !== 'VariableDeclaration') continue;
        for (const { id, init } of declared['declarations'] as { id: Node; init: Node | null }[]) {
          if (!init) continue;
          const callee = init.type === 'CallExpression' ? rootOf(init) : null;
          if (callee === 'endpoint' || callee === 'event') {
            const said = (init['arguments'] as Node[])[0];
            if (said?.type !== 'ObjectExpression') continue;
            const parts = (said['properties'] as (Node & { key?: { name?: string } })[])
              .filter((p) => p.type !== 'Property' || kept.has(p.key?.name ?? ''))
              .map((p) => code.slice(p.start, p.end));
            cuts.push({
              start: init.start,
              end: init.end,
              text: `/*@__PURE__*/ ${callee}({ ${parts.join(', ')} })`,
            });
          } else if (isFunction(init)) {
            if (makesSchema(init, makers)) makers.add(id['name'] as string);
          } else if (makesSchema(init, makers)) {
            makers.add(id['name'] as string);
            cuts.push({
              start: init.start,
              end: init.end,
              text: endpointFacts(init, makers, code),
            });
          }
        }
      }
      let out = code;
      for (const { start, end, text } of cuts.sort((a, b) => b.start - a.start))
        out = out.slice(0, start) + text + out.slice(end);
      return { code: out, map: null };
    },
  };
}
