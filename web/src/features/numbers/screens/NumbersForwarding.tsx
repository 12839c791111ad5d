import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconPhoneOutgoing } from '@tabler/icons-react';
import { forwarding } from '#contract';
import { DataList, formatNumber, lazyComponent, Page, t, useApiQuery, usePermission } from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { ContactForm } from '../forwarding/ContactForm.tsx';
import { forwardingColumns } from '../forwarding/forwarding-columns.tsx';
import { NumbersTabs } from '../NumbersTabs.tsx';
import css from '../../../shared/StatsStrip.module.css';

const ReplaceDialog = lazyComponent(
  async () => (await import('../forwarding/ReplaceDialog.tsx')).ReplaceDialog,
);

type Contact = forwarding.ForwardContact;
const defaultFilters = {
  search: '',
  type: '',
  state: '',
  page: 1,
  sort: 'name',
  dir: 'asc',
  open: '',
};

/** A page of forwarding numbers, with filters that are kept in the URL. */
const useForwardingList = () =>
  useListScreen(forwarding.listForwardContacts, {
    key: 'forwarding',
    perPage: 25,
    filters: defaultFilters,
    opens: ['open'],
    input: ({ page, sort, dir, search, type, state }, perPage) => ({
      query: {
        page,
        perPage,
        sort,
        dir,
        search: search || null,
        type: type || null,
        state: state || null,
      },
    }),
  });
type ForwardingList = ReturnType<typeof useForwardingList>;

/** Forwarding numbers: destinations that many routes can share. */
export default function NumbersForwarding() {
  const forwardingList = useForwardingList();
  const { filters, set } = forwardingList;
  const mayEdit = usePermission('routing.edit');
  const [adding, setAdding] = useState(false);
  const add = mayEdit && (
    <Button onClick={() => setAdding(true)}>{t('Add forwarding number')}</Button>
  );
  return (
    <Page
      title={t('Forwarding')}
      layout="fill"
      description={t(
        'Where calls are forwarded. Change one here and every route that uses it follows with the next call.',
      )}
      action={add}
      filters={
        <>
          <NumbersTabs />
          <ListFilters
            list={forwardingList}
            label={t('Search forwarding numbers')}
            placeholder={t('Name, number or note')}
          >
            <TypeFilter value={filters.type} onChange={(type) => set({ type, page: 1 })} />
          </ListFilters>
        </>
      }
    >
      <ForwardingStats state={filters.state} onPick={(state) => set({ state, page: 1 })} />
      <ForwardingRows forwardingList={forwardingList} add={add} />
      <ContactDialogs
        openId={filters.open}
        isAdding={adding}
        close={() => {
          setAdding(false);
          set({ open: '' });
        }}
      />
    </Page>
  );
}

function ForwardingRows({
  forwardingList,
  add,
}: {
  forwardingList: ForwardingList;
  add: React.ReactNode;
}) {
  return (
    <DataList
      label={t('Forwarding numbers')}
      {...forwardingList.list}
      rowKey={(c) => c.id}
      rowLabel={(c) => c.name}
      onOpen={(c) => forwardingList.set({ open: String(c.id) })}
      columns={forwardingColumns()}
      empty={
        <ListEmpty
          list={forwardingList}
          icon={IconPhoneOutgoing}
          noMatch={t('No forwarding numbers match')}
          title={t('No forwarding numbers yet')}
          action={add}
        >
          {t('Add a desk phone or a branch once and use it in as many routes as you like.')}
        </ListEmpty>
      }
    />
  );
}

/** The form of a new forwarding number or of the opened one, or the dialog to delete it. */
function ContactDialogs({
  openId,
  isAdding,
  close,
}: {
  openId: string;
  isAdding: boolean;
  close: () => void;
}) {
  const [deleting, setDeleting] = useState<Contact | null>(null);
  const opened = useApiQuery(
    forwarding.getForwardContact,
    { params: { id: Number(openId) || 0 } },
    { enabled: openId !== '', silent: true },
  ).response?.data;
  if (deleting)
    return (
      <ReplaceDialog
        contact={deleting}
        close={() => {
          setDeleting(null);
          close();
        }}
      />
    );
  if (!isAdding && !opened) return null;
  return (
    <ContactForm
      key={opened?.id ?? 'new'}
      contact={isAdding ? null : (opened ?? null)}
      close={close}
      onDelete={setDeleting}
    />
  );
}

function ForwardingStats({ state, onPick }: { state: string; onPick: (state: string) => void }) {
  const stats = useApiQuery(forwarding.forwardContactStats, {}, { silent: true }).response?.data;
  const figures = [
    ['', t('All'), stats?.total],
    ['unused', t('Unused'), stats?.unused],
    ['failing', t('Failing'), stats?.failing],
  ] as const;
  return (
    <ul className={css.strip} aria-label={t('Forwarding numbers summary')}>
      {figures.map(([picks, label, n]) => (
        <li key={label}>
          <button
            type="button"
            className={css.figure}
            aria-pressed={state === picks}
            onClick={() => onPick(picks)}
          >
            <span className={css.count} data-numeric>
              {n === undefined ? '–' : formatNumber(n)}
            </span>
            <span className={css.label}>{label}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function TypeFilter({ value, onChange }: { value: string; onChange: (type: string) => void }) {
  return (
    <Select
      aria-label={t('Type')}
      placeholder={t('Any type')}
      w={150}
      clearable
      clearButtonProps={{ 'aria-label': t('Any type') }}
      data={[
        { value: 'phone', label: t('Phone number') },
        { value: 'sip', label: t('SIP address') },
        { value: 'user', label: t('Person') },
      ]}
      value={value || null}
      onChange={(type) => onChange(type ?? '')}
    />
  );
}
