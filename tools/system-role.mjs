/**
 * The system role reads every company's rows, so row-level security doesn't protect what it asks. Stores and the
 * platform may use it (`db.unscoped`, `db.systemTransaction`); any other file says why in a comment that
 * begins with `// The system role:`. A file that no longer uses it loses the comment. The planted
 * violations prove that uses are found.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const systemAccess = new Set(['unscoped', 'systemTransaction']);
const reason = /^\/\/ The system role: \S/m;
const free = /^server\/src\/platform\/|\/(store[^/]*|[^/]*-store)\.ts$|\.test\.ts$/;

/** Lines of a source text that use the system role. */
function usesIn(text) {
  const tree = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const lines = [];
  const visit = (node) => {
    const name = ts.isPropertyAccessExpression(node)
      ? node.name.text
      : ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)
        ? node.argumentExpression.text
        : ts.isBindingElement(node)
          ? (node.propertyName ?? node.name).getText()
          : '';
    if (systemAccess.has(name))
      lines.push(tree.getLineAndCharacterOfPosition(node.getEnd()).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return lines;
}

/** What is wrong with these files ([path, text]), one line each. */
const violations = (files) =>
  files
    .filter(([path]) => !free.test(path))
    .flatMap(([path, text]) => {
      const [line] = usesIn(text);
      if (line !== undefined && !reason.test(text))
        return [
          `${path}:${line} uses the system role. Ask in a store, or say why in a comment: // The system role: …`,
        ];
      return line === undefined && reason.test(text)
        ? [`${path} says why it uses the system role, which it doesn’t`]
        : [];
    });

/** Uses of the system role without a reason, and reasons without a use. */
export function systemRoleViolations() {
  const paths = execFileSync(
    'git',
    ['-C', root, 'ls-files', '-co', '--exclude-standard', 'server/src'],
    {
      encoding: 'utf8',
    },
  );
  return violations(
    paths
      .split('\n')
      .filter((path) => path.endsWith('.ts') && existsSync(join(root, path)))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}

const planted = {
  'a property': 'await list(ctx.db.unscoped);',
  'a property by its name': "await ctx.db['systemTransaction'](work);",
  'a destructured property': 'const { unscoped: everything } = ctx.db;',
};
const why = '// The system role: finds what is due.\n';
const inModule = (text) => violations([['server/src/modules/calls/leak.ts', text]]).length > 0;
/** Planted violations that aren't found. */
export const missedSystemRoleViolations = () => [
  ...Object.entries(planted)
    .filter(([, text]) => !inModule(text))
    .map(([name]) => `the system role through ${name} isn't found`),
  ...(inModule(why) ? [] : ['a reason without a use is not found']),
  ...(inModule(why + planted['a property']) ? ['a use with a reason is reported'] : []),
  ...(violations([['server/src/modules/calls/store-live.ts', planted['a property']]]).length > 0
    ? ['a store is reported']
    : []),
];
