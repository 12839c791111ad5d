import { Button, Tooltip } from '@mantine/core';
import { IconClock, IconHash, IconMicrophone, IconPhonePlus } from '@tabler/icons-react';
import { t } from '#ui';
import type { PaletteItem } from './edit.ts';
import css from './FlowEditor.module.css';

const mime = 'application/x-trunkline-step';
const items: readonly { item: PaletteItem; label: string; about: string; icon: typeof IconHash }[] =
  [
    { item: 'extension', label: 'Extension', about: 'One more choice in the menu', icon: IconHash },
    { item: 'destination', label: 'Destination', about: 'A phone to ring', icon: IconPhonePlus },
    { item: 'hours', label: 'Hours', about: 'Open and closed times', icon: IconClock },
    {
      item: 'voicemail',
      label: 'Voicemail',
      about: 'A message when no one answers',
      icon: IconMicrophone,
    },
  ];

/** The kind of step being dragged from the palette; null when something else is dragged. */
export function draggedItem(from: DataTransfer): PaletteItem | null {
  const itemText = from.getData(mime) || from.getData('text/plain').replace(/^step:/, '');
  return items.find((one) => one.item === itemText)?.item ?? null;
}

/** Steps to add: drag one onto the canvas, or press it to add it at the selected step. */
export function Palette({ onAdd, at }: { onAdd: (item: PaletteItem) => void; at: string | null }) {
  return (
    <div className={css.palette} role="toolbar" aria-label={t('Add a step')}>
      {items.map(({ item, label, about, icon: Icon }) => (
        <Tooltip
          key={item}
          label={
            item === 'extension' || at === null
              ? t(about)
              : t('Add {what} at {step}', { what: t(about), step: at })
          }
          openDelay={400}
        >
          <Button
            variant="default"
            size="compact-sm"
            draggable
            leftSection={<Icon size={16} aria-hidden />}
            aria-label={t('Add: {what}', { what: t(label) })}
            onDragStart={(event) => {
              event.dataTransfer.setData(mime, item);
              event.dataTransfer.setData('text/plain', `step:${item}`);
              event.dataTransfer.effectAllowed = 'copy';
            }}
            onClick={() => onAdd(item)}
          >
            {t(label)}
          </Button>
        </Tooltip>
      ))}
    </div>
  );
}
