import { useState } from 'react';
import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { monitoring, sentences, type Answer } from '#contract';
import {
  Drawer,
  ErrorState,
  Facts,
  Section,
  selectCompany,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  usePermission,
} from '#ui';
import { AlertCure } from './AlertCure.tsx';
import { DismissForm } from './DismissForm.tsx';
import {
  metricText,
  reasonLabel,
  severityLabel,
  severityTone,
  stateLabel,
  type Alert,
} from './labels.ts';
import { MetricChart } from './MetricChart.tsx';
import { changedLists } from './use-update-alerts.ts';

type Samples = Answer<typeof monitoring.getAlert>['data']['samples'];
type Change = Answer<typeof monitoring.listAlertHistory>['data'][number];

/** An alert: what was measured, what to do, what happened to it. */
export function AlertDrawer({
  id,
  companyId,
  close,
}: {
  id: number;
  companyId: number;
  close: () => void;
}) {
  const { response, error, refetch } = useApiQuery(
    monitoring.getAlert,
    { params: { id }, query: { company_id: companyId } },
    { silent: true },
  );
  const alert = response?.data;
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="34rem"
      title={alert?.title ?? t('Alert')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {error && !alert && <ErrorState error={error} retry={refetch} />}
      {!error && !alert && <Skeleton height={240} />}
      {alert && (
        <Stack gap="lg">
          <AlertFacts alert={alert} samples={alert.samples} />
          <Actions alert={alert} />
          <Section title={t('What to do')}>
            <Stack gap={6} align="flex-start">
              {alert.suggestions.map((one) => (
                <Suggestion key={one.link} {...one} companyId={companyId} />
              ))}
              <AlertCure alert={alert} />
            </Stack>
          </Section>
          <div>
            <History id={id} companyId={companyId} />
          </div>
        </Stack>
      )}
    </Drawer>
  );
}

/** A way to the cure; in another company than the selected one, that company is opened first. */
function Suggestion({ text, link, companyId }: { text: string; link: string; companyId: number }) {
  const isHere = useCompanyId() === companyId;
  return (
    <Anchor href={link} onClick={() => !isHere && selectCompany(companyId)}>
      {text}
    </Anchor>
  );
}

function AlertFacts({ alert, samples }: { alert: Alert; samples: Samples }) {
  const { metric } = alert;
  return (
    <Stack gap="sm">
      <Text>{alert.message}</Text>
      <MetricChart alert={alert} samples={samples} />
      <Facts
        rows={[
          [
            t('Severity'),
            <StatusBadge key="s" tone={severityTone[alert.severity]}>
              {severityLabel(alert.severity)}
            </StatusBadge>,
          ],
          [t('State'), stateLabel(alert.state)],
          [t('About'), alert.subject.label],
          ...(metric.unit
            ? ([
                [t('Measured'), metricText(metric)],
                [t('Limit'), metricText({ ...metric, value: metric.threshold, window: '' })],
              ] as [string, string][])
            : []),
          [t('First seen'), <Time key="f" at={alert.first_seen_at} />],
          [t('Last seen'), <Time key="l" at={alert.last_seen_at} />],
          [t('Found'), t('{n, plural, one {once} other {# times}}', { n: alert.occurrences })],
        ]}
      />
      <Text size="sm" c="dimmed">
        {t('Resolves automatically when two checks in a row find nothing.')}
      </Text>
    </Stack>
  );
}

/** What can be done with an alert that is not closed. */
function Actions({ alert }: { alert: Alert }) {
  const mayEdit = usePermission('monitoring.edit');
  const [dismissing, setDismissing] = useState(false);
  const { mutate, isPending } = useApiMutation(monitoring.updateAlert, {
    success: t(sentences.alertUpdated),
    invalidates: changedLists,
  });
  const setState = (state: 'acknowledged' | 'resolved' | 'open'): void =>
    void mutate({ params: { id: alert.id }, body: { company_id: alert.company.id, state } });
  if (!mayEdit || alert.state === 'resolved' || alert.state === 'dismissed') return null;
  if (dismissing) return <DismissForm alerts={[alert]} close={() => setDismissing(false)} />;
  return (
    <Group gap="xs">
      {alert.state === 'open' ? (
        <Button loading={isPending} onClick={() => setState('acknowledged')}>
          {t('Acknowledge')}
        </Button>
      ) : (
        <Button variant="default" loading={isPending} onClick={() => setState('open')}>
          {t('Open again')}
        </Button>
      )}
      <Button variant="default" onClick={() => setState('resolved')}>
        {t('Resolve')}
      </Button>
      <Button variant="default" onClick={() => setDismissing(true)}>
        {t('Dismiss')}
      </Button>
    </Group>
  );
}

/** “Una User: Acknowledged”, with the comment. */
const changeText = ({ actor, from, to }: Change): string => {
  const who = actor?.name ?? t('Trunkline');
  if (from === null) return t('Raised');
  return from === to ? t('{who} commented', { who }) : `${who}: ${stateLabel(to)}`;
};

function History({ id, companyId }: { id: number; companyId: number }) {
  const { response } = useApiQuery(
    monitoring.listAlertHistory,
    { params: { id }, query: { company_id: companyId } },
    { silent: true },
  );
  if (!response?.data.length) return null;
  return (
    <Section title={t('History')}>
      <Stack gap="xs">
        {response.data.map((change, n) => (
          <div key={`${change.at} ${n}`}>
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm">{changeText(change)}</Text>
              <Text size="sm" c="dimmed">
                <Time at={change.at} as="ago" />
              </Text>
            </Group>
            {(change.reason || change.comment) && (
              <Text size="sm" c="dimmed">
                {[change.reason && reasonLabel(change.reason), change.comment]
                  .filter(Boolean)
                  .join(': ')}
              </Text>
            )}
          </div>
        ))}
      </Stack>
    </Section>
  );
}
