import { Stack, Text } from '@mantine/core';
import { marketplace } from '#contract';
import {
  ErrorState,
  Page,
  PageSkeleton,
  Section,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useCompanyId,
  usePermission,
} from '#ui';
import NotFound from '../../../shared/NotFound.tsx';
import { useIdParam } from '../../../shared/params.ts';
import { ItemForm } from '../ItemForm.tsx';
import { itemStatusName, itemStatusTone } from '../labels.ts';
import { OwnItemActions } from '../OwnItemActions.tsx';
import { OwnItemFacts } from '../OwnItemFacts.tsx';
import { OwnItemOffers } from '../OwnItemOffers.tsx';
import { PublicListing } from '../PublicListing.tsx';
import css from '../../../shared/Rows.module.css';

type Item = marketplace.MarketplaceDetail;

/**
 * A marketplace number: in full for the company that lists it, as the public listing for others.
 */
export default function MarketplaceNumber() {
  const id = useIdParam('id');
  // Limited to the selected company: a user of several companies sees another company's number as
  // buyers do.
  const companyId = useCompanyId();
  const { response, error, refetch } = useApiQuery(
    marketplace.getMarketplaceNumber,
    { params: { id: id ?? 0 }, query: { companyId } },
    { silent: true, enabled: id !== null },
  );
  if (id === null) return <NotFound />;
  if (error?.status === 404) return <PublicListing id={id} />;
  if (response) return <OwnItem item={response.data} />;
  if (!error) return <PageSkeleton />;
  return (
    <Page title={t('Marketplace')}>
      <ErrorState error={error} retry={refetch} notFound={t('Number not found')} />
    </Page>
  );
}

function OwnItem({ item }: { item: Item }) {
  const mayEdit = usePermission('marketplace.edit');
  const isEditable = mayEdit && item.status !== 'withdrawn' && item.status !== 'leased';
  return (
    <Page
      title={item.vanity_text ?? item.formatted}
      description={item.formatted}
      back={{ href: '/marketplace', label: t('Marketplace') }}
      aside={
        <StatusBadge tone={itemStatusTone(item.status)}>{itemStatusName(item.status)}</StatusBadge>
      }
      layout="read"
      action={mayEdit && <OwnItemActions item={item} />}
    >
      <Section title={t('Summary')}>
        <OwnItemFacts item={item} />
      </Section>
      <OwnItemOffers item={item} mayEdit={mayEdit} />
      <Inquiries item={item} />
      {isEditable ? (
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
          {item.timeline.map((event) => (
            <li key={event.id} data-kind={event.kind}>
              <div>{event.text}</div>
              <div className={css.quiet}>
                {event.by ?? t('System')} · <Time at={event.at} as="instant" />
              </div>
            </li>
          ))}
        </ol>
      </Section>
    </Page>
  );
}

function Inquiries({ item }: { item: Item }) {
  if (item.inquiry_list.length === 0) return null;
  return (
    <Section title={t('Questions')}>
      <ul className={css.rows} aria-label={t('Questions')}>
        {item.inquiry_list.map((inquiry) => (
          <li key={inquiry.id}>
            <span className={css.grow}>{inquiry.message}</span>
            <span className={css.quiet}>
              {inquiry.name}, <a href={`mailto:${inquiry.email}`}>{inquiry.email}</a>,{' '}
              <Time at={inquiry.at} as="ago" />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
