import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const tops = new Set(
  readdirSync(root).filter((name) => !name.startsWith('.') && name !== 'node_modules'),
);
const made = new Set(['dist', '.data', 'node_modules', 'coverage']);

/** Paths, file names, links and npm commands in our documents that don't exist, one line each. */
export function wrongPlaces() {
  const commands = new Set(
    Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts),
  );
  const problems = [];
  const fileNames = new Set(namesOfFiles(root));
  for (const file of documents(root)) {
    const whole = readFileSync(file, 'utf8');
    const text = whole.replace(/^```[\s\S]*?^```/gm, '');
    const name = relative(root, file);
    // Code in a document is compiled by no one and soon wrong.
    if (/^```(ts|tsx|typescript)$/m.test(whole))
      problems.push(`${name} holds TypeScript: name a file that shows it`);
    const exists = (path) => existsSync(join(root, path)) || existsSync(join(dirname(file), path));
    for (const [, path] of text.matchAll(/`([\w@.][\w@./-]*)`/g)) {
      const isPath =
        path.includes('/') &&
        tops.has(path.split('/')[0]) &&
        !path.split('/').some((part) => made.has(part));
      if (isPath && !exists(path)) problems.push(`${name} names ${path}, which does not exist`);
    }
    for (const [, bare] of text.matchAll(/`([a-z][\w.-]*\.(?:ts|tsx|mjs|sql))`/g))
      if (!fileNames.has(bare)) problems.push(`${name} names ${bare}, and no file is called that`);
    for (const [, link] of text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
      if (!/^[a-z]+:/i.test(link) && !exists(link))
        problems.push(`${name} links to ${link}, which does not exist`);
    }
    for (const [, command] of text.matchAll(/`npm run ([\w:-]+)/g)) {
      if (!commands.has(command))
        problems.push(`${name} says npm run ${command}, which package.json does not have`);
    }
  }
  return problems;
}

function namesOfFiles(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
    !entry.isDirectory()
      ? [entry.name]
      : entry.name.startsWith('.') || made.has(entry.name)
        ? []
        : namesOfFiles(join(directory, entry.name)),
  );
}

function documents(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory())
      return entry.name.startsWith('.') || made.has(entry.name) ? [] : documents(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
