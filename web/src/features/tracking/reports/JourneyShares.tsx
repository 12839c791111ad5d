import { Table } from '@mantine/core';
import type { Answer, sourceReports } from '#contract';
import { formatNumber, Section, t } from '#ui';
import css from './source-reports.module.css';

type Share = NonNullable<Answer<typeof sourceReports.reportSources>['data']['journeys']>[number];

/** Each source’s part in all calls, over the ways of all visitors. */
export function JourneyShares({ shares }: { shares: readonly Share[] }) {
  const percent = (points: number) => t('{n}%', { n: formatNumber(points / 100) });
  return (
    <Section
      title={t('Over all visitors')}
      about={t(
        'Markov: how many calls would be lost without the source. Shapley: each call is split evenly among the sources on its way.',
      )}
    >
      <Table className={css.table ?? ''} verticalSpacing={8} horizontalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Source')}</Table.Th>
            <Table.Th className={css.figure ?? ''}>{t('Markov')}</Table.Th>
            <Table.Th className={css.figure ?? ''}>{t('Shapley')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shares.map(({ key, label, markov, shapley }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">{label}</Table.Th>
              <Table.Td className={css.figure ?? ''}>{percent(markov)}</Table.Td>
              <Table.Td className={css.figure ?? ''}>{percent(shapley)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
