import { Button, Select } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { campaigns } from '#contract';
import { eventFlags, type EventFlag } from '#contract/campaigns/rules';
import {
  DataList,
  EmptyState,
  FilterBar,
  formatPhoneNumber,
  navigate,
  SearchField,
  t,
  useApiQuery,
  useFilters,
  usePageSize,
} from '#ui';
import { flagName, isFlag, recipientName } from '../labels.ts';
import css from '../screens/CampaignEvents.module.css';
import { recipientColumns } from './recipient-columns.tsx';

type Recipient = campaigns.CampaignEvent;
const defaultFilters = { status: 'all', search: '', page: 1 };

/** A campaign's recipients, with filters that are kept in the URL. */
export function useRecipients(id: number) {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const flag: EventFlag = isFlag(filters.status) ? filters.status : 'all';
  // Page size 10: A §9.
  const { perPage, onPerPage } = usePageSize('recipients', 10, () => set({ page: 1 }));
  const list = useApiQuery(
    campaigns.listCampaignEvents,
    {
      params: { id },
      query: {
        status: flag,
        page: filters.page,
        size: perPage,
        search: filters.search || null,
      },
    },
    { enabled: id > 0 },
  );
  return { filters, set, clear, isFiltered, flag, perPage, onPerPage, list };
}

type Recipients = ReturnType<typeof useRecipients>;

const openRecipient = (r: Recipient): void => {
  if (r.conversation_id) navigate(`/inbox/${r.conversation_id}`);
  else if (r.contact.id) navigate(`/contacts/${r.contact.id}`);
};

/** The list of a campaign's recipients, with its filters. */
export function CampaignRecipients({ recipients }: { recipients: Recipients }) {
  const { filters, set, clear, isFiltered, perPage, onPerPage, list } = recipients;
  return (
    <>
      <RecipientFilters recipients={recipients} />
      <DataList
        label={t('Campaign recipients')}
        rows={list.response?.data as Recipient[] | undefined}
        loading={list.loading}
        error={list.error}
        refetch={list.refetch}
        rowKey={(r) => r.id}
        rowLabel={(r) =>
          `${r.contact.name || formatPhoneNumber(r.contact.number)}, ${recipientName(r.state)}`
        }
        onOpen={openRecipient}
        columns={recipientColumns()}
        comfortable
        emphasized={(r) => r.reply !== null}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: list.response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={<NoRecipients isFiltered={isFiltered} onClear={clear} />}
      />
    </>
  );
}

function RecipientFilters({ recipients }: { recipients: Recipients }) {
  const { filters, set, clear, isFiltered, flag } = recipients;
  return (
    <div className={css.filters}>
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <SearchField
          label={t('Search people')}
          placeholder={t('Name or number')}
          value={filters.search}
          onChange={(search) => set({ search, page: 1 })}
        />
        <Select
          aria-label={t('Filter recipients')}
          allowDeselect={false}
          w={160}
          data={eventFlags.map((one) => ({ value: one, label: flagName(one) }))}
          value={flag}
          onChange={(status) => set({ status: status ?? 'all', page: 1 })}
        />
      </FilterBar>
    </div>
  );
}

function NoRecipients({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <EmptyState
      icon={<IconUsers size={28} stroke={1.5} />}
      title={isFiltered ? t('No one matches') : t('No one yet')}
      action={
        isFiltered ? (
          <Button variant="default" onClick={onClear}>
            {t('Show everyone')}
          </Button>
        ) : undefined
      }
    >
      {isFiltered
        ? t('Try another search or status.')
        : t('People appear here when the campaign starts.')}
    </EmptyState>
  );
}
