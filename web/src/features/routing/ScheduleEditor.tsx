import { Alert, Anchor, Button, Select, Stack, Text } from '@mantine/core';
import { routing, schedules } from '#contract';
import { formatDay, Section, t, usePermission } from '#ui';
import { zoneOptions } from '../settings/index.ts';
import { BlocksEditor } from './BlocksEditor.tsx';
import { ExceptionsEditor } from './ExceptionsEditor.tsx';
import { RangeSelects } from './RangeSelects.tsx';
import { rangeOfDay, withDay, type ScheduleDraft } from './schedule-draft.ts';
import css from './Schedule.module.css';
import { ScheduleCheck } from './ScheduleCheck.tsx';
import { useScheduleDraft } from './use-schedule-draft.ts';

interface FieldsProps {
  draft: ScheduleDraft;
  setDraft: React.Dispatch<React.SetStateAction<ScheduleDraft>>;
  mayEdit: boolean;
}

/**
 * The form of a schedule, and a place to test it. `onDirty` is called when unsaved changes appear
 * or go.
 */
export function ScheduleEditor({
  saved,
  onDirty,
}: {
  saved: schedules.Schedule;
  onDirty: (dirty: boolean) => void;
}) {
  const userId = saved.user_id;
  const { draft, setDraft, dirty, wrong, save, discard, isPending, isOwn } = useScheduleDraft(
    saved,
    onDirty,
  );
  const mayEditAll = usePermission('routing.edit');
  const mayEdit = mayEditAll || isOwn;
  const fields = { draft, setDraft, mayEdit };
  return (
    <div className={css.columns}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        noValidate
      >
        <Stack gap="md">
          {!mayEdit && (
            <Alert color="gray">
              {t(
                'Your role can view these settings but not change them. Ask an owner or administrator.',
              )}
            </Alert>
          )}
          {userId === null && <BusinessHours {...fields} />}
          <WeeklyHours {...fields} userId={userId} isOwn={isOwn} />
          <Section title={t('Special dates')} about={t('They override the weekly hours.')}>
            <ExceptionsEditor
              exceptions={draft.exceptions}
              mayEdit={mayEdit}
              onChange={(next) =>
                setDraft((now) => ({
                  ...now,
                  exceptions: typeof next === 'function' ? next(now.exceptions) : next,
                }))
              }
            />
            {(userId === null || draft.preset === 6) && <Holidays days={saved.holidays} />}
          </Section>
          {mayEdit && (
            <SaveBar dirty={dirty} wrong={wrong} isPending={isPending} onDiscard={discard} />
          )}
        </Stack>
      </form>
      <div className={css.aside}>
        <ScheduleCheck draft={draft} userId={userId} />
      </div>
    </div>
  );
}

/** The next holidays of the company’s settings; nothing without. */
function Holidays({ days }: { days: schedules.Schedule['holidays'] }) {
  const [next] = days;
  if (!next) return null;
  return (
    <Text c="dimmed" fz="sm" mt="sm">
      {t('Closed on US federal holidays, too. Next: {label}, {date}.', {
        label: next.label,
        date: formatDay(next.date, 'UTC'),
      })}{' '}
      <Anchor href="/settings/general">{t('Change it in Settings')}</Anchor>
    </Text>
  );
}

