import { Anchor, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { marketplace, numbers } from '#contract';
import {
  confirm,
  ErrorState,
  Facts,
  formatDate,
  formatMoney,
  formatNumber,
  Page,
  PageSkeleton,
  Section,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  usePermission,
  useApiMutation,
} from '#ui';
import NotFound from '../../../shared/NotFound.tsx';
import { useIdParam } from '../../../shared/params.ts';
import { ItemForm } from '../marketplace/ItemForm.tsx';
import { PublicListing } from '../marketplace/PublicListing.tsx';
import {
  itemStatusName,
  itemStatusTone,
  months,
  priceLabel,
  tierName,
} from '../marketplace/labels.ts';
import css from '../ports/ports.module.css';

/** One marketplace number: the lister's own with everything about it, another company's as buyers see it. */
export default function MarketplaceNumber() {
  const id = useIdParam('id');
  // Narrowed to the company one is in: a number of another one is shown as buyers see it, even to people of both.
  const companyId = useCompanyId();
  const { response, error, loading, refetch } = useApiQuery(
    marketplace.getMarketplaceNumber,
    { params: { id: id ?? 0 }, query: { companyId } },
    { silent: true, enabled: id !== null },
  );
  if (id === null) return <NotFound />;
  if (error?.status === 404) return <PublicListing id={id} />;
  if (error && !response)
    return (
      <Page title={t('Marketplace')}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    );
  return loading && !response ? (
    <PageSkeleton />
  ) : response ? (
    <OwnItem item={response.data} />
  ) : (
    <PageSkeleton />
  );
}

const invalidates = [
  marketplace.getMarketplaceNumber,
  marketplace.listMarketplaceNumbers,
  marketplace.marketplaceKpi,
];
function OwnItem({ item }: { item: marketplace.MarketplaceDetail }) {
  const mayEdit = usePermission('marketplace.edit');
  const { mutate, isPending } = useApiMutation(marketplace.updateMarketplaceNumber, {
    invalidates,
    success: t('Marketplace number updated'),
  });
  const decide = useApiMutation(marketplace.decideOffer, {
    invalidates,
    success: t('Marketplace number updated'),
  });
  const ends = item.lease_ends_at ? formatDate(item.lease_ends_at) : '';
  const become = async (status: marketplace.MarketplaceStatus): Promise<void> => {
    const body =
      item.status === 'leased'
        ? t(
            'The lease runs until {date} and won’t be renewed. Then the number comes back and leaves the marketplace.',
            { date: ends },
          )
        : t('It leaves the marketplace permanently. To offer it again, create a new listing.');
    if (
      status === 'withdrawn' &&
      !(await confirm({
        title: t('Withdraw this number?'),
        body,
        confirmLabel: t('Withdraw'),
        danger: true,
      }))
    )
      return;
    if (
      status === 'leased' &&
      !(await confirm({
        title: t('Lease on these terms?'),
        body: t(
          'The company whose offer you accepted gets the number now, at the price and term of its offer.',
        ),
        confirmLabel: t('Lease'),
      }))
    )
      return;
    await mutate({ params: { id: item.id }, body: { status } });
  };
  const end = useApiMutation(marketplace.endLease, {
    invalidates: [...invalidates, numbers.listNumbersDatatable, numbers.numberStats],
    success: t('Notice given'),
  });
  const endIt = async (): Promise<void> => {
    if (
      await confirm({
        title: t('Give notice?'),
        body: t(
          '{company} keeps the number until {date} and can’t renew the lease. They’re notified today. Then the number is yours again, as a draft here.',
          { company: item.lessee_name ?? t('The lessee'), date: ends },
        ),
        confirmLabel: t('Give notice'),
        danger: true,
      })
    )
      await end.mutate({ params: { id: item.id }, body: {} });
  };
  const verbs: Partial<Record<marketplace.MarketplaceStatus, string>> = {
    draft: t('Unlist'),
    listed: t('List number'),
    leased: t('Lease on these terms'),
    withdrawn: t('Withdraw'),
  };
  const [first, ...rest] = [...item.may_become].sort(
    (a, b) => Number(a === 'withdrawn') - Number(b === 'withdrawn'),
  );
  return (
    <Page
      title={item.vanity_text ?? item.formatted}
      description={item.formatted}
      back={{ href: '/marketplace', label: t('Marketplace') }}
      aside={
        <StatusBadge tone={itemStatusTone(item.status)}>{itemStatusName(item.status)}</StatusBadge>
      }
      layout="read"
      action={
        mayEdit &&
        (first || item.status === 'leased') && (
          <Group gap="xs">
            {item.status === 'leased' && item.lease_notice_at === null && (
              <Button variant="default" loading={end.isPending} onClick={() => void endIt()}>
                {t('Give notice')}
              </Button>
            )}
            {first && (
              <Button
                loading={isPending}
                variant={first === 'listed' || first === 'leased' ? 'filled' : 'default'}
                onClick={() => void become(first)}
              >
                {verbs[first]}
              </Button>
            )}
            {rest.length > 0 && (
              <Menu>
                <Menu.Target>
                  <Button variant="default">{t('More')}</Button>
                </Menu.Target>
                <Menu.Dropdown>
                  {rest.map((s) => (
                    <Menu.Item
                      key={s}
                      {...(s === 'withdrawn' ? { color: 'red' } : {})}
                      onClick={() => void become(s)}
                    >
                      {verbs[s]}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
            )}
          </Group>
        )
      }
    >
      <Section title={t('Summary')}>
        <Facts
          rows={[
            [t('Price'), priceLabel(item.pricing)],
            [t('Tier'), tierName(item.tier)],
            [t('Views'), formatNumber(item.views)],
            [t('Inquiries'), formatNumber(item.inquiries)],
            [
              t('Calls, 30 days'),
              t('{n}, {m} shorter than ten seconds', {
                n: formatNumber(item.calls_30d),
                m: formatNumber(item.misdials_30d),
              }),
            ],
            item.reserved_until !== null && [
              t('In checkout until'),
              <Time key="until" at={item.reserved_until} as="time" />,
            ],
            item.lessee_name !== null && [
              t('Leased to'),
              <span key="lessee">
                {item.lessee_name}
                {item.leased_at && (
                  <>
                    , <Time at={item.leased_at} as="date" />
                  </>
                )}
              </span>,
            ],
            item.lease_monthly_cents !== null && [
              t('Lease'),
              t('{price} per month for {months}', {
                price: formatMoney(item.lease_monthly_cents),
                months: months(item.lease_term_months ?? 0),
              }),
            ],
            item.lease_ends_at !== null && [
              t('Returns'),
              <span key="ends">
                <Time at={item.lease_ends_at} as="date" />,{' '}
                {item.lease_notice_at ? t('notice given') : t('unless renewed')}
                {item.withdraws_at_end && <> · {t('then leaves the marketplace')}</>}
              </span>,
            ],
            item.assigned_to !== null && [
              t('Assigned to'),
              <span key="assigned">
                {item.assigned_to}
                {item.assigned_at && (
                  <>
                    , <Time at={item.assigned_at} as="date" />
                  </>
                )}
              </span>,
            ],
            item.number_id !== null &&
              item.status !== 'leased' &&
              item.assigned_at === null && [
                t('One of your numbers'),
                <Anchor inherit key="own" href={`/numbers/${item.number_id}`}>
                  {item.formatted}
                </Anchor>,
              ],
          ]}
        />
      </Section>
      {item.offers.length > 0 && (
        <Section title={t('Offers')}>
          <ul className={css.found} aria-label={t('Offers')}>
            {item.offers.map((o) => (
              <li key={o.id}>
                <span className={css.grow}>
                  <strong>{o.company}</strong>:{' '}
                  {t('{price} per month for {months}', {
                    price: formatMoney(o.amount_cents),
                    months: months(o.term),
                  })}
                  {o.message && (
                    <Text fz="sm" c="dimmed">
                      {o.message}
                    </Text>
                  )}
                </span>
                {o.status === 'open' && mayEdit ? (
                  <Group gap="xs">
                    <Button
                      size="compact-md"
                      loading={decide.isPending}
                      aria-label={t('Accept the offer of {company}', { company: o.company })}
                      onClick={() =>
                        void decide.mutate({
                          params: { id: item.id, offerId: o.id },
                          body: { decision: 'accept' },
                        })
                      }
                    >
                      {t('Accept')}
                    </Button>
                    <Button
                      size="compact-md"
                      variant="default"
                      aria-label={t('Decline the offer of {company}', { company: o.company })}
                      onClick={() =>
                        void decide.mutate({
                          params: { id: item.id, offerId: o.id },
                          body: { decision: 'decline' },
                        })
                      }
                    >
                      {t('Decline')}
                    </Button>
                  </Group>
                ) : (
                  <span className={css.quiet}>
                    {t(
                      (
                        {
                          open: 'Open',
                          accepted: 'Accepted',
                          declined: 'Declined',
                          expired: 'Expired',
                        } as const
                      )[o.status],
                    )}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {item.inquiry_list.length > 0 && (
        <Section title={t('Questions')}>
          <ul className={css.found} aria-label={t('Questions')}>
            {item.inquiry_list.map((q) => (
              <li key={q.id}>
                <span className={css.grow}>{q.message}</span>
                <span className={css.quiet}>
                  {q.name}, <a href={`mailto:${q.email}`}>{q.email}</a>, <Time at={q.at} as="ago" />
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {mayEdit && item.status !== 'withdrawn' && item.status !== 'leased' ? (
        <div style={{ marginTop: 16 }}>
          <ItemForm key={item.updated_at} item={item} />
        </div>
      ) : (
        <Section title={t('Public description')}>
          <Stack gap="xs">
            <Text>{item.description || '–'}</Text>
            <Text fz="sm" c="dimmed">
              {item.legal_notice}
            </Text>
          </Stack>
        </Section>
      )}
      <Section title={t('Timeline')} plain>
        <ol className={css.timeline}>
          {item.timeline.map((e) => (
            <li key={e.id} data-kind={e.kind}>
              <div>{e.text}</div>
              <div className={css.quiet}>
                {e.by ?? t('System')} · <Time at={e.at} as="instant" />
              </div>
            </li>
          ))}
        </ol>
      </Section>
    </Page>
  );
}
