import { useMemo } from 'react';
import { Button, Select, Stack, Text } from '@mantine/core';
import { fields as fieldsContract, apiErrors, type Answer } from '#contract';
import { fieldPrefix, hasNameAndNumber, importTargets } from '#contract/contacts/importing/rules';
import { t, useApiQuery } from '#ui';
import css from './importing.module.css';
import type { Import } from './labels.ts';

/** Maps the file's columns to fields, beside sample values. */
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
          ? t('Columns are matched the same way as last time.')
          : t('We matched the columns by their headers. Change any that are wrong.')}{' '}
        {left > 0 &&
          t('{n, plural, one {# column is} other {# columns are}} skipped.', { n: left })}
      </Text>
      {!complete && (
        <div className={css.notice} role="alert">
          <p>{t(apiErrors['import.no_columns'].text)}</p>
          <p>
            {mapping.includes('number')
              ? t('Choose which column holds the name, or both the first and last name.')
              : t('Choose which column holds the number.')}
          </p>
        </div>
      )}
      <div className={css.scroll}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('Column')}</th>
              <th scope="col" data-wide>
                {t('Sample values')}
              </th>
              <th scope="col">{t('Import as')}</th>
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
                    aria-label={t('Import {column} as', { column: header })}
                    data={data}
                    value={mapping[i] ?? null}
                    onChange={(to) => change(i, to)}
                    placeholder={t('Skip')}
                    clearable
                    clearButtonProps={{ 'aria-label': t('Skip {column}', { column: header }) }}
                    searchable
                    maw={280}
                    comboboxProps={{ withinPortal: true }}
                    nothingFoundMessage={t('No matching fields')}
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
          {t('Preview import')}
        </Button>
      </div>
    </Stack>
  );
}
