import { Text } from '@mantine/core';
import { importing, type Answer } from '#contract';
import { formatNumber, t } from '#ui';
import css from './importing.module.css';

type PreviewResult = Answer<typeof importing.checkContactImport>['data'];

/** How many rows the import would add, update and skip. */
export function PreviewFigures({ checked }: { checked: PreviewResult }) {
  const figures: [string, number, boolean?][] = [
    [t('Rows'), checked.rows],
    [t('New'), checked.created],
    [t('Updated'), checked.updated],
    [t('Unchanged'), checked.unchanged],
    [t('Skipped'), checked.skipped, checked.skipped > 0],
    [t('Partially imported'), checked.noted, checked.noted > 0],
  ];
  return (
    <>
      <div role="status">
        <dl className={css.figures}>
          {figures.map(([name, n, warn]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd {...(warn && { 'data-tone': 'warn' })}>{formatNumber(n)}</dd>
            </div>
          ))}
        </dl>
      </div>
      {checked.optedOut > 0 && (
        <Text size="sm" mt="sm">
          {t(
            '{n, plural, one {# of them opted out of texts and stays} other {# of them opted out of texts and stay}} opted out.',
            { n: checked.optedOut },
          )}
        </Text>
      )}
      {checked.newGroups.length > 0 && (
        <Text size="sm" mt={4}>
          {t('New groups: {names}', { names: checked.newGroups.slice(0, 10).join(', ') })}
        </Text>
      )}
      {checked.newLabels.length > 0 && (
        <Text size="sm" mt={4}>
          {t('New labels: {names}', { names: checked.newLabels.slice(0, 10).join(', ') })}
        </Text>
      )}
    </>
  );
}
