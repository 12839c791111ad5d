import { Checkbox } from '@mantine/core';
import { mentionsToday } from '#contract/campaigns/rules';
import { formatTime, Section, t } from '#ui';
import { WhenField } from '../WhenField.tsx';
import type { CampaignEditorState } from './use-campaign-editor.ts';
import css from './CampaignForm.module.css';

/**
 * When the campaign is sent, what happens when the day ends first, and whether the inbox shows it.
 */
export function ScheduleSection({
  form,
  zone,
  quietHours,
}: Pick<CampaignEditorState, 'form' | 'zone' | 'quietHours'>) {
  const { values } = form;
  const mayReadWrong = mentionsToday(values.text) && values.resume_next_day;
  return (
    <Section title={t('When')}>
      <div className={css.fields}>
        <WhenField
          zone={zone}
          value={values.should_be_sent_at}
          error={form.errors['should_be_sent_at']}
          onChange={(at) => form.setFieldValue('should_be_sent_at', at)}
        />
        {quietHours && quietHours.start !== quietHours.end && <QuietHours hours={quietHours} />}
        <Checkbox
          label={t('Continue the next day if unfinished')}
          description={
            mayReadWrong
              ? t('Your text mentions today or tomorrow. Will it still make sense then?')
              : undefined
          }
          checked={values.resume_next_day}
          onChange={(e) => form.setFieldValue('resume_next_day', e.currentTarget.checked)}
        />
        <Checkbox
          label={t('Show in inbox')}
          description={t('If off, a conversation appears in the inbox once someone replies.')}
          checked={!values.skip_inbox}
          onChange={(e) => form.setFieldValue('skip_inbox', !e.currentTarget.checked)}
        />
      </div>
    </Section>
  );
}

function QuietHours({ hours }: { hours: NonNullable<CampaignEditorState['quietHours']> }) {
  const values = { start: clockText(hours.start), end: clockText(hours.end) };
  return (
    <p className={css.quiet}>
      {hours.mode === 'company'
        ? t('No texts are sent between {start} and {end} in your company’s time zone.', values)
        : t('No texts are sent between {start} and {end} in the recipient’s time zone.', values)}
    </p>
  );
}

/** `21:00` → `9:00 PM`. */
const clockText = (time: string): string => formatTime(`2020-01-01T${time}:00Z`, 'UTC');
