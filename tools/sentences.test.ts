import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const banned =
  /\bstands\b|\bby itself\b|\bby themselves\b|\bwords of your own\b|\bwhat came of\b|\b(some|every|any)body\b|\bnobody\b|\bwhoever\b|\bmails\b|e-mail|\bcalled off\b|\bhanded in\b|\d %|\bcolleagues?\b|labelled|\bcolour|\bdialled\b|\bcancelled\b|\bany more\b|\banew\b/i;
/**
 * Not shown to people: word lists, column names that an import accepts, an operating system user.
 */
const wordLists = /area-codes\.data|common-passwords|calls\/transcripts\/keywords|test-support/;
const exceptions = ['more e mails', 'nobody has this password', 'no user postgres, node or nobody'];

/** The texts of a file's string literals and templates, without SQL. */
function sentencesOf(path: string): string[] {
  const source = readFileSync(join(root, path), 'utf8');
  if (!banned.test(source)) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTaggedTemplateExpression(node)) return;
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    )
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.filter(
    (text) => /\s/.test(text.trim()) && !/^\s*(select|insert|update|with)\b/i.test(text),
  );
}

test('sentences of the server and the API follow STYLE.md', () => {
  const paths = execFileSync('git', ['ls-files', 'contract/src', 'server/src', 'server/seeds'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /(?<!\.test)\.ts$/.test(path) && !wordLists.test(path));
  const wrong = paths.flatMap((path) =>
    sentencesOf(path)
      .filter((text) => banned.test(text))
      .map((text) => `${path}: ${text}`)
      .filter((line) => !exceptions.some((exception) => line.includes(exception))),
  );
  expect(paths.length).toBeGreaterThan(300);
  expect(wrong).toEqual([]);
});
