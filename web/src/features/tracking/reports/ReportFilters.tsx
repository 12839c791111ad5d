import { Select, TextInput } from '@mantine/core';
import { attributionModels } from '#contract/tracking/pool-rules';
import { reportGroups } from '#contract/analytics/source-reports/rules';
import { tracking } from '#contract';
import { FilterBar, t, useApiQuery, useCompanyId, type useFilters, usePermission } from '#ui';
import { modelName, modelSentence } from '../models/labels.ts';
import { SourceFilter } from '../sources/SourceFilter.tsx';
import { deviceName } from './device-name.ts';
import { groupName, periodName, reportPeriods, reportRange } from './options.ts';
import { useReportOrganization, type ReportChoices } from './use-report-request.ts';

/** What a report is grouped by, of which days, by which model, and limited to what. */
export function ReportFilters({
  filters,
  set,
  clear,
  isFiltered,
  today,
}: ReturnType<typeof useFilters<ReportChoices>> & { today: string }) {
  const model = attributionModels.find((one) => one === filters.model);
  // Own days begin with those that the report has.
  const choosePeriod = (period: string | null): void => {
    if (period !== 'custom') return set({ period: period ?? 'month', from: '', to: '' });
    const { start, end } = reportRange('month', today);
    set({ period, from: start, to: end });
  };
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <CompaniesFilter filters={filters} set={set} />
      <Select
        aria-label={t('Group by')}
        w={150}
        allowDeselect={false}
        data={reportGroups
          .filter((value) => value !== 'company' || filters.of !== '')
          .map((value) => ({ value, label: groupName(value) }))}
        value={filters.group}
        onChange={(group) => set({ group: group ?? 'source' })}
      />
      <Select
        aria-label={t('Period')}
        w={150}
        allowDeselect={false}
        data={reportPeriods.map((value) => ({ value, label: periodName(value) }))}
        value={filters.period}
        onChange={choosePeriod}
      />
      {filters.period === 'custom' && <Days filters={filters} set={set} today={today} />}
      <Select
        aria-label={t('Attribution model')}
        title={model ? modelSentence(model) : t('Each call is credited by the model of its pool.')}
        w={240}
        allowDeselect={false}
        data={[
          { value: '', label: t('Model of each pool') },
          ...attributionModels.map((value) => ({ value, label: modelName(value) })),
        ]}
        value={filters.model}
        onChange={(value) => set({ model: value ?? '' })}
      />
      <Limits filters={filters} set={set} />
    </FilterBar>
  );
}

type Part = Pick<ReturnType<typeof useFilters<ReportChoices>>, 'filters' | 'set'>;

/** Whether the report is of the company, or of all in its organization that the person is in. */
function CompaniesFilter({ filters, set }: Part) {
  if (useReportOrganization() === null) return null;
  return (
    <Select
      aria-label={t('Companies')}
      w={170}
      allowDeselect={false}
      data={[
        { value: '', label: t('This company') },
        { value: 'organization', label: t('All companies') },
      ]}
      value={filters.of}
      onChange={(of) => set({ of: of ?? '', group: of ? 'company' : 'source', pool: '' })}
    />
  );
}

const Days = ({ filters, set, today }: Part & { today: string }) => (
  <>
    <TextInput
      type="date"
      aria-label={t('From day')}
      value={filters.from}
      max={filters.to || today}
      onChange={(event) => set({ from: event.currentTarget.value })}
    />
    <TextInput
      type="date"
      aria-label={t('To day')}
      value={filters.to}
      min={filters.from || undefined}
      max={today}
      onChange={(event) => set({ to: event.currentTarget.value })}
    />
  </>
);

/** Only visits and calls of one source, pool, campaign or kind of device. */
function Limits({ filters, set }: Part) {
  return (
    <>
      <SourceFilter value={filters.source} onChange={(source) => set({ source })} />
      {filters.of === '' && <PoolFilter filters={filters} set={set} />}
      <Select
        aria-label={t('Device')}
        placeholder={t('Any device')}
        w={130}
        clearable
        data={(['desktop', 'mobile', 'tablet'] as const).map((value) => ({
          value,
          label: deviceName(value),
        }))}
        value={filters.device || null}
        onChange={(device) => set({ device: device ?? '' })}
        clearButtonProps={{ 'aria-label': t('Clear {what}', { what: t('Device') }) }}
      />
      <TextInput
        aria-label={t('Campaign')}
        placeholder={t('Any campaign')}
        w={150}
        maxLength={500}
        key={filters.campaign}
        defaultValue={filters.campaign}
        onBlur={(event) => set({ campaign: event.currentTarget.value.trim() })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') set({ campaign: event.currentTarget.value.trim() });
        }}
      />
    </>
  );
}

function PoolFilter({ filters, set }: Part) {
  const { response } = useApiQuery(
    tracking.listPools,
    { params: { companyId: useCompanyId() ?? 0 }, query: { perPage: 250 } },
    { silent: true, enabled: usePermission('dni.view'), staleTime: 60_000 },
  );
  return (
    <Select
      aria-label={t('Tracking pool')}
      placeholder={t('Any pool')}
      w={160}
      clearable
      data={(response?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={filters.pool || null}
      onChange={(pool) => set({ pool: pool ?? '' })}
      clearButtonProps={{ 'aria-label': t('Clear {what}', { what: t('Tracking pool') }) }}
    />
  );
}
