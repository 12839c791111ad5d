import { ActionIcon, Button, Checkbox, Popover, SegmentedControl, Stack, Tooltip } from '@mantine/core';
import { IconFilter, IconPencilPlus } from '@tabler/icons-react';
import { SearchField, t, useMay } from '#ui';
import { useOurNumbers } from './use-our-numbers.ts';
import type { useInbox } from './use-inbox.ts';
import css from './InboxFilterBar.module.css';

const kinds = [['message', 'Messages'], ['call', 'Calls'], ['voicemail', 'Voicemails'], ['fax', 'Faxes'], ['note', 'Notes']] as const;

/** Title, search and filters of the inbox. */
export function InboxFilterBar({ inbox, onNew }: { inbox: ReturnType<typeof useInbox>; onNew: () => void }) {
  const { filters, set } = inbox;
  const maySend = useMay('inbox.send');
  const numbers = useOurNumbers();
  const count = filters.types.length + filters.numbers.length;
  const toggle = (key: 'types' | 'numbers', value: string): void => set({ [key]: filters[key].includes(value) ? filters[key].filter((v) => v !== value) : [...filters[key], value] });
  return (
    <header className={css.head}>
      <div className={css.titleLine}>
        <h1 className={css.title}>{t('Inbox')}</h1>
        {maySend && <Tooltip label={t('New conversation')}><ActionIcon variant="filled" color="accent" aria-label={t('New conversation')} onClick={onNew}><IconPencilPlus size={18} stroke={1.75} /></ActionIcon></Tooltip>}
      </div>
      <div className={css.line} role="search">
        <SearchField label={t('Search conversations')} placeholder={t('Search')} width="100%" value={filters.search} onChange={(search) => set({ search })} />
        <Popover position="bottom-end" width={260} trapFocus>
          <Popover.Target>
            <Button variant={count ? 'light' : 'default'} px={9} aria-label={count ? t('Filters, {n} set', { n: count }) : t('Filters')}><IconFilter size={16} aria-hidden />{count > 0 && <span className={css.count}>{count}</span>}</Button>
          </Popover.Target>
          <Popover.Dropdown aria-label={t('Filters')}>
            <fieldset className={css.set}><legend>{t('With')}</legend>
              <Stack gap={4}>{kinds.map(([value, label]) => <Checkbox key={value} size="sm" label={t(label)} checked={filters.types.includes(value)} onChange={() => toggle('types', value)} />)}</Stack>
            </fieldset>
            {numbers.length > 1 && (
              <fieldset className={css.set}><legend>{t('Our number')}</legend>
                <Stack gap={4} className={css.numbers}>{numbers.map((n) => <Checkbox key={n.id} size="sm" label={n.label} description={n.label === n.formatted ? undefined : n.formatted} checked={filters.numbers.includes(String(n.id))} onChange={() => toggle('numbers', String(n.id))} />)}</Stack>
              </fieldset>
            )}
            {count > 0 && <Button variant="subtle" color="gray" size="compact-sm" mt="xs" onClick={() => set({ types: [], numbers: [] })}>{t('Clear filters')}</Button>}
          </Popover.Dropdown>
        </Popover>
      </div>
      <SegmentedControl fullWidth size="xs" aria-label={t('Show')} value={!filters.search && filters.view === 'messages' ? 'open' : filters.view} onChange={(view) => set({ view })}
        data={[{ value: 'open', label: filters.search ? t('All') : t('Open') }, { value: 'unread', label: t('Unread') }, { value: 'archived', label: t('Archived') }, ...(filters.search ? [{ value: 'messages', label: t('Messages') }] : [])]} />
    </header>
  );
}
