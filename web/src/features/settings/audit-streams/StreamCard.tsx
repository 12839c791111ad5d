import { Button, Group, Text } from '@mantine/core';
import { auditStreams as contract, type Answer } from '#contract';
import {
  confirm,
  formatNumber,
  Section,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  type Tone,
} from '#ui';
import css from './StreamCard.module.css';

type Stream = Answer<typeof contract.listAuditStreams>['data'][number];

/** One receiver: what it got, what went wrong last, and what can be done. */
export function StreamCard({ companyId, stream }: { companyId: number; stream: Stream }) {
  const { mutate: setState, isPending } = useApiMutation(contract.setAuditStreamState, {
    invalidates: [contract.listAuditStreams],
    success: ({ data }) => (data.state === 'active' ? t('Stream resumed') : t('Stream paused')),
  });
  const { mutate: remove, isPending: isRemoving } = useApiMutation(contract.deleteAuditStream, {
    invalidates: [contract.listAuditStreams],
    success: t('Stream removed'),
  });
  const params = { companyId, streamId: stream.id };
  const isPaused = stream.state === 'paused';
  const ask = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Remove this stream?'),
      body: t('Nothing more is sent there. What was sent stays.'),
      confirmLabel: t('Remove'),
      danger: true,
    });
    if (isSure) await remove({ params });
  };
  return (
    <Section
      title={stream.kind === 'webhook' ? t('Webhook') : t('S3 bucket')}
      action={<State stream={stream} />}
    >
      <Text className={css.target}>{stream.target}</Text>
      <Figures stream={stream} />
      {stream.last_error && (
        <Text size="sm" className={css.error} role="status">
          {stream.last_error}
        </Text>
      )}
      <Group gap="xs" mt="md">
        <Button
          variant="default"
          size="compact-sm"
          loading={isPending}
          onClick={() => void setState({ params, body: { state: isPaused ? 'active' : 'paused' } })}
        >
          {isPaused ? t('Resume') : t('Pause')}
        </Button>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          loading={isRemoving}
          onClick={() => void ask()}
        >
          {t('Remove')}
        </Button>
      </Group>
    </Section>
  );
}

function State({ stream }: { stream: Stream }) {
  const [tone, label]: [Tone, string] =
    stream.paused_because === 'failing'
      ? ['danger', t('Paused after a day of failures')]
      : stream.state === 'paused'
        ? ['neutral', t('Paused')]
        : stream.failures > 0
          ? ['warn', t('Retrying')]
          : ['success', t('Sending')];
  return <StatusBadge tone={tone}>{label}</StatusBadge>;
}

function Figures({ stream }: { stream: Stream }) {
  return (
    <dl className={css.figures}>
      <div>
        <dt>{t('Sent')}</dt>
        <dd>{formatNumber(stream.sent_count)}</dd>
      </div>
      <div>
        <dt>{t('Waiting')}</dt>
        <dd>{formatNumber(stream.waiting)}</dd>
      </div>
      <div>
        <dt>{t('Last sent')}</dt>
        <dd>{stream.last_sent_at ? <Time at={stream.last_sent_at} as="ago" /> : t('Never')}</dd>
      </div>
      {stream.next_try_at && (
        <div>
          <dt>{t('Next try')}</dt>
          <dd>
            <Time at={stream.next_try_at} />
          </dd>
        </div>
      )}
    </dl>
  );
}
