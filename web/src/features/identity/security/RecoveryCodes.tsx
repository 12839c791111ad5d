import { Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Modal, t } from '#ui';

/** Recovery codes, shown once. */
export function RecoveryCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  const text = codes.join('\n');
  return (
    <Modal
      opened
      onClose={close}
      title={t('Your recovery codes')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        <Text fz="sm">
          {t(
            'Each signs you in once if you lose your phone. Keep them safe: they aren’t shown again.',
          )}
        </Text>
        <SimpleGrid cols={2} spacing="xs" data-recovery-codes>
          {codes.map((code) => (
            <Code key={code} block>
              {code}
            </Code>
          ))}
        </SimpleGrid>
        <Group justify="flex-end" gap="xs">
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? t('Copied') : t('Copy')}
              </Button>
            )}
          </CopyButton>
          <Button
            variant="default"
            component="a"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="trunkline-recovery-codes.txt"
          >
            {t('Download')}
          </Button>
          <Button onClick={close}>{t('I’ve saved them')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
