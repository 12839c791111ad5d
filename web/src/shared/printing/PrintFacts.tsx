import { formatDate, formatTime, t, useNow, zoneName } from '#ui';
import css from './printing.module.css';

/** On paper only, under the title: whose report it is, limited to what, and when it was printed. */
export function PrintFacts(printed: PrintedFacts) {
  const now = useNow(60_000);
  return (
    <ul className={css.facts}>
      {factLines({ ...printed, now }).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

export interface PrintedFacts {
  /** The company or organization. */
  of: string;
  /** The days it counts, where the page doesn't say them. */
  days?: string;
  tz: string;
  /** What it is limited to, such as `Source: Google Ads`. */
  limits: readonly string[];
}

/** What paper and pictures of a report say of it: whose, of which days, limited to what, and of when. */
export const factLines = ({
  of,
  days,
  tz,
  limits,
  now,
}: PrintedFacts & { now: number }): string[] => [
  [of, days, t('Days in {zone}', { zone: zoneName(tz) })].filter(Boolean).join(' · '),
  ...(limits.length > 0 ? [limits.join(' · ')] : []),
  t('As of {time}', { time: `${formatDate(now, tz)}, ${formatTime(now, tz)}` }),
];
