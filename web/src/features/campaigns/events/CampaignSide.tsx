import { creditPriceCents, fullText } from '#contract/campaigns/rules';
import { Facts, formatMoney, formatPhoneNumber, Section, t, Time } from '#ui';
import { showTagNames } from '../merge-tags.ts';
import { PhonePreview } from '../PhonePreview.tsx';
import type { Campaign } from '../use-campaign-actions.ts';
import css from '../screens/CampaignEvents.module.css';

/** The message in a phone frame, and facts about the campaign. */
export function CampaignSide({ campaign: c }: { campaign: Campaign }) {
  return (
    <aside className={css.side} aria-label={t('About this campaign')}>
      <PhonePreview
        from={c.number?.number ?? null}
        samples={[
          { name: '', number: '', text: showTagNames(fullText(c.text, c.unsubscribe_text)) },
        ]}
        files={c.media_files.map((f) => ({
          key: String(f.id),
          name: f.name,
          url: f.type.startsWith('image/') ? f.url : null,
        }))}
      />
      <Section title={t('About')}>
        <CampaignFacts campaign={c} />
      </Section>
    </aside>
  );
}

function CampaignFacts({ campaign: c }: { campaign: Campaign }) {
  return (
    <Facts
      rows={[
        [t('To'), c.groups[0]?.name ?? '–'],
        [t('From'), c.number ? c.number.label || formatPhoneNumber(c.number.number) : '–'],
        c.should_be_sent_at !== null && [
          t('Scheduled for'),
          <Time key="p" at={c.should_be_sent_at} as="instant" />,
        ],
        c.started_at !== null && [t('Started'), <Time key="b" at={c.started_at} as="instant" />],
        c.finished_at !== null && [t('Finished'), <Time key="e" at={c.finished_at} as="instant" />],
        [
          t('Cost'),
          t('{n, plural, one {# credit} other {# credits}}, up to {money}', {
            n: c.credits_used,
            money: formatMoney(c.credits_used * creditPriceCents),
          }),
        ],
        [t('By'), c.user?.name ?? '–'],
        c.approval.approved_by !== null && [t('Approved by'), c.approval.approved_by.name],
        [t('Inbox'), c.skip_inbox ? t('Only replies') : t('Every text')],
      ]}
    />
  );
}
