import { useState } from 'react';
import { Alert, Button, CopyButton, Group, Table, Text } from '@mantine/core';
import type { DnsRecord } from '#contract/dns-record';
import { StatusBadge, t, toast } from '#ui';
import css from './RecordsTable.module.css';

/**
 * The DNS records to create, each with whether it is there.
 * @param onPublished after a simulation published them: checks again
 */
export function RecordsTable({
  records,
  isSimulated,
  onPublished,
}: {
  records: readonly DnsRecord[];
  isSimulated: boolean;
  onPublished: () => Promise<unknown>;
}) {
  if (records.length === 0) return null;
  return (
    <>
      <div className={css.scroll} tabIndex={0} role="region" aria-label={t('DNS records')}>
        <Table className={css.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Type')}</Table.Th>
              <Table.Th>{t('Host')}</Table.Th>
              <Table.Th>{t('Value')}</Table.Th>
              <Table.Th>{t('Status')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {records.map((record) => (
              <Table.Tr key={`${record.type} ${record.host}`}>
                <Table.Td>{record.type}</Table.Td>
                <Table.Td>
                  <Copyable text={record.host} />
                </Table.Td>
                <Table.Td>
                  <Copyable text={record.value} />
                  {!record.ok && record.found !== null && (
                    <Text size="xs" c="dimmed" className={css.value}>
                      {t('Found: {value}', { value: record.found })}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  {record.ok ? (
                    <StatusBadge tone="success">{t('Found')}</StatusBadge>
                  ) : (
                    <StatusBadge tone="warn">{t('Not found')}</StatusBadge>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {isSimulated && records.some(({ ok }) => !ok) && (
        <PublishSimulated records={records} onPublished={onPublished} />
      )}
    </>
  );
}

const Copyable = ({ text }: { text: string }) => (
  <Group gap="xs" wrap="nowrap" align="flex-start">
    <code className={css.value}>{text}</code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          variant="subtle"
          size="compact-xs"
          className={css.copy}
          onClick={copy}
          aria-label={t('Copy {text}', { text })}
        >
          {copied ? t('Copied') : t('Copy')}
        </Button>
      )}
    </CopyButton>
  </Group>
);

/** Here DNS is simulated, so the records can be created with a button. */
function PublishSimulated({
  records,
  onPublished,
}: {
  records: readonly DnsRecord[];
  onPublished: () => Promise<unknown>;
}) {
  const [isPending, setPending] = useState(false);
  const publish = async (): Promise<void> => {
    setPending(true);
    try {
      const wanted = records.map(({ type, host, value }) => ({ type, host, value }));
      const response = await fetch('/sandbox/dns', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ records: wanted }),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      await onPublished();
    } catch {
      toast.warn(t('Couldn’t create the simulated records. Please try again.'));
    } finally {
      setPending(false);
    }
  };
  return (
    <Alert color="blue" mt="sm" title={t('DNS is simulated here')}>
      <Group justify="space-between">
        {t('No real domain is needed to try this.')}
        <Button variant="default" loading={isPending} onClick={() => void publish()}>
          {t('Create these records')}
        </Button>
      </Group>
    </Alert>
  );
}
