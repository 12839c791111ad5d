/**
 * The message catalogue: every sentence that screens show through t(), in `web/locales/messages.pot`
 * with the files that show it. `npm run messages` writes it; the check fails when it is stale.
 *
 * The English sentence is the key, so a key must be known before the program runs: a literal, or a
 * value of a table of literals (`const labels = {…}`), which is followed to where it is written.
 * Our t() is a plain function; Lingui's extractor knows only its own macros.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import PO from 'pofile';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const shown = ['ui/src/', 'web/src/', 'admin/src/', 'caddy/src/'];
export const catalogueFile = 'web/locales/messages.pot';

/** Steps from a table to a key: a property, a tuple's index, or `*` for any value. */
type Steps = readonly string[];

const elementOf = new Set(['find', 'at', 'findLast']);
const sameElements = new Set(['filter', 'slice', 'toSorted', 'toReversed', 'concat']);
const callbacks = new Set(['map', 'filter', 'find', 'flatMap', 'forEach', 'some', 'every']);

class Extraction {
  readonly found = new Map<string, Set<string>>();
  readonly refused: string[] = [];
  private readonly checker: ts.TypeChecker;
  private readonly files: readonly ts.SourceFile[];
  private readonly callsOf = new Map<ts.Symbol, ts.Node[]>();

  constructor() {
    const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
    const { fileNames, options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
    const program = ts.createProgram(
      fileNames.filter((name) => this.isShown(name)),
      { ...options, noEmit: true },
    );
    this.checker = program.getTypeChecker();
    this.files = program.getSourceFiles().filter(({ fileName }) => this.isShown(fileName));
    for (const file of this.files) this.visit(file, (node) => this.noteCall(node));
    for (const file of this.files) this.visit(file, (node) => this.extract(node, file));
  }

  private isShown(name: string): boolean {
    const path = relative(root, name);
    return shown.some((folder) => path.startsWith(folder)) && !/\.test\.tsx?$/.test(path);
  }

  private visit(node: ts.Node, look: (node: ts.Node) => void): void {
    look(node);
    ts.forEachChild(node, (child) => this.visit(child, look));
  }

  private symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias
      ? this.checker.getAliasedSymbol(symbol)
      : symbol;
  }

