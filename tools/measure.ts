/**
 * How plain the code is, in figures: `npm run measure`, or `npm run measure -- ../other-checkout` for another one. Counts
 * production code only (no tests, seeds, generated tables); the aims are those of ARCHITECTURE.md. Some figures have a ceiling in
 * tools/ceilings.json: `npm run check` fails above it, and `npm run measure` lowers it to the figure of today.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

const own = join(import.meta.dirname, '..');
const isRun = process.argv[1] === import.meta.filename;
const root = join((isRun && process.argv[2]) || own);
const tracked = execFileSync('git', ['-C', root, 'ls-files'], { encoding: 'utf8' }).split('\n');
const isProduction = (path: string): boolean =>
  /^(contract|server\/src|ui\/src|web\/src|admin\/src|caddy\/src|snippet\/src)\/.*\.tsx?$/.test(
    path,
  ) &&
  !/\.test\.tsx?$|platform\/tables\.ts$/.test(path) &&
  existsSync(join(root, path));
const paths = tracked.filter(isProduction);

interface Source {
  path: string;
  text: string;
  tree: ts.SourceFile;
}
const sources: Source[] = paths.map((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind) };
});

/** The value below which `share` of the values are. */
const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

const linesOf = (source: Source): string[] => source.text.split('\n');
const lines = sources.flatMap(linesOf);
const widths = lines.map((line) => line.length);
const wide = widths.filter((width) => width > 100);
const lengths = sources.map((source) => linesOf(source).length);

interface Func {
  name: string;
  lines: number;
}
const functions: Func[] = [];
const casts = { nonNull: 0, asNever: 0, any: 0 };
const exported = { all: 0, documented: 0, speaksOfNull: 0, mayBeNull: 0 };

/** Functions of `server/src/platform/errors.ts` that only throw. */
const throwers = new Set(['fail', 'failAll', 'invalid', 'notFound']);

/** Whether a declared type is null or undefined, or a promise of it. A member's type is not it. */
function isNullable(type: ts.TypeNode | undefined): boolean {
  if (!type) return false;
  if (ts.isUnionTypeNode(type)) return type.types.some(isNullable);
  if (ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Promise')
    return isNullable(type.typeArguments?.[0]);
  return /^(null|undefined)$/.test(type.getText());
}

/** Whether a function may give null or undefined, or throws itself. */
function canThrowOrReturnNull(node: ts.FunctionLikeDeclaration): boolean {
  if (isNullable(node.type)) return true;
  // A query for one row, whose type is left to the compiler.
  if (!node.type && /\.executeTakeFirst\(\)( as [^;]+)?$/.test(node.body?.getText() ?? ''))
    return true;
  let throws = false;
  const look = (child: ts.Node): void => {
    if (ts.isThrowStatement(child)) throws = true;
    else if (ts.isCallExpression(child) && throwers.has(child.expression.getText())) throws = true;
    else if (!ts.isFunctionLike(child)) ts.forEachChild(child, look);
  };
  if (node.body) look(node.body);
  return throws;
}

/** The docstring of a statement, or ''. A linter's line comment may stand between them. */
function documentation(node: ts.Node): string {
  const { text } = node.getSourceFile();
  const ranges = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  return (
    ranges.map(({ pos, end }) => text.slice(pos, end)).findLast((c) => c.startsWith('/*')) ?? ''
  );
}

/** How a docstring speaks of null or errors: by such a word, or by an error's code. */
const nullOrError =
  /\b(null|undefined|nothing|none|throws?|fails?|rejects?|refused|error)\b|`(not_found|unauthenticated|[a-z_]+\.[a-z_]+)`/i;

function countExported(statement: ts.Statement): void {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  if (!modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)) return;
  const found: ts.FunctionLikeDeclaration[] = [];
  if (ts.isFunctionDeclaration(statement)) found.push(statement);
  if (ts.isVariableStatement(statement))
    for (const { initializer } of statement.declarationList.declarations)
      if (initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)))
        found.push(initializer);
  for (const one of found) {
    const words = documentation(statement);
    exported.all += 1;
    if (words.startsWith('/**')) exported.documented += 1;
    if (!canThrowOrReturnNull(one)) continue;
    exported.mayBeNull += 1;
    if (nullOrError.test(words)) exported.speaksOfNull += 1;
  }
}

