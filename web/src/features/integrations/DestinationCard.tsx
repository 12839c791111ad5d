import { useState, type ReactNode } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { confirm, Facts, Section, StatusBadge, t, Time, usePermission } from '#ui';
import { DeliveryLog } from './DeliveryLog.tsx';
import { DryRun } from './DryRun.tsx';

type Window = 'edit' | 'log' | 'dryRun';

interface Props {
  destination: { id: number; name: string };
  state: 'off' | 'failing' | 'active';
  rows: [label: string, value: ReactNode][];
  /** Null: nothing was sent yet. */
  lastSentAt: string | null;
  /** What went wrong, or what the receiver says of it. */
  messages: readonly string[];
  /** Its dialog, and what its button says. */
  edit: { label: string; dialog: (close: () => void) => ReactNode };
  /** More buttons of those who can change it. */
  actions?: ReactNode;
  /** Left out: it goes with its account. */
  remove?: { question: string; run: () => Promise<unknown>; isPending: boolean };
}

/** A place that is delivered to: how it is doing, its log and dry run, and what can be done. */
export function DestinationCard({
  destination,
  state,
  rows,
  lastSentAt,
  messages,
  edit,
  actions,
  remove,
}: Props) {
  const mayEdit = usePermission('integrations.edit');
  const [open, setOpen] = useState<Window | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Section title={destination.name} action={<State state={state} />}>
      <Facts
        rows={[
          ...rows,
          [t('Last sent'), lastSentAt ? <Time key="t" at={lastSentAt} as="ago" /> : t('Never')],
        ]}
      />
      {messages.map((text) => (
        <Text key={text} size="sm" mt="xs" role="status">
          {text}
        </Text>
      ))}
      <Group gap="xs" mt="md">
        <Button variant="default" size="compact-sm" onClick={() => setOpen('log')}>
          {t('Deliveries')}
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => setOpen('dryRun')}>
          {t('Dry run')}
        </Button>
        {mayEdit && (
          <>
            <Button variant="default" size="compact-sm" onClick={() => setOpen('edit')}>
              {edit.label}
            </Button>
            {actions}
            {remove && <Remove name={destination.name} {...remove} />}
          </>
        )}
      </Group>
      {open === 'edit' && edit.dialog(close)}
      {open === 'log' && <DeliveryLog destination={destination} close={close} />}
      {open === 'dryRun' && <DryRun destination={destination} close={close} />}
    </Section>
  );
}

function State({ state }: Pick<Props, 'state'>) {
  if (state === 'off') return <StatusBadge tone="neutral">{t('Off')}</StatusBadge>;
  return state === 'failing' ? (
    <StatusBadge tone="danger">{t('Failing')}</StatusBadge>
  ) : (
    <StatusBadge tone="success">{t('Active')}</StatusBadge>
  );
}

function Remove({
  name,
  question,
  run,
  isPending,
}: NonNullable<Props['remove']> & { name: string }) {
  const ask = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Delete {name}?', { name }),
      body: question,
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (isSure) await run();
  };
  return (
    <Button
      variant="subtle"
      color="red"
      size="compact-sm"
      loading={isPending}
      onClick={() => void ask()}
    >
      {t('Delete')}
    </Button>
  );
}
