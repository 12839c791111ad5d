import { Button, Stack, Table, Text } from '@mantine/core';
import { formatNumber, Modal, t } from '#ui';
import { stateName } from './labels.ts';
import type { Undoing } from './run-columns.tsx';
import type { Run } from './run.ts';

/** What became of a file: its figures, the rows with errors, and each company's part. */
export function RunDetails({
  run,
  close,
  undo,
  isUndoing,
}: Undoing & { run: Run; close: () => void }) {
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('Close') }}
      opened
      onClose={close}
      title={run.file.name}
      size="lg"
    >
      <Stack gap="md">
        {run.failure && (
          <Text c="red" fz="sm">
            {run.failure}
          </Text>
        )}
        <Text fz="sm">
          {t('{processed} of {total} rows done, {changed} changed, {failed} with errors.', {
            processed: formatNumber(run.processed),
            total: formatNumber(run.total),
            changed: formatNumber(run.changed),
            failed: formatNumber(run.failed),
          })}{' '}
          {run.undone &&
            t('{restored} values were set back, {kept} stayed as they are.', {
              restored: formatNumber(run.undone.restored),
              kept: formatNumber(run.undone.kept),
            })}
        </Text>
        {run.canUndoUntil && (
          <div>
            <Button variant="default" disabled={isUndoing} onClick={() => void undo(run)}>
              {t('Undo the file')}
            </Button>
          </div>
        )}
        {run.companies && run.companies.length > 0 && <Companies companies={run.companies} />}
        {run.errors.length > 0 ? (
          <Errors run={run} />
        ) : (
          <Text fz="sm" c="dimmed">
            {t('No rows with errors.')}
          </Text>
        )}
      </Stack>
    </Modal>
  );
}

const Errors = ({ run: { errors, failed } }: { run: Run }) => (
  <div>
    <Table aria-label={t('Rows with errors')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={70}>{t('Row')}</Table.Th>
          <Table.Th>{t('Column')}</Table.Th>
          <Table.Th>{t('Problem')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {errors.map(({ row, field, message }) => (
          <Table.Tr key={`${row} ${field} ${message}`}>
            <Table.Td>{row}</Table.Td>
            <Table.Td>{field || '–'}</Table.Td>
            <Table.Td>{message}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
    {failed > errors.length && (
      <Text fz="sm" c="dimmed" mt={6}>
        {t('The first {n} of {all}', {
          n: formatNumber(errors.length),
          all: formatNumber(failed),
        })}
      </Text>
    )}
  </div>
);

const Companies = ({ companies }: { companies: NonNullable<Run['companies']> }) => (
  <Table aria-label={t('Companies')}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('Company')}</Table.Th>
        <Table.Th>{t('State')}</Table.Th>
        <Table.Th ta="end">{t('Changed')}</Table.Th>
        <Table.Th ta="end">{t('Errors')}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {companies.map(({ company, status, changed, failed }) => (
        <Table.Tr key={company.id}>
          <Table.Td>{company.name}</Table.Td>
          <Table.Td>{stateName(status)}</Table.Td>
          <Table.Td ta="end">{formatNumber(changed)}</Table.Td>
          <Table.Td ta="end">{formatNumber(failed)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
