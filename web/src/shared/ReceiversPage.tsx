import { useState, type ComponentProps, type ReactNode } from 'react';
import { Alert, Button, Skeleton, Stack } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { EmptyState, ErrorState, t } from '#ui';
import { SettingsFrame } from './SettingsFrame.tsx';

interface Props<One> {
  title: string;
  description: string;
  /** What was loaded: as `useApiQuery` returns it. */
  query: {
    response: { data: readonly One[]; meta: { simulated: boolean } } | undefined;
    error: ComponentProps<typeof ErrorState>['error'] | null;
    refetch: () => void;
  };
  empty: { icon: Icon; title: string; text: string };
  /** What adds one, and its dialog; null: this person can't. */
  adding:
    | { label: string; dialog: (close: () => void) => ReactNode }
    /** What does so elsewhere; false: it couldn't. */
    | { label: string; run: () => Promise<boolean> }
    | null;
  card: (one: One) => ReactNode;
  /** Stands below them. */
  below?: ReactNode;
}

/** A page of places that something is sent to: each as a card, and a dialog that adds one. */
export function ReceiversPage<One extends { id: number }>({
  title,
  description,
  query: { response, error, refetch },
  empty: { icon: EmptyIcon, ...empty },
  adding,
  card,
  below,
}: Props<One>) {
  const [isAdding, setAdding] = useState(false);
  const begin = async (): Promise<void> => {
    setAdding(true);
    if (adding && 'run' in adding && !(await adding.run())) setAdding(false);
  };
  const add = adding && (
    <Button loading={isAdding && 'run' in adding} onClick={() => void begin()}>
      {adding.label}
    </Button>
  );
  return (
    <SettingsFrame
      title={title}
      layout="read"
      description={description}
      action={response?.data.length ? add : undefined}
    >
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!response && !error && <Skeleton height={120} />}
      {response && (
        <Stack gap="md">
          {response.meta.simulated && (
            <Alert color="blue">
              {t('Receivers are simulated here: nothing leaves this server.')}
            </Alert>
          )}
          {response.data.length === 0 && (
            <EmptyState
              icon={<EmptyIcon size={28} stroke={1.5} />}
              title={empty.title}
              action={add}
            >
              {empty.text}
            </EmptyState>
          )}
          {response.data.map((one) => (
            <div key={one.id}>{card(one)}</div>
          ))}
          {below}
        </Stack>
      )}
      {isAdding && adding && 'dialog' in adding && adding.dialog(() => setAdding(false))}
    </SettingsFrame>
  );
}
