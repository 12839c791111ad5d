import { Text } from '@mantine/core';
import { importing, type Answer } from '#contract';
import { t } from '#ui';
import { Figures } from './Figures.tsx';

type PreviewResult = Answer<typeof importing.checkContactImport>['data'];

/** How many rows the import would add, update and skip. */
export function PreviewFigures({ checked }: { checked: PreviewResult }) {
  return (
    <>
      <div role="status">
        <Figures counts={checked} />
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
