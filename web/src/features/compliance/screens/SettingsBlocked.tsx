import { useState } from 'react';
import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconBan } from '@tabler/icons-react';
import { compliance, normalizePhone, numbers, sentences, type Answer } from '#contract';
import {
  bindFieldErrors,
  type Column,
  DataList,
  EmptyState,
  FilterBar,
  formatPhoneNumber,
  Modal,
  SearchField,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  useFilters,
  useApiMutation,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';

type Block = Answer<typeof compliance.listBlocks>['data'][number];
const defaultFilters = { search: '', page: 1 };
const perPage = 10;

/**
 * A block target as shown on screen: a phone number, all withheld numbers, or a prefix (ending in
 * an asterisk).
 */
const displayTarget = (target: string): string =>
  target === 'anonymous'
    ? t('Withheld numbers')
    : target.endsWith('*')
      ? t('Numbers starting with {prefix}', { prefix: target.slice(0, -1) })
      : formatPhoneNumber(target);

export default function SettingsBlocked() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const [adding, setAdding] = useState(false);
  const { response, error, loading, refetch } = useApiQuery(compliance.listBlocks, {
    query: { page: filters.page, perPage, search: filters.search || null },
  });
  const { mutate: unblock, isPending } = useApiMutation(compliance.removeBlock, {
    invalidates: [compliance.listBlocks],
    success: (_answer, { params }) => {
      const gone = response?.data.find((b) => b.id === params?.id);
      return gone && gone.action === 1
        ? t(sentences.unblocked, { number: displayTarget(gone.target) })
        : t('Exception removed');
    },
  });
  const companyId = useCompanyId();
  const bound = response?.data.some((b) => b.number_id !== null) ?? false;
  const mine = useApiQuery(
    numbers.listNumbersOfCompany,
    { params: { id: companyId ?? 0 } },
    { enabled: bound, silent: true, staleTime: 60_000 },
  );
  const nameOf = (numberId: number): string => {
    const n = mine.response?.data.find((each) => each.id === numberId);
    return n ? n.label || formatPhoneNumber(n.number) : t('One of your numbers');
  };
  const remove = (b: Block): void => void unblock({ params: { id: b.id } });
  const columns: Column<Block>[] = [
    {
      key: 'target',
      title: t('Caller'),
      width: 'minmax(170px, 1.4fr)',
      cell: (b) => (
        <span>
          {b.contact ? `${b.contact.name} · ` : ''}
          {displayTarget(b.target)}
        </span>
      ),
    },
    {
      key: 'scope',
      title: t('Applies to'),
      cell: (b) =>
        b.global ? t('Everywhere') : b.number_id ? nameOf(b.number_id) : t('All your numbers'),
      wideOnly: true,
    },
    {
      key: 'action',
      title: t('Effect'),
      width: '110px',
      wideOnly: true,
      cell: (b) =>
        b.action === 1 ? (
          <StatusBadge tone="danger" icon={<IconBan size={14} aria-hidden />}>
            {t('Blocked')}
          </StatusBadge>
        ) : (
          <StatusBadge tone="success">{t('Allowed')}</StatusBadge>
        ),
    },
    { key: 'by', title: t('By'), cell: (b) => b.created_by?.name ?? '–', wideOnly: true },
    {
      key: 'at',
      title: t('Since'),
      width: '100px',
      cell: (b) => <Time at={b.created_at} />,
      wideOnly: true,
    },
    {
      key: 'do',
      title: '',
      width: '96px',
      align: 'end',
      cell: (b) => (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isPending}
          aria-label={t('Unblock {number}', { number: displayTarget(b.target) })}
          onClick={() => remove(b)}
        >
          {b.action === 1 ? t('Unblock') : t('Remove')}
        </Button>
      ),
    },
  ];
  const add = <Button onClick={() => setAdding(true)}>{t('Block a number')}</Button>;
  return (
    <SettingsFrame
      title={t('Blocked numbers')}
      layout="fill"
      description={t('Calls from these numbers are rejected and their texts are hidden.')}
      action={add}
      filters={
        <FilterBar isFiltered={isFiltered} onClear={clear}>
          <SearchField
            maxLength={60}
            label={t('Search blocked numbers')}
            value={filters.search}
            onChange={(search) => set({ search })}
          />
        </FilterBar>
      }
    >
      <DataList
        label={t('Blocked numbers')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(b) => b.id}
        rowLabel={(b) => displayTarget(b.target)}
        columns={columns}
        comfortable
        paging={{ page: filters.page, perPage, meta: response, onPage: (page) => set({ page }) }}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<IconBan size={28} stroke={1.5} />}
              title={t('No blocked numbers match')}
            >
              {t('Try fewer digits or clear the search.')}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<IconBan size={28} stroke={1.5} />}
              title={t('No blocked numbers')}
              action={add}
            >
              {t('Block a caller here, or from a conversation.')}
            </EmptyState>
          )
        }
      />
      <BlockDialog open={adding} close={() => setAdding(false)} />
    </SettingsFrame>
  );
}

function BlockDialog({ open, close }: { open: boolean; close: () => void }) {
  const form = useForm({
    initialValues: { kind: 'number', target: '' },
    validate: {
      target: (v, { kind }) =>
        kind === 'number' && !normalizePhone(v)
          ? t('Enter a phone number.')
          : kind === 'prefix' && !/^\+?\d{2,12}$/.test(v.replace(/[\s()-]/g, ''))
            ? t('Enter the first digits, country code included.')
            : null,
    },
  });
  const leave = (): void => {
    close();
    form.reset();
  };
  const { mutate, isPending } = useApiMutation(compliance.addBlock, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [compliance.listBlocks],
    onSuccess: leave,
    success: (response) => t(sentences.blocked, { number: displayTarget(response.data.target) }),
  });
  const send = ({ kind, target }: { kind: string; target: string }): void => {
    const digits = target.replace(/[\s()-]/g, '');
    const said =
      kind === 'anonymous'
        ? 'anonymous'
        : kind === 'prefix'
          ? `${digits.startsWith('+') ? digits : `+${digits}`}*`
          : (normalizePhone(target) ?? target);
    void mutate({ body: { target: said, action: 1, global: false, number_id: null } });
  };
  return (
    <Modal
      opened={open}
      onClose={leave}
      title={t('Block a number')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={form.onSubmit(send)}>
        <Stack gap="sm">
          <Select
            label={t('What to block')}
            allowDeselect={false}
            data={[
              { value: 'number', label: t('One phone number') },
              { value: 'prefix', label: t('All numbers with the same prefix') },
              { value: 'anonymous', label: t('All withheld numbers') },
            ]}
            {...form.getInputProps('kind')}
          />
          {form.values.kind !== 'anonymous' && (
            <TextInput
              label={form.values.kind === 'prefix' ? t('First digits') : t('Phone number')}
              placeholder={form.values.kind === 'prefix' ? '+1900' : '(212) 555-0147'}
              type="tel"
              data-autofocus
              {...form.getInputProps('target')}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={leave}>
              {t('Cancel')}
            </Button>
            <Button type="submit" color="red" loading={isPending}>
              {t('Block')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
