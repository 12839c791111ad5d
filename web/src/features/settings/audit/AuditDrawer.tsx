import { Loader, Stack, Text } from '@mantine/core';
import { audit, type Answer } from '#contract';
import { deviceOf } from '#contract/identity/device';
import { Drawer, ErrorState, Facts, Section, t, Time, useApiQuery } from '#ui';
import css from './Audit.module.css';
import { sentenceOf, subjectOf } from './AuditEntries.tsx';
import { changesOf, fieldName } from './changes.ts';

type Entry = Answer<typeof audit.getAuditEntry>['data'];

/** An entry of the audit log: what changed, who did it, and from where. */
export function AuditDrawer({
  companyId,
  entryId,
  close,
}: {
  companyId: number;
  entryId: number;
  close: () => void;
}) {
  const { response, error, refetch } = useApiQuery(audit.getAuditEntry, {
    params: { companyId, entryId },
  });
  const entry = response?.data;
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="36rem"
      title={t('Audit log entry')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {error && !entry ? (
        <ErrorState error={error} retry={refetch} />
      ) : entry ? (
        <EntryDetail entry={entry} />
      ) : (
        <Loader aria-label={t('Loading')} />
      )}
    </Drawer>
  );
}

function EntryDetail({ entry }: { entry: Entry }) {
  const subject = subjectOf(entry);
  const who = entry.actor.kind === 'system' ? t('System') : entry.actor.name;
  return (
    <Stack gap="md">
      <Text>
        <b>{who}</b> {sentenceOf(entry)}
        {subject && ` · ${subject}`}
      </Text>
      <Changes entry={entry} />
      <Section title={t('Details')}>
        <Facts
          rows={[
            [t('When'), <Time key="at" at={entry.at} as="instant" />],
            [t('Who'), who],
            entry.impersonated_by !== null && [t('Acted in their place'), entry.impersonated_by],
            entry.reason !== null && [t('Reason'), entry.reason],
            [t('IP address'), entry.ip ?? t('None: done by the system')],
            entry.user_agent !== null && [
              t('Device'),
              <span key="device" title={entry.user_agent}>
                {deviceOf(entry.user_agent)}
              </span>,
            ],
            [t('Action'), entry.action],
            [t('Subject'), entry.subject],
            entry.request_id !== null && [t('Request'), entry.request_id],
          ]}
        />
      </Section>
    </Stack>
  );
}

function Changes({ entry }: { entry: Entry }) {
  const changes = changesOf(entry.before, entry.after);
  if (!changes.length) return <Text c="dimmed">{t('No values were recorded.')}</Text>;
  return (
    <table className={css.diff}>
      <thead>
        <tr>
          <th scope="col">{t('Field')}</th>
          <th scope="col">{t('Before')}</th>
          <th scope="col">{t('After')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <th scope="row">{fieldName(change.field)}</th>
            <td>{change.before ?? '–'}</td>
            <td>{change.after ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
