import { formatNumber, t } from '#ui';
import { callsAddress } from '../reports/calls-address.ts';
import css from './dashboard.module.css';
import { largestMover, type Mover } from './movers.ts';
import type { Board } from './use-dashboard.ts';

/** A change below this share of the calls before is as good as none. */
const NOTABLE = 0.03;

/**
 * What changed and why, in up to three sentences: calls in all, the source that moved them most, and
 * the number, or company of an organization, that misses more.
 */
export function Headline({
  calls,
  sources,
  numbers,
  period,
}: {
  calls: Board;
  sources: Board | undefined;
  numbers: Board | undefined;
  /** null: no list has just those calls. */
  period: string | null;
}) {
  const now = calls.totals['calls'] ?? 0;
  const before = calls.previous?.totals['calls'] ?? 0;
  if (before === 0) return null;
  const direction = now >= before ? 'more' : 'fewer';
  const isNotable = Math.abs(now - before) >= Math.max(1, before * NOTABLE);
  const source = sources && isNotable ? largestMover(sources, 'calls', direction) : null;
  const missing = numbers ? largestMover(numbers, 'missed', 'more') : null;
  return (
    <ul className={css.headline}>
      <li>{overall(now, before, isNotable)}</li>
      {source && (
        <li>
          {sourceSentence(source)}{' '}
          <RowLink href={period && callsAddress('source', source.key, period)}>
            {t('Show calls')}
          </RowLink>
        </li>
      )}
      {missing && (
        <li>
          {t('{name} missed {n, plural, one {# more call} other {# more calls}} than before.', {
            name: missing.label,
            n: missing.by,
          })}{' '}
          <RowLink href={period && missedAddress(missing.key, period)}>
            {t('Show missed calls')}
          </RowLink>
        </li>
      )}
    </ul>
  );
}

function overall(now: number, before: number, isNotable: boolean): string {
  const counts = { now: formatNumber(now), before: formatNumber(before) };
  if (!isNotable)
    return t('About as many incoming calls as before: {now}, after {before}.', counts);
  const pct = formatNumber(Math.round((Math.abs(now - before) / before) * 100));
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

const missedAddress = (number: string, period: string): string | null => {
  const address = callsAddress('number', number, period);
  return address && `${address}&outcome=2`;
};

const RowLink = ({ href, children }: { href: string | null; children: string }) =>
  href && (
    <a href={href} className={css.link}>
      {children}
    </a>
  );
