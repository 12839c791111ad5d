/** Common words that say nothing about a call. */
const stopWords = new Set(
  `about after again all also always and any anything are around ask asked back because been before being best better both bring but bye call called calling came can cannot come could day days did didn't doing done don't down each else even ever every everything fine first for from get gets getting give gave goes going gonna good got great had has have haven't having hello help her here hers him his hold how i'll i'm into isn't it's its just kind know last let let's like little look looking made make maybe mean might mine minute moment more morning most much must myself name need needs never new nice night not nothing now number of off okay one only other our out over own people please point probably put quite really right said same say says see seem she should show since some somebody someone something soon sorry speak speaking still such sure take taken talk tell than thank thanks that that's the their them then there there's they thing things think this those though through time to today together told tomorrow too try two under until upon used very wait want wanted wants was way week well went were what what's when where which while who will wish with within without won't would yeah year years yes yesterday yet you you're you'll your yours zero`.split(
    /\s+/,
  ),
);

/**
 * Keywords of a call: words said at least twice that are not stop words, most frequent first, ten
 * at most, with their segments. A plural counts as its singular if that occurs, too.
 */
export function keywordsOf(
  segments: readonly { i: number; text: string }[],
): { term: string; count: number; segments: number[] }[] {
  const entries = new Map<string, { count: number; segments: Set<number> }>();
  const spoken = segments.map(({ i, text }) => ({ i, words: wordsOf(text) }));
  const all = new Set(spoken.flatMap(({ words }) => words));
  for (const { i, words } of spoken)
    for (const word of words) {
      if (word.length < 4 || stopWords.has(word)) continue;
      const term = singularOf(word, all);
      const entry = entries.get(term) ?? { count: 0, segments: new Set<number>() };
      entry.count += 1;
      entry.segments.add(i);
      entries.set(term, entry);
    }
  return [...entries]
    .filter(([, { count }]) => count >= 2)
    .sort((a, b) => b[1].count - a[1].count || a[0].localeCompare(b[0]))
    .slice(0, 10)
    .map(([term, entry]) => ({ term, count: entry.count, segments: [...entry.segments] }));
}

const wordsOf = (text: string): string[] =>
  [...text.toLowerCase().matchAll(/\p{L}[\p{L}’'-]{2,}/gu)].map(([word]) =>
    word.replaceAll('’', "'").replace(/'s$/, ''),
  );

/** The singular of a word if that was said, too; else the word. */
function singularOf(word: string, all: ReadonlySet<string>): string {
  const candidates = [
    ...(word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : []),
    ...(word.endsWith('s') ? [word.slice(0, -1)] : []),
  ];
  return candidates.find((candidate) => all.has(candidate)) ?? word;
}
