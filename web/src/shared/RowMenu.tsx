import type { MouseEvent, ReactNode } from 'react';
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { t } from '#ui';

/** The row may be a link or open something itself: its menu does neither. */
const ownClick = (e: MouseEvent): void => {
  e.preventDefault();
  e.stopPropagation();
};

/** The “…” menu of a list's row. `name`: what its actions are for. Children: `Menu.Item`s. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t('Actions for {name}', { name })}
          onClick={ownClick}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(e) => e.stopPropagation()}>{children}</Menu.Dropdown>
    </Menu>
  );
}
