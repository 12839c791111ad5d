import { useState, type ReactNode } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { formatNumber, Section, t, usePermission } from '#ui';
import { AccountStatus } from '../../shared/AccountStatus.tsx';
import { OnOff, Reconnect, type Account } from './AccountActions.tsx';
import { DestinationCard } from './DestinationCard.tsx';

interface Props {
  account: Account;
  /** What is to be chosen before it delivers anything. */
  about: string;
  /** What is set of it. */
  rows: [label: string, value: string][];
  dialog: (close: () => void) => ReactNode;
}

/** An account that delivers to one place: what it gets, how it is doing, and what can be done. */
export function AccountCard({ account, about, rows, dialog }: Props) {
  const [place] = account.destinations;
  if (!place) return <NotSetUp {...{ account, about, dialog }} />;
  const isExpired = account.status === 'expired';
  const isOff = account.status === 'inactive' || account.status === 'connected';
  // What comes back can fail while what is sent doesn't.
  const isOfAccount = isExpired || account.last_error?.code === 'reading_failed';
  const error = isOfAccount ? account.last_error : place.last_error;
  // A field that wasn't taken doesn't make what was sent a failure.
  const isFailing = error !== null && (isOfAccount || (place.last_sent_at ?? '') < error.at);
  return (
    <DestinationCard
      destination={{ id: place.id, name: account.account.name }}
      state={isOff ? 'off' : isFailing ? 'failing' : 'active'}
      rows={[
        ...rows,
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
      edit={{ label: t('Edit'), dialog }}
      actions={
        <>
          {isOfAccount && <Reconnect account={account} />}
          {!isExpired && <OnOff account={account} />}
        </>
      }
    />
  );
}

function NotSetUp({ account, about, dialog }: Omit<Props, 'rows'>) {
  const mayEdit = usePermission('integrations.edit');
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={account.account.name}
      about={about}
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
      {isOpen && dialog(() => setOpen(false))}
    </Section>
  );
}
