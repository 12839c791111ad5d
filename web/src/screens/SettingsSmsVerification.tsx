import { Button, Group, Menu, Select, Switch } from '@mantine/core';
import { IconMessageCheck } from '@tabler/icons-react';
import { companies } from '#contract';
import { createSmsCampaign, listSmsCampaigns } from '#contract/registration';
import { registrationStatuses, verificationFreshSeconds } from '#contract/registration-lists';
import {
  DataList,
  EmptyState,
  FilterBar,
  go,
  SearchField,
  Section,
  StatusBadge,
  t,
  Time,
  useAsk,
  useCompanyId,
  useFilters,
  useMay,
  useTell,
  type Column,
} from '#ui';
import { SettingsFrame } from '../app/SettingsFrame.tsx';
import { beginWith } from '../features/compliance/registration/begin.ts';
import {
  brandName,
  statusName,
  statusTone,
  useName,
  type Shown,
} from '../features/compliance/registration/words.ts';

const start = { search: '', status: '', page: 1, sort: 'created_at', dir: 'desc' };
const perPage = 25;
const State = ({ of }: { of: Shown['status']['local'] }) =>
  of === null ? <span>–</span> : <StatusBadge tone={statusTone(of)}>{statusName(of)}</StatusBadge>;

/** Brands and campaigns registered for texting, and whether only registered numbers may text. */
export default function SettingsSmsVerification() {
  const { filters, set, clear, isFiltered } = useFilters(start);
  const mayEdit = useMay('smsVerification.edit');
  const companyId = useCompanyId();
  const company = useAsk(
    companies.getCompany,
    { params: { id: companyId ?? 0 } },
    { when: companyId !== null && mayEdit, freshMs: 60_000, quiet: true },
  );
  const { answer, refusal, loading, again } = useAsk(
    listSmsCampaigns,
    {
      params: { companyId: ':companyId' },
      query: {
        ...filters,
        status: filters.status || null,
        search: filters.search || null,
        perPage,
      } as never,
    },
    { freshMs: verificationFreshSeconds * 1000 },
  );
  const { tell, telling } = useTell(createSmsCampaign, {
    touches: [listSmsCampaigns],
    done: (made) => go(`/settings/sms-verification/${made.data.id}`),
  });
  const begin = (brandId?: number): void =>
    void tell({
      params: { companyId: ':companyId' },
      body: (brandId
        ? { is_draft: true, brand_id: brandId }
        : beginWith(company.answer?.data)) as never,
    });
  const known = [
    ...new Map(
      (answer?.data ?? [])
        .filter((v) => v.brand.status === 'approved')
        .map((v) => [v.brand.id, brandName(v)]),
    ),
  ];

  const columns: Column<Shown>[] = [
    {
      key: 'brand',
      title: t('Brand'),
      sortable: true,
      width: 'minmax(120px, 1.4fr)',
      cell: brandName,
    },
    { key: 'use', title: t('Campaign'), width: 'minmax(110px, 1.2fr)', cell: useName },
    { key: 'local', title: t('Local'), width: '132px', cell: (v) => <State of={v.status.local} /> },
    {
      key: 'toll_free',
      title: t('Toll-free'),
      width: '132px',
      wideOnly: true,
      cell: (v) => <State of={v.status.toll_free} />,
    },
    {
      key: 'numbers',
      title: t('Numbers'),
      width: '84px',
      align: 'end',
      wideOnly: true,
      cell: (v) => String(v.campaign.numbers.length),
    },
    {
      key: 'updated_at',
      title: t('Changed'),
      width: '110px',
      sortable: true,
      wideOnly: true,
      cell: (v) => <Time at={v.updated_at} as="ago" />,
    },
  ];
  const button = (
    <Button loading={telling} onClick={() => begin()}>
      {t('Register a brand')}
    </Button>
  );
  const action =
    mayEdit &&
    (known.length === 0 ? (
      button
    ) : (
      <Menu position="bottom-end">
        <Menu.Target>
          <Button loading={telling}>{t('Register')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => begin()}>{t('A new brand')}</Menu.Item>
          {known.map(([id, name]) => (
            <Menu.Item key={id} onClick={() => begin(id)}>
              {t('Another campaign of {name}', { name })}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    ));
  return (
    <SettingsFrame
      title={t('SMS verification')}
      layout="fill"
      about={t(
        'Carriers want to know who texts businesses’ customers, and what for. Registered numbers arrive better and may text faster.',
      )}
      action={action}
      filters={
        <FilterBar isFiltered={isFiltered} onClear={clear}>
          <SearchField
            label={t('Search registrations')}
            value={filters.search}
            onChange={(search) => set({ search, page: 1 })}
          />
          <Select
            aria-label={t('Status')}
            placeholder={t('Any status')}
            w={170}
            clearable
            clearButtonProps={{ 'aria-label': t('Clear') }}
            data={registrationStatuses.map((value) => ({ value, label: statusName(value) }))}
            value={filters.status || null}
            onChange={(status) => set({ status: status ?? '', page: 1 })}
          />
        </FilterBar>
      }
    >
      <DataList
        label={t('Registrations')}
        rows={answer?.data}
        loading={loading}
        refusal={refusal}
        again={again}
        rowKey={(v) => v.id}
        rowLabel={(v) => `${brandName(v)}, ${useName(v)}`}
        columns={columns}
        comfortable
        href={(v) => `/settings/sms-verification/${v.id}`}
        sort={{ field: filters.sort, dir: filters.dir as 'asc' | 'desc' }}
        onSort={(s) => set({ sort: s.field, dir: s.dir })}
        paging={{ page: filters.page, perPage, of: answer?.meta, onPage: (page) => set({ page }) }}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<IconMessageCheck size={28} stroke={1.5} />}
              title={t('No registration fits')}
            >
              {t('Try other words, or clear the filters.')}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<IconMessageCheck size={28} stroke={1.5} />}
              title={t('Nothing is registered yet')}
              action={mayEdit && button}
            >
              {t(
                'Say who you are and what you text. Reviewers usually need a few days; the sandbox’s needs a minute.',
              )}
            </EmptyState>
          )
        }
      />
      <OnlyRegistered
        on={answer?.meta['texting_requires_verification'] === true}
        known={answer !== undefined}
      />
    </SettingsFrame>
  );
}

function OnlyRegistered({ on, known }: { on: boolean; known: boolean }) {
  const mayEdit = useMay('company.edit');
  const companyId = useCompanyId();
  const { tell, telling } = useTell(companies.updateCompany, {
    touches: [listSmsCampaigns, companies.getCompany],
    success: t('Settings updated'),
  });
  return (
    <Section plain>
      <Group justify="space-between" gap="md">
        <Switch
          label={t('Only registered numbers may text')}
          description={t(
            'A number without an approved registration cannot begin a conversation; it can answer within a day. Calls are not affected.',
          )}
          checked={on}
          disabled={!known || !mayEdit || telling || companyId === null}
          onChange={(e) =>
            void tell({
              params: { id: companyId ?? 0 },
              body: { texting_requires_verification: e.currentTarget.checked },
            })
          }
        />
      </Group>
    </Section>
  );
}
