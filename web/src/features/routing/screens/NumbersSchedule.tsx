import { useState } from 'react';
import { Select, Skeleton, Stack } from '@mantine/core';
import { companies, schedules } from '#contract';
import {
  confirm,
  ErrorState,
  Page,
  StatusBadge,
  t,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePermission,
} from '#ui';
import { NumbersTabs } from '../../numbers/index.ts';
import { ScheduleEditor } from '../ScheduleEditor.tsx';

/** Hours of the company and of its users. */
export default function NumbersSchedule() {
  const companyId = useCompanyId();
  const { filters, set } = useFilters({ user: '' });
  const userId = Number(filters.user) || null;
  const [dirty, setDirty] = useState(false);
  const { response, error, refetch } = useApiQuery(
    schedules.getSchedule,
    { params: { companyId: companyId ?? 0 }, query: { user_id: userId } },
    { enabled: companyId !== null },
  );
  const people = usePeople(companyId);
  const choose = async (user: string | null): Promise<void> => {
    if (dirty && !(await confirmLeaving())) return;
    setDirty(false);
    set({ user: user ?? '' });
  };
  return (
    <Page
      title={t('Schedule')}
      description={t(
        'Routes and numbers that use these hours ring while open and otherwise follow the after-hours route.',
      )}
      filters={
        <>
          <NumbersTabs />
          {people && (
            <PersonSelect
              people={people}
              value={filters.user}
              onChange={(user) => void choose(user)}
            />
          )}
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
      {!response && !error && <Skeletons />}
      {response && (
        <ScheduleEditor
          key={`${response.data.company_id}-${response.data.user_id ?? 'company'}`}
          saved={response.data}
          onDirty={setDirty}
        />
      )}
    </Page>
  );
}

/** The company's users; undefined while loading, and without the permission to list them. */
function usePeople(companyId: number | null) {
  const maySeePeople = usePermission('users.list');
  return useApiQuery(
    companies.listCompanyUsers,
    { params: { companyId: companyId ?? 0 }, query: { perPage: 250 } },
    { enabled: companyId !== null && maySeePeople, silent: true },
  ).response?.data;
}

const confirmLeaving = (): Promise<boolean> =>
  confirm({
    title: t('Leave without saving?'),
    body: t('Your changes here aren’t saved.'),
    confirmLabel: t('Leave'),
  });

/** Chooses whose hours are shown; '' or null: the company's. */
const PersonSelect = ({
  people,
  value,
  onChange,
}: {
  people: readonly { id: number; first_name: string; last_name: string; email: string }[];
  value: string;
  onChange: (user: string | null) => void;
}) => (
  <Select
    aria-label={t('Schedule for')}
    w={260}
    searchable
    clearable
    clearButtonProps={{ 'aria-label': t('Company hours') }}
    placeholder={t('Company hours')}
    data={people.map((one) => ({
      value: String(one.id),
      label: `${one.first_name} ${one.last_name}`.trim() || one.email,
    }))}
    value={value || null}
    onChange={onChange}
  />
);

const Skeletons = () => (
  <Stack>
    {[0, 1, 2, 3].map((i) => (
      <Skeleton key={i} height={72} />
    ))}
  </Stack>
);
