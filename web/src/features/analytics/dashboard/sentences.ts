import { formatNumber, t } from '#ui';
import { mostPercent } from '../Change.tsx';
import { largestMover, type Mover } from './movers.ts';
import type { Board } from './use-dashboard.ts';

/** A change below this share of the calls before is as good as none. */
const NOTABLE = 0.03;

/** One sentence of what changed, and the row that it is about. */
interface Sentence {
  text: string;
  about: 'all' | 'source' | 'missed';
  /** Of the row; empty of all. */
  key: string;
}

/**
 * What changed and why, in up to three sentences: calls in all, the source that moved them most, and
 * the number, or company of an organization, that misses more. None without calls before.
 */
export function changeSentences(
  calls: Board,
  sources: Board | undefined,
  numbers: Board | undefined,
): Sentence[] {
  const now = calls.totals['calls'] ?? 0;
  const before = calls.previous?.totals['calls'] ?? 0;
  if (before === 0) return [];
  const direction = now >= before ? 'more' : 'fewer';
  const isNotable = Math.abs(now - before) >= Math.max(1, before * NOTABLE);
  const source = sources && isNotable ? largestMover(sources, 'calls', direction) : null;
  const missing = numbers ? largestMover(numbers, 'missed', 'more') : null;
  return [
    { text: overall(now, before, isNotable), about: 'all', key: '' },
    ...(source
      ? [{ text: sourceSentence(source), about: 'source' as const, key: source.key }]
      : []),
    ...(missing
      ? [{ text: missedSentence(missing), about: 'missed' as const, key: missing.key }]
      : []),
  ];
}

function overall(now: number, before: number, isNotable: boolean): string {
  const counts = { now: formatNumber(now), before: formatNumber(before) };
  if (!isNotable)
    return t('About as many incoming calls as before: {now}, after {before}.', counts);
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  if (percent > mostPercent)
    return t('Many more incoming calls than before: {now}, after {before}.', counts);
  const pct = formatNumber(percent);
  return now > before
    ? t('Incoming calls are up {pct}%: {now}, after {before}.', { ...counts, pct })
    : t('Incoming calls are down {pct}%: {now}, after {before}.', { ...counts, pct });
}

const sourceSentence = ({ label, by, key }: Mover): string => {
  const name = key === '(none)' ? t('Calls without a source') : label;
  return by > 0
    ? t('The largest increase: {name}, {n} more.', { name, n: formatNumber(by) })
    : t('The largest drop: {name}, {n} fewer.', { name, n: formatNumber(-by) });
};

const missedSentence = ({ label, by }: Mover): string =>
  t('{name} missed {n, plural, one {# more call} other {# more calls}} than before.', {
    name: label,
    n: by,
  });
