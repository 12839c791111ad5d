import { Menu, Text } from '@mantine/core';
import { IconEraser, IconGavel } from '@tabler/icons-react';
import { t } from '#ui';
import { useOpenDialog } from './use-erasure.ts';

/** Menu items for people who can erase a person. */
export function ErasureItems({ isHeld }: { isHeld: boolean }) {
  const { open } = useOpenDialog();
  return (
    <>
      <Menu.Divider />
      <Menu.Item leftSection={<IconGavel size={16} aria-hidden />} onClick={() => open('hold')}>
        {isHeld ? t('Change the reason for the legal hold') : t('Put under legal hold')}
      </Menu.Item>
      <Menu.Item
        color="red"
        leftSection={<IconEraser size={16} aria-hidden />}
        // Not `disabled`: the keyboard would skip it, and with it the reason.
        {...(isHeld
          ? { 'aria-disabled': true, closeMenuOnClick: false, c: 'dimmed' }
          : { onClick: () => open('erase') })}
      >
        {t('Erase this person')}
        {isHeld && (
          <Text component="span" display="block" size="xs">
            {t('End the legal hold first')}
          </Text>
        )}
      </Menu.Item>
    </>
  );
}