function visit(node: ts.Node, source: Source): void {
  if (ts.isFunctionLike(node) && 'body' in node && node.body) {
    const at = (position: number): number =>
      source.tree.getLineAndCharacterOfPosition(position).line + 1;
    const name = node.name && ts.isIdentifier(node.name) ? node.name.text : 'anonymous';
    const span = at(node.end) - at(node.getStart()) + 1;
    functions.push({ name: `${source.path}:${at(node.getStart())} ${name}`, lines: span });
  }
  if (ts.isNonNullExpression(node)) casts.nonNull += 1;
  if (ts.isAsExpression(node) && node.type.kind === ts.SyntaxKind.NeverKeyword) casts.asNever += 1;
  if (node.kind === ts.SyntaxKind.AnyKeyword) casts.any += 1;
  ts.forEachChild(node, (child) => visit(child, source));
}

for (const source of sources) {
  visit(source.tree, source);
  source.tree.statements.forEach(countExported);
}

/** The file that an import names, if it is in this codebase. */
function fileOf(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier));
  if (specifier === '#contract') return 'contract/src/index.ts';
  if (specifier.startsWith('#contract/')) return `contract/src/${specifier.slice(10)}.ts`;
  if (specifier === '#ui') return 'ui/src/index.ts';
  if (specifier.startsWith('#ui/')) return `ui/src/${specifier.slice(4)}`;
  return null;
}

/** Groups of files that import each other in any way, including types and dynamic imports. */
function importCycles(): string[][] {
  const imports = new Map<string, string[]>();
  for (const { path, text } of sources) {
    const named = ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);
    imports.set(
      path,
      named.flatMap((name) => fileOf(path, name) ?? []).filter((to) => paths.includes(to)),
    );
  }
  /** The place of each file in the walk, or the lowest place that it leads back to. */
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const walk = (path: string): number => {
    const place = lowest.size;
    let least = place;
    lowest.set(path, least);
    open.push(path);
    for (const next of imports.get(path) ?? []) {
      const reached = lowest.get(next) ?? walk(next);
      if (open.includes(next)) least = Math.min(least, reached);
      lowest.set(path, least);
    }
    if (least < place) return least;
    const members = open.splice(open.indexOf(path));
    if (members.length > 1) found.push(members);
    return least;
  };
  for (const path of paths) if (!lowest.has(path)) walk(path);
  return found;
}