  private noteCall(node: ts.Node): void {
    const called = ts.isCallExpression(node)
      ? node.expression
      : ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)
        ? node.tagName
        : null;
    const symbol = called && ts.isIdentifier(called) && this.symbolOf(called);
    if (symbol) this.callsOf.set(symbol, [...(this.callsOf.get(symbol) ?? []), node]);
  }

  private extract(node: ts.Node, file: ts.SourceFile): void {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return;
    if (node.expression.text !== 't' || !node.arguments[0]) return;
    const declared = this.symbolOf(node.expression)?.declarations?.[0];
    if (relative(root, declared?.getSourceFile().fileName ?? '') !== 'ui/src/i18n.ts') return;
    const place = relative(root, file.fileName);
    const keys = new Set<string>();
    if (!this.keysOf(node.arguments[0], [], keys, new Set())) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      this.refused.push(`${place}:${line + 1} the key of t() is not a literal: ${node.getText()}`);
    }
    for (const key of keys)
      if (key !== '') this.found.set(key, (this.found.get(key) ?? new Set()).add(place));
  }

  /** Adds every key that `node` can be after `steps`; false when one of them can't be known. */
  private keysOf(node: ts.Node, steps: Steps, keys: Set<string>, seen: Set<ts.Node>): boolean {
    const go = (next: ts.Node, then: Steps = steps): boolean => this.keysOf(next, then, keys, seen);
    if (steps.length === 0 && ts.isExpression(node)) {
      const type = this.checker.getTypeAtLocation(node);
      const parts = type.isUnion() ? type.types : [type];
      if (parts.every((part) => part.isStringLiteral())) {
        for (const part of parts) keys.add(part.value);
        return true;
      }
    }
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node)
    )
      return go(node.expression);
    if (node.kind === ts.SyntaxKind.NullKeyword || node.getText() === 'undefined') return true;
    if (ts.isStringLiteralLike(node)) {
      if (steps.length === 0) keys.add(node.text);
      return steps.length === 0;
    }
    if (ts.isConditionalExpression(node)) {
      const yes = go(node.whenTrue);
      return go(node.whenFalse) && yes;
    }
    if (ts.isBinaryExpression(node)) return this.fallback(node, go);
    if (ts.isPropertyAccessExpression(node)) {
      const exported = this.symbolOf(node.name)?.declarations?.[0];
      return exported && ts.isVariableDeclaration(exported)
        ? this.declared(exported, steps, go)
        : go(node.expression, [node.name.text, ...steps]);
    }
    if (ts.isElementAccessExpression(node)) {
      const at = node.argumentExpression;
      const step = ts.isStringLiteralLike(at) || ts.isNumericLiteral(at) ? at.text : '*';
      return go(node.expression, [step, ...steps]);
    }
    if (ts.isObjectLiteralExpression(node)) return this.inObject(node, steps, go);
    if (ts.isArrayLiteralExpression(node)) return this.inArray(node, steps, go);
    if (ts.isCallExpression(node)) return this.inCall(node, steps, go);
    if (ts.isIdentifier(node)) {
      const declaration = this.symbolOf(node)?.declarations?.[0];
      if (!declaration || seen.has(declaration)) return false;
      seen.add(declaration);
      const known = this.declared(declaration, steps, go);
      seen.delete(declaration);
      return known;
    }
    return false;
  }

  /** `labels[code] ?? code`: what the table doesn’t contain is shown unchanged. */
  private fallback(node: ts.BinaryExpression, go: (next: ts.Node) => boolean): boolean {
    const operator = node.operatorToken.kind;
    if (
      operator !== ts.SyntaxKind.QuestionQuestionToken &&
      operator !== ts.SyntaxKind.BarBarToken &&
      operator !== ts.SyntaxKind.AmpersandAmpersandToken
    )
      return false;
    const right = go(node.right);
    return operator === ts.SyntaxKind.AmpersandAmpersandToken ? right : go(node.left);
  }

  private inObject(
    node: ts.ObjectLiteralExpression,
    [step, ...rest]: Steps,
    go: (next: ts.Node, then?: Steps) => boolean,
  ): boolean {
    if (step === undefined) return false;
    return node.properties
      .map((property) => {
        if (ts.isSpreadAssignment(property)) return go(property.expression, [step, ...rest]);
        const name =
          property.name && ts.isComputedPropertyName(property.name)
            ? '*'
            : property.name?.getText().replace(/^['"]|['"]$/g, '');
        if (step !== '*' && name !== '*' && name !== step) return true;
        if (ts.isPropertyAssignment(property)) return go(property.initializer, rest);
        return ts.isShorthandPropertyAssignment(property) && go(property.name, rest);
      })
      .every(Boolean);
  }

  private inArray(
    node: ts.ArrayLiteralExpression,
    [step, ...rest]: Steps,
    go: (next: ts.Node, then?: Steps) => boolean,
  ): boolean {
    if (step === undefined) return false;
    return node.elements
      .map((element, i) => {
        if (ts.isSpreadElement(element)) return go(element.expression, [step, ...rest]);
        return (step !== '*' && step !== String(i)) || go(element, rest);
      })
      .every(Boolean);
  }

  private inCall(
    node: ts.CallExpression,
    steps: Steps,
    go: (next: ts.Node, then?: Steps) => boolean,
  ): boolean {
    const called = node.expression;
    if (ts.isPropertyAccessExpression(called)) {
      const { name, expression } = called;
      if (ts.isIdentifier(expression) && expression.text === 'Object' && node.arguments[0]) {
        const [first, place, ...rest] = steps;
        if (name.text === 'entries' && first !== undefined && place === '1')
          return go(node.arguments[0], [first, ...rest]);
        if (name.text === 'values') return go(node.arguments[0]);
        return false;
      }
      if (elementOf.has(name.text)) return go(expression, ['*', ...steps]);
      if (sameElements.has(name.text)) return go(expression);
      if ((name.text === 'map' || name.text === 'flatMap') && node.arguments[0] && steps.length)
        return this.returns(node.arguments[0], name.text === 'map' ? steps.slice(1) : steps, go);
    }
    const declaration = this.symbolOf(ts.isPropertyAccessExpression(called) ? called.name : called)
      ?.declarations?.[0];
    if (!declaration) return false;
    const made =
      ts.isVariableDeclaration(declaration) && declaration.initializer
        ? declaration.initializer
        : declaration;
    return this.returns(made, steps, go);
  }

  private returns(
    made: ts.Node,
    steps: Steps,
    go: (next: ts.Node, then?: Steps) => boolean,
  ): boolean {
    if (!ts.isFunctionLike(made) || !('body' in made) || !made.body) return false;
    const body = made.body as ts.Node;
    if (!ts.isBlock(body)) return go(body, steps);
    const results: boolean[] = [];
    const look = (node: ts.Node): void => {
      if (ts.isReturnStatement(node) && node.expression) results.push(go(node.expression, steps));
      if (!ts.isFunctionLike(node)) ts.forEachChild(node, look);
    };
    ts.forEachChild(body, look);
    return results.length > 0 && results.every(Boolean);
  }

  private declared(
    node: ts.Declaration,
    steps: Steps,
    go: (next: ts.Node, then?: Steps) => boolean,
  ): boolean {
    if (ts.isBindingElement(node)) {
      const pattern = node.parent;
      const step = ts.isArrayBindingPattern(pattern)
        ? String(pattern.elements.indexOf(node))
        : (node.propertyName ?? node.name).getText();
      return this.declared(pattern.parent, [step, ...steps], go);
    }
    if (ts.isVariableDeclaration(node)) {
      const loop = node.parent.parent;
      if (ts.isForOfStatement(loop)) return go(loop.expression, ['*', ...steps]);
      return node.initializer !== undefined && go(node.initializer, steps);
    }
    return ts.isParameter(node) && this.given(node, steps, go);
  }

  /**
   * What is passed to a parameter: the elements of a list, or the arguments of a function's
   * callers.
   */
  private given(
    node: ts.ParameterDeclaration,
    steps: Steps,
    go: (next: ts.Node, then?: Steps) => boolean,
  ): boolean {
    const made = node.parent;
    const place = made.parameters.indexOf(node);
    if (ts.isCallExpression(made.parent) && ts.isPropertyAccessExpression(made.parent.expression)) {
      const { name, expression } = made.parent.expression;
      return place === 0 && callbacks.has(name.text) && go(expression, ['*', ...steps]);
    }
    const owner = ts.isVariableDeclaration(made.parent) ? made.parent : made;
    const named = 'name' in owner && owner.name ? this.symbolOf(owner.name as ts.Node) : undefined;
    const calls = (named && this.callsOf.get(named)) ?? [];
    return (
      calls.length > 0 &&
      calls
        .map((call) => {
          if (ts.isCallExpression(call)) {
            const value = call.arguments[place];
            return value ? go(value, steps) : node.initializer !== undefined;
          }
          const [step, ...rest] = steps;
          const { attributes } = call as ts.JsxOpeningElement;
          const attribute = attributes.properties.find(
            (one): one is ts.JsxAttribute => ts.isJsxAttribute(one) && one.name.getText() === step,
          );
          if (!attribute?.initializer) return true;
          const value = ts.isJsxExpression(attribute.initializer)
            ? attribute.initializer.expression
            : attribute.initializer;
          return value !== undefined && go(value, rest);
        })
        .every(Boolean)
    );
  }
}

/** The catalogue as it should be, and every call of t() with a key that can't be known. */
export function extractMessages(): { catalogue: string; refused: string[]; messages: string[] } {
  const { found, refused } = new Extraction();
  const po = new PO();
  po.headers = {
    'Project-Id-Version': 'Trunkline',
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
    'X-Generator': 'npm run messages',
  };
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  po.items = sorted.map(([key, references]) => {
    const item = new PO.Item();
    item.msgid = key;
    item.references = [...references].toSorted();
    if (/\{\w+, plural,/.test(key)) item.flags['icu-format'] = true;
    return item;
  });
  const messages = sorted.map(([key]) => key);
  return { catalogue: `${po.toString()}\n`, refused, messages };
}

/** Findings about the catalogue, one line each. */
export function catalogueFaults(): string[] {
  const { catalogue, refused } = extractMessages();
  const written = readFileSync(join(root, catalogueFile), 'utf8');
  return written === catalogue
    ? refused
    : [...refused, `${catalogueFile} is out of date. Run: npm run messages`];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { catalogue, refused, messages } = extractMessages();
  writeFileSync(join(root, catalogueFile), catalogue);
  for (const line of refused) console.error(line);
  console.log(`${messages.length} sentences in ${catalogueFile}`);
  process.exitCode = refused.length > 0 ? 1 : 0;
}
