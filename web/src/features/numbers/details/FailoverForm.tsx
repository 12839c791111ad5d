import { Button, Skeleton } from '@mantine/core';
import { IconArrowsSplit } from '@tabler/icons-react';
import { carriers } from '#contract';
import { EmptyState, ErrorState, Section, t, useApiQuery, usePermission } from '#ui';
import { FailoverEditor } from './FailoverEditor.tsx';

/**
 * Chooses the company's other number that carries texts and calls when the carrier of this one
 * rejects them or is unreachable.
 */
export function FailoverForm({ numberId }: { numberId: number }) {
  const { response, error, refetch } = useApiQuery(
    carriers.getFailover,
    { params: { id: numberId } },
    { silent: true },
  );
  const mayBuy = usePermission('numbers.buy');
  if (!response)
    return error ? <ErrorState error={error} retry={refetch} /> : <Skeleton height={160} />;
  const { carrier, other_carriers: others, choices, via } = response.data;
  const title = t('When {carrier} can’t be reached', { carrier });
  if (others.length === 0) {
    return (
      <Section title={title}>
        <EmptyState
          icon={<IconArrowsSplit size={28} stroke={1.5} />}
          title={t('Only one carrier is connected')}
        >
          {t(
            'Texts and calls on this number wait for {carrier}. With a second carrier they could take another path. The server’s operator can connect one.',
            { carrier },
          )}
        </EmptyState>
      </Section>
    );
  }
  if (choices.length === 0) {
    return (
      <Section title={title}>
        <EmptyState
          icon={<IconArrowsSplit size={28} stroke={1.5} />}
          title={t('No numbers at another carrier')}
          action={
            mayBuy && (
              <Button component="a" href="/numbers/buy">
                {t('Buy a number')}
              </Button>
            )
          }
        >
          {t(
            'Failover needs an active number of yours at {others}. Until you have one, texts and calls on this number wait for {carrier}.',
            { others: others.join(t(' or ')), carrier },
          )}
        </EmptyState>
      </Section>
    );
  }
  return (
    <FailoverEditor
      key={JSON.stringify([via?.id, response.data.texts, response.data.calls])}
      numberId={numberId}
      now={response.data}
      title={title}
    />
  );
}
