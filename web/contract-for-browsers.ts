import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * The contract as browsers need it: names, methods and addresses. Shapes, examples and summaries (nine tenths of the text)
 * are for the server and for documents and are cut out while bundling; endpoints that no screen uses fall away.
 * Without this the first load grows with every endpoint the product will ever have.
 */
const kept = new Set(['name', 'method', 'path', 'company', 'multipart', 'skipsSessionCheck', 'paged', 'channel', 'touches']);
const shapeMakers = ['z', 'one', 'pageOf', 'listQuery', 'id', 'instant', 'flag'];
/** Files of plain facts and functions: never touched, and what is imported from them is no shape. */
const plain = /\/(kit|phone|permissions|refusals|vanity|area-codes|area-codes\.data|routing-rules|index)\.ts$/;
const saidFile = fileURLToPath(new URL('../ui/src/vite/said.ts', import.meta.url));

interface Node { type: string; start: number; end: number; [key: string]: unknown }
const isNode = (v: unknown): v is Node => typeof v === 'object' && v !== null && typeof (v as Node).type === 'string';
const children = (node: Node): Node[] => Object.values(node).flatMap((v) => (Array.isArray(v) ? v : [v])).filter(isNode);
const isFunction = (n: Node): boolean => n.type === 'ArrowFunctionExpression' || n.type === 'FunctionExpression';

/** The identifier a chain of calls and members begins with: `z` of `z.string().max(5)`. */
function rootOf(node: Node): string | null {
  if (node.type === 'Identifier') return node['name'] as string;
  const inner = node['callee'] ?? node['object'];
  return isNode(inner) ? rootOf(inner) : null;
}
const makesShape = (node: Node, makers: ReadonlySet<string>): boolean =>
  (node.type === 'CallExpression' && makers.has(rootOf(node) ?? '')) || children(node).some((child) => makesShape(child, makers));

export function contractForBrowsers(): Plugin {
  return {
    name: 'contract-for-browsers',
    enforce: 'post',
    transform(code, file) {
      const path = file.split('?')[0]!;
      if (!/\/contract\/src\/[\w-]+\.ts$/.test(path)) return null;
      if (path.endsWith('/catalogue.ts')) return { code: `export { eventNamed } from ${JSON.stringify(saidFile)};`, map: null };
      if (plain.test(path)) return null;
      const program = this.parse(code) as unknown as { body: Node[] };
      const makers = new Set(shapeMakers);
      const cuts: { start: number; end: number; text: string }[] = [];
      for (const statement of program.body) {
        if (statement.type === 'ImportDeclaration') {
          const from = (statement['source'] as { value: string }).value;
          if (from.startsWith('.') && !plain.test(`/${from.split('/').pop()!.split('?')[0]}`)) for (const s of statement['specifiers'] as { local: { name: string } }[]) makers.add(s.local.name);
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
            const parts = (said['properties'] as (Node & { key?: { name?: string } })[]).filter((p) => p.type !== 'Property' || kept.has(p.key?.name ?? '')).map((p) => code.slice(p.start, p.end));
            const short = `${callee}({ ${parts.join(', ')} })`;
            cuts.push({ start: init.start, end: init.end, text: callee === 'event' ? `__said(${short})` : `/*@__PURE__*/ ${short}` });
          } else if (isFunction(init)) {
            if (makesShape(init, makers)) makers.add(id['name'] as string);
          } else if (makesShape(init, makers)) {
            makers.add(id['name'] as string);
            cuts.push({ start: init.start, end: init.end, text: '{}' });
          }
        }
      }
      let out = code;
      for (const { start, end, text } of cuts.sort((a, b) => b.start - a.start)) out = out.slice(0, start) + text + out.slice(end);
      return { code: `import { said as __said } from ${JSON.stringify(saidFile)};\n${out}`, map: null };
    },
  };
}
