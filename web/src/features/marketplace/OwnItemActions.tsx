import { Button, Group, Menu } from '@mantine/core';
import { marketplace, numbers } from '#contract';
import { confirm, formatDate, t, useApiMutation } from '#ui';

type Item = marketplace.MarketplaceDetail;
type Status = marketplace.MarketplaceStatus;

const invalidates = [
  marketplace.getMarketplaceNumber,
  marketplace.listMarketplaceNumbers,
  marketplace.marketplaceKpi,
];
const statusVerbs = (): Partial<Record<Status, string>> => ({
  draft: t('Unlist'),
  listed: t('List number'),
  leased: t('Lease on these terms'),
  withdrawn: t('Withdraw'),
});
const leaseEnd = (item: Item): string => (item.lease_ends_at ? formatDate(item.lease_ends_at) : '');

/**
 * Asks for confirmation when a status change can't be undone. True when confirmed or when no
 * confirmation is needed.
 */
async function confirmStatus(item: Item, status: Status): Promise<boolean> {
  if (status === 'leased')
    return confirm({
      title: t('Lease on these terms?'),
      body: t(
        'The company whose offer you accepted gets the number now, at the price and term of its offer.',
      ),
      confirmLabel: t('Lease'),
    });
  if (status !== 'withdrawn') return true;
  return confirm({
    title: t('Withdraw this number?'),
    body:
      item.status === 'leased'
        ? t(
            'The lease runs until {date} and won’t be renewed. Then the number comes back and leaves the marketplace.',
            { date: leaseEnd(item) },
          )
        : t('It leaves the marketplace permanently. To offer it again, create a new listing.'),
    confirmLabel: t('Withdraw'),
    danger: true,
  });
}

const confirmNotice = (item: Item): Promise<boolean> =>
  confirm({
    title: t('Give notice?'),
    body: t(
      '{company} keeps the number until {date} and can’t renew the lease. They’re notified today. Then the number is yours again, as a draft here.',
      { company: item.lessee_name ?? t('The lessee'), date: leaseEnd(item) },
    ),
    confirmLabel: t('Give notice'),
    danger: true,
  });

/**
 * Actions on one of the company's marketplace numbers: list, lease, withdraw, end the lease. Only
 * status changes that are allowed now; withdrawing comes last.
 */
export function OwnItemActions({ item }: { item: Item }) {
  const update = useApiMutation(marketplace.updateMarketplaceNumber, {
    invalidates,
    success: t('Marketplace number updated'),
  });
  const notice = useApiMutation(marketplace.endLease, {
    invalidates: [...invalidates, numbers.listNumbersDatatable, numbers.numberStats],
    success: t('Notice given'),
  });
  const setStatus = async (status: Status): Promise<void> => {
    if (await confirmStatus(item, status))
      await update.mutate({ params: { id: item.id }, body: { status } });
  };
  const giveNotice = async (): Promise<void> => {
    if (await confirmNotice(item)) await notice.mutate({ params: { id: item.id }, body: {} });
  };
  const [first, ...others] = item.may_become.toSorted(
    (a, b) => Number(a === 'withdrawn') - Number(b === 'withdrawn'),
  );
  const canGiveNotice = item.status === 'leased' && item.lease_notice_at === null;
  const isMainAction = first === 'listed' || first === 'leased';
  const verbs = statusVerbs();
  return (
    <Group gap="xs">
      {canGiveNotice && (
        <Button variant="default" loading={notice.isPending} onClick={() => void giveNotice()}>
          {t('Give notice')}
        </Button>
      )}
      {first && (
        <Button
          loading={update.isPending}
          variant={isMainAction ? 'filled' : 'default'}
          onClick={() => void setStatus(first)}
        >
          {verbs[first]}
        </Button>
      )}
      {others.length > 0 && (
        <Menu>
          <Menu.Target>
            <Button variant="default">{t('More')}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((status) => (
              <Menu.Item
                key={status}
                {...(status === 'withdrawn' ? { color: 'red' } : {})}
                onClick={() => void setStatus(status)}
              >
                {verbs[status]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