/** The company's business hours, one range a weekday. */
function BusinessHours({ draft, setDraft, mayEdit }: FieldsProps) {
  return (
    <Section title={t('Business hours')} about={t('Your company’s business hours.')}>
      <dl className={css.week}>
        {schedules.weekdays.map((day) => (
          <div key={day} style={{ display: 'contents' }}>
            <dt>{t(schedules.weekdayNames[day])}</dt>
            <dd>
              <RangeSelects
                of={t(schedules.weekdayNames[day])}
                readOnly={!mayEdit}
                value={rangeOfDay(draft.hours, day)}
                onChange={(range) =>
                  setDraft((now) => ({ ...now, hours: withDay(draft.hours, day, range) }))
                }
              />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

interface WeeklyHoursProps extends FieldsProps {
  /** Null: the company's hours. */
  userId: number | null;
  /** The signed-in person's own hours. */
  isOwn: boolean;
}

const presetOf = (draft: ScheduleDraft): schedules.Preset => (draft.voicemail ? 5 : draft.preset);

function hoursAbout(userId: number | null, isOwn: boolean): string {
  if (userId === null) return t('Used by numbers that follow the company schedule.');
  return isOwn
    ? t(
        'Outside these hours, calls don’t ring you, nothing is pushed to your devices, and emails wait.',
      )
    : t('Outside these hours, calls and notifications don’t reach this person.');
}

/** When the company or a user is open: a preset, or days with their times. */
function WeeklyHours({ draft, setDraft, mayEdit, userId, isOwn }: WeeklyHoursProps) {
  const shownPreset = presetOf(draft);
  const choosePreset = (preset: schedules.Preset): void =>
    setDraft((now) =>
      schedules.choosePreset(
        now,
        preset,
        now.preset === 6 ? schedules.companyBlocks(now.hours) : now.blocks,
      ),
    );
  return (
    <Section
      title={userId === null ? t('Schedule') : isOwn ? t('Your hours') : t('Their hours')}
      about={hoursAbout(userId, isOwn)}
    >
      <Stack gap="sm">
        <Select
          label={t('Open')}
          maw={320}
          allowDeselect={false}
          readOnly={!mayEdit}
          data={routing.schedulePresets.map((one) => ({
            value: String(one.id),
            label: t(one.label),
          }))}
          value={String(shownPreset)}
          onChange={(preset) =>
            preset !== null &&
            Number(preset) !== shownPreset &&
            choosePreset(Number(preset) as schedules.Preset)
          }
        />
        <Select
          label={t('Time zone')}
          maw={420}
          allowDeselect={false}
          searchable
          limit={80}
          readOnly={!mayEdit}
          data={zoneOptions()}
          value={draft.timezone}
          onChange={(timezone) => timezone !== null && setDraft((now) => ({ ...now, timezone }))}
        />
        <PresetHours {...{ draft, setDraft, mayEdit, userId, isOwn }} />
      </Stack>
    </Section>
  );
}

/** What a preset means, or the days with their times. */
function PresetHours({ draft, setDraft, mayEdit, userId, isOwn }: WeeklyHoursProps) {
  const preset = presetOf(draft);
  if (preset === 5)
    return (
      <Alert color="orange">
        {userId === null
          ? t('Callers go straight to voicemail. The times are kept for later.')
          : isOwn
            ? t('Calls don’t ring you. Your times are kept for later.')
            : t('This person isn’t rung. Their times are kept for later.')}
      </Alert>
    );
  if (preset === 6)
    return (
      <p className={css.quiet}>
        {userId === null
          ? t('Follows the business hours above.')
          : t('Follows the company’s business hours, including its special dates.')}
      </p>
    );
  return (
    <BlocksEditor
      blocks={draft.blocks}
      mayEdit={mayEdit}
      onChange={(blocks) => setDraft((now) => schedules.editBlocks(now, blocks))}
    />
  );
}

function SaveBar({
  dirty,
  wrong,
  isPending,
  onDiscard,
}: {
  dirty: boolean;
  wrong: string | null;
  isPending: boolean;
  onDiscard: () => void;
}) {
  return (
    <div className={css.bar}>
      {dirty && <span role={wrong ? 'alert' : undefined}>{wrong ?? t('Unsaved changes')}</span>}
      <Button variant="default" disabled={!dirty || isPending} onClick={onDiscard}>
        {t('Discard')}
      </Button>
      <Button type="submit" loading={isPending} disabled={!dirty || wrong !== null}>
        {t('Save schedule')}
      </Button>
    </div>
  );
}
