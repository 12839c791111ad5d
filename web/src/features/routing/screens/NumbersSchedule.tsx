import { useEffect, useState } from 'react';
import { Alert, Button, Select, Skeleton, Stack } from '@mantine/core';
import { companies, routing, schedules } from '#contract';
import {
  confirm,
  ErrorState,
  Page,
  Section,
  StatusBadge,
  t,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePermission,
  useApiMutation,
  useUnsavedGuard,
} from '#ui';
import { NumbersTabs } from '../../numbers/index.ts';
import { BlocksEditor } from '../BlocksEditor.tsx';
import { ExceptionsEditor } from '../ExceptionsEditor.tsx';
import { RangeSelects } from '../RangeSelects.tsx';
import {
  toScheduleDraft,
  rangeOfDay,
  toScheduleRequest,
  scheduleError,
  withDay,
  type ScheduleDraft,
} from '../schedule-draft.ts';
import css from '../Schedule.module.css';
import { ScheduleCheck } from '../ScheduleCheck.tsx';
import { zoneOptions } from '../../settings/index.ts';

/** Hours of the company and of its users. */
export default function NumbersSchedule() {
  const companyId = useCompanyId();
  const { filters, set } = useFilters({ user: '' });
  const userId = Number(filters.user) || null;
  const maySeePeople = usePermission('users.list');
  const [dirty, setDirty] = useState(false);
  const { response, error, refetch } = useApiQuery(
    schedules.getSchedule,
    { params: { companyId: companyId ?? 0 }, query: { user_id: userId } },
    { enabled: companyId !== null },
  );
  const people = useApiQuery(
    companies.listCompanyUsers,
    { params: { companyId: companyId ?? 0 }, query: { perPage: 250 } },
    { enabled: companyId !== null && maySeePeople, silent: true },
  );
  const choose = async (user: string | null): Promise<void> => {
    if (
      dirty &&
      !(await confirm({
        title: t('Leave without saving?'),
        body: t('Your changes here aren’t saved.'),
        confirmLabel: t('Leave'),
      }))
    )
      return;
    setDirty(false);
    set({ user: user ?? '' });
  };
  const whose = people.response && (
    <Select
      aria-label={t('Schedule for')}
      w={260}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('Company hours') }}
      placeholder={t('Company hours')}
      data={people.response.data.map((one) => ({
        value: String(one.id),
        label: `${one.first_name} ${one.last_name}`.trim() || one.email,
      }))}
      value={filters.user || null}
      onChange={(user) => void choose(user)}
    />
  );
  return (
    <Page
      title={t('Schedule')}
      description={t(
        'Routes and numbers that use these hours ring while open and otherwise follow the after-hours route.',
      )}
      filters={
        <>
          <NumbersTabs />
          {whose}
        </>
      }
      aside={
        response && (
          <StatusBadge tone={response.data.voicemail ? 'warn' : 'neutral'}>
            {response.data.label}
          </StatusBadge>
        )
      }
    >
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!response && !error && (
        <Stack>
          {[0, 1, 2, 3].map((i) => (
            <Skeleton key={i} height={72} />
          ))}
        </Stack>
      )}
      {response && (
        <Editor
          key={`${response.data.company_id}-${response.data.user_id ?? 'company'}`}
          saved={response.data}
          onDirty={setDirty}
        />
      )}
    </Page>
  );
}

