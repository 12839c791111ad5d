import { Menu } from '@mantine/core';
import { IconExternalLink, IconRotate, IconTrash } from '@tabler/icons-react';
import type { numbers } from '#contract';
import { formatPhoneNumber, navigate, t } from '#ui';
import { RowMenu } from '../../../shared/RowMenu.tsx';
import { useReleaseNumber } from '../use-release-number.ts';

/** Row menu of a number: open, release, or keep one that is being released. */
export function NumberMenu({ number: n }: { number: numbers.NumberRow }) {
  const { release, keep } = useReleaseNumber();
  return (
    <RowMenu name={formatPhoneNumber(n.number)}>
      <Menu.Item
        leftSection={<IconExternalLink size={16} aria-hidden />}
        onClick={() => navigate(`/numbers/${n.id}`)}
      >
        {t('Open')}
      </Menu.Item>
      {n.status === 'releasing' ? (
        <Menu.Item leftSection={<IconRotate size={16} aria-hidden />} onClick={() => void keep(n)}>
          {t('Keep this number')}
        </Menu.Item>
      ) : (
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void release(n)}
        >
          {t('Release number')}
        </Menu.Item>
      )}
    </RowMenu>
  );
}
