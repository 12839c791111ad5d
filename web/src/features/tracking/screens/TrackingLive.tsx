import { useMemo } from 'react';
import { Button } from '@mantine/core';
import { IconBroadcast, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { tracking } from '#contract';
import {
  DataList,
  Page,
  StatusBadge,
  t,
  useApiQuery,
  useCompanyId,
  useFilters,
  useShortcuts,
} from '#ui';
import { ListEmpty } from '#ui/list/ListParts.tsx';
import { feedColumns, feedRowName } from '../feed/feed-columns.tsx';
import { FeedFilters } from '../feed/FeedFilters.tsx';
import { useLiveFeed } from '../feed/use-live-feed.ts';
import { TrackingTabs } from '../TrackingTabs.tsx';

/** Visits of the website, the numbers they see, and the calls they make, as they happen. */
export default function TrackingLive() {
  const filtering = useFilters({ kind: '', pool: '', source: '', site: '' });
  const feed = useLiveFeed(filtering.filters);
  const { isPaused, toggle } = feed;
  const pools = usePoolNames();
  const columns = useMemo(() => feedColumns(pools), [pools]);
  useShortcuts([{ keys: 'p', label: t('Pause or resume'), group: t('Live feed'), run: toggle }]);
  return (
    <Page
      title={t('Live feed')}
      layout="fill"
      description={t('Visits to your website, the numbers they see, and the calls they make.')}
      aside={
        <StatusBadge tone={isPaused ? 'warn' : 'success'}>
          {isPaused ? t('Paused') : t('Live')}
        </StatusBadge>
      }
      action={<PauseButton feed={feed} />}
      filters={
        <>
          <TrackingTabs />
          <FeedFilters {...filtering} pools={pools} />
        </>
      }
    >
      <DataList
        label={t('Live feed')}
        rows={feed.rows}
        loading={feed.loading}
        error={feed.error}
        refetch={feed.refetch}
        columns={columns}
        rowKey={rowKey}
        rowLabel={feedRowName}
        empty={
          <ListEmpty
            list={filtering}
            icon={IconBroadcast}
            noMatch={t('Nothing matches')}
            title={t('No visits yet')}
            action={
              <Button variant="default" component="a" href="/tracking/script">
                {t('Put the script on your website')}
              </Button>
            }
          >
            {t('The next visit to your website appears here at once.')}
          </ListEmpty>
        }
      />
    </Page>
  );
}

/** Holds the list still; what arrives meanwhile is counted. */
function PauseButton({ feed }: { feed: ReturnType<typeof useLiveFeed> }) {
  const { rows, isPaused, waiting, toggle } = feed;
  return (
    <Button
      variant={isPaused ? 'filled' : 'default'}
      leftSection={isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
      onClick={toggle}
      disabled={!rows}
    >
      {!isPaused
        ? t('Pause')
        : waiting > 0
          ? t('Resume, {n, plural, one {# new} other {# new}}', { n: waiting })
          : t('Resume')}
    </Button>
  );
}

const rowKey = ({ id }: tracking.FeedRow): string => id;

/** Names of the pools that the user sees, by ID. */
function usePoolNames(): ReadonlyMap<number, string> {
  const { response } = useApiQuery(
    tracking.listPools,
    { params: { companyId: useCompanyId() ?? 0 }, query: { perPage: 250 } },
    { silent: true, staleTime: 60_000 },
  );
  return useMemo(
    () => new Map((response?.data ?? []).map(({ id, name }) => [id, name])),
    [response],
  );
}