type KnipKind = 'exports' | 'types' | 'dependencies' | 'devDependencies';
type KnipIssue = { file: string } & Partial<Record<KnipKind, { name: string }[]>>;
interface KnipIssues {
  files: string[];
  issues: KnipIssue[];
}
/** Unused files, exports, types and dependencies. Null where knip isn't installed. */
function unused(): { files: string[]; exports: string[]; dependencies: number } | null {
  const knip = join(root, 'node_modules/.bin/knip');
  if (!existsSync(knip)) return null;
  const kinds = 'files,exports,types,dependencies';
  const { stdout } = spawnSync(knip, ['--include', kinds, '--reporter', 'json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  const { files, issues } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as KnipIssues;
  const names = (one: KnipIssue, ...kinds: KnipKind[]): string[] =>
    kinds.flatMap((kind) => (one[kind] ?? []).map(({ name }) => `${one.file} ${name}`));
  return {
    files,
    exports: issues.flatMap((one) => names(one, 'exports', 'types')),
    dependencies: issues.flatMap((one) => names(one, 'dependencies', 'devDependencies')).length,
  };
}

const circle = importCycles();
const unusedReport = unused();
const longest = [...functions].sort((a, b) => b.lines - a.lines);
const over = (limit: number): number => functions.filter((one) => one.lines > limit).length;
/** The figures that only fall. */
const figures: Record<string, number> = {
  'files over 250 lines': lengths.filter((n) => n > 250).length,
  'functions over 60 lines': over(60),
  'non-null assertions': casts.nonNull,
  '`as never`': casts.asNever,
  '`any`': casts.any,
  'exported functions without a docstring': exported.all - exported.documented,
  '… that may be null or throw and don’t say so': exported.mayBeNull - exported.speaksOfNull,
  'file circles': circle.length,
  'dead files': unusedReport?.files.length ?? 0,
  'unused exports': unusedReport?.exports.length ?? 0,
  'unused dependencies': unusedReport?.dependencies ?? 0,
};
/** Where each of these figures comes from, for those that can be named. */
const examples: Record<string, readonly string[]> = {
  'functions over 60 lines': longest.filter((f) => f.lines > 60).map((f) => `${f.lines} ${f.name}`),
  'files over 250 lines': sources
    .filter((source) => linesOf(source).length > 250)
    .map(({ path }) => path),
  'file circles': circle.map((members) => members.join(' ')),
  'dead files': unusedReport?.files ?? [],
  'unused exports': unusedReport?.exports ?? [],
};

const ceilingsFile = join(own, 'tools/ceilings.json');
const ceilings = JSON.parse(readFileSync(ceilingsFile, 'utf8')) as Record<string, number>;

/** The figures that rose above their ceiling, a line each with what they count. */
export const risenFigures = (): string[] =>
  Object.entries(figures).flatMap(([name, figure]) => {
    const ceiling = ceilings[name] ?? 0;
    if (figure <= ceiling) return [];
    const which = (examples[name] ?? []).map((one) => `  ${one}`);
    return [`${name}: ${figure}, at most ${ceiling}. This figure only falls`, ...which];
  });

const rows: readonly (readonly [string, string, string])[] = [
  ['production files, lines', `${paths.length}, ${lines.length}`, ''],
  [
    'lines over 100 columns',
    `${wide.length} (${percent(wide.length, widths.length)}), longest ${quantile(widths, 1 - 1e-9)}`,
    'the formatter’s own exceptions',
  ],
  [
    'files: median, p95, longest',
    `${quantile(lengths, 0.5)}, ${quantile(lengths, 0.95)}, ${Math.max(...lengths)}`,
    '',
  ],
  ['files over 250 lines', String(lengths.filter((n) => n > 250).length), '0 without a reason'],
  [
    'functions: median, p95, longest',
    `${quantile(
      functions.map((f) => f.lines),
      0.5,
    )}, ${quantile(
      functions.map((f) => f.lines),
      0.95,
    )}, ${longest[0]?.lines}`,
    '60',
  ],
  ['functions over 60 lines', String(over(60)), '0 without a reason'],
  ['`!`, `as never`, `any`', `${casts.nonNull}, ${casts.asNever}, ${casts.any}`, 'under 100, 0, 0'],
  ['exported functions with a docstring', percent(exported.documented, exported.all), ''],
  [
    '… that may be null or throw and say so',
    percent(exported.speaksOfNull, exported.mayBeNull),
    'all',
  ],
  [
    'file circles, types included',
    `${circle.length} (${circle.reduce((n, c) => n + c.length, 0)} files)`,
    '0',
  ],
  [
    'unused exports, dependencies',
    unusedReport
      ? `${unusedReport.exports.length}, ${unusedReport.dependencies}`
      : 'knip is not installed',
    '0, 0',
  ],
  [
    'migrations',
    String(tracked.filter((path) => /^server\/migrations\/.*\.sql$/.test(path)).length),
    'about 12',
  ],
];
if (isRun) {
  if (root === own)
    writeFileSync(
      ceilingsFile,
      `${JSON.stringify(
        Object.fromEntries(
          Object.entries(figures).map(([name, figure]) => [
            name,
            Math.min(figure, ceilings[name] ?? figure),
          ]),
        ),
        null,
        2,
      )}\n`,
    );
  for (const [what, figure, aim] of rows)
    console.log(`${what.padEnd(42)} ${figure.padEnd(34)} ${aim && `aim: ${aim}`}`);

  if (process.argv.includes('--which')) {
    console.log('\nlongest functions');
    for (const one of longest.slice(0, 40))
      console.log(`${String(one.lines).padStart(5)} ${one.name}`);
    console.log('\nfile circles');
    for (const members of circle) console.log(`  ${members.join(' ')}`);
  }
}
