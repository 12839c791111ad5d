import { Select } from '@mantine/core';
import { schedules } from '#contract';
import { t, useApiQuery, useCompanyId, usePermission } from '#ui';

/**
 * Chooses whether a number follows the company's schedule for routes without hours of their own.
 */
export function SchedulePicker({
  value,
  onChange,
  readOnly,
  error,
}: {
  value: number | null;
  onChange: (id: number | null) => void;
  readOnly: boolean;
  error?: React.ReactNode;
}) {
  const companyId = useCompanyId();
  const maySee = usePermission('routing.view');
  const { response } = useApiQuery(
    schedules.getSchedule,
    { params: { companyId: companyId ?? 0 } },
    { enabled: companyId !== null && maySee, silent: true, staleTime: 30_000 },
  );
  // A schedule that was never saved has no ID and can't be chosen.
  const company = response?.data.id ?? null;
  if (company === null && value === null) return null;
  const data = [
    ...(company === null
      ? []
      : [
          {
            value: String(company),
            label: t('The company’s schedule ({label})', { label: response?.data.label ?? '' }),
          },
        ]),
    ...(value !== null && value !== company
      ? [{ value: String(value), label: t('A person’s schedule') }]
      : []),
  ];
  return (
    <Select
      label={t('Hours for routes without their own')}
      placeholder={t('Always open')}
      clearable={!readOnly}
      clearButtonProps={{ 'aria-label': t('Clear') }}
      readOnly={readOnly}
      data={data}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      {...(error !== undefined && error !== null && { error })}
    />
  );
}
