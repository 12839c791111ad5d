import { Group, Select, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import {
  mostMailedRows,
  reportAttachments,
  reportFrequencies,
  type ReportAttachment,
  type ReportFrequency,
} from '#contract/analytics/favorites/rules';
import type { ReportSchedule } from '#contract/analytics/favorites/schemas';
import { formatNumber, formatTime, t, usePermission, useUser } from '#ui';
import type { Favorite, FavoriteForm, ScheduleChoice } from './favorite-form.ts';

const frequencyName = (frequency: ScheduleChoice['frequency']): string =>
  ({
    never: t('Never'),
    daily: t('Every day'),
    weekly: t('Every Monday'),
    monthly: t('Every month'),
  })[frequency];
const covered = (frequency: ReportFrequency): string =>
  ({
    daily: t('Sent every day in the report’s time zone. It covers the day before.'),
    weekly: t('Sent on Mondays in the report’s time zone. It covers the seven days before.'),
    monthly: t('Sent on the 1st in the report’s time zone. It covers the month before.'),
  })[frequency];
const attachmentName = (attach: ReportAttachment): string =>
  ({ none: t('Nothing'), csv: t('CSV file'), pdf: t('PDF') })[attach];
const hourName = (hour: number): string => formatTime(Date.UTC(2026, 0, 1, hour), 'UTC');

/** How a schedule reads in a list: `Emailed every Monday at 8:00 AM`. */
export const scheduleText = ({ frequency, hour }: ReportSchedule): string =>
  ({
    daily: t('Emailed every day at {time}', { time: hourName(hour) }),
    weekly: t('Emailed every Monday at {time}', { time: hourName(hour) }),
    monthly: t('Emailed on the 1st of each month at {time}', { time: hourName(hour) }),
  })[frequency];

/** Whether a report is emailed, when, and to whom. Another person’s can only be stopped. */
export function ScheduleFields({
  form,
  favorite,
}: {
  form: UseFormReturnType<FavoriteForm>;
  favorite: Favorite | null;
}) {
  const email = useUser()?.email;
  const mayExport = usePermission('exports.make');
  const kept = favorite?.schedule?.frequency;
  const isMine = favorite?.mine ?? true;
  const { frequency, hour, recipients } = form.values.schedule;
  if (!kept && !(mayExport && isMine)) return null;
  const offered = mayExport && isMine ? reportFrequencies : kept ? [kept] : [];
  const choose = (next: ScheduleChoice['frequency']): void => {
    form.setFieldValue('schedule.frequency', next);
    if (next !== 'never' && !recipients.length && email)
      form.setFieldValue('schedule.recipients', [email]);
  };
  return (
    <>
      <Group grow align="start">
        <Select
          label={t('Email this report')}
          allowDeselect={false}
          data={['never' as const, ...offered].map((value) => ({
            value,
            label: frequencyName(value),
          }))}
          value={frequency}
          onChange={(value) => choose(value ?? 'never')}
        />
        {frequency !== 'never' && isMine && (
          <Select
            label={t('At')}
            allowDeselect={false}
            data={Array.from({ length: 24 }, (_, n) => ({ value: String(n), label: hourName(n) }))}
            value={hour}
            onChange={(value) => form.setFieldValue('schedule.hour', value ?? '8')}
          />
        )}
      </Group>
      {frequency !== 'never' && isMine && (
        <TagsInput
          label={t('Send to')}
          data-path="schedule.recipients"
          description={covered(frequency)}
          placeholder={recipients.length ? '' : t('name@example.com')}
          maxTags={20}
          splitChars={[',', ';', ' ']}
          acceptValueOnBlur
          {...form.getInputProps('schedule.recipients')}
        />
      )}
      {frequency !== 'never' && isMine && <AttachField form={form} />}
    </>
  );
}

/** The file that comes along with each email. */
function AttachField({ form }: { form: UseFormReturnType<FavoriteForm> }) {
  const { attach } = form.values.schedule;
  const says: Record<ReportAttachment, string | null> = {
    none: null,
    csv: t('The first {n} rows.', { n: formatNumber(mostMailedRows) }),
    pdf: t('Figures, chart and table.'),
  };
  return (
    <Select
      label={t('Attach')}
      description={says[attach]}
      allowDeselect={false}
      data={reportAttachments.map((value) => ({ value, label: attachmentName(value) }))}
      value={attach}
      onChange={(value) => form.setFieldValue('schedule.attach', value ?? 'none')}
    />
  );
}
