import { ActionIcon, Button, Popover, SegmentedControl, Tooltip } from '@mantine/core';
import { IconFilter, IconPencilPlus } from '@tabler/icons-react';
import { lazyComponent, SearchField, t, usePermission, useShortcuts } from '#ui';
import { useViews, ViewMenu } from '../team/ViewMenu.tsx';
import { shownCount } from '../team/views.ts';
import { useOurNumbers } from '../use-our-numbers.ts';
import type { inboxDefaults, useInbox } from './use-inbox.ts';
import type { BesideNumber } from './InboxFilters.tsx';
import css from './InboxFilterBar.module.css';

const InboxFilters = lazyComponent(async () => (await import('./InboxFilters.tsx')).InboxFilters);

type Inbox = ReturnType<typeof useInbox>;

/** The view, search and filters of the inbox. */
export function InboxFilterBar({
  inbox,
  onNew,
  besideNumber,
}: {
  inbox: Inbox;
  onNew: () => void;
  besideNumber?: BesideNumber | undefined;
}) {
  const { filters, set } = inbox;
  const maySend = usePermission('inbox.send');
  const { views, counts } = useViews();
  return (
    <header className={css.head}>
      <div className={css.titleLine}>
        <h1 className={css.title}>
          <ViewMenu inbox={inbox} views={views} counts={counts} />
        </h1>
        {maySend && (
          <Tooltip label={t('New conversation')}>
            <ActionIcon
              variant="filled"
              color="accent"
              aria-label={t('New conversation')}
              onClick={onNew}
            >
              <IconPencilPlus size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <div className={css.line} role="search">
        <SearchField
          maxLength={200}
          label={t('Search conversations')}
          placeholder={t('Search')}
          width="100%"
          value={filters.search}
          onChange={(search) => set({ search })}
        />
        <FiltersButton inbox={inbox} besideNumber={besideNumber} />
      </div>
      <InboxTabs inbox={inbox} counts={counts} />
      {filters.search && (
        <p className={css.window}>
          <span>
            {filters.all ? t('Searching everything.') : t('Searching the last two years.')}
          </span>
          <button
            type="button"
            className={css.lift}
            onClick={() => set({ all: filters.all ? '' : '1' })}
          >
            {filters.all ? t('Last two years only') : t('Search everything')}
          </button>
        </p>
      )}
    </header>
  );
}

/** Opens the filters; shows how many are set. */
function FiltersButton({
  inbox,
  besideNumber,
}: {
  inbox: Inbox;
  besideNumber: BesideNumber | undefined;
}) {
  const { assigned, types, numbers: numberIds, source } = inbox.filters;
  const numbers = useOurNumbers();
  const isPerson = assigned !== '' && assigned !== 'me' && assigned !== 'none';
  const count = types.length + numberIds.length + Number(isPerson) + Number(source !== '');
  return (
    <Popover position="bottom-end" width={300} trapFocus>
      <Popover.Target>
        <Button
          variant={count ? 'light' : 'default'}
          px={9}
          aria-label={count ? t('Filters, {n} set', { n: count }) : t('Filters')}
        >
          <IconFilter size={16} aria-hidden />
          {count > 0 && <span className={css.count}>{count}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Filters')} className={css.drop}>
        <InboxFilters inbox={inbox} numbers={numbers} count={count} besideNumber={besideNumber} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The tabs with their counts; keys 1 to 5 open them. */
function InboxTabs({
  inbox: { filters, set },
  counts,
}: {
  inbox: Inbox;
  counts: ReturnType<typeof useViews>['counts'];
}) {
  const show = (to: string): void => set(addressOf(to as Tab, filters));
  const tabs: { value: Tab; label: string; count?: number | undefined; key: string }[] = [
    { value: 'all', label: t('All'), key: '1' },
    { value: 'unread', label: t('Unread'), count: counts?.unread, key: '2' },
    { value: 'me', label: t('Mine'), count: counts?.mine, key: '3' },
    { value: 'none', label: t('Unassigned'), key: '4' },
    ...(filters.search ? [{ value: 'messages' as const, label: t('Messages'), key: '5' }] : []),
  ];
  useShortcuts(
    tabs.map(({ value, label, key }) => ({
      keys: key,
      label: t('Show: {tab}', { tab: label }),
      group: t('Inbox'),
      run: () => show(value),
    })),
  );
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      className={css.tabs}
      aria-label={t('Show')}
      value={tabOf(filters)}
      onChange={show}
      data={tabs.map(({ value, label, count }) => ({
        value,
        label:
          count && !filters.search ? (
            <span className={css.way}>
              {label} <span className={css.n}>{shownCount(count)}</span>
            </span>
          ) : (
            label
          ),
      }))}
    />
  );
}

type Tab = 'all' | 'unread' | 'me' | 'none' | 'messages' | '';
type Filters = typeof inboxDefaults;
/** The tab that matches the URL; '' for a teammate's conversations, which have no tab. */
function tabOf({ search, view, assigned }: Filters): Tab {
  if (search && view === 'messages') return 'messages';
  if (assigned === 'me' || assigned === 'none') return assigned;
  if (assigned !== '') return '';
  return view === 'unread' ? 'unread' : 'all';
}
/** The URL parameters that a tab sets. Snoozed and archived conversations keep their view. */
function addressOf(tab: Tab, { view }: Filters): Partial<Filters> {
  if (tab === 'messages') return { view: 'messages' };
  if (tab === 'unread') return { view: 'unread', assigned: '' };
  const isPutAway = view === 'snoozed' || view === 'archived';
  return { view: isPutAway ? view : 'open', assigned: tab === 'all' ? '' : tab };
}
