import { ActionIcon, Button, Checkbox, Popover, SegmentedControl, Select, Stack, Tooltip } from '@mantine/core';
import { IconFilter, IconPencilPlus } from '@tabler/icons-react';
import { SearchField, t, useMay } from '#ui';
import { SearchWords } from './SearchWords.tsx';
import { useTeammates } from './team/use-teammates.ts';
import { useViews, ViewMenu } from './team/ViewMenu.tsx';
import { shownCount } from './team/views.ts';
import { useOurNumbers } from './use-our-numbers.ts';
import type { useInbox } from './use-inbox.ts';
import css from './InboxFilterBar.module.css';

const kinds = [['message', 'Messages'], ['call', 'Calls'], ['voicemail', 'Voicemails'], ['fax', 'Faxes'], ['note', 'Notes']] as const;

/** What stands beside a number in the filters: subjects further down the list add it through the screen. */
export type BesideNumber = (numberId: number, label: string) => React.ReactNode;

/** The view, search and filters of the inbox. */
export function InboxFilterBar({ inbox, onNew, besideNumber }: { inbox: ReturnType<typeof useInbox>; onNew: () => void; besideNumber?: BesideNumber | undefined }) {
  const { filters, set } = inbox;
  const maySend = useMay('inbox.send');
  const numbers = useOurNumbers();
  const { views, counts } = useViews();
  const isPerson = filters.assigned !== '' && filters.assigned !== 'me' && filters.assigned !== 'none';
  const count = filters.types.length + filters.numbers.length + (isPerson ? 1 : 0);
  const toggle = (key: 'types' | 'numbers', value: string): void => set({ [key]: filters[key].includes(value) ? filters[key].filter((v) => v !== value) : [...filters[key], value] });
  const open = filters.view === 'open' && !filters.search;
  const way = filters.search && filters.view === 'messages' ? 'messages' : isPerson ? '' : filters.assigned || 'all';
  const word = (label: string, n: number | undefined) => (open && n ? <span className={css.way}>{label} <span className={css.n}>{shownCount(n)}</span></span> : label);
  return (
    <header className={css.head}>
      <div className={css.titleLine}>
        <h1 className={css.title}><ViewMenu inbox={inbox} views={views} counts={counts} /></h1>
        {maySend && <Tooltip label={t('New conversation')}><ActionIcon variant="filled" color="accent" aria-label={t('New conversation')} onClick={onNew}><IconPencilPlus size={18} stroke={1.75} /></ActionIcon></Tooltip>}
      </div>
      <div className={css.line} role="search">
        <SearchField maxLength={200} label={t('Search conversations')} placeholder={t('Search')} width="100%" value={filters.search} onChange={(search) => set({ search })} />
        <Popover position="bottom-end" width={300} trapFocus>
          <Popover.Target>
            <Button variant={count ? 'light' : 'default'} px={9} aria-label={count ? t('Filters, {n} set', { n: count }) : t('Filters')}><IconFilter size={16} aria-hidden />{count > 0 && <span className={css.count}>{count}</span>}</Button>
          </Popover.Target>
          <Popover.Dropdown aria-label={t('Filters')} className={css.drop}>
            <fieldset className={css.set}><legend>{t('With')}</legend>
              <Stack gap={4}>{kinds.map(([value, label]) => <Checkbox key={value} size="sm" label={t(label)} checked={filters.types.includes(value)} onChange={() => toggle('types', value)} />)}</Stack>
            </fieldset>
            <AssignedTo value={isPerson ? filters.assigned : null} onChange={(assigned) => set({ assigned })} />
            {numbers.length > 1 && (
              <fieldset className={css.set}><legend>{t('Our number')}</legend>
                <Stack gap={4} className={css.numbers}>{numbers.map((n) => (
                  <span key={n.id} className={css.number}>
                    <Checkbox size="sm" label={n.label} description={n.label === n.formatted ? undefined : n.formatted} checked={filters.numbers.includes(String(n.id))} onChange={() => toggle('numbers', String(n.id))} />
                    {besideNumber?.(n.id, n.label)}
                  </span>
                ))}</Stack>
              </fieldset>
            )}
            <fieldset className={css.set}><legend>{t('In the search')}</legend><SearchWords /></fieldset>
            {count > 0 && <Button variant="subtle" color="gray" size="compact-sm" mt="xs" onClick={() => set({ types: [], numbers: [], ...(isPerson && { assigned: '' }) })}>{t('Clear filters')}</Button>}
          </Popover.Dropdown>
        </Popover>
      </div>
      <SegmentedControl fullWidth size="xs" aria-label={t('Whose')} value={way} onChange={(to) => set(to === 'messages' ? { view: 'messages' } : { assigned: to === 'all' ? '' : to, ...(filters.view === 'messages' && { view: 'open' }) })}
        data={[{ value: 'all', label: t('All') }, { value: 'me', label: word(t('Mine'), counts?.mine) }, { value: 'none', label: word(t('Unassigned'), counts?.unassigned) }, ...(filters.search ? [{ value: 'messages', label: t('Messages') }] : [])]} />
      {filters.search && (
        <p className={css.window}>
          <span>{filters.all ? t('All there is is searched.') : t('The last two years are searched.')}</span>
          <button type="button" className={css.lift} onClick={() => set({ all: filters.all ? '' : '1' })}>{filters.all ? t('Only two years') : t('Search everything')}</button>
        </p>
      )}
    </header>
  );
}

/** One colleague's; asked for when the filters are open. */
function AssignedTo({ value, onChange }: { value: string | null; onChange: (assigned: string) => void }) {
  const mates = useTeammates();
  return <Select className={css.set ?? ''} mt="sm" label={t('Assigned to')} placeholder={t('Anybody')} searchable clearable clearButtonProps={{ 'aria-label': t('Clear') }} comboboxProps={{ withinPortal: false }} data={mates.map((m) => ({ value: String(m.id), label: m.name }))} value={value} onChange={(id) => onChange(id ?? '')} />;
}
