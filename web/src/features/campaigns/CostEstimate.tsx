import { List, Skeleton } from '@mantine/core';
import type { campaigns } from '#contract';
import { Facts, formatNumber, t } from '#ui';
import { formatWhen } from '../conversations/index.ts';
import css from './CostEstimate.module.css';

const skippedLabels: Record<keyof campaigns.CampaignPreview['skipped'], string> = {
  unsubscribed: 'opted out',
  invalid: 'not a number one can text',
  blocked: 'blocked',
  duplicate: 'the same number twice',
  recently_texted: 'got a campaign a short while ago',
  own_number: 'your own number',
};

/** Before anything is sent: who gets it and who not, what it costs, when it is done. */
export function CostEstimate({
  preview,
  refreshing: fetching,
}: {
  preview: campaigns.CampaignPreview | undefined;
  refreshing: boolean;
}) {
  if (!preview)
    return (
      <div aria-busy={fetching || undefined}>
        {fetching ? (
          [0, 1, 2].map((i) => <Skeleton key={i} height={16} mt={10} />)
        ) : (
          <p className={css.none}>{t('Choose a group and a number to see who gets it.')}</p>
        )}
      </div>
    );
  const skipped = Object.entries(preview.skipped).filter(([, n]) => n > 0) as [
    keyof typeof skippedLabels,
    number,
  ][];
  return (
    <div className={css.box} data-refreshing={fetching || undefined}>
      <p className={css.people}>
        <strong data-numeric>{formatNumber(preview.recipients)}</strong>{' '}
        {preview.recipients === 1 ? t('person gets it') : t('people get it')}
      </p>
      {skipped.length > 0 && (
        <div className={css.skipped}>
          <span>{t('Left out:')}</span>
          <List size="xs" spacing={2}>
            {skipped.map(([why, n]) => (
              <List.Item key={why}>
                {t('{n} {why}', { n: formatNumber(n), why: t(skippedLabels[why]) })}
              </List.Item>
            ))}
          </List>
        </div>
      )}
      <Facts
        rows={[
          [
            t('Segments'),
            <span key="s" data-numeric>
              {formatNumber(preview.segments_total)}
            </span>,
          ],
          [
            t('Credits'),
            <span key="c" data-numeric>
              {formatNumber(preview.credits)}
            </span>,
          ],
          [
            t('Alphabet'),
            preview.encoding === 'GSM-7' ? t('Short, 160 a text') : t('Unicode, 70 a text'),
          ],
          [t('Pace'), t('{n} a second', { n: formatNumber(preview.per_second) })],
          preview.held_until !== null && [t('Quiet until'), formatWhen(preview.held_until)],
          preview.finish_estimate !== null && [t('Done by'), formatWhen(preview.finish_estimate)],
        ]}
      />
    </div>
  );
}
