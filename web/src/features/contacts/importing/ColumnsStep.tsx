import { useMemo } from 'react';
import { Button, Select, Stack, Text, type ComboboxData } from '@mantine/core';
import { fields, apiErrors } from '#contract';
import { fieldPrefix, hasNameAndNumber, importTargets } from '#contract/contacts/importing/rules';
import { t, useApiQuery } from '#ui';
import { EncodingChoice } from './EncodingChoice.tsx';
import css from './importing.module.css';
import type { Import } from './labels.ts';

/** The field of each column of the file; null skips the column. */
type Mapping = (string | null)[];

/** Maps the file's columns to fields, beside sample values. */
export function ColumnsStep({
  file,
  mapping,
  setMapping,
  next,
  opened,
}: {
  file: Import;
  mapping: Readonly<Mapping>;
  setMapping: (mapping: Mapping) => void;
  next: () => void;
  /** Another import, of the same file, takes the place of this one. */
  opened: (importId: number) => void;
}) {
  const complete = hasNameAndNumber(mapping);
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
      <EncodingChoice file={file} opened={opened} />
      {!complete && <MissingColumn hasNumber={mapping.includes('number')} />}
      <MappingTable
        file={file}
        mapping={mapping}
        onChange={(column, to) =>
          setMapping(file.headers.map((_, i) => (i === column ? to : (mapping[i] ?? null))))
        }
      />
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

const MissingColumn = ({ hasNumber }: { hasNumber: boolean }) => (
  <div className={css.notice} role="alert">
    <p>{t(apiErrors['import.no_columns'].text)}</p>
    <p>
      {hasNumber
        ? t('Choose which column holds the name, or the first name.')
        : t('Choose which column holds the number.')}
    </p>
  </div>
);

/** The fields a column can be imported as, custom fields last. */
function useTargets(): ComboboxData {
  const { response } = useApiQuery(
    fields.listFields,
    { query: { entityType: 'contact' } },
    { staleTime: 60_000, silent: true },
  );
  const custom = response?.data;
  return useMemo(
    () => [
      {
        group: t('Contact'),
        items: importTargets.map(({ key, title }) => ({ value: String(key), label: t(title) })),
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
}

function MappingTable({
  file,
  mapping,
  onChange,
}: {
  file: Import;
  mapping: Readonly<Mapping>;
  onChange: (column: number, to: string | null) => void;
}) {
  const targets = useTargets();
  return (
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
                <TargetSelect
                  column={header}
                  targets={targets}
                  value={mapping[i] ?? null}
                  onChange={(to) => onChange(i, to)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TargetSelect({
  column,
  targets,
  value,
  onChange,
}: {
  column: string;
  targets: ComboboxData;
  value: string | null;
  onChange: (to: string | null) => void;
}) {
  return (
    <Select
      aria-label={t('Import {column} as', { column })}
      data={targets}
      value={value}
      onChange={onChange}
      placeholder={t('Skip')}
      clearable
      clearButtonProps={{ 'aria-label': t('Skip {column}', { column }) }}
      searchable
      maw={280}
      comboboxProps={{ withinPortal: true }}
      nothingFoundMessage={t('No matching fields')}
    />
  );
}
