import { IconChevronDown, IconTargetArrow } from '@tabler/icons-react';
import { Facts, formatTime, t, Time } from '#ui';
import { evidenceText, matchSentence, pageText } from '../../calls/index.ts';
import type { ItemOf } from '../cache-updates.ts';
import { matchedTexts } from '#ui/messaging/labels.ts';
import css from './TextMatch.module.css';

/** Where a text to a tracking number came from, in one line that opens down to the reasons. */
export function TextMatch({ item: { details, createdAt } }: { item: ItemOf<'trackingmatch'> }) {
  const { source, sourceKey, medium, campaign, keyword, landingUrl, matchLabel } = details;
  return (
    <details className={css.match}>
      <summary>
        <IconTargetArrow size={14} aria-hidden />
        <span>{t('Source: {source}', { source: matchedTexts(details).join(' · ') })}</span>
        <time dateTime={createdAt}>{formatTime(createdAt)}</time>
        <IconChevronDown className={css.arrow} size={14} aria-hidden />
      </summary>
      <div className={css.card}>
        <Facts
          rows={[
            [t('Source'), source],
            medium !== null && [t('Medium'), medium],
            campaign !== null && [t('Campaign'), campaign],
            keyword !== null && [t('Keyword'), keyword],
            landingUrl !== null && [t('Page'), pageText(landingUrl)],
            matchLabel !== 'number_level' && [t('Certainty'), t('{n}%', { n: details.confidence })],
          ]}
        />
        <p className={css.sentence}>{matchSentence(matchLabel, sourceKey !== 'unknown')}</p>
        <ul className={css.reasons}>
          {details.evidence.map((one, i) => (
            <li key={i}>
              <span>{evidenceText(one)}</span>
              {one.at !== null && <Time at={one.at} as="moment" />}
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
