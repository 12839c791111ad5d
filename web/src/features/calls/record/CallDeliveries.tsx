import { Stack, Text } from '@mantine/core';
import { integrations, type Answer } from '#contract';
import { Section, StatusBadge, t, Time, useApiQuery, useCompanyId } from '#ui';
import { eventLabel, stateLabel, stateTone } from '../../../shared/delivery-labels.ts';
import css from './CallDeliveries.module.css';

type Place = Answer<typeof integrations.listCallDeliveries>['data'][number];

/** Where a call was delivered to, and why not elsewhere. Nothing where the company delivers nowhere. */
export function CallDeliveries({ callId }: { callId: number }) {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(
    integrations.listCallDeliveries,
    { params: { companyId, callId } },
    { silent: true },
  );
  const places = response?.data ?? [];
  if (places.length === 0) return null;
  return (
    <Section title={t('Sent to')}>
      <Stack gap="sm">
        {places.map((place) => (
          <Entry key={place.destination.id} place={place} />
        ))}
      </Stack>
    </Section>
  );
}

const Entry = ({ place: { destination, deliveries, reason } }: { place: Place }) => (
  <div className={css.place}>
    <div className={css.head}>
      <span className={css.name}>{destination.label}</span>
      {deliveries.length === 0 && <StatusBadge tone="neutral">{t('Not sent')}</StatusBadge>}
    </div>
    <Text size="xs" c="dimmed">
      {destination.name}
    </Text>
    {reason && <Text size="sm">{reason}</Text>}
    {deliveries.map((one) => (
      <div key={one.id}>
        <div className={css.head}>
          <Text size="sm">
            {one.corrects === null ? eventLabel(one.event) : t('Correction')}
            {' · '}
            <Time at={one.sent_at ?? one.next_try_at ?? one.created_at} as="moment" />
          </Text>
          <StatusBadge tone={stateTone[one.state]}>{stateLabel(one.state)}</StatusBadge>
        </div>
        {one.error && (
          <Text size="xs" c="dimmed">
            {one.error}
          </Text>
        )}
      </div>
    ))}
  </div>
);
