import { t } from '#ui';
import { callsAddress, type CallLimits } from '../reports/calls-address.ts';
import css from './dashboard.module.css';
import { changeSentences } from './sentences.ts';
import type { Board } from './use-dashboard.ts';

/** What changed and why, each sentence with the calls it is about. */
export function Headline({
  calls,
  sources,
  numbers,
  limits,
}: {
  calls: Board;
  sources: Board | undefined;
  numbers: Board | undefined;
  /** null: no list has just those calls. */
  limits: CallLimits | null;
}) {
  const sentences = changeSentences(calls, sources, numbers);
  if (sentences.length === 0) return null;
  return (
    <ul className={css.headline}>
      {sentences.map(({ text, about, key }) => (
        <li key={about}>
          {text}
          {about === 'source' && (
            <RowLink href={limits && callsAddress('source', key, limits)}>
              {t('Show calls')}
            </RowLink>
          )}
          {about === 'missed' && (
            <RowLink href={limits && callsAddress('number', key, { ...limits, status: 'missed' })}>
              {t('Show missed calls')}
            </RowLink>
          )}
        </li>
      ))}
    </ul>
  );
}

const RowLink = ({ href, children }: { href: string | null; children: string }) =>
  href && (
    <>
      {' '}
      <a href={href} className={css.link} data-no-print>
        {children}
      </a>
    </>
  );
