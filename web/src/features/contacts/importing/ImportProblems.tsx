import { useState } from 'react';
import { Button, Select, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { importing, type Answer } from '#contract';
import type { SkipReason } from '#contract/contacts/importing/rules';
import { formatNumber, formatPhoneNumber, PhoneNumber, Section, t } from '#ui';
import css from './importing.module.css';
import { rowsText, fieldName, outcomeName, reasonName } from './labels.ts';

type PreviewResult = Answer<typeof importing.checkContactImport>['data'];
type Row = PreviewResult['problems'][number];
const leftOutStates = 'left_out';

/** The rows with errors, filtered by error type, and their download. */
export function Problems({ checked }: { checked: PreviewResult }) {
  const [only, setOnly] = useState<string | null>(null);
  const kinds = [...new Set(checked.problems.map((p) => p.reason ?? leftOutStates))];
  const rows = checked.problems.filter(
    (p) => only === null || (p.reason ?? leftOutStates) === only,
  );
  const all = checked.skipped - (checked.skippedBy['exists'] ?? 0) + checked.noted;
  return (
    <Section
      title={t('Rows with errors')}
      about={t(
        'They don’t hold up the rest. Fix them in the file now or later, and import it again.',
      )}
      action={
        checked.mistakesUrl && (
          <Button
            component="a"
            href={checked.mistakesUrl}
            download
            variant="default"
            size="compact-sm"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {t('Download rows with errors')}
          </Button>
        )
      }
    >
      <div className={css.line}>
        <Select
          aria-label={t('Error type')}
          placeholder={t('All errors')}
          w={240}
          clearable
          clearButtonProps={{ 'aria-label': t('All errors') }}
          value={only}
          onChange={setOnly}
          data={kinds.map((k) => ({
            value: k,
            label: k === leftOutStates ? t('Partially imported') : reasonName(k as SkipReason),
          }))}
        />
        <Text size="sm" c="dimmed">
          {all > checked.problems.length
            ? t('The first {n} of {all}', {
                n: formatNumber(checked.problems.length),
                all: formatNumber(all),
              })
            : rowsText(rows.length)}
        </Text>
      </div>
      <Rows rows={rows.slice(0, 100)} label={t('Rows with errors')} />
      {rows.length > 100 && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('The rest are in the error file.')}
        </Text>
      )}
    </Section>
  );
}

function Rows({ rows, label }: { rows: readonly Row[]; label: string }) {
  return (
    <div
      className={css.scroll}
      tabIndex={0}
      role="region"
      aria-label={label}
      style={{ marginTop: 8, maxHeight: 380, overflowY: 'auto' }}
    >
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('Row')}</th>
            <th scope="col">{t('Name')}</th>
            <th scope="col">{t('Number')}</th>
            <th scope="col">{t('Problem')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((r) => (
            <tr key={r.row}>
              <td data-numeric>{r.row}</td>
              <td>{r.name || '–'}</td>
              <td data-numeric>
                {r.number
                  ? r.number.startsWith('+')
                    ? formatPhoneNumber(r.number)
                    : r.number
                  : '–'}
              </td>
              <td>{r.problem}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A few rows with what the import would change. */
export function Examples({ rows }: { rows: readonly Row[] }) {
  return (
    <Section title={t('Example')}>
      <div className={css.scroll}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('Row')}</th>
              <th scope="col">{t('Contact')}</th>
              <th scope="col">{t('Result')}</th>
              <th scope="col" data-wide>
                {t('Changes')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, 12).map((r) => (
              <tr key={r.row}>
                <td data-numeric>{r.row}</td>
                <td>
                  {r.name ? `${r.name} · ` : ''}
                  <PhoneNumber value={r.number} />
                </td>
                <td>{outcomeName(r.outcome)}</td>
                <td data-wide data-changes>
                  {r.changes.length === 0
                    ? r.outcome === 'updated'
                      ? t('Groups or labels')
                      : '–'
                    : r.changes.slice(0, 4).map((c) => (
                        <div key={c.field}>
                          {fieldName(c.field)}:{' '}
                          {c.before && (
                            <>
                              <span className={css.was}>{c.before.slice(0, 40)}</span> →{' '}
                            </>
                          )}
                          {c.after.slice(0, 40)}
                        </div>
                      ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
