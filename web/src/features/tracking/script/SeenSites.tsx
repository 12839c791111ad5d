import { Table } from '@mantine/core';
import type { tracking } from '#contract';
import { EmptyState, Section, t, Time } from '#ui';
import css from './script.module.css';

/** Where browsers of visitors ran the script. */
export function SeenSites({ script }: { script: tracking.Script }) {
  const { domains } = script.installed;
  return (
    <Section title={t('Websites')} about={t('Where visitors’ browsers ran the script.')}>
      {domains.length === 0 ? (
        <EmptyState title={t('Not seen yet')}>
          {t('Add the script and open a page of your website. It appears here at once.')}
        </EmptyState>
      ) : (
        <div className={css.scroll} tabIndex={0} role="region" aria-label={t('Websites')}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Website')}</Table.Th>
                <Table.Th>{t('Last seen')}</Table.Th>
                <Table.Th>{t('Version')}</Table.Th>
                <Table.Th>{t('Numbers replaced')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {domains.map(({ host, lastSeenAt, version, swapped }) => (
                <Table.Tr key={host}>
                  <Table.Td>{host}</Table.Td>
                  <Table.Td>
                    <Time at={lastSeenAt} />
                  </Table.Td>
                  <Table.Td>{version ?? '–'}</Table.Td>
                  <Table.Td>
                    {swapped === null
                      ? t('None yet')
                      : t('{n, plural, one {# place} other {# places}}', { n: swapped })}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Section>
  );
}
