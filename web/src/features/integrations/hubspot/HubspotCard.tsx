import { useState } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { formatNumber, Section, t, usePermission } from '#ui';
import { AccountStatus } from '../../../shared/AccountStatus.tsx';
import { OnOff, Reconnect, type Account } from '../AccountActions.tsx';
import { DestinationCard } from '../DestinationCard.tsx';
import { eventLabel } from '../labels.ts';
import { configOf } from './form-values.ts';
import { HubspotDialog } from './HubspotDialog.tsx';

/** A HubSpot account: what is logged there, how it is doing, and what can be done. */
export function HubspotCard({ account }: { account: Account }) {
  const [place] = account.destinations;
  if (!place) return <NotSetUp account={account} />;
  const { rules = [], create_contact: creates, field_map: fields = {} } = configOf(account);
  const isExpired = account.status === 'expired';
  const isOff = account.status === 'inactive' || account.status === 'connected';
  const error = isExpired ? account.last_error : place.last_error;
  // A field that wasn't taken doesn't make what was sent a failure.
  const isFailing = error !== null && (isExpired || (place.last_sent_at ?? '') < error.at);
  return (
    <DestinationCard
      destination={{ id: place.id, name: account.account.name }}
      state={isOff ? 'off' : isFailing ? 'failing' : 'active'}
      rows={[
        [t('Logs when'), rules.map(({ event }) => eventLabel(event)).join(', ') || t('Never')],
        [t('New people'), creates === false ? t('Left out') : t('Created')],
        [t('Fields'), formatNumber(Object.keys(fields).length)],
        [
          t('Last 30 days'),
          t('{sent} sent, {failed} failed', {
            sent: formatNumber(place.sent_30d),
            failed: formatNumber(place.failed_30d),
          }),
        ],
      ]}
      lastSentAt={place.last_sent_at}
      messages={error ? [error.text] : []}
      edit={{
        label: t('Edit'),
        dialog: (close) => <HubspotDialog account={account} close={close} />,
      }}
      actions={isExpired ? <Reconnect account={account} /> : <OnOff account={account} />}
    />
  );
}

function NotSetUp({ account }: { account: Account }) {
  const mayEdit = usePermission('integrations.edit');
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={account.account.name}
      about={t('Choose which calls and texts are logged.')}
      action={<AccountStatus status={account.status} />}
    >
      {account.last_error && (
        <Text size="sm" role="status">
          {account.last_error.text}
        </Text>
      )}
      {mayEdit && (
        <Group gap="xs">
          {account.status === 'expired' ? (
            <Reconnect account={account} />
          ) : (
            <Button size="compact-sm" onClick={() => setOpen(true)}>
              {t('Set up')}
            </Button>
          )}
        </Group>
      )}
      {isOpen && <HubspotDialog account={account} close={() => setOpen(false)} />}
    </Section>
  );
}
