import { ActionIcon, Button, Popover, SegmentedControl, Tooltip } from '@mantine/core';
import { IconFilter, IconPencilPlus } from '@tabler/icons-react';
import { lazyPart, SearchField, t, useMay } from '#ui';
import { useViews, ViewMenu } from './team/ViewMenu.tsx';
import { shownCount } from './team/views.ts';
import { useOurNumbers } from './use-our-numbers.ts';
import type { useInbox } from './use-inbox.ts';
import css from './InboxFilterBar.module.css';

const InboxFilters = lazyPart(async () => (await import('./InboxFilters.tsx')).InboxFilters);

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
            <InboxFilters inbox={inbox} numbers={numbers} count={count} besideNumber={besideNumber} />
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
