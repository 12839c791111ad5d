import { useState } from 'react';
import { Button, Menu, Select, TextInput } from '@mantine/core';
import { IconDownload, IconHistory } from '@tabler/icons-react';
import { audit, companies } from '#contract';
import {
  EmptyState,
  FilterBar,
  SearchField,
  t,
  trackBatch,
  useApiInfiniteQuery,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePermission,
  userZone,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { AuditDrawer } from '../audit/AuditDrawer.tsx';
import { AuditEntries } from '../audit/AuditEntries.tsx';
import { auditQuery, defaultFilters, type AuditFilters } from '../audit/filters.ts';

/** Who changed what in the company, newest first. */
export default function SettingsAuditLog() {
  const companyId = useCompanyId() ?? 0;
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const seesAll = usePermission('users.list');
  const [openId, setOpenId] = useState<number | null>(null);
  const list = useApiInfiniteQuery(
    audit.listAuditLog,
    { params: { companyId }, query: auditQuery(filters) },
    { enabled: companyId !== 0 },
  );
  return (
    <SettingsFrame
      title={t('Audit log')}
      description={
        seesAll
          ? t('Every change, who made it and from where. Entries can’t be edited.')
          : t('Your changes and where they came from. Entries can’t be edited.')
      }
      action={<ExportMenu companyId={companyId} filters={filters} />}
      filters={
        <FilterBar isFiltered={isFiltered} onClear={clear}>
          <Filters filters={filters} set={set} />
        </FilterBar>
      }
    >
      <AuditEntries
        list={list}
        open={setOpenId}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<IconHistory size={28} stroke={1.5} />}
              title={t('No entries match')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('Clear filters')}
                </Button>
              }
            >
              {t('Try another period, person or kind of change.')}
            </EmptyState>
          ) : (
            <EmptyState icon={<IconHistory size={28} stroke={1.5} />} title={t('No entries yet')}>
              {t('Changes to settings, people, numbers and data appear here as they happen.')}
            </EmptyState>
          )
        }
      />
      {openId !== null && (
        <AuditDrawer companyId={companyId} entryId={openId} close={() => setOpenId(null)} />
      )}
    </SettingsFrame>
  );
}

interface FilterProps {
  filters: AuditFilters;
  set: (change: Partial<AuditFilters>) => void;
}

function Filters({ filters, set }: FilterProps) {
  return (
    <>
      <SearchField
        maxLength={100}
        label={t('Search the audit log')}
        value={filters.search}
        onChange={(search) => set({ search })}
      />
      <Select
        aria-label={t('Kind of change')}
        placeholder={t('Every kind')}
        clearable
        clearButtonProps={{ 'aria-label': t('Every kind') }}
        data={(Object.keys(audit.auditGroups) as audit.AuditGroup[]).map((value) => ({
          value,
          label: t(audit.auditGroups[value]),
        }))}
        value={filters.group || null}
        onChange={(group) => set({ group: group ?? '' })}
      />
      <PersonFilter filters={filters} set={set} />
      <TextInput
        type="date"
        aria-label={t('From day')}
        leftSection={<span aria-hidden>{t('From')}</span>}
        leftSectionWidth={52}
        value={filters.from}
        max={filters.to || undefined}
        onChange={(e) => set({ from: e.currentTarget.value })}
      />
      <TextInput
        type="date"
        aria-label={t('To day')}
        leftSection={<span aria-hidden>{t('To')}</span>}
        leftSectionWidth={34}
        value={filters.to}
        min={filters.from || undefined}
        onChange={(e) => set({ to: e.currentTarget.value })}
      />
    </>
  );
}

/** Chooses a user; shown to those who may see everyone's entries and the list of users. */
function PersonFilter({ filters, set }: FilterProps) {
  const companyId = useCompanyId() ?? 0;
  const mayList = usePermission('users.list');
  const { response } = useApiQuery(
    companies.listCompanyUsers,
    { params: { companyId }, query: { perPage: 250 } },
    { enabled: mayList && companyId !== 0, silent: true, staleTime: 60_000 },
  );
  if (!mayList || !response) return null;
  return (
    <Select
      aria-label={t('Person')}
      placeholder={t('Everyone')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('Everyone') }}
      data={response.data.map((user) => ({
        value: String(user.id),
        label: `${user.first_name} ${user.last_name}`.trim() || user.email,
      }))}
      value={filters.userId || null}
      onChange={(userId) => set({ userId: userId ?? '' })}
    />
  );
}

function ExportMenu({ companyId, filters }: { companyId: number; filters: AuditFilters }) {
  const { mutate, isPending } = useApiMutation(audit.exportAuditLog);
  const start = async (format: 'csv' | 'jsonl'): Promise<void> => {
    const begun = await mutate({
      params: { companyId },
      body: { ...auditQuery(filters), format, tz: userZone() },
    });
    if (!begun) return;
    trackBatch({
      id: begun.data.batchId,
      of: 'exports',
      label: t('{n, plural, one {Exporting # entry} other {Exporting # entries}}', {
        n: begun.data.total,
      }),
      total: begun.data.total,
    });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          loading={isPending}
          leftSection={<IconDownload size={16} stroke={1.5} />}
        >
          {t('Export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void start('csv')}>{t('CSV for spreadsheets')}</Menu.Item>
        <Menu.Item onClick={() => void start('jsonl')}>{t('JSON lines')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
