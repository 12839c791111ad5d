import { List, Skeleton } from '@mantine/core';
import type { campaigns } from '#contract';
import { creditPriceCents } from '#contract/campaigns/rules';
import { Facts, formatMoney, formatNumber, t } from '#ui';
import { formatWhen } from '../conversations/index.ts';
import css from './CostEstimate.module.css';

const skippedLabels: Record<keyof campaigns.CampaignPreview['skipped'], string> = {
  unsubscribed: '{n, plural, one {# opted out} other {# opted out}}',
  invalid: '{n, plural, one {# can’t receive texts} other {# can’t receive texts}}',
  blocked: '{n, plural, one {# blocked} other {# blocked}}',
  duplicate: '{n, plural, one {# duplicate} other {# duplicates}}',
  recently_texted: '{n, plural, one {# recently texted} other {# recently texted}}',
  possible_opt_out: '{n, plural, one {# may have opted out} other {# may have opted out}}',
  own_number: '{n, plural, one {# is your own number} other {# are your own numbers}}',
};

/** Who receives a campaign and who is skipped, what it costs, and when it finishes. */
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
          <p className={css.none}>{t('Choose a group and a number to see who receives it.')}</p>
        )}
      </div>
    );
  return (
    <div className={css.box} data-refreshing={fetching || undefined}>
      <p className={css.people}>
        <strong data-numeric>
          {t('{n, plural, one {# recipient} other {# recipients}}', { n: preview.recipients })}
        </strong>
      </p>
      <Skipped skipped={preview.skipped} />
      <CostFacts preview={preview} />
    </div>
  );
}

function Skipped({ skipped }: Pick<campaigns.CampaignPreview, 'skipped'>) {
  const reasons = Object.entries(skipped).filter(([, n]) => n > 0) as [
    keyof typeof skippedLabels,
    number,
  ][];
  if (reasons.length === 0) return null;
  return (
    <div className={css.skipped}>
      <span>{t('Skipped:')}</span>
      <List size="xs" spacing={2}>
        {reasons.map(([why, n]) => (
          <List.Item key={why}>{t(skippedLabels[why], { n })}</List.Item>
        ))}
      </List>
    </div>
  );
}

function CostFacts({ preview }: { preview: campaigns.CampaignPreview }) {
  return (
    <Facts
      rows={[
        [
          t('Segments'),
          <span key="s" data-numeric>
            {formatNumber(preview.segments_total)}
          </span>,
        ],
        [
          t('Cost'),
          <span key="c" data-numeric>
            {t('{n, plural, one {# credit} other {# credits}}', { n: preview.credits })}
            <small className={css.money}>
              {t('Up to {money}. Credits in your plan are free.', {
                money: formatMoney(preview.credits * creditPriceCents),
              })}
            </small>
          </span>,
        ],
        [
          t('Encoding'),
          preview.encoding === 'GSM-7'
            ? t('Standard, 160 characters per text')
            : t('Unicode, 70 characters per text'),
        ],
        [t('Send rate'), t('{n} per second', { n: formatNumber(preview.per_second) })],
        preview.held_until !== null && [t('Quiet hours until'), formatWhen(preview.held_until)],
        preview.finish_estimate !== null && [t('Finishes by'), formatWhen(preview.finish_estimate)],
      ]}
    />
  );
}
