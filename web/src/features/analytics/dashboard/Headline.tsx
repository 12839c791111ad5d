import { t } from '#ui';
import { callsAddress } from '../reports/calls-address.ts';
import css from './dashboard.module.css';
import { changeSentences } from './sentences.ts';
import type { Board } from './use-dashboard.ts';

/** What changed and why, each sentence with the calls it is about. */
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
  const sentences = changeSentences(calls, sources, numbers);
  if (sentences.length === 0) return null;
  return (
    <ul className={css.headline}>
      {sentences.map(({ text, about, key }) => (
        <li key={about}>
          {text}
          {about === 'source' && (
            <RowLink href={period && callsAddress('source', key, period)}>
              {t('Show calls')}
            </RowLink>
          )}
          {about === 'missed' && (
            <RowLink href={period && missedAddress(key, period)}>{t('Show missed calls')}</RowLink>
          )}
        </li>
      ))}
    </ul>
  );
}

const missedAddress = (number: string, period: string): string | null => {
  const address = callsAddress('number', number, period);
  return address && `${address}&outcome=2`;
};

const RowLink = ({ href, children }: { href: string | null; children: string }) =>
  href && (
    <>
      {' '}
      <a href={href} className={css.link} data-no-print>
        {children}
      </a>
    </>
  );
