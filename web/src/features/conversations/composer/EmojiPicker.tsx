import { useState } from 'react';
import { ActionIcon, Popover, Tooltip } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { lazyComponent, t } from '#ui';

const EmojiGrid = lazyComponent(async () => (await import('./EmojiGrid.tsx')).EmojiGrid);

/** Inserts an emoji, chosen from a grid or by a search word. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const [open, setOpen] = useState(false);
  const pick = (emoji: string): void => {
    setOpen(false);
    onPick(emoji);
  };
  return (
    <Popover opened={open} onChange={setOpen} position="top-start" width={300} trapFocus>
      <Popover.Target>
        <Tooltip label={t('Emoji')}>
          <ActionIcon aria-label={t('Emoji')} aria-expanded={open} onClick={() => setOpen(!open)}>
            <IconMoodSmile size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p="xs" mih={80} aria-label={t('Emoji')}>
        <EmojiGrid onPick={pick} />
      </Popover.Dropdown>
    </Popover>
  );
}
