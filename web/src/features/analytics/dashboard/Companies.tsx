import { useState } from 'react';
import { Button } from '@mantine/core';
import { formatNumber, Hidden, selectCompany, t } from '#ui';
import { cache } from '../../../shared/query-client.ts';
import { formatFigure } from '../reports/format-figure.ts';
import { dashboardAddress, type DashboardChoices } from './choices.ts';
import { companyRows, type CompanyRow } from './company-rows.ts';
import { differenceText } from './difference.ts';
import css from './companies.module.css';
import type { Board } from './use-dashboard.ts';

const SHOWN = 10;

/** The companies of an organization as a table with bars, the busiest first; each opens to its dashboard. */
export function Companies({ board, choices }: { board: Board; choices: DashboardChoices }) {
  const [isWhole, setWhole] = useState(false);
  const rows = companyRows(board);
  const most = Math.max(1, ...rows.map(({ values }) => values['calls'] ?? 0));
  const before = board.previous && new Map(board.previous.data.map((row) => [row.key, row]));
  const shown = isWhole ? rows : rows.slice(0, SHOWN);
  return (
    <>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('Company')}</th>
            <th scope="col">{t('Calls')}</th>
            <th scope="col">{t('Change')}</th>
            <th scope="col">{t('Answer rate')}</th>
            <th scope="col">{t('Missed')}</th>
            <th scope="col">{t('Leads')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <Company
              key={row.key}
              row={row}
              share={(row.values['calls'] ?? 0) / most}
              before={before && (before.get(row.key)?.values['calls'] ?? 0)}
              choices={choices}
            />
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('Show fewer') : t('Show all {n} companies', { n: rows.length })}
        </Button>
      )}
    </>
  );
}

function Company({
  row: { key, label, values, isLimited },
  share,
  before,
  choices: { organization: _, company: __, number: ___, ...choices },
}: {
  row: CompanyRow;
  share: number;
  /** Calls before; null: nothing to compare with. */
  before: number | null;
  choices: DashboardChoices;
}) {
  const calls = values['calls'] ?? 0;
  const open = (): void => {
    selectCompany(Number(key));
    void cache.invalidateQueries();
  };
  return (
    <tr>
      <th scope="row">
        <a href={dashboardAddress(choices)} onClick={open}>
          {label}
        </a>
        {isLimited && <small>{t('Your numbers only')}</small>}
      </th>
      <td>
        <span className={css.bar} style={{ inlineSize: `${share * 100}%` }} />
        <span className={css.value}>{formatNumber(calls)}</span>
      </td>
      <td>
        {before !== null && differenceText(calls - before)}
        {before !== null && <Hidden>{t('compared with before')}</Hidden>}
      </td>
      <td>{formatFigure('answer_rate', values['answer_rate'] ?? null)}</td>
      <td>{formatNumber(values['missed'] ?? 0)}</td>
      <td>{formatNumber(values['leads'] ?? 0)}</td>
    </tr>
  );
}
