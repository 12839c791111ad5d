import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { meaningOfText } from './read-opt-out.ts';

const corpus = new Map<string, string[]>();
{
  let kind = '';
  const file = readFileSync(new URL('./corpus.txt', import.meta.url), 'utf8');
  for (const line of file.split('\n')) {
    if (line.startsWith('# ')) corpus.set((kind = line.slice(2)), []);
    else if (line) corpus.get(kind)?.push(line.replaceAll('\\n', '\n'));
  }
}
const texts = (kind: string) => corpus.get(kind) ?? [];
const wordOf = (text: string, earlier: string[] = []) => meaningOfText(text, earlier)?.word ?? null;

test('the corpus has at least 400 texts, each once', () => {
  const all = [...corpus.values()].flat();
  expect(all.length).toBeGreaterThan(400);
  expect(all.filter((text, i) => all.indexOf(text) !== i)).toEqual([]);
});
test('a wish to stop in other words, signed or above a quote, opts out', () => {
  expect(texts('opt-out').filter((text) => wordOf(text) !== 'stop')).toEqual([]);
});
test('what only may be one is left for a person', () => {
  expect(texts('doubtful').filter((text) => wordOf(text) !== 'doubt')).toEqual([]);
});
test('visits, buses, appointments, reactions and our own sentence are ordinary', () => {
  const read = texts('ordinary').map((text) => [text, wordOf(text)] as const);
  const stray = read.filter(([, word]) => word === 'stop' || word === 'doubt');
  expect(stray).toEqual([]);
});
