import { Select } from '@mantine/core';
import type { ReportChoices } from '#contract/analytics/call-analytics/report-choices';
import { callTargets } from '#contract/analytics/call-analytics/rules';
import { departments } from '#contract/calls/rules';
import { attributionModels } from '#contract/tracking/pool-rules';
import { FilterBar, t, type useFilters } from '#ui';
import { departmentName } from '../../calls/index.ts';
import { useOurNumbers } from '../../conversations/index.ts';
import { modelName, SourceFilter } from '../../tracking/index.ts';
import { Choice } from './Choice.tsx';
import { callGroupName, groupChoices, targetName } from './options.ts';
import { PeriodFilter } from './PeriodFilter.tsx';
import { SaidLimits } from './SaidLimits.tsx';
import type { useReport } from './use-report.ts';
import { WhoseCalls } from './WhoseCalls.tsx';

type Filtering = ReturnType<typeof useFilters<ReportChoices>>;
type Part = Pick<Filtering, 'filters' | 'set'>;
/** `isOfOne`: numbers and phrase lists of one company can be chosen. */
type PartOf = Part & { isOfOne: boolean };
type Whose = Pick<
  ReturnType<typeof useReport>,
  'scopes' | 'organization' | 'companyName' | 'companies'
>;

/** What calls are grouped by, of which days, and limited to what. */
export function ReportFilters({
  filters,
  set,
  clear,
  isFiltered,
  today,
  report: { scopes, organization, companyName, companies },
}: Filtering & { today: string; report: Whose }) {
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <WhoseCalls {...{ filters, set, scopes, organization, companyName, companies }} />
      <Select
        aria-label={t('Group by')}
        w={{ base: 'calc(50% - 4px)', sm: 160 }}
        allowDeselect={false}
        data={groupChoices(organization !== null).map(({ group, items }) => ({
          group,
          items: items.map((value) => ({ value, label: callGroupName(value) })),
        }))}
        value={filters.group}
        onChange={(group) => set({ group: group ?? 'day' })}
      />
      <Select
        aria-label={t('Figure')}
        w={{ base: 'calc(50% - 4px)', sm: 150 }}
        allowDeselect={false}
        data={callTargets.map((value) => ({ value, label: targetName(value) }))}
        value={filters.target}
        onChange={(target) => set({ target: target ?? 'calls' })}
      />
      <PeriodFilter filters={filters} set={set} today={today} />
      <Limits filters={filters} set={set} isOfOne={organization === null} />
    </FilterBar>
  );
}

/** Only calls of one direction, ending, number, source or department, or in which something was said. */
const Limits = (part: PartOf) => (
  <>
    <CallLimits {...part} />
    <OriginLimits {...part} />
    <OutcomeLimits {...part} />
    <SaidLimits {...part} hasPhrases={part.isOfOne} />
  </>
);

function CallLimits({ filters, set, isOfOne }: PartOf) {
  const numbers = useOurNumbers();
  return (
    <>
      <Select
        aria-label={t('Direction')}
        w={{ base: 'calc(50% - 4px)', sm: 136 }}
        allowDeselect={false}
        data={[
          { value: 'inbound', label: t('Incoming') },
          { value: 'outbound', label: t('Outgoing') },
          { value: 'all', label: t('Both directions') },
        ]}
        value={filters.direction}
        onChange={(direction) => set({ direction: direction ?? 'inbound' })}
      />
      <Choice
        label={t('Outcome')}
        value={filters.status}
        onChange={(status) => set({ status })}
        options={[
          ['answered', t('Answered')],
          ['missed', t('Missed')],
          ['voicemail', t('Voicemail')],
          ['blocked', t('Blocked')],
        ]}
      />
      {isOfOne && numbers.length > 1 && (
        <Choice
          label={t('Your number')}
          value={filters.number}
          onChange={(number) => set({ number })}
          options={numbers.map(({ id, label }) => [String(id), label])}
        />
      )}
    </>
  );
}

function OriginLimits({ filters, set }: Part) {
  const isAboutSources = filters.group === 'source' || filters.group === 'campaign';
  return (
    <>
      <SourceFilter value={filters.source} onChange={(source) => set({ source })} />
      {(isAboutSources || filters.source !== '') && (
        <Choice
          label={t('Attribution model')}
          width={180}
          value={filters.model}
          onChange={(model) => set({ model })}
          options={attributionModels.map((model) => [model, modelName(model)])}
        />
      )}
    </>
  );
}

const OutcomeLimits = ({ filters, set }: Part) => (
  <>
    <Choice
      label={t('Department')}
      value={filters.department}
      onChange={(department) => set({ department })}
      options={departments.map((one) => [one, departmentName(one)])}
    />
    <Choice
      label={t('Callers')}
      value={filters.first}
      onChange={(first) => set({ first })}
      options={[
        ['yes', t('First-time callers')],
        ['no', t('Known callers')],
      ]}
    />
    <Choice
      label={t('Qualified')}
      value={filters.qualified}
      onChange={(qualified) => set({ qualified })}
      options={[
        ['yes', t('Qualified')],
        ['no', t('Not qualified')],
      ]}
    />
  </>
);
