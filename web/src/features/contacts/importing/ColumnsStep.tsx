import { useMemo } from 'react';
import { Button, Select, Stack, Text } from '@mantine/core';
import { fields as fieldsContract, refusals, type Answer } from '#contract';
import { fieldPrefix, hasNameAndNumber, importTargets } from '#contract/importing-rules';
import { t, useApiQuery } from '#ui';
import css from './importing.module.css';
import type { Import } from './labels.ts';

/** Which column goes where, beside what stands in it. */
export function ColumnsStep({
  file,
  mapping,
  setMapping,
  next,
}: {
  file: Import;
  mapping: readonly (string | null)[];
  setMapping: (mapping: (string | null)[]) => void;
  next: () => void;
}) {
  const { response } = useApiQuery(
    fieldsContract.listFields,
    { query: { entityType: 'contact' } },
    { staleTime: 60_000, silent: true },
  );
  const custom = response?.data as Answer<typeof fieldsContract.listFields>['data'] | undefined;
  const data = useMemo(
    () => [
      {
        group: t('Contact'),
        items: importTargets.map((target) => ({
          value: target.key as string,
          label: t(target.title),
        })),
      },
      ...(custom?.length
        ? [
            {
              group: t('Custom fields'),
              items: custom.map((f) => ({ value: fieldPrefix + f.key, label: f.name })),
            },
          ]
        : []),
    ],
    [custom],
  );
  const complete = hasNameAndNumber(mapping);
  const change = (column: number, to: string | null): void =>
    setMapping(file.headers.map((_, i) => (i === column ? to : (mapping[i] ?? null))));
  const left = mapping.filter((to) => to === null).length;
  return (
    <Stack gap="md">
      <Text c="dimmed" size="sm">
        {file.mappingFrom === 'remembered'
          ? t('The columns are where you put them the last time.')
          : t('We put the columns where their headers say. Change what is not right.')}{' '}
        {left > 0 &&
          (left === 1 ? t('One column is left out.') : t('{n} columns are left out.', { n: left }))}
      </Text>
      {!complete && (
        <div className={css.notice} role="alert">
          <p>{t(refusals['import.no_columns'].text)}</p>
          <p>
            {mapping.includes('number')
              ? t('Say which column holds the name, or both the first and the last name.')
              : t('Say which column holds the number.')}
          </p>
        </div>
      )}
      <div className={css.scroll}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('Column')}</th>
              <th scope="col" data-wide>
                {t('What stands in it')}
              </th>
              <th scope="col">{t('Goes to')}</th>
            </tr>
          </thead>
          <tbody>
            {file.headers.map((header, i) => (
              <tr key={header}>
                <td>
                  <strong>{header}</strong>
                </td>
                <td data-wide>
                  {file.sample.slice(0, 3).map((row) => (
                    <span key={row.row} className={css.sample}>
                      {row.cells[i] || '–'}
                    </span>
                  ))}
                </td>
                <td>
                  <Select
                    aria-label={t('{column} goes to', { column: header })}
                    data={data}
                    value={mapping[i] ?? null}
                    onChange={(to) => change(i, to)}
                    placeholder={t('Leave out')}
                    clearable
                    clearButtonProps={{ 'aria-label': t('Leave {column} out', { column: header }) }}
                    searchable
                    maw={280}
                    comboboxProps={{ withinPortal: true }}
                    nothingFoundMessage={t('No such place')}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={css.foot}>
        <Button variant="default" component="a" href="/contacts/import">
          {t('Choose another file')}
        </Button>
        <Button disabled={!complete} onClick={next}>
          {t('See what it would do')}
        </Button>
      </div>
    </Stack>
  );
}