function Editor({
  saved,
  onDirty,
}: {
  saved: schedules.Schedule;
  onDirty: (dirty: boolean) => void;
}) {
  const mayEdit = usePermission('routing.edit');
  const userId = saved.user_id;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const fresh = JSON.stringify(toScheduleDraft(saved, zone));
  const [start, setStart] = useState(fresh);
  const [draft, setDraft] = useState<ScheduleDraft>(() => JSON.parse(fresh) as ScheduleDraft);
  const dirty = JSON.stringify(draft) !== start;
  useUnsavedGuard(dirty);
  useEffect(() => onDirty(dirty), [dirty]);
  const takeOver = (next: string): void => {
    setStart(next);
    setDraft(JSON.parse(next) as ScheduleDraft);
  };
  // Someone else saved: take that over unless this form has changes of its own.
  useEffect(() => {
    if (!dirty) takeOver(fresh);
  }, [fresh]);
  const { mutate, isPending } = useApiMutation(schedules.saveSchedule, {
    success: t('Schedule updated'),
    invalidates: [schedules.getSchedule, schedules.previewSchedule],
  });
  const wrong = scheduleError(draft);
  const save = async (): Promise<void> => {
    const response = await mutate({
      params: { companyId: saved.company_id },
      body: toScheduleRequest(draft, userId),
    });
    if (response) takeOver(JSON.stringify(toScheduleDraft(response.data, zone)));
  };
  const change = (more: Partial<ScheduleDraft>): void => setDraft((now) => ({ ...now, ...more }));
  const shownPreset = draft.voicemail ? 5 : draft.preset;
  const choosePreset = (preset: schedules.Preset): void =>
    setDraft((now) =>
      schedules.choosePreset(
        now,
        preset,
        now.preset === 6 ? schedules.companyBlocks(now.hours) : now.blocks,
      ),
    );
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
              {t('Your role can view these settings but not change them.')}
            </Alert>
          )}
          {userId === null && (
            <Section
              title={t('Business hours')}
              about={t('What “Business Hours” means everywhere it’s used.')}
            >
              <dl className={css.week}>
                {schedules.weekdays.map((day) => (
                  <div key={day} style={{ display: 'contents' }}>
                    <dt>{t(schedules.weekdayNames[day])}</dt>
                    <dd>
                      <RangeSelects
                        of={t(schedules.weekdayNames[day])}
                        readOnly={!mayEdit}
                        value={rangeOfDay(draft.hours, day)}
                        onChange={(range) => change({ hours: withDay(draft.hours, day, range) })}
                      />
                    </dd>
                  </div>
                ))}
              </dl>
            </Section>
          )}
          <Section
            title={userId === null ? t('Schedule') : t('Their hours')}
            about={
              userId === null
                ? t('Used by numbers that follow the company schedule.')
                : t('Outside these hours, this person isn’t rung.')
            }
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
                onChange={(timezone) => timezone !== null && change({ timezone })}
              />
              {shownPreset === 5 && (
                <Alert color="orange">
                  {userId === null
                    ? t('Callers go straight to voicemail. The times are kept for later.')
                    : t('This person isn’t rung. Their times are kept for later.')}
                </Alert>
              )}
              {shownPreset === 6 && (
                <p className={css.quiet}>
                  {userId === null
                    ? t('Follows the business hours above.')
                    : t('Follows the company’s business hours, including its special dates.')}
                </p>
              )}
              {shownPreset !== 5 && shownPreset !== 6 && (
                <BlocksEditor
                  blocks={draft.blocks}
                  mayEdit={mayEdit}
                  onChange={(blocks) => setDraft((now) => schedules.editBlocks(now, blocks))}
                />
              )}
            </Stack>
          </Section>
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
          </Section>
          {mayEdit && (
            <div className={css.bar}>
              {dirty && (
                <span role={wrong ? 'alert' : undefined}>{wrong ?? t('Unsaved changes')}</span>
              )}
              <Button
                variant="default"
                disabled={!dirty || isPending}
                onClick={() => takeOver(start)}
              >
                {t('Discard')}
              </Button>
              <Button type="submit" loading={isPending} disabled={!dirty || wrong !== null}>
                {t('Save schedule')}
              </Button>
            </div>
          )}
        </Stack>
      </form>
      <div className={css.aside}>
        <ScheduleCheck draft={draft} userId={userId} />
      </div>
    </div>
  );
}
